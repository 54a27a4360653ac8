"""Where a passage stands, in words: its chapter, its page, how far in its document it begins.

Shared by the cards of sources, the inspector of an answer and exports.
"""

from __future__ import annotations

from desktop_app.engine.messages import NO_MESSAGE, Message
from desktop_app.engine.model import Citation, DocumentId, Passage

from ..translation import tr, tr_message
from ..widgets.words import format_heading

HEADING_JOINT = " › "
MOST_HEADINGS = 2
LONG_PART, MOST_NUMBER_BLANKS = 24, 2  # characters; "The Second Part" has two blanks


def describe_location(passage: Passage, cells: Message = NO_MESSAGE) -> str:
    """Return the location of a passage in its document: its chapter, and its page or position."""
    chapter = describe_chapter(passage.heading, passage.title)
    return " · ".join(part for part in (chapter, describe_position(passage, cells)) if part)


def describe_position(passage: Passage, cells: Message = NO_MESSAGE) -> str:
    """Return the page of a passage, or how far in its document it begins, "" if neither is known.

    It is counted as the reading progress is. The cells of a table follow.
    """
    if cells:
        place = describe_position(passage)
        return " · ".join(filter(None, (place, tr_message(cells))))
    if passage.page_label:
        return tr("p. {page}", page=passage.page_label)
    if not passage.n_document_chars:  # stored by an earlier version
        return ""
    share = round(100 * min(1.0, passage.start / passage.n_document_chars))
    return tr("at {share}%", share=share) if share else tr("at the beginning")


def describe_chapter(heading: str, title: str = "") -> str:
    """Return the last two of a path of headings, without the document's own title at its start.

    The chapter alone may be one of several with this number; what is above its part is the same for
    much of the document.
    """
    first, joint, rest = heading.partition(HEADING_JOINT)
    is_title = _as_written(first) == _as_written(title)
    shown = rest if joint and is_title else heading
    *outer, own = shown.split(HEADING_JOINT)[-MOST_HEADINGS:]
    return HEADING_JOINT.join(map(format_heading, (*map(_shorten_part, outer), own)))


def _shorten_part(heading: str) -> str:
    """Return the number of a part without its title: "Second Period. The Discovery of …".

    It is there to tell which chapter of this number is meant; the title would hide the chapter.
    """
    number, dot, _ = heading.partition(". ")
    is_number = 0 < number.count(" ") <= MOST_NUMBER_BLANKS
    return number if dot and is_number and len(heading) > LONG_PART else heading


def make_passage(citation: Citation) -> Passage:
    """Return what is known of a passage that is cited and not loaded: the quotation."""
    return Passage(
        citation.chunk_id,
        DocumentId(citation.document_id),
        citation.title,
        citation.start,
        citation.start + len(citation.quote),
        0.0,
        citation.quote,
        citation.start,
        citation.end,
        citation.page_label,
    )


def _as_written(title: str) -> str:
    """Return a title in the form in which two spellings of it are equal."""
    return " ".join(title.replace("’", "'").casefold().split())
