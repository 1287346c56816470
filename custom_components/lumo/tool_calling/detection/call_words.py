"""The words that models write as keys of calls, and those that make it something else.

Keys are compared by their letters and digits.
"""

from typing import Final


def words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


# Words for the name. The first that names an offered tool counts; `name` is last
# because tools have such an argument.
NAME_KEYS: Final = (
    *("tool", "toolname", "function", "functionname", "func", "recipientname"),
    *("action", "service", "intent", "call", "method", "name"),
)
ARGUMENT_KEYS: Final = words("""
    argument arguments parameters params args kwargs input inputs slots
    toolinput toolargs toolarguments toolparameters toolparams
    functionarguments functionargs functionparameters actioninput
""")
# What calls are wrapped in.
WRAPPER_KEYS: Final = words("""
    toolcalls toolcall functioncalls functioncall tooluses tooluse calls call
    function tool action actions tools functions
""")
# Says something about a call and is no part of it.
MARKS: Final = words("id callid toolcallid toolid tooluseid")
REMARKS: Final = MARKS | words("""
    index role object status version jsonrpc strict namespace
    thought thoughts thinking reasoning reason rationale explanation comment
    confidence description purpose content text message finishreason
""")
# Says that the call has been made, or that this is about a tool rather than a call.
RESULTS: Final = words("""
    result results output outputs response responses observation toolresult
    functionresponse returns returned returnvalue error errors success speech
    responsetype
""")
# An object with nothing but one of these wraps an answer.
ANSWERS: Final = words("answer finalanswer reply response message text content speech")
# Beside a name and without arguments these make it the name of something else.
NOT_FLAT: Final = RESULTS | words("""
    attributes description enabled entityid example examples inputschema
    lastchanged properties required schema state states status summary usage
""")
TYPES: Final = words("function functioncall tool toolcall tooluse call toolcalls")
