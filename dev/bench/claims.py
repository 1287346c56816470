"""How often the rule for invented successes is right, and what it costs.

Counts the table of answers that the tests are made of, and, where the recorded material
is at hand, what real models answered without a call (each one noticed is printed, to be
judged by eye).
"""

import time

from custom_components.lumo.agent.claims import Claim, ClaimRule
from custom_components.lumo.languages import EN, language_of
from tests.agent.test_claims import CLAIMS, HARMLESS
from tests.material import load_json

from .table import print_table

COMMANDS = {"en": "turn it off", "de": "mach es aus"}


def main() -> None:
    """Print the tables."""
    rows = []
    for language, command in COMMANDS.items():
        rule = ClaimRule.for_turn(command, language_of(language), frozenset())
        assert rule is not None
        noticed = [rule.judge(text) is Claim.DONE for text in CLAIMS[language]]
        alarms = [rule.judge(text) is Claim.DONE for text in HARMLESS[language]]
        rows.append(
            (
                language,
                f"{sum(noticed)} of {len(noticed)}",
                f"{sum(alarms)} of {len(alarms)}",
            )
        )
    print_table(
        ("table of the tests", "claims noticed", "false alarms"), rows, title="claims"
    )

    rule = ClaimRule.for_turn(COMMANDS["en"], EN, frozenset())
    assert rule is not None
    vectors = (load_json("model_outputs.json") or {}).get("vectors", [])
    answers = ["".join(v["chunks"]) for v in vectors if v["level"] == "text"]
    flagged = [text for text in answers if rule.judge(text) is Claim.DONE]
    print(f"\nreal answers without a call: {len(answers)}, noticed: {len(flagged)}")
    for text in flagged:
        print(f"  {' '.join(text.split())[:100]}")

    texts = [text for group in (CLAIMS, HARMLESS) for text in group["en"]]
    begun = time.perf_counter()
    for text in texts:
        rule.judge(text)
    each = (time.perf_counter() - begun) / len(texts)
    print(f"\none judgement takes {each * 1e6:.0f} µs")


if __name__ == "__main__":
    main()
