"""Turns the Markdown of an answer into HTML that can load nothing and run nothing.

Owns which Markdown is understood and how [1] marks look. What a model writes is never trusted:
HTML, links and pictures in it stay text. Knows no widgets.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

from desktop_app.ui.theme.tokens import Tokens

CITE = "cite"
_MARK = re.compile(r"\[\s*(\d{1,3}(?:\s*[,，、;]\s*\d{1,3})*)\s*\]")
_HALF_MARK = re.compile(r"[\[【][\d\s,，、;]{0,12}$|\*{1,2}$")
_UNSAFE_RULES = ("link", "image", "autolink", "html_inline", "html_block", "reference")


def split_half_mark(text: str) -> tuple[str, str]:
    """Return what of a streamed text can be shown now, and the half mark that has to wait."""
    match = _HALF_MARK.search(text)
    return (text, "") if match is None else (text[: match.start()], text[match.start() :])


def close_bold(text: str) -> str:
    """Return a streamed text with its last paragraph's open ** closed, so that no star shows."""
    last = text[text.rfind("\n\n") + 1 :]
    if last.count("**") % 2 == 0:
        return text
    if text.rstrip().endswith("**"):
        return text.rstrip()[:-2]
    return text.rstrip() + "**"


def render_answer(text: str, numbers: Collection[int] | None, tokens: Tokens) -> str:
    """Return the HTML of an answer.

    Args:
        numbers: marks that lead somewhere become links; None while streaming, when nobody
            knows yet: all marks look like links and lead nowhere.
    """
    text = text.replace("【", "[").replace("】", "]")
    html = _parser().render(text, {"numbers": numbers, "accent": tokens.accent})
    return html.rstrip("\n")  # Qt would make a blank of it, at the very end of the text


def build_style(tokens: Tokens, line_px: int) -> str:
    """Return the style sheet of an answer's document; all lines are `line_px` high.

    A fixed height keeps lines with marks, or with Chinese, as far apart as the others.
    """
    return (
        f"p, li {{ line-height: {line_px}px; }}"
        "p { margin-top: 0; margin-bottom: 8px; }"
        "ul, ol { margin-top: 0; margin-bottom: 8px; }"
        "li { margin-bottom: 4px; }"
        f"pre, code {{ background-color: {tokens.sunken}; }}"
        f"blockquote {{ color: {tokens.text2}; margin-left: 16px; }}"
        f"th, td {{ padding: 4px 12px 4px 0; border-bottom: 1px solid {tokens.line}; }}"
    )


def mark_number(url: str) -> int | None:
    """Return the number of a mark's link; None for any other address."""
    scheme, _, number = url.partition(":")
    return int(number) if scheme == CITE and number.isdigit() else None


@functools.cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True})
    parser.enable(["table", "strikethrough"])
    parser.disable(list(_UNSAFE_RULES))
    parser.inline.ruler.before("link", CITE, _read_mark)
    parser.add_render_rule(CITE, _render_mark)
    # a heading in an answer is a bold line; three sizes of type are enough
    parser.add_render_rule("heading_open", _render_heading_open)
    parser.add_render_rule("heading_close", _render_heading_close)
    parser.add_render_rule("table_open", _render_table_open)
    return parser


def _read_mark(state: StateInline, silent: bool) -> bool:
    match = _MARK.match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        token = state.push(CITE, "", 0)
        token.content = match.group(1)
        # a mark stands at the word it proves, not a blank behind it
        before = state.tokens[-2] if len(state.tokens) > 1 else None
        if before is not None and before.type == "text":
            before.content = before.content.rstrip(" ")
    state.pos = match.end()
    return True


def _render_mark(_: Any, tokens: Any, index: int, options: Any, env: Any) -> str:
    known = env["numbers"]
    links = []
    for number in dict.fromkeys(int(n) for n in re.findall(r"\d+", tokens[index].content)):
        if known is None:
            links.append(f'<span style="color:{env["accent"]}; font-size:large">{number}</span>')
        elif number in known:
            # larger by a step, since Qt draws what stands high at two thirds
            style = f"color:{env['accent']}; text-decoration:none; font-size:large"
            links.append(f'<a href="{CITE}:{number}" style="{style}">{number}</a>')
        else:
            return f"[{tokens[index].content}]"
    before = next((t for t in reversed(tokens[:index]) if t.type == CITE or t.content), None)
    joint = "," if before is not None and before.type == CITE else ""
    return f"<sup>{joint}{','.join(links)}</sup>"


def _render_table_open(*_: Any) -> str:
    return '<table cellspacing="0" cellpadding="0">\n'


def _render_heading_open(*_: Any) -> str:
    return "<p><b>"


def _render_heading_close(*_: Any) -> str:
    return "</b></p>\n"
