"""The text of one answer: streamed first, then rendered with links for citations and names.

Loads no external content; a click on a citation or name is a signal, and a web address is opened
after confirmation only. Knows nothing of chats.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from PySide6.QtCore import QPoint, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QCursor,
    QDesktopServices,
    QGuiApplication,
    QKeyEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
    QTextTable,
    QWheelEvent,
)
from PySide6.QtWidgets import QCheckBox, QFrame, QSizePolicy, QTextBrowser, QToolTip, QWidget

from desktop_app.engine.model import Citation
from desktop_app.engine.services.library_reader import NamedPart, build_pattern

from ..allowed_addresses import allow_site, is_allowed, is_web_address, site_of
from ..theme.design_tokens import Tokens
from ..theme.theme import Theme
from ..translation import tr
from ..widgets import STRETCH, Button, Label, PrimaryButton, build_column, build_row
from ..widgets.words import format_type, plain_tip

CITE, NAME, WEB = "cite", "name", "web"
_MARK = re.compile(r"\[\s*(\d{1,3}(?:\s*[,，、;]\s*\d{1,3})*)\s*\]")
_HALF_MARK = re.compile(r"[\[【][\d\s,，、;]{0,12}$|\*{1,2}$")
_UNSAFE_RULES = ("image", "html_inline", "html_block", "reference")
# a heading in an answer becomes a bold line: three sizes of type are enough
FIXED_TAGS = {
    "heading_open": "<p><b>",
    "heading_close": "</b></p>\n",
    "table_open": '<table cellspacing="0" cellpadding="0">\n',  # not shown
    "th_open": '<th align="left">',  # not shown
}
_ADDRESS = re.compile(r"https?://[^\s<>\"'`|，。；：、！？“”‘’（）【】《》]+")
_AFTER_ADDRESS = ".,;:!?*_~"


def split_half_mark(text: str) -> tuple[str, str]:
    """Split a streamed text into what can be shown now and an incomplete citation at its end."""
    match = _HALF_MARK.search(text)
    return (text, "") if match is None else (text[: match.start()], text[match.start() :])


def close_bold(text: str) -> str:
    """Return a streamed text with an unclosed ** of its last paragraph closed."""
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
        names: names that become links to the entity with this id, at their first occurrence in a
            paragraph.
        numbers: citations that become links; None while streaming: all citations look like links
            without a target.
    """
    text = text.replace("【", "[").replace("】", "]")
    env: dict[str, object] = {"numbers": numbers, "accent": tokens.accent, "ink": tokens.text}
    if names:
        env |= {"names": names, "pattern": build_pattern(list(names))}
    return _parser().render(text, env).rstrip("\n")  # Qt would show it as a blank at the end


def build_style(tokens: Tokens, line_px: int) -> str:
    """Return the style sheet of an answer's document; all lines are `line_px` high.

    A fixed height gives lines with citations or Chinese text the same distance as others.
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


def link_number(url: str, kind: str) -> int | None:
    """Return the number of a citation link or the entity of a name link; None for others."""
    scheme, _, number = url.partition(":")
    return int(number) if scheme == kind and number.isdigit() else None


@functools.cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True})
    parser.enable(["table", "strikethrough"])
    parser.disable(list(_UNSAFE_RULES))
    parser.validateLink = is_web_address  # type: ignore[method-assign, assignment]
    parser.inline.ruler.before("link", CITE, _read_mark)
    parser.inline.ruler.before(CITE, "picture", _read_picture)
    parser.add_render_rule(CITE, _render_mark)
    parser.add_render_rule("link_open", _render_link_open)
    parser.add_render_rule("link_close", _render_link_close)
    parser.core.ruler.push(WEB, _find_addresses)
    parser.core.ruler.push(NAME, _find_names)
    parser.add_render_rule(NAME, _render_name)
    for name, html in FIXED_TAGS.items():
        parser.add_render_rule(name, _render_fixed(html))
    for name in ("fence", "code_block"):
        parser.add_render_rule(name, _render_code)
    return parser


def _render_fixed(html: str) -> Callable[..., str]:
    def render(*_: Any) -> str:
        return html

    return render


def _read_picture(state: StateInline, silent: bool) -> bool:
    """Return a picture as its source text, so that its second half does not become a link."""
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
        # a citation follows the word that it supports, without a blank
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
            # one step larger, since Qt draws superscripts at two thirds of the size
            style = f"color:{env['accent']}; text-decoration:none; font-size:large"
            links.append(f'<a href="{CITE}:{number}" style="{style}">{number}</a>')
        else:
            return f"[{tokens[index].content}]"
    before = next((t for t in reversed(tokens[:index]) if t.type == CITE or t.content), None)
    joint = "," if before is not None and before.type == CITE else ""
    return f"<sup>{joint}{','.join(links)}</sup>"


def _find_names(state: StateCore) -> None:
    """Make names links, once per paragraph, except in code and citations."""
    pattern = state.env.get("pattern")
    if pattern is not None:
        for block in state.tokens:
            links = functools.partial(_split, pattern=pattern, names=state.env["names"], seen=set())
            _replace_texts(block, links)


def _find_addresses(state: StateCore) -> None:
    """Make complete web addresses links."""
    if state.env["numbers"] is not None:
        for block in state.tokens:
            _replace_texts(block, _split_addresses)


def _replace_texts(block: Token, split: Callable[[Token], list[Token]]) -> None:
    """Replace the texts of a paragraph that are not part of a link."""
    depth = 0
    children: list[Token] = []
    for token in block.children or ():
        depth += token.type == "link_open"
        children += split(token) if not depth and token.type == "text" else [token]
        depth -= token.type == "link_close"
    if block.children:
        block.children = children


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
    parts: list[Token] = []
    position = 0
    for match in pattern.finditer(token.content):
        entity_id = names[match.group()]
        if entity_id in seen:
            continue
        seen.add(entity_id)
        parts.append(Token("text", "", 0, content=token.content[position : match.start()]))
        parts.append(Token(NAME, "", 0, content=match.group()))
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


def _render_code(_: Any, tokens: Any, index: int, options: Any, env: Any) -> str:
    code = escape(tokens[index].content.rstrip("\n"))
    return f"<pre>{code}</pre>\n"


# Pieces without these can be appended without parsing the Markdown again.
SPECIAL = frozenset("\n*`#|~[]【】_<>&\\")
LINE_PX = 21


class SafeDocument(QTextDocument):
    """A document that loads no pictures, style sheets or files, whatever its text refers to."""

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        return None


class AnswerView(QTextBrowser):
    """Shows an answer at its full height.

    `mark_clicked` gives the number of a citation, `name_clicked` an entity id, `address_clicked` a
    web address.
    """

    mark_clicked = Signal(int)
    name_clicked = Signal(int)
    address_clicked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = ""
        self._n_shown = 0
        self._render_next = True
        self._lost_blank = ""
        self._citations: dict[int, Citation] | None = None
        self._named: dict[int, NamedPart] = {}
        self._words: dict[str, int] = {}
        self.setDocument(SafeDocument(self))
        self.document().setDocumentMargin(0)
        self.document().setIndentWidth(20)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setStyleSheet("background: transparent; padding: 0;")
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Answer"))
        self.anchorClicked.connect(self._click)
        self.highlighted.connect(self._hover)
        self.document().documentLayout().documentSizeChanged.connect(lambda _: self._fit())
        theme.changed.connect(self._restyle)
        self._restyle()

    @property
    def text(self) -> str:
        """The Markdown received so far."""
        return self._text

    def append_piece(self, piece: str) -> None:
        """Append a streamed piece; an incomplete citation or ** is held back."""
        self._text += piece
        ready, _ = split_half_mark(self._text)
        new = ready[self._n_shown :]
        if not new:
            return
        line = ready[ready.rfind("\n") + 1 :]
        # the first characters of a line may start a list or a heading
        begins = len(line) - len(new) < 8
        if self._render_next or begins or not SPECIAL.isdisjoint(new):
            self._render(close_bold(ready))
            open_bold = close_bold(ready) != ready
            self._render_next = ready.endswith("\n") or open_bold
            self._lost_blank = "" if ready == ready.rstrip(" ") else " "
        else:
            cursor = QTextCursor(self.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            # the cursor may be inside a citation, whose format must not continue
            cursor.insertText(self._lost_blank + new, QTextCharFormat())
            self._lost_blank = ""
        self._n_shown = len(ready)

    def set_answer(self, text: str, citations: tuple[Citation, ...]) -> None:
        """Show the finished answer with links for its citations."""
        self._text = text
        self._citations = {c.number: c for c in citations}
        self._render(text)

    def set_names(self, named: Sequence[NamedPart]) -> None:
        """Add links for these names without scrolling."""
        self._named = {part.entity_id: part for part in named}
        self._words = {part.words: part.entity_id for part in named}
        if self._citations is not None:
            self._render(self._text)

    def names(self) -> list[NamedPart]:
        """The names that are links."""
        return list(self._named.values())

    def _render(self, text: str) -> None:
        kept = self.textCursor()
        anchor, position = kept.anchor(), kept.position()
        numbers = None if self._citations is None else self._citations.keys()
        words = self._words if numbers is not None else None
        self.setHtml(render_answer(text, numbers, self._theme.tokens, words))
        for frame in self.document().rootFrame().childFrames():
            if isinstance(frame, QTextTable):  # style sheets can't set the margins of tables
                look = frame.format()
                look.setTopMargin(4)
                look.setBottomMargin(12)
                frame.setFormat(look)
        if words:
            self._underline_names()
        if anchor != position:  # keep the selection
            end = self.document().characterCount() - 1
            cursor = self.textCursor()
            cursor.setPosition(min(anchor, end))
            cursor.setPosition(min(position, end), QTextCursor.MoveMode.KeepAnchor)
            self.setTextCursor(cursor)

    def _underline_names(self) -> None:
        """Underline names with dots, which HTML can't do; citations have the link colour."""
        spots: list[tuple[int, int]] = []
        block = self.document().begin()
        while block.isValid():
            parts = block.begin()
            while not parts.atEnd():
                piece = parts.fragment()
                if link_number(piece.charFormat().anchorHref(), NAME) is not None:
                    spots.append((piece.position(), piece.length()))
                parts += 1
            block = block.next()
        look = QTextCharFormat()
        look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
        look.setUnderlineColor(self._theme.color("accent"))
        cursor = QTextCursor(self.document())
        for position, length in spots:
            cursor.setPosition(position)
            cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(look)

    def _restyle(self) -> None:
        self.document().setDefaultFont(self._theme.font("text"))
        self.document().setDefaultStyleSheet(
            build_style(self._theme.tokens, self._theme.px(LINE_PX))
        )
        if self._text:
            self._render(self._text)
        self._fit()

    def _fit(self) -> None:
        height = math.ceil(self.document().size().height())
        if height != self.height():
            self.setFixedHeight(max(1, height))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(480, self.minimumHeight())

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.minimumHeight())

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the list scrolls, not the answer

    def keyPressEvent(self, event: QKeyEvent) -> None:
        scrolls = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
        if event.key() in scrolls and not event.modifiers():
            event.ignore()
            return
        super().keyPressEvent(event)

    def citation(self, url: QUrl) -> Citation | None:
        """Return the citation of a link in this answer; None for any other address."""
        number = link_number(url.toString(), CITE)
        return None if number is None else (self._citations or {}).get(number)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        return None

    def _click(self, url: QUrl) -> None:
        QToolTip.hideText()
        if (citation := self.citation(url)) is not None:
            self.mark_clicked.emit(citation.number)
        elif (entity_id := link_number(url.toString(), NAME)) in self._named:
            self.name_clicked.emit(entity_id)
        elif is_web_address(address := url.toString(QUrl.ComponentFormattingOption.FullyEncoded)):
            self.address_clicked.emit(address)

    def _hover(self, url: QUrl) -> None:
        if (part := self._named.get(link_number(url.toString(), NAME) or 0)) is not None:
            words = f"{part.name} · {format_type(part.type)}" if part.type else part.name
            tip = plain_tip(f"{words}\n{tr('Open this name')}")
        elif is_web_address(address := url.toString(QUrl.ComponentFormattingOption.FullyEncoded)):
            tip = plain_tip(address)
        elif (citation := self.citation(url)) is not None:
            tip = build_tooltip(citation)
        else:
            QToolTip.hideText()
            return
        QToolTip.showText(QCursor.pos() + QPoint(4, 8), tip, self)


def build_tooltip(citation: Citation) -> str:
    """Return the quoted sentence with its title and page."""
    quote = " ".join(citation.quote.split())
    quote = quote if len(quote) <= 400 else quote[:399] + "…"
    page = tr("p. {page}", page=citation.page_label) if citation.page_label else ""
    place = " · ".join(part for part in (citation.title, page) if part)
    return plain_tip(f"{quote}\n{place}")


WIDTH = 400
LONGEST, LONGEST_SITE = 300, 36


class LinkConfirmation(QFrame):
    """Shows a web address and opens it after confirmation."""

    open_address: Callable[[str], object] = staticmethod(
        lambda address: QDesktopServices.openUrl(QUrl(address))
    )

    def __init__(self, theme: Theme, address: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("palette")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._address = address
        self._width = theme.breadth(WIDTH)
        site = site_of(address)
        ask = Label(
            tr("Open {site} in the browser?", site=_breakable(site)), "strong", self, wrap=True
        )
        shown = address if len(address) <= LONGEST else address[: LONGEST - 1] + "…"
        self.address = Label(_breakable(shown), "small", self, wrap=True)
        self.address.setAccessibleName(address)
        # the end of a long host name identifies its owner
        short = site if len(site) <= LONGEST_SITE else "…" + site[1 - LONGEST_SITE :]
        self.always = QCheckBox(tr("Always open links to {site}", site=short), self)
        self.open_button = PrimaryButton(tr("Open"), self)
        self.copy_button = Button(tr("Copy link"), self)
        self.open_button.clicked.connect(self._open)
        self.copy_button.clicked.connect(self._copy)
        buttons = build_row(STRETCH, self.copy_button, self.open_button)
        self._column = build_column(
            *(ask, self.address, self.always, buttons), parent=self, margins=(16, 12, 16, 12)
        )
        self.setFixedWidth(self._width)

    def show_at(self, corner: QPoint) -> None:
        """Open below this point, within the screen."""
        self.setFixedHeight(max(self._column.totalHeightForWidth(self._width), 96))
        area = (self.parentWidget() or self).screen().availableGeometry()
        left = min(max(area.left() + 8, corner.x()), area.right() - self._width - 8)
        top = min(max(area.top() + 8, corner.y() + 8), area.bottom() - self.height() - 8)
        self.move(left, top)
        self.show()
        self.open_button.setFocus()

    def _open(self) -> None:
        if self.always.isChecked():
            allow_site(self._address)
        self.close()
        self.open_address(self._address)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._address)
        self.close()


def _breakable(text: str) -> str:
    """Return a text that can be wrapped anywhere, since an address has no blanks."""
    return "\u200b".join(text)


def ask_to_open(theme: Theme, address: str, view: AnswerView) -> None:
    """Open an allowed address, ask about any other web address, ignore the rest."""
    if is_allowed(address):
        LinkConfirmation.open_address(address)
    elif is_web_address(address):
        corner = view.mapToGlobal(view.cursorRect().bottomLeft())
        LinkConfirmation(theme, address, view).show_at(corner)
