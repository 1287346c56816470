"""Test vectors for signing in, as published with Proton's own clients.

The sources are named beside them; BCRYPT_CORNERS were computed and agree with an
independent server side. Large numbers are little-endian, in base64.
"""

# Proton's web client.
EXPAND_HASH_WAT = (
    "45303ddb2325dc260aa49d36c703f1f168da95d480ef1b7c10760c9a279246b8d2a027002047"
    "cf1eda6877519217ad590c69cf080a654a207c9b00abd8baa8d784da7a2127da28fcfde08346"
    "329db153cd120a2c1f3de5dd7fa960df9264fb9f879cd8528cceef671a63d927064ce98b118c"
    "5a0fcc64943e8e8c85df1281e51b38b5ccd0e6afd3c604dc23688d87b6e2c58b50d6fefd68f7"
    "97a31bf69c86e6cada0c93a89571e671d365362144dcbc0a0d62cf224fcd0819bb4094240e91"
    "35aae43d9b1a167c6731a5d7087b4546c0385f19fe559585a7aab84f4f87f5e7009b91a95193"
    "73a9c4777e675c097463a3cf4fb77d27b26894979aa34a927eb7605b"
)

# Password "hello", salt u6Jw9fM8sdKHJg==, a modulus of zeros (web client).
HELLO_HASH = (
    "rXQ+YNpiawfbpknPzzSMComqYCM+SFWqYXbOn/EiU7y2t2UOEsazegVe4Ov3Qtwb7OBBLRx64Ynx"
    "Z53lKS4xaOxPg7avuonMuqIBAofEE8K3tOF/7lMbVJSkV1OQ57JXmZ1uvDPw/ZJVNebZCGxhb1Cw"
    "hmmwydU8nY4+wnjSpEhq7NueadJLscBOpZHDQKS1MrZZ/r/xRfHqAln7+QqJFJX7iuGLvZ7cII20"
    "rB+fvKE77BCJnIyUKai1jZh6hvVQC0kkas3q4XGaFNBI68pajF4cfVD6WhqnDe3vWDL2tzQT5xAQ"
    "lVaZtSVtEHfqu5wwLEszo3eK13SQtO2VDyZG5Q=="
)

# From the tests of the web client.
M1_TEXT = (
    "y6TtufhYg2mIeauZYOti+GPbd/0vP66kP34TgE6elK/kXkTW/Yfrp1jMmtLiWWSq5cszTMRIEigh"
    "uwPbZ/z3RrWPxsOg0+jYgbFu8yZ8vOAwrPtLxZl94x0PFTAZBrVapmCn+VYcM+UXdO9v70xFDLwj"
    "34tpPbvpODHVWHSlGlhOwndWg3XBE2D9PJopFZajNZiqOScBXree5rDgzU5BBaPbIb6nySpyaeTh"
    "MCcNzpcEqE8r3ro+E/VdXBvSSJpusr1dvAwHc3IDGUzAhodqV5mjYy9nXwq/9gHWpYNtm76Ols7R"
    "eWAhZwy1+cQllQZwGfzzOVGpc+3WutOntQjM6Q=="
)
M1 = f"""\
-----BEGIN PGP SIGNED MESSAGE-----
Hash: SHA256

{M1_TEXT}
-----BEGIN PGP SIGNATURE-----
Version: ProtonMail
Comment: https://protonmail.com

wl4EARYIABAFAlwB1j8JEDUFhcTpUY8mAADfEAD8DFdNXn4TsgbfbAZRDa9a
yywqa/2W9Qyg5MJaNZd2a+0BAPg04gEZI+G8RaoPVh/SYvWx7jpP3L1O8bEi
M/j1cjIO
=5RYw
-----END PGP SIGNATURE-----
"""

# From the tests of the Python library.
M3_TEXT = (
    "091HBWnHlR+qphOhmi9ZrTWMnPT/jXqWzUh7F8CShuXIfHe5srT4y3BoBi85N89ceDhety3oVKoa"
    "S9sTQ6hVoRjjCulEuNQ5L6uN+9jG/f3/c3yVYjl6d9P1ktLsS21p3+2dQEAcNP0SQvMIdJPva1aB"
    "WsaoHKA3nzOp7pCIJHRw2Xx7T8AwzndW8r6KcNeZSLltj3FBIbWmKsaA8d3x+Db2D4M2Rngdf/eW"
    "2CQ39RlMvPdefMISs3jKSwduCJKCKbhYh6WSCjpgXrombuYIiMynfx38IibvSIURLOhXC9JKXY0k"
    "+bCPxZpt5iloe/11wK4ZSwuhYLEukD1ulvR1rw=="
)
M3 = f"""\
-----BEGIN PGP SIGNED MESSAGE-----
Hash: SHA256

{M3_TEXT}
-----BEGIN PGP SIGNATURE-----
Version: ProtonMail
Comment: https://protonmail.com

wl4EARYIABAFAlwB1jwJEDUFhcTpUY8mAABQpAD/VWjPiBcTZLU9t9GcLPtI
tv2iIdcvaOJg3hpl/XyEmAoA/0jNeiOMHl0Hpd4PoF/SCqmO/gDZDByy+t1n
5xsxCLEM
=a1KZ
-----END PGP SIGNATURE-----
"""

# M1, password "123", salt u6Jw9fM8sdKHJg== (web client).
PROOF_SECRET = (
    "SzHkg+YYA/eN1EkzaYW1+LoqDEcQqFf2OlZXXFnqVKb3fsR+boiAm4zxaZ2sIHVdzE0joj8/wx+r"
    "RYISfYqBPzEkuuPK23L0Cg3RM94Bi2cSW4VUBf3jUs8qkyloFrx3dRb5R6UusF8YmiEvMt3lWGrj"
    "xhS7TtHZk4ekeLPo1D20rop+t1SqQ1pKxzLQFuI26FwrbtqSh6LupBCjN+USp3AqS0otgkG2lBCE"
    "8V3ZGHoVIwM9zTWDc0hed2kpG5F5Lq05a6BOJ+kT0zVwAw2WwN1fg2EtZs/+xVOQJI/4EoYfxQxY"
    "AAqEGGhPEYX3fEWwvM6pTFMOWRJLO/fxzphirw=="
)

PROOF_B = (
    "5FV4Hp7kU58P4i6KYc+f9y0wuUaRje/wwxFkrBL5KvnBjcr53952s0yM0TOH56H55RcZ1sMGuSqb"
    "yGZSj4ACoZdc0Yw1u102B38B+IOhPhhjAP2Yd+5NBXccMpmNrzjkgW78r+WAm7Fm5SvBapI8SpZi"
    "uVARYTsupoP7frBpTAjnwm5aD4gVnkv7yZ9kZ1vEdHjZzQtaJZ4GFE1iiM8eRGw9POkcvIvBt8yn"
    "J4RWNZljCU9svsNfjEEdNPpWC+6RJtcK6dSuDZ5NxlLByzydCH78KVnFoCKGH9imLqQG+KC7BwBu"
    "CLA9JtGpsHwAe5xNiBkeZ6q431yqF/vS6ZeNxw=="
)

PROOF_X = (
    "FnvSJolSpa+rwupOG6AakdEPsQ9tyLx45TtwpNM45HxbAmiaP7OqYff/ZL5lmpIiZcmHl1PwhQLb"
    "joYhfXTZ48IiVUCUa6aN+EDIdgs4u4U7RR0Fw1TKLht9/XZqlLLcE9hnFXbCp3IVg0MIPSFAQxht"
    "QqHhqLMHMHt3mLWOye0QlS+KqvlZfLv+VtXNOhvtjyGJI9iSM/rKbCn67xfccodzIVWWAZu3CW/z"
    "/7ZLR46ccL+peXXW9FxBOysP9/H9oa7pq/JAKKSJxBdPB9C2SEooB0lFFoDiFYYzPuv+wOlAoT0o"
    "dmhY4dMoclQPD4SWUrjDROIrOwNOb9wEYzfjJQ=="
)

PROOF_A = (
    "hlszWWqvmsVvSCYdu0Zvmn/Ow9dSkp91vfhd20yYvd8XTcNixlOloz7lbD+bFR/0mAUYrYuOyYwP"
    "DoARAqRiAijQTWSkfOsByeKvmHZN7scxsmMQSp/8BdkIpEcJzUBg762o4L2tgrOFdydtagYRH0++"
    "qaJI6iMWlGLVI1atJvEcQ1h9xRylYT8rtL+gqKcYOQbqYgl3mXlHE/9uT8qEBFIP8LthQfIntst1"
    "p/dUDYyN4GH5Pb3ajL0qehzrQrDkF5xMmggDXgqflwMtcJTSIB0WcyiG+ls8KhUy8NVwyNhJrbik"
    "kzAnhAk4Mq3HmTwtj82BNQzSnDDg1W1lvU1JrA=="
)

PROOF_S = (
    "6IowZS8K8dxILoo1beBux1JOebqw2UrrbXPvN+etR2QwKhuaff5F9BGhuI+/+IdmBJDI8Kq9i2oP"
    "alA3w2JNywB7GFiCl1MaRBkL87MJt/fSJpmco8lWXuNncmatJLIiAb9iHea/IIRItgcoDmdQ6GIr"
    "TpNRRaKdXncHhAtg8Q6vQCuQFWf2cOLvXhlrL9BiOkMx8kScLhBnWSFJ04u+xp054rqf40dG0Oak"
    "s/o+3aOJcnWmXeyD9y19mxA+6zaTNsPUhms8j0LayB3RVe6XS40dCEZJnkuufwM0YwMoBZ9b0DZ7"
    "S1meu5yznmR0ZfBRV/nOxgHzX58WKqKD5y3XRA=="
)

PROOF_CLIENT = (
    "iuCo00BHgTVw4808ZU4EIESZhRR4BV8CQoNu8sZJ270hdz2ufRge7/Xpr8hdt08qoNCbDXT0M333"
    "d6CeyymLeMcWo7Lr13nGHzmoB5iRSjIjcmROHSD5YkjGAsCejnvoS2Pr0TzGKa32lBwYaxLEuT21"
    "62q98N6HpqpYNo2Iuvsd11gx1g9YJiLR7VESiD93NutcZIFta5M0vUQIBvzPI88Ev77d2CoEPyNF"
    "ZctqcKxeZYsACN+JLq2sw+ME9sIPoSpujn6v6fK9NDSq/tldQmZ/upjFrXMhoLpxwK/daepvHHzf"
    "FVv8BbRrXJ2YH9jGPtJPVTUxUqnA2Lu1jBk+nw=="
)

PROOF_SERVER = (
    "ZBdnSNfaP4mgqNoh//ZJgqbsuxBNqSDL+tEPSH7b1wYlamdXNzz1pnp7G1QRBmvSgksdrSQaTZR5"
    "75hIZ9UbWZNB7qP2opgHKeQATtE69sIgC4ehBF4HZzX2hr/4WC9Q5U0XOdM+1/KWEtVCNjwkmdXJ"
    "/3jjRbPH+d2K1yNGAo0iAjTBkIrY5l3FwgDLREKxVZyMyp6CTqzY4XMNY29r/URs+WH+45j4OFOO"
    "zhtxE4BoHXTtIPAr6gMTaZ/GsXtDvdBWHZQAYL/lIoQk+BdJhm2riy+OXRwEu0CzMo7JhbbZUbmL"
    "Df8gqQFteQnlGdPJD+SEiQC8ebJv4RbbUGnD1g=="
)

# M1, password "123", salt SzHkg+YYA/eN1A== (web client).
VERIFIER_123 = (
    "j2o8z9G+Xm5t07Y6D7rauq3bNi6v0ZqnM1nWuZHS8PgtQOl4Xgh8LjuzulhX1izaOqeIoW221Z/L"
    "DVkrUZzxAXwFdi5LfxMN+RHPJCg0Uk5OcigQHsO1xTMuk3hvoIXO7yIXXs2oCqpBwKNfuhMNjcwV"
    "lgjyh5ZC4FzhSV2lwlP7KE1me/USAOfq4FbW7KtDtvxX8fk6hezWIz9X8/bcAHwQkHobqOVTCE81"
    "Lg+WL7s4sMed72YHwx5p6S/YGm558zrZmeETv6PuS4MRkQ8vPRrIvmzPEQDUiOXCaqfLkGvBFeCb"
    "BjNtBM8AlbWcW8XE+gcb/GwWH8cHinzd4ddh4A=="
)

_MODULUS_1 = (
    "1b64df29dedd8656245db7eee751442ad9cf1dafc5a71a94076385c2fbf9fa7ad63e94cb365e"
    "c94eba5be131cf63d3930cac4755de6d0625c24dd9a906551d216601222eba94ff50c78b8b26"
    "dbf27636f4019f1700ba091287462cffad4f88b22d66bbf8993090865e46d077ecf1db78cb2a"
    "b0d036ad786b046b5d93bd473c95779914cb93f607fd7efb9d34161951263ce794bf181fb301"
    "ee444d170999eaff9427cc4151bd91a755f1a184009c1418b16eec7bfc2d5f88d42b38a4cc17"
    "6b73eab132fe37dd7e1162dca1d13e81a6f10f090de77eb8cc492cd0b19bb6fc151f5b4ad56b"
    "14308d582d86471390c4223400aee3d5e94c973fb997d59f8a9f309f"
)

_MODULUS_2 = (
    "c376377ac6c62697e211c0be80da3c5f7b7381ab92d94536b406594ad0c1bfe90a424e36085c"
    "d2f553f370ed863e72597210dd94a19b0da4257cd18eedaf33a71e5bd7657db25be602f0430f"
    "e4762d9f6100dd319d7e5870dc0583d0782832e68e8a12c1aa0b8018fb71d5f3c9aeb80208de"
    "62cab066fcc80e274f32199aa2193882e256a86e2b8993c7278ce470ba4a9b315af33c029967"
    "eb96c470987f440f7cd4688072b98dc0b57686b580de76bf10f3d277d24cad012a83a98a834f"
    "90a22a29d113f272a38e750df3188acfcadc8642b7f9847ce4f721ebf1d9105be33cdc19a010"
    "80a9427f4f76b27d3fcf8926a5c4884c42d1b6d052c2f744452283db"
)

# Proton's Python library: name, password, salt, bcrypt text, modulus (hexadecimal),
# verifier.
VERIFIERS = [
    (
        "LeadingZerosSalt",
        "test",
        "AA54BOeNTVl8kg==",
        "$2y$10$..32/McLRTj6il/wZ1PtZeX4qQYZMp3Ggqw.ZYJavKgjPielgSu.m",
        _MODULUS_1,
        (
            "P3YwOj/6yNdZEe9sJoCtXKCvp/KUOtT8TwQXa1i410CgJJqmOaPjb460JoDl3a+2p5p3MXBQ"
            "+EvEYe2C9INuNDgQRSvLSAwAczJehPPl8vYYDfbda8kdKSI7iV3l4acA8oLyLSfZpdPNj+YQ"
            "L/cjfBbHJssir+Fhm3wclSk0NvBjk5DgmDow3E9HzGqfcZTSqVDH7sSqrfR8K1r7wFjm9WDk"
            "v27agUXdgJJtQidqsRBz7IAY00NtMFiyoFjh8qUqRkV5/RX2KdAbqQWDBfrIAaQ6GWLJ1T66"
            "RTq4IyOtdWD6edJcRFnI8qNyNCjRAXrZrSNtPbo88ho79O9oOmEhmw=="
        ),
    ),
    (
        "Test2",
        "PasswordThatIsLongerThan72CharsAndContainsSomeRandomStuffThatNoOneCaresAbout",
        "lSIG/btGTkKS4Q==",
        "$2y$10$jQGE9ZrERiIQ2V/wZ1PtZeNart.66JQGwfK4GA7aKlKooPQv6Mz/m",
        _MODULUS_2,
        (
            "Ft8p5GMgowgwSRb2jJ7uoTkvptOQmNqH+Aov/Lawsc5vbaBIIoIwnF03jiGVEEO9kVVTZG/+"
            "5zQorvY5voZJrgJev+I/LR0WbzIY+Tqm7BbVRSARc7jkTFHXYFFiasuOR5myTDPyctxyfTQz"
            "AwGX7MccC82nWUuPn/yWsAgqppvVatC+QUilEKALvHqjnupJoLay0ZfmLOkV8eeXUQFkOcRz"
            "GFYtkCSD5aCQYBMZYkuLm/4rUEQsYQ9GyluGDNfYm0kDUy9oq0ujJdDciSvFAw3arIANsuED"
            "mGg/eo0/1iZLywcZPzS20Cu07KIgQ+Ct2HemCmgFDJKQ2CBnW+HvFQ=="
        ),
    ),
]

# Salt of the bytes 0 to 9.
BCRYPT_CORNERS = [
    ("x" * 80, "$2y$10$..CA.uOD/eaGAV/wZ1PtZeJduVdNABsqqEKAQ/BM9S.qZVcIB8tzG"),
    ("\u00e9" * 40, "$2y$10$..CA.uOD/eaGAV/wZ1PtZeMxyQcUev1nYrUdfE6cDlIBfJRZBiEi6"),
]
