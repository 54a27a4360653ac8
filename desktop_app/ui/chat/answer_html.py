"""Turns the Markdown of an answer into HTML that can load nothing and run nothing.

Owns which Markdown is understood and how [1] marks look. What a model writes is never trusted:
HTML, links and pictures in it stay text. Knows no widgets.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Mapping
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from desktop_app.engine.services.naming import build_pattern
from desktop_app.ui.theme.tokens import Tokens

CITE, NAME = "cite", "name"
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


def render_answer(
    text: str,
    numbers: Collection[int] | None,
    tokens: Tokens,
    names: Mapping[str, int] | None = None,
) -> str:
    """Return the HTML of an answer.

    Args:
        names: words that are links to the entity with this id, where they first stand in a
            paragraph.
        numbers: marks that lead somewhere become links; None while streaming, when nobody
            knows yet: all marks look like links and lead nowhere.
    """
    text = text.replace("【", "[").replace("】", "]")
    env = {"numbers": numbers, "accent": tokens.accent, "ink": tokens.text}
    if names:
        env |= {"names": names, "pattern": build_pattern(list(names))}
    html = _parser().render(text, env)
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
    return _number(url, CITE)


def name_number(url: str) -> int | None:
    """Return the entity that a name's link means; None for any other address."""
    return _number(url, NAME)


def _number(url: str, wanted: str) -> int | None:
    scheme, _, number = url.partition(":")
    return int(number) if scheme == wanted and number.isdigit() else None


@functools.cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True})
    parser.enable(["table", "strikethrough"])
    parser.disable(list(_UNSAFE_RULES))
    parser.inline.ruler.before("link", CITE, _read_mark)
    parser.add_render_rule(CITE, _render_mark)
    parser.core.ruler.push(NAME, _find_names)
    parser.add_render_rule(NAME, _render_name)
    # a heading in an answer is a bold line; three sizes of type are enough
    parser.add_render_rule("heading_open", _render_heading_open)
    parser.add_render_rule("heading_close", _render_heading_close)
    parser.add_render_rule("table_open", _render_table_open)
    parser.add_render_rule("th_open", _render_th_open)
    parser.add_render_rule("fence", _render_code)
    parser.add_render_rule("code_block", _render_code)
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


def _find_names(state: StateCore) -> None:
    """Make links of the names, each once in a paragraph; code and marks are not touched."""
    pattern = state.env.get("pattern")
    if pattern is None:
        return
    for block in state.tokens:
        seen: set[int] = set()
        children: list[Token] = []
        for token in block.children or ():
            children += _split(token, pattern, state.env["names"], seen)
        if block.children:
            block.children = children


def _split(
    token: Token, pattern: re.Pattern[str], names: Mapping[str, int], seen: set[int]
) -> list[Token]:
    if token.type != "text":
        return [token]
    parts: list[Token] = []
    position = 0
    for match in pattern.finditer(token.content):
        entity_id = names[match.group()]
        if entity_id in seen:
            continue
        seen.add(entity_id)
        parts.append(Token("text", "", 0, content=token.content[position : match.start()]))
        link = Token(NAME, "", 0, content=match.group())
        parts.append(link)
        position = match.end()
    parts.append(Token("text", "", 0, content=token.content[position:]))
    return [part for part in parts if part.content]


def _render_name(_: Any, tokens: Any, index: int, options: Any, env: Any) -> str:
    words = tokens[index].content
    style = f"color:{env['ink']}; text-decoration:none"
    return f'<a href="{NAME}:{env["names"][words]}" style="{style}">{escape(words)}</a>'


def _render_table_open(*_: Any) -> str:
    return '<table cellspacing="0" cellpadding="0">\n'


def _render_th_open(*_: Any) -> str:
    return '<th align="left">'


def _render_code(_: Any, tokens: Any, index: int, options: Any, env: Any) -> str:
    code = escape(tokens[index].content.rstrip("\n"))
    return f"<pre>{code}</pre>\n"


def _render_heading_open(*_: Any) -> str:
    return "<p><b>"


def _render_heading_close(*_: Any) -> str:
    return "</b></p>\n"
