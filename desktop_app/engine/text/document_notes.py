"""Notes that readers make about a document: which of them say that something is not in the text.

The others say where a document comes from, what was hidden in its program, or what is still to be
read. Imports no reader, because commands ask it about documents that are stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..messages import Message, OldSentence


def note_archive_path(path: str) -> Message:
    return Message("It is the file “{path}” of the archive.", path=path)


def note_attachment(title: str) -> Message:
    return Message("It was attached to “{title}”.", title=title)


def note_pictures(n: int, of: int) -> Message:
    """Return the note about pages that wait to be read."""
    if of == 1:
        return Message("Its page is a picture: it is read in the background.")
    return Message(
        "{n:,} of {of:,} pages are pictures: they are read in the background.", n=n, of=of
    )


def note_empty_pages(n: int, of: int, shown: str) -> Message:
    return Message("{n} of {of} pages have no text: {shown}", n=n, of=of, shown=shown)


def note_hidden_slide(number: int) -> Message:
    return Message("Slide {n} is hidden in the presentation.", n=number)


def note_hidden_sheet(name: str, *, in_excel: bool) -> Message:
    if in_excel:
        return Message("The sheet “{name}” is hidden in Excel.", name=name)
    return Message("The sheet “{name}” is hidden.", name=name)


_ORIGINS = (note_archive_path("").template, note_attachment("").template)
_WITHOUT_LOSS = (
    *(note_pictures(1, 1).template, note_pictures(1, 2).template, note_hidden_slide(1).template),
    note_empty_pages(1, 1, "").template,  # most of them are blank
    *(
        note_hidden_sheet("", in_excel=True).template,
        note_hidden_sheet("", in_excel=False).template,
    ),
)


@dataclass(frozen=True, slots=True)
class Losses:
    """What of a document's file is not in the library.

    Attributes:
        is_inner: the document lies in an archive, or was attached to a letter.
        own: notes about the document itself.
        outer: notes about the archive that it is the first document of.
    """

    is_inner: bool = False
    own: tuple[Message, ...] = ()
    outer: tuple[Message, ...] = ()


def find_losses(notes: Sequence[Message]) -> Losses:
    """Return which notes of a document say that something was left out.

    What was noted about an archive follows the note of where in it the document lies. The finished
    sentences of old libraries don't say of which kind they are; they are left out here.
    """
    notes = [note for note in notes if not isinstance(note, OldSentence)]
    place = next((i for i, note in enumerate(notes) if note.template in _ORIGINS), len(notes))
    lost = [note.template not in (*_ORIGINS, *_WITHOUT_LOSS) for note in notes]
    return Losses(
        place < len(notes),
        tuple(note for i, note in enumerate(notes) if lost[i] and i < place),
        tuple(note for i, note in enumerate(notes) if lost[i] and i > place),
    )
