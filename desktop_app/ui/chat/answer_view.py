"""Shows the text of one answer: a pale draft while it is written, then with links.

Loads no external content; a click on a citation or name is a signal, and a web address is opened
after confirmation only. Knows nothing of chats.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import Any, cast

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QCursor,
    QEnterEvent,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFragment,
    QTextOption,
    QTextTable,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QToolTip, QWidget

from desktop_app.engine.answering.citations import CODE
from desktop_app.engine.model import Citation
from desktop_app.engine.services.library_reader import NamedPart, build_pattern
from desktop_app.engine.text.shown_text import show_text

from ..allowed_addresses import is_web_address
from ..theme.design_tokens import ANSWER_PX, BODY_PX, LEAD_PX, Tokens
from ..theme.fonts import is_chinese
from ..theme.theme import Theme
from ..translation import tr, tr_message
from ..widgets import paint_box
from ..widgets.words import WIDE_MARKS, format_type, plain_tip

CITE, NAME, WEB = "cite", "name", "web"
HEX = QColor.NameFormat.HexArgb
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
MARK_PX = 13  # font size of citations
CHIP_BLANK = "\u00a0\u00a0"
# pixels around a point, in which a citation is hit
REACH = ((0, 0), (0, -3), (0, 3), (-3, 0), (3, 0), (0, -7), (0, 7))
_CHIP = re.compile(rf"{CHIP_BLANK}\d+{CHIP_BLANK}")
CHIP_GAP = "\u00a0"  # Qt breaks no line here, but would after a narrow blank (U+202F)


_MARKS_BEFORE_STOP = re.compile(
    r"(?<=[^\s\[【])[ \t]*((?:[\[【]\s*\d{1,3}(?:\s*[,，、;]\s*\d{1,3})*\s*[\]】][ \t]*)+)"
    r"([.!?](?!\w)|[。！？])"
)


_ANY_MARK = re.compile(r"[\[【]\s*\d{1,3}(?:\s*[,，、;]\s*\d{1,3})*\s*[\]】]")
_MARKS_AFTER_STOP = re.compile(rf"(?<=[.!?。！？”’\"'])[ \t]*((?:{_ANY_MARK.pattern}[ \t]*)+)")


def put_marks_last(text: str) -> str:
    """Return an answer with each citation behind the full stop of its sentence, for the view."""
    parts = CODE.split(text)  # every second one is code
    parts[::2] = [_MARKS_BEFORE_STOP.sub(r"\2\1", part) for part in parts[::2]]
    return "".join(parts)


def join_same_marks(text: str) -> str:
    """Return an answer whose sentences with the same citations have them once, behind the last.

    Only sentences beside each other in one paragraph are joined: a citation holds for the text
    since the one before it. The marks have their places of `put_marks_last`.
    """
    parts = CODE.split(text)  # every second one is code
    parts[::2] = ["\n".join(map(_join_in_line, part.split("\n"))) for part in parts[::2]]
    return "".join(parts)


def _join_in_line(line: str) -> str:
    found = list(_MARKS_AFTER_STOP.finditer(line))
    for one, following in reversed(list(pairwise(found))):
        between = line[one.end() : following.start()]
        if _read_numbers(one[1]) == _read_numbers(following[1]) and not _ANY_MARK.search(between):
            before = line[: one.start(1)].rstrip()
            joint = "" if before[-1:] in "。！？" else " "
            line = before + joint + line[one.end() :].lstrip()
    return line


def _read_numbers(marks: str) -> list[str]:
    return re.findall(r"\d+", marks)


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
    *,
    mark_px: int = MARK_PX,
) -> str:
    """Return the HTML of an answer.

    Args:
        names: names that become links to the entity with this id, at their first occurrence in a
            paragraph.
        numbers: citations that become links; None while streaming: all citations look like links
            without a target.
        mark_px: the font size of citations.
    """
    text = text.replace("【", "[").replace("】", "]")
    env: dict[str, object] = {
        "numbers": numbers,
        "accent": tokens.accent,
        "ink": tokens.text,
        "mark_px": mark_px,
    }
    if names:
        env |= {"names": names, "pattern": build_pattern(list(names))}
    return _parser().render(text, env).rstrip("\n")  # Qt would show it as a blank at the end


def is_lead(text: str) -> bool:
    """Return whether the first paragraph of an answer is short enough for the largest text."""
    most = LEAD_LETTERS // (2 if is_chinese(text) else 1)
    return len(text.strip().partition("\n\n")[0]) <= most


def build_style(tokens: Tokens, line_px: int, book: QFont, lead: tuple[int, int]) -> str:
    """Return the style sheet of an answer's document; all lines are `line_px` high.

    Args:
        book: the font of quotations.
        lead: the font size of the first paragraph, and the height of its lines.

    A fixed height gives lines with citations or Chinese text the same distance as others.
    """
    families = ", ".join(f"'{family}'" for family in book.families())
    return (
        f"p, li {{ line-height: {line_px}px; }}"  # not shown
        "p { margin-top: 0; margin-bottom: 8px; }"
        f"p.lead {{ font-size: {lead[0]}px; line-height: {lead[1]}px; }}"  # not shown
        "ul, ol { margin-top: 0; margin-bottom: 8px; }"
        "li { margin-bottom: 8px; }"
        f"pre, code {{ background-color: {tokens.sunken}; }}"
        f"blockquote {{ margin-left: {QUOTE_LEFT}px; margin-right: 0; }}"
        f"blockquote p {{ font-family: {families}; font-size: {book.pixelSize()}px; }}"
        "blockquote p { margin-bottom: 12px; }"
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
    # the view paints the ground
    style = f"color:{env['ink']}; text-decoration:none; font-weight:600"
    style += f"; font-size:{env['mark_px']}px"  # not shown
    for number in dict.fromkeys(int(n) for n in re.findall(r"\d+", tokens[index].content)):
        # wide enough to hit: at least 20 pixels with its blanks
        chip = f"{CHIP_BLANK}{number}{CHIP_BLANK}"
        if known is None:
            links.append(f'<span style="{style}">{chip}</span>')  # not shown
        elif number in known:
            links.append(f'<a href="{CITE}:{number}" style="{style}">{chip}</a>')
        else:
            return f"[{tokens[index].content}]"
    before = tokens[index - 1].content if index else ""
    # a Chinese full stop has a blank of its own
    return ("" if before.endswith(WIDE_MARKS) else CHIP_GAP) + CHIP_GAP.join(links)


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
TEXT_PX = QUOTE_PX = ANSWER_PX
LINE_PX, LINE_PX_ZH = 24, 26
LEAD_LINE_PX, LEAD_LINE_PX_ZH = 30, 32
LEAD_LETTERS = 240  # a longer paragraph has the size of the text; Chinese ones half as many
PARAGRAPH, LEAD = "<p>", '<p class="lead">'  # not shown
LINE_EMS = 40  # the width of a line: 40 Chinese characters, about 80 Latin letters
QUOTE_LEFT, RULE = 16, 2  # pixels: a quotation from the left, and the rule before it
NOTICE_LEFT, NOTICE_ICON = 24, 16  # pixels: a notice beside its icon
AFTER_BULLET = 10


class SafeDocument(QTextDocument):
    """A document that loads no pictures, style sheets or files, whatever its text refers to."""

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        return None


class AnswerView(QTextBrowser):
    """Shows an answer at its full height.

    `mark_clicked` gives the number of a citation, `name_clicked` an entity id, `address_clicked` a
    web address. The first paragraph is the largest text of a turn if it is short.
    """

    mark_clicked = Signal(int)
    name_clicked = Signal(int)
    address_clicked = Signal(str)
    mark_hovered = Signal(int)  # 0 for none
    fitted = Signal(int)  # its new height

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
        self._has_notice = self._has_lead = False
        self.setDocument(SafeDocument(self))
        self.document().setDocumentMargin(0)
        self.document().setIndentWidth(20)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
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
            # a full stop goes before the citation that it follows
            self._render_next = ready.endswith(("\n", "]", "】")) or open_bold
            self._lost_blank = "" if ready == ready.rstrip(" ") else " "
        else:
            cursor = QTextCursor(self.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            # the cursor may be inside a citation, whose format must not continue
            look = QTextCharFormat()
            if self._has_lead and cursor.block().blockNumber() == 0:
                look.setProperty(QTextFormat.Property.FontPixelSize, self._theme.px(LEAD_PX))
            cursor.insertText(self._lost_blank + new, look)
            if self._has_lead and not self._wants_lead():  # it has become too long
                self._render(close_bold(ready))
                self._limit_lines()
            self._lost_blank = ""
        self._n_shown = len(ready)

    def set_answer(
        self,
        text: str,
        citations: tuple[Citation, ...],
        *,
        has_notice: bool = False,
    ) -> None:
        """Show the finished answer with links for its citations.

        Args:
            has_notice: the first paragraph is set apart, with an icon.
        """
        self._has_notice = has_notice
        self._text = text
        self._citations = {c.number: c for c in citations}
        self._restyle()

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
        text = put_marks_last(text)
        if numbers is not None:  # while it is written, marks would come and go
            text = join_same_marks(text)
        size = self._theme.px(MARK_PX)
        html = render_answer(text, numbers, self._theme.tokens, words, mark_px=size)
        self._has_lead = self._wants_lead() and html.startswith(PARAGRAPH)
        if self._has_lead:
            html = LEAD + html[len(PARAGRAPH) :]
        self.setHtml(html)
        for frame in self.document().rootFrame().childFrames():
            if isinstance(frame, QTextTable):  # style sheets can't set the margins of tables
                look = frame.format()
                look.setTopMargin(4)
                look.setBottomMargin(12)
                frame.setFormat(look)
        self._set_apart()
        self._underline_names(shown=self.underMouse() or self.hasFocus())
        if anchor != position:  # keep the selection
            end = self.document().characterCount() - 1
            cursor = self.textCursor()
            cursor.setPosition(min(anchor, end))
            cursor.setPosition(min(position, end), QTextCursor.MoveMode.KeepAnchor)
            self.setTextCursor(cursor)

    def _wants_lead(self) -> bool:
        return not self._has_notice and is_lead(self._text)

    def _set_apart(self) -> None:
        """Set the distances that style sheets can't: of a notice, and after bullets."""
        cursor = QTextCursor(self.document())
        if self._has_notice:
            beside = QTextBlockFormat()
            beside.setLeftMargin(self._theme.length(NOTICE_LEFT))
            beside.setBottomMargin(12)
            cursor.mergeBlockFormat(beside)
            pale = QTextCharFormat()
            pale.setForeground(self._theme.color("text2"))
            cursor.movePosition(
                QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor
            )
            cursor.mergeCharFormat(pale)
        gap = QTextCharFormat()  # Qt draws a bullet one blank before the text
        blank = QFontMetricsF(self.document().defaultFont()).horizontalAdvance(" ")
        gap.setFontWordSpacing(max(0.0, AFTER_BULLET - blank))
        for block in self._iter_blocks():
            if block.textList() is not None:
                cursor.setPosition(block.position())
                cursor.mergeBlockCharFormat(gap)

    def _iter_blocks(self) -> Iterator[QTextBlock]:
        block = self.document().begin()
        while block.isValid():
            yield block
            block = block.next()

    def _iter_pieces(self) -> Iterator[tuple[QTextBlock, QTextFragment]]:
        for block in self._iter_blocks():
            parts = block.begin()
            while not parts.atEnd():
                yield block, parts.fragment()
                parts += 1

    def _underline_names(self, *, shown: bool) -> None:
        """Underline names with dots, which HTML can't do, or remove these lines.

        They are shown under the mouse and with the focus only, beside the citations.
        """
        if not self._words or self._citations is None:
            return
        spots = [
            (piece.position(), piece.length())
            for _, piece in self._iter_pieces()
            if link_number(piece.charFormat().anchorHref(), NAME) is not None
        ]
        look = QTextCharFormat()
        style = QTextCharFormat.UnderlineStyle
        look.setUnderlineStyle(style.DotLine if shown else style.NoUnderline)
        look.setUnderlineColor(self._theme.color("accent"))
        cursor = QTextCursor(self.document())
        for position, length in spots:
            cursor.setPosition(position)
            cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(look)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._underline_names(shown=True)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._underline_names(shown=self.hasFocus())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._underline_names(shown=True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._underline_names(shown=self.underMouse())

    def _restyle(self) -> None:
        # what is not checked yet is a draft, and paler
        ink = "text2" if self._citations is None else "text"
        color, theme = self._theme.color(ink).name(), self._theme
        font, chinese = theme.font("text"), is_chinese(self._text)
        font.setPixelSize(theme.px(BODY_PX))
        self.setStyleSheet(
            f"background: transparent; padding: 0; color: {color}; font-size: {font.pixelSize()}px;"
        )
        self.document().setDefaultFont(font)
        line = theme.px(LINE_PX_ZH if chinese else LINE_PX)
        quoted = theme.book_font(self._text, TEXT_PX if chinese else QUOTE_PX)
        lead = theme.px(LEAD_PX), theme.px(LEAD_LINE_PX_ZH if chinese else LEAD_LINE_PX)
        self.document().setDefaultStyleSheet(build_style(theme.tokens, line, quoted, lead))
        self._limit_lines()
        if self._text:
            self._render(self._text)
        self._fit()

    def _fit(self) -> None:
        height = math.ceil(self.document().size().height())
        if height != self.height():
            self.setFixedHeight(max(1, height))
            self.fitted.emit(self.height())

    def _limit_lines(self) -> None:
        """Keep lines short enough to read; not from within a layout of the document."""
        size = self._theme.px(LEAD_PX if self._wants_lead() else BODY_PX)
        beside = max(0, self.width() - LINE_EMS * size)
        if self.viewportMargins().right() != beside:
            self.setViewportMargins(0, 0, beside, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._limit_lines()
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(480, self.minimumHeight())

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.minimumHeight())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what HTML can't do, then the text.

        These are rounded grounds below the citations, rules before quotations, and the icon of a
        notice.
        """
        ground, edge = self._theme.chip(), self._theme.edge("accent")
        with QPainter(self.viewport()) as painter:
            for area in self.find_chips():
                paint_box(painter, area, ground, edge)
            for rule in self.find_rules():
                painter.fillRect(rule, self._theme.rule())
            if self._has_notice:
                first, side = self.document().begin(), self._theme.length(NOTICE_ICON)
                line = first.layout().lineAt(0).height()
                top = round(self._find_lines(first).top() + (line - side) / 2)
                self._theme.icon("inspector").paint(painter, QRect(0, top, side, side))
        super().paintEvent(event)

    def find_chips(self) -> list[QRectF]:
        """Return the areas of the citations in the viewport, in pixels."""
        return [
            self._find_area(block, piece)
            for block, piece in self._iter_pieces()
            if _CHIP.fullmatch(piece.text())
        ]

    def find_rules(self) -> list[QRectF]:
        """Return the areas of the rules before quotations in the viewport, in pixels."""
        level = QTextFormat.Property.BlockQuoteLevel.value
        quoted = [b for b in self._iter_blocks() if b.blockFormat().intProperty(level)]
        return [QRectF(0, a.top(), RULE, a.height()) for a in map(self._find_lines, quoted)]

    def _find_lines(self, block: QTextBlock) -> QRectF:
        """Return the area of the lines of a paragraph, without its margins."""
        at = self.document().documentLayout().blockBoundingRect(block).topLeft()
        layout = block.layout()
        first, last = layout.lineAt(0), layout.lineAt(max(0, layout.lineCount() - 1))
        top, bottom = first.y(), last.y() + last.height()
        return QRectF(at.x(), at.y() + top, layout.boundingRect().width(), bottom - top)

    def _find_area(self, block: QTextBlock, piece: QTextFragment) -> QRectF:
        """Return the area of a piece of text that is in one line."""
        start = piece.position() - block.position()
        line = block.layout().lineForTextPosition(start)
        left, right = (
            cast(tuple[float, int], line.cursorToX(place))[0]
            for place in (start, start + piece.length())
        )
        height = QFontMetricsF(piece.charFormat().font()).height()
        at = self.document().documentLayout().blockBoundingRect(block).topLeft()
        base = at.y() + line.y() + line.ascent()
        ascent = QFontMetricsF(piece.charFormat().font()).ascent()
        return QRectF(at.x() + left, base - ascent, right - left, height)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the list scrolls, not the answer

    def find_mark(self, point: QPoint) -> QPoint | None:
        """Return a point on the citation at or near a point, None if there is none."""
        for dx, dy in REACH:
            near = point + QPoint(dx, dy)
            href = self.anchorAt(near)
            if href or (dx, dy) == (0, 0):
                if link_number(href, CITE) is not None:
                    return near
                if href:
                    return None  # another link
        return None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(self._at_mark(event))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(self._at_mark(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(self._at_mark(event))

    def _at_mark(self, event: QMouseEvent) -> QMouseEvent:
        """Return the event, moved onto the citation that it nearly hits."""
        point = event.position().toPoint()
        mark = None if self.textCursor().hasSelection() else self.find_mark(point)
        if mark is None or mark == point:
            return event
        moved = QPointF(mark - point)
        return QMouseEvent(
            event.type(),
            event.position() + moved,
            event.globalPosition() + moved,
            event.button(),
            event.buttons(),
            event.modifiers(),
        )

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
        marked = self.citation(url)
        self.mark_hovered.emit(marked.number if marked is not None else 0)
        if (part := self._named.get(link_number(url.toString(), NAME) or 0)) is not None:
            words = (
                f"{part.name} · {format_type(part.type, capital=True)}" if part.type else part.name
            )
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
    """Return the number of a passage and the sentence quoted from it, with its title and page."""
    quote = show_text(citation.quote, one_line=True).text
    quote = quote if len(quote) <= 400 else quote[:399] + "…"
    page = tr("p. {page}", page=citation.page_label) if citation.page_label else ""
    cells = tr_message(citation.cells)
    place = " · ".join(part for part in (citation.title, page, cells) if part)
    number = tr("Passage {n}", n=citation.number)
    return plain_tip(f"{number}\n{quote}\n{place}")
