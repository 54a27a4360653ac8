"""Reader of HTML, and conversion of HTML or XHTML to text with headings and offsets of ids.

Used for web pages and for the chapters of an EPUB.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import unquote

from ...model import Heading, ReadDocument
from ...person_names import split_authors
from ..encodings import Decoded, decode
from ..english_words import is_english_word
from ..identifiers import find_doi
from .archives import Unreadable
from .cell_spans import (
    MAX_COLUMNS,
    MAX_PLACES,
    MAX_REPEATED_CHARS,
    SpannedCell,
    expand_spans,
    place_cells,
    repeat_in_header,
)
from .document_builder import build_document, clean_title
from .flow_figures import (
    HEAD_BYTES,
    MAX_MARKS,
    PictureMark,
    build_figures,
    decode_data,
    list_data,
    name_data,
)
from .formulas import format_html_formula
from .text_builder import MAX_HEADING_CHARS

if TYPE_CHECKING:  # selectolax is imported when the first page is read
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_SKIPPED = frozenset(
    (
        "script style nav noscript template head iframe object svg canvas button select "
        "option textarea audio video map math-annotation"
    ).split()
)
_BLOCKS = frozenset(
    (
        "address article aside blockquote body caption center dd details dialog div dl dt "
        "fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main ol p pre "
        "section summary table tbody thead tfoot tr ul"
    ).split()
)
_PARAGRAPHS = frozenset(
    "p h1 h2 h3 h4 h5 h6 blockquote pre table ul ol dl hr figure section".split()
)
_MAX_CELL_CHARS = 600
_BREAK = re.compile(r" *\n+ *")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_CHARSET = re.compile(
    rb"""<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?\s*([\w-]+)""", re.I
)
_SPACE = re.compile(r"[ \t\r\n\f]+")
_SELF_CLOSED = re.compile(
    r"<(?!(?:br|hr|img|input|meta|link|col|area|base|embed|source|track|wbr)\b)"
    r"([a-zA-Z][\w:.-]*)((?:\s[^<>]*?)?)/>"
)
# The parser compares each attribute of a tag with all others, and searches all open blocks at each
# block; a tree takes about 30 bytes of memory for a byte of the page. As for the parser, “>” ends a
# tag outside quotation marks only, and “<” is part of a name.
_TAG = re.compile(
    r"""<(/?+[a-zA-Z][^\s/>]*+)
    ((?:[^>"'=]++ | =\s*+(?:"[^"]*+(?:"|\Z) | '[^']*+(?:'|\Z))?+ | ["'])*+)
    (?:>|\Z)""",
    re.X,
)
_ATTRIBUTE = re.compile(
    r"""([^\s/>=][^\s/>=]*+)(?:\s*+=\s*+(?:"[^"]*+"?+|'[^']*+'?+|[^\s>]*+))?+"""
)
_MAX_ATTRIBUTES = 1_000
_MAX_NAMES = 5_000  # different names of tags and attributes in one page
_NESTING_BLOCK = re.compile(
    r"<(/?)(?:address|article|aside|blockquote|center|details|dialog|div|dl|fieldset|figcaption"
    r"|figure|footer|form|header|hgroup|main|menu|nav|ol|pre|section|summary|ul)\b",
    re.I,
)
_MAX_DEPTH = 5_000
_MAX_PAGE_CHARS = 40_000_000


@dataclass(slots=True)
class PageText:
    """Text of a page.

    Attributes:
        ids: offset of the text of an element, by its id.
        pictures: with their addresses as paths.
    """

    text: str = ""
    title: str = ""
    author: str = ""
    year: str = ""
    doi: str = ""
    isbn: str = ""
    headings: list[Heading] = field(default_factory=list)
    ids: dict[str, int] = field(default_factory=dict)
    pictures: list[PictureMark] = field(default_factory=list)


# What follows a large initial that has a block of its own: the rest of its word in capitals, as a
# printer sets it, and then small letters. A title in capitals has none, "A Tale" no second capital.
# "A" and "I" are words of one letter: "F / OR a minute".
_AFTER_INITIAL = re.compile(r"[A-Z]+(?=[ ,'’-])(?:[^a-z]|(?<= )[ai](?= )){0,60}[a-z]{2}")
_OPENING = "\"'“‘"  # before the initial of a chapter that begins with speech


def _is_after_initial(block: str, text: str) -> bool:
    """Return whether a block is the initial of the word that a text begins with."""
    initial = block[1:] if block[:1] in _OPENING else block
    is_letter = len(initial) == 1 and "A" <= initial <= "Z"
    if not is_letter or not _AFTER_INITIAL.match(text):
        return False
    # I, V and X may number a chapter whose text begins with a word in capitals.
    word = initial + text.split(None, 1)[0].strip(",'’-")
    return block not in ("I", "V", "X") or is_english_word(word)


class _TextWriter:
    """Collects text with white space collapsed as in a browser."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.length = 0
        self._break = 0
        self._space = False
        self._in_line = False
        self._block = ""  # the first letters since the last line break

    def add(self, text: str, *, keep_space: bool = False) -> None:
        if not keep_space:
            text = _SPACE.sub(" ", text)
            if text.startswith(" "):
                self._space, text = True, text[1:]
        if not text:
            return
        if self._break and _is_after_initial(self._block, text):
            self._break = 0
        if self._break:
            self._block = ""
        if len(self._block) < 3:  # more is no initial
            self._block += text
        if self.length:
            lead = "\n" * self._break or (" " if self._space and self._in_line else "")
            self._put(lead)
        self._break, self._space, self._in_line = 0, False, True
        if not keep_space and text.endswith(" "):
            self._space, text = True, text[:-1]
        self._put(text)

    def _put(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)

    def end_line(self, n: int) -> None:
        self._break = max(self._break, n)
        self._space = self._in_line = False

    def start_cell(self) -> tuple[int, int]:
        """Return what `end_cell` needs: the next part, and the line breaks before it."""
        return len(self.parts), self._break if self.length else 0

    def end_cell(self, part: int, n_breaks: int) -> None:
        """Write the parts from `part` on, a short cell of a table, on one line.

        Long cells are those of pages that use a table for their layout.
        """
        written = "".join(self.parts[part:])
        if not written:
            self._break = n_breaks
        elif len(written) <= _MAX_CELL_CHARS:
            joined = "\n" * n_breaks + _BREAK.sub(" ", written.strip("\n"))
            self.parts[part:] = [joined]
            self.length += len(joined) - len(written)
            self._break, self._in_line = 0, True

    @property
    def next_start(self) -> int:
        """Offset at which the next text starts."""
        if not self.length:
            return 0
        return self.length + (self._break or (1 if self._space and self._in_line else 0))


class _TagLimiter:
    """Removes the attributes of a tag with too many, and all names above `_MAX_NAMES`.

    The parser keeps the names that it does not know in a table in which it searches slowly.
    """

    def __init__(self) -> None:
        self._names: set[str] = set()

    def __call__(self, tag: re.Match[str]) -> str:
        name, inside = tag.group(1).removeprefix("/"), tag.group(2)
        found = [attribute.group(1) for attribute in islice(_ATTRIBUTE.finditer(inside), 2_000)]
        known = len(self._names)
        if known < _MAX_NAMES:
            self._names.update(found)
            self._names.add(name)
        elif name not in self._names:
            return " "
        if len(found) > _MAX_ATTRIBUTES or not self._names.issuperset(found):
            return f"<{tag.group(1)}>"
        return tag.group()


def extract_text(markup: str, *, xhtml: bool = False) -> PageText:
    """Return the visible text of a page: no scripts, styles or navigation.

    Raises:
        Unreadable: the page is too large or too deeply nested.
    """
    from selectolax.lexbor import LexborHTMLParser

    if len(markup) > _MAX_PAGE_CHARS:
        raise Unreadable(
            "it is a page of more than {n} million characters.",
            "Split it into several files.",
            n=_MAX_PAGE_CHARS // 1_000_000,
        )
    markup = _TAG.sub(_TagLimiter(), markup)
    if xhtml:
        markup = _SELF_CLOSED.sub(r"<\1\2></\1>", markup)
    depth = 0
    for tag in _NESTING_BLOCK.finditer(markup):
        depth = max(0, depth - 1) if tag.group(1) else depth + 1
        if depth > _MAX_DEPTH:
            raise Unreadable(
                "its parts are nested more than {n:,} deep.",
                "Open it in a browser and save its text, then add that.",
                n=_MAX_DEPTH,
            )
    tree = LexborHTMLParser(markup)
    found = PageText()
    title = tree.css_first("title")
    found.title = title.text(strip=True) if title else ""
    _read_metadata(tree, found)
    if tree.body is not None:
        _walk(tree.body, found)
    return found


# The names under which pages of journals, repositories, newspapers and others give a detail, the
# most exact first (Highwire Press, Dublin Core, PRISM, Open Graph).
_META = {
    "title": ("citation_title", "dc.title", "dcterms.title", "og:title", "twitter:title"),
    "author": ("citation_author", "dc.creator", "dcterms.creator", "author", "article:author"),
    "year": (
        *("citation_publication_date", "citation_date", "citation_year", "dc.date"),
        *("prism.publicationdate", "dcterms.issued", "article:published_time", "date"),
    ),
    "doi": ("citation_doi", "dc.identifier", "prism.doi", "bepress_citation_doi"),
    "isbn": ("citation_isbn", "book:isbn"),
}  # fmt: skip


def _read_metadata(tree: LexborHTMLParser, found: PageText) -> None:
    """Read title, authors, year, DOI and ISBN from the head of a page."""
    given: dict[str, list[str]] = {}
    for meta in islice(tree.css("meta[content]"), 2_000):
        attributes = meta.attributes
        name = (attributes.get("name") or attributes.get("property") or "").strip().lower()
        if content := " ".join((attributes.get("content") or "").split()):
            given.setdefault(name, []).append(content[:1_000])
    values = {
        detail: next((given[name] for name in names if name in given), [])
        for detail, names in _META.items()
    }
    titles = [*values["title"][:1], found.title]
    shown = [" ".join(heading.text().split()) for heading in islice(tree.css("h1, h2"), 20)]
    found.title = _choose_title(clean_title(titles[0]), clean_title(titles[-1]), shown)
    people = [name for name in values["author"] if not name.startswith(("http:", "https:"))]
    found.author = "; ".join(people if len(people) > 1 else split_authors("".join(people)))
    year = re.search(r"\b(1[5-9]\d\d|20\d\d)\b", "".join(values["year"][:1]))
    found.year = year.group() if year else ""
    found.doi = next((doi for value in values["doi"] if (doi := find_doi(value))), "")
    found.isbn = "".join(values["isbn"][:1])


def _choose_title(given: str, title: str, headings: Sequence[str]) -> str:
    """Return the title of a page without the name of its site.

    The title given for other programs, or a heading, says which part is the title; the name of the
    site may be a heading as well.
    """
    parts = [part.strip() for part in re.split(r"\s+[|–—·»-]\s+|\s*\|\s*", title)]
    named = [part for part in parts if part in (given, *headings)]
    if named and len(parts) > 1:
        return parts[0] if parts[0] in named else max(*named, parts[0], key=len)
    begun = [words for words in (given, *headings) if words and title.startswith(words + " ")]
    return begun[0] if begun and not named else given or title


def _walk(root: LexborNode, found: PageText) -> None:
    """Write the text of all nodes to `found`, without recursion: pages may be nested too deeply."""
    writer = _TextWriter()
    pending: list[str] = []
    in_pre = 0
    heading_start = heading_part = -1
    cell: tuple[int, int] | None = None  # the innermost, if no table or heading is in it
    figures: list[int] = []  # of each open figure, the number of pictures before it
    caption_start, caption = -1, (0, 0)
    covered: dict[int, _Covered] = {}
    node, entering = root, True
    while True:
        tag = node.tag or ""
        if entering:
            if tag == "-text":
                text = node.text_content or ""
                if text.strip() and pending:
                    for name in pending:
                        found.ids.setdefault(name, writer.next_start)
                    pending = []
                writer.add(text, keep_space=bool(in_pre))
            elif tag == "br":
                writer.end_line(1)
            elif tag in _SKIPPED or _is_hidden(node):
                pass
            elif _is_formula(tag):
                if is_apart := node.attributes.get("display") == "block":
                    writer.end_line(2)
                writer.add(format_html_formula(node))
                if is_apart:
                    writer.end_line(2)
            elif not tag.startswith("-") and not tag.startswith("!"):
                attributes = node.attributes
                pending += [value for key in ("id", "name") if (value := attributes.get(key))]
                if tag in _BLOCKS:
                    writer.end_line(2 if tag in _PARAGRAPHS else 1)
                if tag == "table" or tag in _HEADINGS:
                    cell = None
                if tag == "table":
                    covered |= _find_covered(node)
                if tag in ("td", "th"):
                    before = node.prev
                    while before is not None and before.tag not in ("td", "th"):
                        before = before.prev
                    if before is not None:
                        writer.add(" | ", keep_space=True)
                    for text in covered.get(node.mem_id, _NOTHING_COVERED)[0]:
                        writer.add(text)
                        writer.add(" | ", keep_space=True)
                    cell = writer.start_cell()
                if tag == "li":
                    writer.add("• ")
                if tag == "img":
                    _add_picture(found, attributes, writer.next_start)
                elif tag == "figure":
                    figures.append(len(found.pictures))
                elif tag == "figcaption":
                    caption_start = writer.next_start
                in_pre += tag == "pre"
                if tag in _HEADINGS:
                    heading_start, heading_part = writer.next_start, len(writer.parts)
                if (child := node.child) is not None:
                    node = child
                    continue
            is_leaf = tag in _SKIPPED or tag == "br" or _is_formula(tag)
            entering = tag.startswith("-") or is_leaf or _is_hidden(node)
        if not entering:
            if tag in _HEADINGS and heading_start >= 0:
                title = _SPACE.sub(" ", " ".join("".join(writer.parts[heading_part:]).split()))
                if title:
                    # one that is too long is no heading: `build_document` leaves it out
                    title = title[: MAX_HEADING_CHARS + 1]
                    found.headings.append(Heading(int(tag[1]), title, heading_start))
                heading_start = -1
            in_pre -= tag == "pre"
            if tag == "figcaption" and caption_start >= 0:
                caption, caption_start = (caption_start, writer.length), -1
            elif tag == "figure" and figures:
                first = figures.pop()
                if caption[0] < caption[1]:
                    found.pictures[first:] = [
                        mark if mark.caption else replace(mark, caption=caption)
                        for mark in found.pictures[first:]
                    ]
                    caption = (0, 0)
            if tag in ("td", "th"):
                if cell is not None:
                    writer.end_cell(*cell)
                cell = None
                for text in covered.pop(node.mem_id, _NOTHING_COVERED)[1]:
                    writer.add(" | ", keep_space=True)
                    writer.add(text)
            if tag in _BLOCKS:
                writer.end_line(2 if tag in _PARAGRAPHS else 1)
        if node is root or node.mem_id == root.mem_id:
            break
        if (following := node.next) is not None:
            node, entering = following, True
        elif (parent := node.parent) is not None:
            node, entering = parent, False
        else:
            break
    found.text = "".join(writer.parts).rstrip()
    for name in pending:
        found.ids.setdefault(name, len(found.text))


def _add_picture(found: PageText, attributes: Mapping[str, str | None], at: int) -> None:
    """Note a picture at an offset; those that a page loads late have another attribute.

    In Kindle books, `recindex` is the number of the picture.
    """
    names = ("src", "data-src", "data-original", "recindex")
    address = next((value for name in names if (value := attributes.get(name))), "").strip()
    if address and len(found.pictures) < MAX_MARKS:
        found.pictures.append(PictureMark(address, at, attributes.get("alt") or ""))


# The texts at places before and after a cell that it or cells of rows above cover.
_Covered = tuple[list[str], list[str]]
_NOTHING_COVERED: _Covered = ([], [])
_MAX_SPANNED_ROWS = 65_534  # as in browsers


def _find_covered(table: LexborNode) -> dict[int, _Covered]:
    """Return what stands beside each cell of a table in which cells cover several places.

    The keys are the memory addresses of the cells; empty for tables without such cells.
    """
    nodes: list[list[LexborNode]] = []
    rows: list[list[SpannedCell]] = []
    has_spans = False
    for line in _iter_table_rows(table):
        found = [node for node in line.iter() if node.tag in ("td", "th")]
        cells = [
            SpannedCell("", _read_span(node, "colspan", MAX_COLUMNS),
                 _read_span(node, "rowspan", _MAX_SPANNED_ROWS))
            for node in found
        ]  # fmt: skip
        has_spans |= any(cell.n_columns > 1 or cell.n_rows > 1 for cell in cells)
        nodes.append(found)
        rows.append(cells)
    columns, n_columns = place_cells(rows) if has_spans else ([], 0)
    if not n_columns or n_columns * len(rows) > MAX_PLACES:
        return {}
    for number, (found, cells) in enumerate(zip(nodes, rows, strict=True)):
        for node, cell in zip(found, cells, strict=True):
            if number < _JUDGED_ROWS or cell.n_rows > 1:  # the other texts are not needed
                text = " ".join(node.text(separator=" ").split())
                cell.text = text if len(text) <= MAX_REPEATED_CHARS else _LONG_TEXT
            else:
                cell.text = _LONG_TEXT
    expanded = repeat_in_header(expand_spans(rows))
    covered: dict[int, _Covered] = {}
    for found, placed, shown in zip(nodes, columns, expanded, strict=True):
        at = 0
        for number, (node, column) in enumerate(zip(found, placed, strict=False)):
            is_last = number == len(placed) - 1
            texts = [text if text != _LONG_TEXT else "" for text in shown]
            before = texts[at:column]
            before += [""] * (column - at - len(before))
            after = texts[column + 1 :] if is_last else []
            at = column + 1
            if before or after:
                covered[node.mem_id] = (before, after)
    return covered


_JUDGED_ROWS = 4  # of which the texts say how many are the header
_LONG_TEXT = "\ue000"  # in place of one that is not repeated


def _iter_table_rows(table: LexborNode) -> Iterator[LexborNode]:
    """Yield the rows of a table, without those of tables in it."""
    for part in table.iter():
        if part.tag == "tr":
            yield part
        elif part.tag in ("thead", "tbody", "tfoot"):
            yield from (row for row in part.iter() if row.tag == "tr")


def _read_span(node: LexborNode, name: str, most: int) -> int:
    value = (node.attributes.get(name) or "").strip()
    return min(max(int(value), 1), most) if value.isdecimal() and len(value) < 9 else 1


def _is_formula(tag: str) -> bool:
    return tag == "math" or tag.endswith(":math")


def _is_hidden(node: LexborNode) -> bool:
    attributes = node.attributes
    if attributes.get("role") in ("navigation", "search", "menu"):
        return True
    style = (attributes.get("style") or "").replace(" ", "")
    return "hidden" in attributes or "display:none" in style


def decode_markup(content: bytes) -> Decoded:
    """Return the decoded text of HTML or XML; the declared encoding is tried first."""
    declared = _CHARSET.search(content[:4096])
    return decode(content, declared.group(1).decode("ascii") if declared else "")


def read_html(content: bytes, stem: str, parts: Mapping[str, bytes] | None = None) -> ReadDocument:
    """Return the visible text of the page with its headings as outline.

    Args:
        parts: pictures that were saved with the page, by their address; those that are written
            into the page itself need none.

    Raises:
        Unreadable: it is not text, has no visible text, or is too large or too deeply nested.
    """
    decoded = decode_markup(content)
    page = extract_text(decoded.text)
    inside = list_data(mark.path for mark in page.pictures)
    parts = parts or {}

    def load_head(path: str) -> bytes:
        if path in inside:
            return decode_data(inside[path][: 2 * HEAD_BYTES])
        return parts.get(path, b"")[:HEAD_BYTES]

    marks = [replace(m, path=name_data(m.path) or find_part(m.path, parts)) for m in page.pictures]
    figures, notes = build_figures(page.text, marks, load_head)
    return build_document(
        page.text,
        format="html",
        stem=stem,
        title=page.title,
        author=page.author,
        year=page.year,
        doi=page.doi,
        isbn=page.isbn,
        outline=page.headings,
        notes=[*decoded.notes, *notes],
        figures=figures,
    )


def find_part(address: str, parts: Collection[str]) -> str:
    """Return the name of the part that has a picture of a page, "" if it was not saved."""
    plain = address.removeprefix("cid:")
    return next((name for name in (address, plain, unquote(address)) if name in parts), "")


def list_pictures(content: bytes) -> dict[str, str]:
    """Return path -> address of the pictures that are written into a page."""
    page = extract_text(decode_markup(content).text)
    return list_data(mark.path for mark in page.pictures)
