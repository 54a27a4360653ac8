"""Turns the Markdown of an answer into HTML that can load nothing and run nothing.

Owns which Markdown is understood and how [1] marks look. What a model writes is never trusted:
HTML and pictures in it stay text, and so does any link that is no plain address of the web.
Knows no widgets.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterator, Mapping
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from desktop_app.engine.services.naming import build_pattern
from desktop_app.ui.allowed_sites import is_web_address
from desktop_app.ui.theme.tokens import Tokens

CITE, NAME, WEB = "cite", "name", "web"
_MARK = re.compile(r"\[\s*(\d{1,3}(?:\s*[,，、;]\s*\d{1,3})*)\s*\]")
_HALF_MARK = re.compile(r"[\[【][\d\s,，、;]{0,12}$|\*{1,2}$")
_UNSAFE_RULES = ("image", "html_inline", "html_block", "reference")
_ADDRESS = re.compile(r"https?://[^\s<>\"'`|，。；：、！？“”‘’（）【】《》]+")
_AFTER_ADDRESS = ".,;:!?*_~"


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
        f"p, li {{ line-height: {line_px}px; }}"  # not shown
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
    parser.validateLink = is_web_address  # type: ignore[method-assign]
    parser.inline.ruler.before("link", CITE, _read_mark)
    parser.inline.ruler.before(CITE, "picture", _read_picture)
    parser.add_render_rule(CITE, _render_mark)
    parser.add_render_rule("link_open", _render_link_open)
    parser.add_render_rule("link_close", _render_link_close)
    parser.core.ruler.push(WEB, _find_addresses)
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


def _read_picture(state: StateInline, silent: bool) -> bool:
    """Leave a picture as the text it is, so that no link is made of its second half."""
    if not state.src.startswith("![", state.pos):
        return False
    if not silent:
        state.pending += "!["
    state.pos += 2
    return True


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
            look = f"color:{env['accent']}; font-size:large"
            links.append(f'<span style="{look}">{number}</span>')  # not shown
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
        for token, linked in _with_links(block):
            parts = [token] if linked else _split(token, pattern, state.env["names"], seen)
            children += parts
        if block.children:
            block.children = children


def _find_addresses(state: StateCore) -> None:
    """Make links of the addresses that stand in the text as they are, once they are whole."""
    if state.env["numbers"] is None:
        return
    for block in state.tokens:
        children: list[Token] = []
        for token, linked in _with_links(block):
            children += [token] if linked or token.type != "text" else _split_addresses(token)
        if block.children:
            block.children = children


def _with_links(block: Token) -> Iterator[tuple[Token, bool]]:
    """Yield what stands in a paragraph, and whether it is part of a link."""
    depth = 0
    for token in block.children or ():
        depth += token.type == "link_open"
        yield token, depth > 0
        depth -= token.type == "link_close"


def _split_addresses(token: Token) -> list[Token]:
    parts: list[Token] = []
    position = 0
    for match in _ADDRESS.finditer(token.content):
        address = match.group().rstrip(_AFTER_ADDRESS)
        if address.endswith(")") and "(" not in address:
            address = address.rstrip(")" + _AFTER_ADDRESS)
        if not is_web_address(address):
            continue
        parts.append(Token("text", "", 0, content=token.content[position : match.start()]))
        parts.append(Token("link_open", "a", 1, attrs={"href": address}))
        parts.append(Token("text", "", 0, content=address))
        parts.append(Token("link_close", "a", -1))
        position = match.start() + len(address)
    parts.append(Token("text", "", 0, content=token.content[position:]))
    return [part for part in parts if part.content or part.type != "text"]


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


def _render_link_open(_: Any, tokens: Any, index: int, options: Any, env: Any) -> str:
    if env["numbers"] is None:
        return ""
    address = escape(str(tokens[index].attrs["href"]))
    style = f"color:{env['accent']}; text-decoration:underline"
    return f'<a href="{address}" rel="noreferrer noopener" style="{style}">'  # not shown


def _render_link_close(_: Any, tokens: Any, index: int, options: Any, env: Any) -> str:
    return "" if env["numbers"] is None else "</a>"


def _render_table_open(*_: Any) -> str:
    return '<table cellspacing="0" cellpadding="0">\n'  # not shown


def _render_th_open(*_: Any) -> str:
    return '<th align="left">'  # not shown


def _render_code(_: Any, tokens: Any, index: int, options: Any, env: Any) -> str:
    code = escape(tokens[index].content.rstrip("\n"))
    return f"<pre>{code}</pre>\n"


def _render_heading_open(*_: Any) -> str:
    return "<p><b>"


def _render_heading_close(*_: Any) -> str:
    return "</b></p>\n"
