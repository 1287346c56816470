"""Habits and faults of the socket for speech; `realtime.py` looks for their names."""

from .base import Scenario, register

HABITS = {
    "speech_deltas": "The older form: what is new of the text is appended.",
    "speech_both": "Both forms at once.",
    "speech_late": "Nothing before the final commit, and then not at once.",
    "speech_early": "Nothing comes behind the final commit.",
    "speech_closes": "The service closes the socket when it has said all.",
    "speech_empty": "Nothing is understood, as of sound with another rate.",
    "speech_open": "Anybody may open the socket.",
    "speech_cookie": "Only the cookie of a browser opens the socket.",
    "speech_refused": "Nobody may open it.",
    "speech_cut": "The connection breaks while the person speaks.",
    "speech_cut_late": "It breaks behind the final commit, before the text is final.",
    "speech_error": "The service reports an error.",
    "speech_inactive": "The service has waited too long for sound.",
    "speech_garbage": "A message is no JSON.",
    "speech_clear": "The text is not encrypted, though the sound was.",
    "speech_damaged": "The text fails authentication.",
}

for _name, _doc in HABITS.items():
    register(_name)(type(_name, (Scenario,), {"__doc__": _doc}))
