"""Annotations (highlights, areas, bookmarks, notes) and the places of names in documents.

Every change is one undoable edit. When a document is read again, annotations are placed by
their quoted words, and areas by their page. Knows nothing of how a document is shown.
"""

from __future__ import annotations

import bisect
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple
from urllib.parse import quote as quote_path

from ..changes import ChangeNotice
from ..errors import UserError
from ..figures import find_caption_label
from ..highlight_colors import DEFAULT_COLOR, HIGHLIGHT_COLORS
from ..messages import Message
from ..model import DocumentRow, Heading, Page
from ..png import read_png_size
from ..store import annotations as annotation_rows
from ..store import documents, figures, graph
from ..store.db import Db
from ..store.history import find_newest_edit
from ..text.sections import find_section, find_section_on_page
from ..text_tables import CELL_SEPARATOR
from .documents import tidy_tags
from .exporting.markdown import disarm_line, disarm_markdown

STYLES = ("fill", "underline")  # of a highlight
MAX_QUOTE = 4000
MAX_NOTE = 20_000
MAX_PICTURE_BYTES = 8_000_000  # of an area: more than 1,000 by 1,000 pixels of noise as PNG
MIN_READ = 0.005  # of a document; who has read less has only opened it


class Area(NamedTuple):
    """A part of a page: its index in the document, and its sides, 0 to 1 of the page."""

    page: int
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Annotation:
    """One highlight or bookmark; `lost` if its words, or its page, are no longer there.

    The `style` of a highlight is a coloured ground or a line below its words, see `STYLES`. One
    with an `area` marks that part of a page instead; its quote has the words there, if any.
    `tags` are those of the highlight itself, not of its document, sorted. `caption` is that of the
    figure which an area shows, where the area has none itself.
    """

    id: int
    document_id: int
    kind: str
    start: int
    end: int
    quote: str
    color: str = DEFAULT_COLOR
    note: str = ""
    created_at: float = 0.0
    style: str = "fill"
    area: Area | None = None
    lost: bool = False
    tags: tuple[str, ...] = ()
    caption: str = ""


def build_annotation(row: annotation_rows.Row) -> Annotation:
    """Return the annotation of a row of the library."""
    tags = tuple(filter(None, row[11].split("\n")))
    return Annotation(*row[:10], area=_parse_area(row[10]), tags=tags)


def _parse_area(stored: str) -> Area | None:
    """Return a stored area; None if there is none, or if it is none of a page."""
    if not stored:
        return None
    try:
        page, *sides = json.loads(stored)
    except (TypeError, ValueError, RecursionError):
        return None
    is_whole = isinstance(page, int) and all(isinstance(side, int | float) for side in sides)
    if not is_whole or len(sides) != 4:
        return None
    area = Area(page, *sides)
    return area if _is_area(area) else None


def _is_area(area: Area) -> bool:
    return area.page >= 0 and 0 <= area.left < area.right <= 1 and 0 <= area.top < area.bottom <= 1


class AnnotationService:
    """Reads and writes annotations. The `list_`, `fetch_` and `find_` methods read, others write.

    Args:
        reader, writer: connections for reading and writing (may be the same one).
    """

    def __init__(self, reader: Db, writer: Db) -> None:
        self._reader = reader
        self._writer = writer
        self._written = ("", 0)  # the session of the last note, and its edit in the history

    # --- reading ----------------------------------------------------------------------------

    def list_annotations(self, document_id: int) -> list[Annotation]:
        """Return the annotations of a document in reading order, each at the place of its words."""
        found = [
            build_annotation(row)
            for row in annotation_rows.fetch_annotations(self._reader, document_id)
        ]
        if not found:
            return []
        text = documents.fetch_text(self._reader, document_id) or ""
        pages = documents.fetch_pages(self._reader, document_id)
        moved = [relocate_annotation(one, text, pages) for one in found]
        captioned = add_captions(self._reader, document_id, moved)
        return sorted(captioned, key=lambda one: one.start)

    def fetch_pictures(self, annotation_ids: Collection[int]) -> dict[int, bytes]:
        """Return annotation id -> PNG of its area, without annotations that have none."""
        return annotation_rows.fetch_area_pictures(self._reader, annotation_ids)

    def list_tags(self) -> list[str]:
        """Return the tags of highlights and documents, each once, by name."""
        return tidy_tags(sorted(annotation_rows.fetch_tags(self._reader)))

    def has_names_of(self, document_id: int, entity_ids: Collection[int]) -> bool:
        """Return whether one of these entities may be named in a document."""
        mentioned = graph.fetch_mentioned_entities(self._reader, document_id)
        mentioned |= {row[0] for row in annotation_rows.fetch_names_by_hand(self._reader)}
        return not mentioned.isdisjoint(entity_ids)

    def names_in(
        self, document_id: int, start: int, end: int
    ) -> list[tuple[int, int, int, str, str]]:
        """Return (start, end, entity id, name, type) of the names in a part of a document.

        Names that the user added are searched in the text where there are no mentions.
        """
        found = graph.fetch_mentions_between(self._reader, document_id, start, end)
        by_hand = annotation_rows.fetch_names_by_hand(self._reader)
        if by_hand:
            text = documents.fetch_text(self._reader, document_id) or ""
            taken = [(row[0], row[1]) for row in found]
            for entity_id, words, name, type_ in by_hand:
                for low, high in find_words(text, words, start, end):
                    if not any(low < b and a < high for a, b in taken):
                        found.append((low, high, entity_id, name, type_))
        return sorted(found)

    def fetch_places(self, entity_id: int, document_id: int) -> list[tuple[int, int]]:
        """Return the places of an entity in a document, in reading order."""
        found = dict(annotation_rows.fetch_places_of_entity(self._reader, entity_id, document_id))
        mine = [
            row[1]
            for row in annotation_rows.fetch_names_by_hand(self._reader)
            if row[0] == entity_id
        ]
        if mine:
            text = documents.fetch_text(self._reader, document_id) or ""
            for words in mine:
                for low, high in find_words(text, words, 0, len(text)):
                    if not any(start <= low < end for start, end in found.items()):
                        found[low] = high
        return sorted(found.items())

    def find_mention(self, document_id: int, start: int, entity_id: int) -> tuple[int, str] | None:
        """Return (mention id, name as written) at a place; None without a mention."""
        return annotation_rows.find_mention_at(self._reader, document_id, start, entity_id)

    def fetch_reading_position(self, document_id: int) -> str | None:
        """Return the last reading position of a document, in the reader's format."""
        return annotation_rows.fetch_reading_position(self._reader, document_id)

    def fetch_reading_shares(self) -> dict[int, float]:
        """Return document id -> share that is above the reading position, without unread ones."""
        found = annotation_rows.fetch_reading_positions(self._reader)
        shares = {i: share_read(position, *sizes) for i, position, *sizes in found}
        return {i: share for i, share in shares.items() if share >= MIN_READ}

    # --- writing ----------------------------------------------------------------------------

    def highlight(
        self,
        document_id: int,
        start: int,
        end: int,
        *,
        color: str = DEFAULT_COLOR,
        note: str = "",
        style: str = "fill",
    ) -> ChangeNotice:
        """Highlight or underline a passage.

        A highlight with the same bounds gets the new colour, note and style.
        """
        self._check(color, note, style)
        text = documents.fetch_text(self._writer, document_id) or ""
        quote = text[start:end]
        if not quote.strip():
            raise UserError("Nothing is selected to highlight.", "Select a passage first.")
        same = next(
            (
                build_annotation(row)
                for row in annotation_rows.fetch_annotations(self._writer, document_id)
                if row[2:5] == ("highlight", start, end) and not row[10]
            ),
            None,
        )
        label = Message("Highlight “{quote}”", quote=short(quote))
        if style == "underline":
            label = Message("Underline “{quote}”", quote=short(quote))
        with self._writer.edit(label):
            if same:
                annotation_rows.change_annotation(
                    self._writer,
                    same.id,
                    color=color,
                    note=note.strip() or same.note,
                    style=style,
                    tags="\n".join(same.tags),
                )
            else:
                annotation_rows.add_annotation(
                    self._writer, document_id, "highlight", start, end, quote[:MAX_QUOTE], color,
                    note.strip(), style,
                )  # fmt: skip
        return ChangeNotice(documents=frozenset({document_id}))

    def mark_area(
        self,
        document_id: int,
        area: Area,
        picture: bytes,
        span: tuple[int, int] | None = None,
        quote: str = "",
        *,
        color: str = DEFAULT_COLOR,
        note: str = "",
    ) -> ChangeNotice:
        """Mark an area of a page.

        Args:
            picture: the part of the page as a PNG of `engine.png`.
            span: from the first to the last letter in the area; None where there are none.
            quote: the words in the area.

        Raises:
            UserError: it is no part of a page of the document, or its picture is too large.
        """
        self._check(color, note)
        page = self._check_area(document_id, area, picture)
        start, end = span or (page.start, page.start)
        with self._writer.edit(Message("Mark an area of p. {page}", page=page.number)):
            annotation_rows.add_annotation(
                self._writer, document_id, "highlight", start, end, quote.strip()[:MAX_QUOTE],
                color, note.strip(), area=json.dumps(area), picture=picture,
            )  # fmt: skip
        return ChangeNotice(documents=frozenset({document_id}))

    def change_area(
        self,
        annotation_id: int,
        area: Area,
        picture: bytes,
        span: tuple[int, int] | None = None,
        quote: str = "",
    ) -> ChangeNotice:
        """Give an area other sides, with what is printed there; the arguments as `mark_area`.

        Raises:
            UserError: it is no part of a page, its picture is too large, or it was removed.
        """
        known = self._get(annotation_id)
        if known.area is None:
            raise UserError("This is no area of a page.", "Choose an area first.")
        page = self._check_area(known.document_id, area, picture)
        start, end = span or (page.start, page.start)
        with self._writer.edit(Message("Change an area of p. {page}", page=page.number)):
            annotation_rows.change_area(
                self._writer, annotation_id, start, end, quote.strip()[:MAX_QUOTE],
                area=json.dumps(area), picture=picture,
            )  # fmt: skip
        return ChangeNotice(documents=frozenset({known.document_id}))

    def _check_area(self, document_id: int, area: Area, picture: bytes) -> Page:
        """Return the page of an area.

        Raises:
            UserError: it is no part of a page of the document, or its picture is too large.
        """
        pages = documents.fetch_pages(self._writer, document_id)
        if not _is_area(area) or area.page >= len(pages):
            raise UserError(
                "This area is not on a page of the document.", "Draw a rectangle on a page."
            )
        if read_png_size(picture) is None or len(picture) > MAX_PICTURE_BYTES:
            raise UserError("This area is too large to be kept.", "Draw a smaller one.")
        return pages[area.page]

    def bookmark(self, document_id: int, start: int, end: int, note: str = "") -> ChangeNotice:
        """Add a bookmark at a page or line; `start` to `end` are its first words."""
        note = note.strip()
        self._check(DEFAULT_COLOR, note)
        text = documents.fetch_text(self._writer, document_id) or ""
        quote = text[start : min(end, start + 200)]
        with self._writer.edit(Message("Bookmark “{quote}”", quote=short(quote))):
            annotation_rows.add_annotation(
                self._writer, document_id, "bookmark", start, end, quote, DEFAULT_COLOR, note
            )
        return ChangeNotice(documents=frozenset({document_id}))

    def change(
        self,
        annotation_id: int,
        *,
        color: str | None = None,
        note: str | None = None,
        tags: Sequence[str] | None = None,
        session: str = "",
    ) -> ChangeNotice:
        """Change the note, the colour or the tags; None leaves it unchanged.

        Args:
            session: changes with the same one that follow each other are undone in one step: a
                note is stored while it is written.
        """
        known = self._get(annotation_id)
        color = color or known.color
        self._check(color, note or "")
        own = list(known.tags) if tags is None else tidy_tags(tags)
        label = Message("Note on “{quote}”", quote=short(known.quote))
        if known.area is not None:
            label = Message("Note on an area of p. {page}", page=self._label_page(known))
        if own != list(known.tags) and note in (None, known.note) and color == known.color:
            label = Message("Tags of “{quote}”", quote=short(known.quote))
            if known.area is not None:
                label = Message("Tags of an area of p. {page}", page=self._label_page(known))
        before, edit_id = self._written
        with self._writer.edit(label, joins=edit_id if session and session == before else 0):
            annotation_rows.change_annotation(
                self._writer,
                annotation_id,
                color=color,
                note=known.note if note is None else note.strip(),
                style=known.style,
                tags="\n".join(own),
            )
        self._written = session, find_newest_edit(self._writer) if session else 0
        return ChangeNotice(documents=frozenset({known.document_id}))

    def remove(self, annotation_id: int) -> ChangeNotice:
        known = self._get(annotation_id)
        quote = short(known.quote)
        label = Message("Remove the highlight “{quote}”", quote=quote)
        if known.kind == "bookmark":
            label = Message("Remove the bookmark “{quote}”", quote=quote)
        elif known.area is not None:
            label = Message("Remove an area of p. {page}", page=self._label_page(known))
        with self._writer.edit(label):
            annotation_rows.delete_annotation(self._writer, annotation_id)
        return ChangeNotice(documents=frozenset({known.document_id}))

    def recolor(self, annotation_ids: Collection[int], color: str) -> ChangeNotice:
        """Give highlights a colour, as one step; bookmarks have none and stay as they are."""
        self._check(color, "")
        known = [one for one in self._get_all(annotation_ids) if one.kind == "highlight"]
        if not known:
            raise UserError("Bookmarks have no colour.", "Choose highlights.")
        with self._writer.edit(Message("Colour of {what}", what=_quote_marks(known))):
            annotation_rows.recolor_annotations(self._writer, [one.id for one in known], color)
        return _documents_of(known)

    def tag(
        self, annotation_ids: Collection[int], *, add: Sequence[str] = (), drop: Sequence[str] = ()
    ) -> ChangeNotice:
        """Add tags to highlights, notes and bookmarks and take others from them, as one step."""
        added, dropped = tidy_tags(add), {tag.casefold() for tag in tidy_tags(drop)}
        if not added and not dropped:
            raise UserError("A tag needs a name.", "Type one, or press Escape.")
        known = self._get_all(annotation_ids)
        changed: list[tuple[int, str]] = []
        for one in known:
            kept = [tag for tag in one.tags if tag.casefold() not in dropped]
            changed.append((one.id, "\n".join(tidy_tags([*kept, *added]))))
        with self._writer.edit(Message("Tags of {what}", what=_quote_marks(known))):
            annotation_rows.store_tags(self._writer, changed)
        return _documents_of(known)

    def remove_many(self, annotation_ids: Collection[int]) -> ChangeNotice:
        """Remove highlights, notes and bookmarks as one step."""
        known = self._get_all(annotation_ids)
        with self._writer.edit(Message("Remove {what}", what=_quote_marks(known))):
            for one in known:
                annotation_rows.delete_annotation(self._writer, one.id)
        return _documents_of(known)

    def _get_all(self, annotation_ids: Collection[int]) -> list[Annotation]:
        """Return the annotations that still exist.

        Raises:
            UserError: none does.
        """
        found = (
            annotation_rows.find_annotation(self._writer, i) for i in sorted(set(annotation_ids))
        )
        known = [build_annotation(row) for row in found if row is not None]
        if not known:
            raise UserError(
                "These highlights, notes and bookmarks no longer exist.",
                "Undo may bring them back.",
            )
        return known

    def store_reading_position(self, document_id: int, place: str) -> None:
        """Store the reading position of a document, if it can be stored; not undoable."""
        if not self._writer.is_writable:
            return
        with self._writer.transaction():
            annotation_rows.store_reading_position(self._writer, document_id, place)

    def _get(self, annotation_id: int) -> Annotation:
        row = annotation_rows.find_annotation(self._writer, annotation_id)
        if row is None:
            raise UserError(
                "This highlight, note or bookmark no longer exists.", "Undo may bring it back."
            )
        return build_annotation(row)

    def _label_page(self, known: Annotation) -> str:
        """Return the printed number of the page of an area."""
        pages = documents.fetch_pages(self._writer, known.document_id)
        index = known.area.page if known.area is not None else 0
        return pages[index].number if index < len(pages) else str(index + 1)

    @staticmethod
    def _check(color: str, note: str, style: str = "fill") -> None:
        if style not in STYLES:
            raise UserError(
                "“{style}” is not a style of a highlight.",
                "Choose one of: {styles}.",
                style=style,
                styles=", ".join(STYLES),
            )
        colors = [one.key for one in HIGHLIGHT_COLORS]
        if color not in colors:
            raise UserError(
                "“{color}” is not a colour.",
                "Choose one of: {colors}.",
                color=color,
                colors=", ".join(colors),
            )
        if len(note) > MAX_NOTE:
            raise UserError("This note is too long.", "At most {most:,} characters.", most=MAX_NOTE)


def _documents_of(changed: Sequence[Annotation]) -> ChangeNotice:
    return ChangeNotice(documents=frozenset(one.document_id for one in changed))


def _quote_marks(known: Sequence[Annotation]) -> Message:
    """Return the words for annotations in the label of an edit."""
    if len(known) == 1 and known[0].quote:
        return Message("“{quote}”", quote=short(known[0].quote))
    return Message("{n} highlight" if len(known) == 1 else "{n} highlights", n=len(known))


MIN_SHARED = 0.6  # of the smaller one of an area and a figure: then the area shows the figure


def add_captions(db: Db, document_id: int, marks: Sequence[Annotation]) -> list[Annotation]:
    """Return annotations of a document, areas of a figure with the caption of that."""
    without = [mark for mark in marks if mark.area is not None and not find_caption_of(mark)]
    known = figures.fetch_figures(db, document_id) if without else []
    captions: dict[int, str] = {}
    for mark in without:
        shared = ((_share_area(mark, one), one.caption) for one in known if one.caption.strip())
        share, caption = max(shared, default=(0.0, ""))
        if share >= MIN_SHARED:
            captions[mark.id] = " ".join(caption.split())
    return [replace(m, caption=captions[m.id]) if m.id in captions else m for m in marks]


def _share_area(mark: Annotation, stored: figures.StoredFigure) -> float:
    """Return how much of the smaller one of an area and a figure is in the other, 0 to 1."""
    area, figure = mark.area, stored.figure
    if area is None or figure.box is None or figure.page_index != area.page:
        return 0.0
    left, top, right, bottom = figure.box
    width = min(area.right, right) - max(area.left, left)
    height = min(area.bottom, bottom) - max(area.top, top)
    own = (area.right - area.left) * (area.bottom - area.top)
    smaller = min(own, (right - left) * (bottom - top))
    return width * height / smaller if width > 0 and height > 0 and smaller > 0 else 0.0


LABEL_CHARS = 12
PROSE_LINE = 40  # characters: labels of figures and cells of tables are shorter
MIN_PROSE = 0.6  # of the characters in an area


def find_caption_of(mark: Annotation) -> str:
    """Return the caption of an area, of its own words or of its figure, on one line, or ""."""
    if mark.area is None:
        return ""
    if mark.caption:
        return mark.caption
    lines = [" ".join(line.split()) for line in mark.quote.splitlines() if line.strip()]
    at = next((at for at, line in enumerate(lines) if find_caption_label(line)), None)
    if at is None:
        return ""
    is_label = len(lines[at]) <= LABEL_CHARS  # the title of "Table 4" is on the next line
    following = lines[at + 1] if is_label and at + 1 < len(lines) else ""
    has_title = following and CELL_SEPARATOR not in following
    return f"{lines[at]} {following}" if has_title else lines[at]


def shows_figure(mark: Annotation) -> bool:
    """Return whether an area has the caption of a figure; a table is text."""
    label = find_caption_label(find_caption_of(mark))
    return bool(label) and not label.startswith("table")


def find_shown_words(mark: Annotation) -> str:
    """Return the words that stand for an annotation in a list, on one line.

    They are those of a passage. Of an area they are the caption, or a text; words within a figure
    or a table are out of order and say less than its picture, so they are left out.
    """
    words = " ".join(mark.quote.split())
    if mark.area is None:
        return words
    if caption := find_caption_of(mark):
        return caption
    n_prose = sum(len(line) for line in mark.quote.splitlines() if len(line) >= PROSE_LINE)
    return words if n_prose >= MIN_PROSE * max(1, len(mark.quote)) else ""


def share_read(position: str, n_chars: int, n_pages: int) -> float:
    """Return the share above a stored position: an offset, or a page and the share of it.

    The reader adds the pages that are rotated to the position in a PDF; they are ignored here.
    """
    try:
        place = json.loads(position)
    except (ValueError, RecursionError):  # of another version
        return 0.0
    whole = n_pages if isinstance(place, list) else n_chars
    parts = place[:2] if isinstance(place, list) else [place]
    if not whole or not all(isinstance(part, int | float) for part in parts):
        return 0.0
    return float(min(1.0, max(0.0, sum(parts) / whole)))


def relocate_annotation(known: Annotation, text: str, pages: Sequence[Page] = ()) -> Annotation:
    """Return an annotation at the place of its words; the nearest if there are several.

    An area keeps its page, unless its words are only on another one.
    """
    if known.area is not None:
        return _relocate_area(known, known.area, text, pages)
    quote = known.quote
    if not quote or text.startswith(quote, known.start):
        return known
    places: list[int] = []
    at = text.find(quote)
    while at >= 0 and len(places) < 1000:
        places.append(at)
        at = text.find(quote, at + 1)
    if not places:
        last = max(0, len(text) - 1)
        return replace(known, start=min(known.start, last), end=min(known.end, last), lost=True)
    start = min(places, key=lambda place: abs(place - known.start))
    return replace(known, start=start, end=start + known.end - known.start)


def _relocate_area(known: Annotation, area: Area, text: str, pages: Sequence[Page]) -> Annotation:
    words = "".join(known.quote.split())

    def has_words(page: Page) -> bool:
        return words in "".join(text[page.start : page.end].split())

    index = area.page
    if words and not (index < len(pages) and has_words(pages[index])):
        # words that a scan was read with, or of two columns, may be on no page: then it stays
        others = (i for i, page in enumerate(pages) if has_words(page))
        index = min(others, key=lambda other: abs(other - area.page), default=index)
    if index >= len(pages):
        last = max(0, len(text) - 1)
        return replace(known, start=min(known.start, last), end=min(known.end, last), lost=True)
    page = pages[index]
    start, end = (min(max(at, page.start), page.end) for at in (known.start, known.end))
    return replace(known, start=start, end=end, area=area._replace(page=index))


def find_page_of(mark: Annotation, pages: Sequence[Page]) -> int:
    """Return the number in `pages` of the page of an annotation; pages may have no text."""
    if mark.area is not None and mark.area.page < len(pages):
        return mark.area.page
    return find_page_at(mark.start, pages)


def find_section_of(mark: Annotation, outline: Sequence[Heading], pages: Sequence[Page]) -> int:
    """Return the index of the section of an annotation, -1 before the first."""
    if not pages:
        return find_section(outline, mark.start)
    return find_section_on_page(outline, pages, find_page_of(mark, pages), mark.start)


def link_picture(path: str, words: str) -> str:
    """Return the Markdown of a picture by its path from there; `words` stand for it."""
    return f"![{words.replace('[', '(').replace(']', ')')}]({quote_path(path)})"


def short(quote: str) -> str:
    """Return the first words of a quote, for one line, where it stands in quotation marks."""
    line = " ".join(quote.split()).strip('“”„‟«»"「」『』 ')
    return line if len(line) <= 48 else line[:47].rstrip() + "…"


def find_words(text: str, words: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the places of whole words in a part of a text."""
    found = []
    at = text.find(words, start, end) if words else -1
    while at >= 0:
        after = at + len(words)
        before_ok = not (words[0].isascii() and words[0].isalnum() and text[at - 1 : at].isalnum())
        after_ok = not (
            words[-1].isascii() and words[-1].isalnum() and text[after : after + 1].isalnum()
        )
        if before_ok and after_ok:
            found.append((at, after))
        at = text.find(words, after, end)
    return found


def build_notes_markdown(
    document: DocumentRow,
    annotations: Sequence[Annotation],
    outline: Sequence[Heading] = (),
    pages: Sequence[Page] = (),
    *,
    page_words: str = "p. {page}",
    bookmark_words: str = "Bookmark",
    tags_words: str = "Tags: {tags}",
    picture_paths: Mapping[int, str] | None = None,
) -> str:
    """Return the annotations of one document as Markdown, by chapter.

    Args:
        page_words, bookmark_words, tags_words: the words for a page, a bookmark and tags.
        picture_paths: annotation id -> picture of its area, as `write_pictures` returns it.
    """
    lines = [f"# {disarm_line(document.title or document.file_name)}", ""]
    if document.author:
        lines += [f"*{disarm_line(document.author)}*", ""]
    chapter = -1
    for one in annotations:
        now = find_section_of(one, outline, pages)
        if now != chapter and now >= 0:
            lines += [f"## {disarm_line(outline[now].title)}", ""]
        chapter = now
        page = pages[find_page_of(one, pages)] if pages else None
        place = disarm_line(page_words.replace("{page}", page.number)) if page else ""
        if picture := (picture_paths or {}).get(one.id):
            lines += [link_picture(picture, place), ""]
        if one.kind == "bookmark":
            words = disarm_line(one.quote)
            lines += [f"**{bookmark_words}**{f' · {place}' if place else ''}", "", words, ""]
        else:
            lines += [
                f"> {disarm_line(line)}" if line.strip() else ">" for line in one.quote.splitlines()
            ]
            if place:
                lines += [">"] * bool(one.quote) + [f"> — {place}"]
            lines.append("")
        if one.note:
            lines += [disarm_markdown(one.note), ""]
        if one.tags:
            lines += [disarm_line(join_tags(one.tags, tags_words)), ""]
    return "\n".join(lines).rstrip() + "\n"


def join_tags(tags: Sequence[str], words: str = "Tags: {tags}") -> str:
    """Return the line that names tags in an exported file, "" without any."""
    return words.replace("{tags}", ", ".join(tags)) if tags else ""


def find_page_at(start: int, pages: Sequence[Page]) -> int:
    """Return the number in `pages` of the page that contains an offset, 0 for one before them."""
    return max(0, bisect.bisect_right(pages, start, key=lambda page: page.start) - 1)


def describe_text_place(
    start: int, outline: Sequence[Heading], pages: Sequence[Page], *, page_words: str = "p. {page}"
) -> str:
    """Return "p. 12 · Chapter 3", with the parts that are known."""
    words = []
    if pages:
        page = pages[find_page_at(start, pages)]
        words.append(page_words.replace("{page}", page.number))
    if outline:
        at = find_section(outline, start)
        if at >= 0:
            words.append(" ".join(outline[at].title.split()))
    return " · ".join(words)
