"""Formats numbers, sizes, times, languages, types, kinds of relations and tooltips.

Pure functions without widgets.
"""

from __future__ import annotations

import re
import time
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from PySide6.QtCore import QDate, QLocale, QTime

from desktop_app.engine.llm.catalogue import load_catalogue
from desktop_app.engine.model import (
    BACKWARD,
    BOTH_WAYS,
    FORWARD,
    WRITES,
    MentionRow,
    RelationRow,
)
from desktop_app.engine.progress import Progress
from desktop_app.engine.scheduler import Priority
from desktop_app.engine.writing_systems import has_han, is_wide

from ..translation import later, tr, trn
from .pictograms import has_pictogram

LANGUAGES = {
    "en": later("English"),
    "zh": later("Chinese"),
    "de": later("German"),
    "fr": later("French"),
    "es": later("Spanish"),
    "it": later("Italian"),
    "ja": later("Japanese"),
    "ko": later("Korean"),
    "la": later("Latin"),
    "pt": later("Portuguese"),
    "ru": later("Russian"),
    "und": "",
}
TYPES = {
    "person": later("person"),
    "place": later("place"),
    "organisation": later("organisation"),
    "event": later("event"),
    "object": later("object"),
    "concept": later("concept"),
    "other": later("other"),
}


def _locale() -> QLocale:
    # the bare C locale has no separators: 868000 is hard to read
    locale = QLocale()
    return QLocale(QLocale.Language.English) if locale.name() == "C" else locale


def format_number(value: int | float) -> str:
    """Return a whole number with the locale's separators."""
    return _locale().toString(int(value))


def describe_sheet(index: int, n_pages: int) -> str:
    """Return the place of a page in the file, shown after its printed number: "(5 of 285)"."""
    return tr("({n} of {all})", n=format_number(index + 1), all=format_number(n_pages))


def format_size(size_bytes: int) -> str:
    """Return a size as kB, MB or GB, rounded."""
    size = float(size_bytes)
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if size < 1000 or unit == "TB":
            break
        size /= 1000
    if unit == "bytes":
        return tr("{n} bytes", n=int(size))
    digits = 1 if size < 10 or unit in ("GB", "TB") else 0
    return f"{_locale().toString(size, 'f', digits)} {unit}"


def format_left(seconds: float | None) -> str:
    """Return "2 min left"; empty while unknown."""
    if seconds is None:
        return ""
    if seconds < 55:
        return tr("less than a minute left")
    minutes = round(seconds / 60)
    if minutes < 60:
        return tr("{n} min left", n=minutes)
    hours, rest = divmod(minutes, 60)
    if rest:
        return tr("{hours} h {minutes} min left", hours=hours, minutes=rest)
    return tr("{hours} h left", hours=hours)


WAITING_FOR = {
    Priority.QUESTION: later("Paused while answering"),
    Priority.IMPORT: later("Paused while reading documents"),
    Priority.REPORTS: later("Paused while writing reports"),
}


def format_pace(left_s: float | None, blocker: Priority | None) -> str:
    """Return the remaining time, or what more urgent work is waited for."""
    return format_left(left_s) if blocker is None else tr(WAITING_FOR[blocker])


LEAST_PAGE_RATE = 0.05  # pages a minute, below which no speed is named


def describe_read_pages(n_read: int, n_pages: int) -> str:
    """Return how many of a document's pages that are pictures are read, since it was added."""
    return trn(
        "{done} of {n} page read", "{done} of {n} pages read", n_pages, done=format_number(n_read)
    )


def describe_page_rate(progress: Progress) -> list[str]:
    """Return pages a minute and the time that is left, as far as they are known."""
    per_minute = 60 * progress.rate
    words = []
    if per_minute >= LEAST_PAGE_RATE:
        shown = f"{per_minute:.0f}" if per_minute >= 10 else f"{per_minute:.1f}"
        words.append(tr("{rate} pages a minute", rate=shown))
    if left := format_left(progress.left_s):
        words.append(left)
    return words


def format_when(timestamp: float, now: float | None = None) -> str:
    """Return a relative time: just now, 5 min ago, 3 h ago, yesterday, 3 Mar 2024."""
    if timestamp <= 0:
        return ""
    now = time.time() if now is None else now
    age = now - timestamp
    then, today = datetime.fromtimestamp(timestamp), datetime.fromtimestamp(now)
    if age < 60:
        return tr("just now")
    if age < 3600:
        return tr("{n} min ago", n=int(age // 60))
    days = (today.date() - then.date()).days
    if days == 0:
        return tr("{n} h ago", n=int(age // 3600))
    if days == 1:
        return tr("yesterday")
    if days < 7:
        return tr("{n} days ago", n=days)
    return _format_day(then, with_year=then.year != today.year)


def format_day(timestamp: float, now: float | None = None) -> str:
    """Return a day: today, yesterday, 3 days ago, 3 Mar 2024."""
    now = time.time() if now is None else now
    is_today = datetime.fromtimestamp(timestamp).date() == datetime.fromtimestamp(now).date()
    return tr("today") if is_today else format_when(timestamp, now)


def format_day_time(timestamp: float, now: float | None = None) -> str:
    """Return a day with its time where it is recent: today 14:05, yesterday 14:05, 3 days ago."""
    now = time.time() if now is None else now
    then = datetime.fromtimestamp(timestamp)
    days = (datetime.fromtimestamp(now).date() - then.date()).days
    at = _locale().toString(QTime(then.hour, then.minute), "HH:mm")
    if days == 0:
        return tr("today {time}", time=at)
    return tr("yesterday {time}", time=at) if days == 1 else format_day(timestamp, now)


def format_date(timestamp: float) -> str:
    """Return a date with its time: 3 Mar 2024, 14:05."""
    then = datetime.fromtimestamp(timestamp)
    at = _locale().toString(QTime(then.hour, then.minute), "HH:mm")
    return f"{_format_day(then, with_year=True)}, {at}"


def _format_day(then: datetime, *, with_year: bool) -> str:
    # the order of day, month and year depends on the language
    form = tr("d MMM yyyy") if with_year else tr("d MMM")
    return _locale().toString(QDate(then.year, then.month, then.day), form)


def format_language(code: str) -> str:
    """Return a language in the language of the window; an unknown code as it is."""
    return tr(LANGUAGES.get(code, code)) if code else ""


# formats of files; others are called by their letters
FORMATS = {
    "docx": later("Word"),
    "xlsx": later("Excel"),
    "pptx": later("PowerPoint"),
    "mobi": later("Kindle"),
    "eml": later("E-mail"),
    "srt": later("Subtitles"),
    "md": later("Markdown"),
    "txt": later("Text"),
}


def name_format(format: str) -> str:
    """Return what a format is called: "PDF", "Word"."""
    return tr(FORMATS[format]) if format in FORMATS else format.upper()


def distinguish_titles(rows: Iterable[tuple[int, str, str, str]]) -> dict[int, str]:
    """Return what tells documents with the same title apart, by id: the format, or the file's name.

    Args:
        rows: id, title, format and name of the file of documents.
    """
    by_title: dict[str, list[tuple[int, str, str]]] = {}
    for document_id, title, format, file_name in rows:
        by_title.setdefault(title, []).append((document_id, format, file_name))
    found = {}
    for files in by_title.values():
        formats = [name_format(format) for _, format, _ in files]
        for (document_id, _, file_name), format in zip(files, formats, strict=True):
            if len(files) > 1:
                is_unique = format and formats.count(format) == 1
                found[document_id] = format if is_unique else file_name
    return found


def format_model(name: str) -> str:
    """Return the title of a model of the catalogue; other models have their name only."""
    entry = load_catalogue().find(name)
    return entry.title if entry else name


def format_type(entity_type: str, *, capital: bool = False) -> str:
    """Return the word for an entity type; `capital` for use on its own, as in a menu.

    A type defined by the user is returned unchanged.
    """
    text = tr(TYPES[entity_type]) if entity_type in TYPES else entity_type
    return text[:1].upper() + text[1:] if capital else text


def sign_of_type(entity_type: str) -> str:
    """Return what stands on the disc of an entity type: a type with a pictogram, or a letter.

    A type defined by the user has the first letter of its name, "other" a question mark.
    """
    if has_pictogram(entity_type):
        return entity_type
    return "?" if entity_type in TYPES else entity_type[:1].upper() or "?"


# --- kinds of relations ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class KindLook:
    """How a kind of relation is named and drawn; kinds also differ in their dashes.

    `color` is one of the theme's type colours; `dashes` alternate stroke and gap in pixels,
    empty for an unbroken line.
    """

    words: str
    color: str
    dashes: tuple[float, ...] = ()


KINDS = {
    "family": KindLook(later("family"), "organisation"),
    "love": KindLook(later("love"), "event", (9, 3)),
    "friend": KindLook(later("friends"), "place", (7, 4)),
    "enemy": KindLook(later("at odds"), "other", (9, 3, 2, 3)),
    "work": KindLook(later("work"), "event", (4, 3)),
    "talk": KindLook(later("talk"), "object", (1.5, 3)),
    "place": KindLook(later("place"), "concept", (2, 2, 2, 6)),
    "part": KindLook(later("part of"), "person", (7, 3, 1.5, 3, 1.5, 3)),
    "uses": KindLook(later("uses"), "event", (4, 3)),
    "compares": KindLook(later("compared with"), "organisation"),
    "causes": KindLook(later("causes"), "other", (9, 3, 2, 3)),
    "made": KindLook(later("made"), "place", (7, 4)),
    WRITES: KindLook(later("letters"), "object", (5, 2, 1.5, 2)),
}
_OWN_COLORS = ("person", "place", "organisation", "event", "object", "other")
_OWN_DASHES = ((), (7, 4), (4, 3), (9, 3, 2, 3), (1.5, 3))


def look_of_kind(kind: str) -> KindLook:
    """Return the look of a kind; a kind defined by the user keeps its name."""
    if not kind:
        return KindLook(tr("named together"), "concept")
    if kind in KINDS:
        look = KINDS[kind]
        return replace(look, words=tr(look.words))
    code = zlib.crc32(kind.encode())
    return KindLook(kind, _OWN_COLORS[code % 6], _OWN_DASHES[code // 6 % 5])


def format_kind(kind: str) -> str:
    """Return a kind of relation in words; "" for none."""
    return look_of_kind(kind).words if kind else ""


# --- directions of relations -------------------------------------------------------------------

ARROWS = ("–", "→", "←", "↔")
"""Between the source and the target of a relation, by direction."""

_STATEMENTS = {
    "love": later("{subject} loves {object}"),
    "work": later("{subject} works for {object}"),
    "talk": later("{subject} talks to {object}"),
    "place": later("{subject} is in {object}"),
    "part": later("{subject} is part of {object}"),
    "uses": later("{subject} uses {object}"),
    "causes": later("{subject} causes {object}"),
    "made": later("{subject} made {object}"),
    WRITES: later("{subject} writes to {object}"),
}


def format_ends(source: str, target: str, direction: int) -> str:
    """Return both names, with an arrow from the subject to the object where it is known."""
    if direction == BACKWARD:
        source, target, direction = target, source, FORWARD
    return f"{source} {ARROWS[direction]} {target}"


def format_statement(relation: RelationRow, own_id: int | None = None) -> str:
    """Return a relation with a direction as a statement; "" without one.

    Args:
        own_id: the entity as whose relation it is shown: "A is the father of B" on the page of A,
            "B's father is A" on that of B.
    """
    if not relation.direction:
        return ""
    kind = relation.kind
    ends = format_ends(relation.source, relation.target, relation.direction)
    if relation.direction == BOTH_WAYS:
        return ends
    is_forward = relation.direction == FORWARD
    names = {
        "subject": relation.source if is_forward else relation.target,
        "object": relation.target if is_forward else relation.source,
    }
    if kind in _STATEMENTS:
        return tr(_STATEMENTS[kind], **names)
    from desktop_app.engine.extraction.llm.relation_kinds import is_role  # its table is long

    if is_role(kind):
        object_id = relation.target_id if is_forward else relation.source_id
        if own_id == object_id:
            return tr("{object}’s {role} is {subject}", role=kind, **names)
        return tr("{subject} is the {role} of {object}", role=kind, **names)
    return ends


def sureness_level(confidence: float) -> int:
    """Return 3 for sure, 2 for fairly sure, 1 for unsure, 0 for unknown."""
    return 0 if confidence <= 0 else 1 + (confidence >= 0.5) + (confidence >= 0.75)


def format_sureness(confidence: float) -> str:
    """Return how sure a model is, in words."""
    words = ("", tr("unsure"), tr("fairly sure"), tr("sure"))
    return words[sureness_level(confidence)]


def fold_case(names: Iterable[str], known: str = "") -> tuple[str, ...]:
    """Return names without those that differ from an earlier one only in case.

    A form in capitals gives way to another one.

    Args:
        known: a name that is shown already.
    """
    found: dict[str, str] = {}
    for name in names:
        key = name.casefold()
        if key not in found or (found[key].isupper() and not name.isupper()):
            found[key] = name
    return tuple(name for key, name in found.items() if key != known.casefold())


WIDE_MARKS = ("。", "！", "？", "；", "：", "，", "、", "）")  # that end a part of a Chinese text


CHINESE_COMMA = "、"  # between the parts of a list


def join_words(words: Sequence[str]) -> str:
    """Return words joined by the separator of the language.

    Names that are all Chinese have a Chinese separator, also in an English window: beside
    characters, a Latin comma looks like a mark below the line.
    """
    is_chinese = bool(words) and all(has_han(word) for word in words)
    return (CHINESE_COMMA if is_chinese else tr(", ")).join(words)


def join_sentences(sentences: Iterable[str]) -> str:
    """Return sentences one after the other, those that are "" left out.

    There is no space after a Chinese mark of punctuation, which has the width of a character.
    """
    text = ""
    for sentence in filter(None, sentences):
        space = "" if not text or text.endswith(WIDE_MARKS) else " "
        text = f"{text}{space}{sentence}"
    return text


def shorten_list(names: Sequence[str], most: int = 2) -> str:
    """Return the first `most` names joined, with the number of others."""
    rest = len(names) - most
    text = join_words(names[:most])
    return tr("{names} and {n} more", names=text, n=rest) if rest > 0 else text


_LONGEST_WORD = 40  # a longer one is cut; Chinese has no blanks


def find_cut(text: str, place: int, *, backward: bool = False) -> int:
    """Return the nearest place before `place` (after it, with `backward`) that cuts no word.

    Between two Chinese characters every place is one; a word of more than 40 letters is cut.
    """
    place = max(0, min(place, len(text)))
    step = 1 if backward else -1
    near = range(place, max(0, min(len(text), place + step * _LONGEST_WORD)), step)
    for here in near:
        if not 0 < here < len(text):
            break
        left, right = text[here - 1], text[here]
        if not (left.isalnum() and right.isalnum()) or is_wide(left) or is_wide(right):
            return here
    return place


def cut_text(text: str, longest: int) -> str:
    """Return a text with "…" after its last whole word if it is longer than that."""
    return text if len(text) <= longest else text[: find_cut(text, longest)].rstrip() + " …"


_TIP_COLUMNS, _TIP_LINES = 80, 20


def find_cut_sign(text: str) -> str:
    """Return what stands where a text was cut: "…", or three dots.

    In a Chinese window "…" comes from the Chinese font, where it is raised and makes the line of a
    Latin text higher than the others.
    """
    is_chinese = QLocale().language() == QLocale.Language.Chinese
    return "..." if is_chinese and not has_han(text) else "…"


def plain_tip(text: str) -> str:
    """Return text of a document for a tooltip: wrapped, and cut after 20 lines.

    The style sheet makes every tooltip plain text, which Qt does not wrap.
    """
    most = 2 * _TIP_COLUMNS * _TIP_LINES
    lines = [part for line in text[:most].split("\n") for part in _wrap(line)]
    if len(lines) <= _TIP_LINES and len(text) <= most:
        return "\n".join(lines)
    return "\n".join([*lines[:_TIP_LINES], "…"])


def _wrap(line: str) -> list[str]:
    """Break a line after 80 columns, at a space if there is one; wide characters take two."""
    parts: list[str] = []
    start = space = width = 0
    for i, char in enumerate(line):
        width += 2 if is_wide(char) else 1
        if char == " ":
            space = i
        if width > _TIP_COLUMNS:
            end = space if space > start else i
            parts.append(line[start:end])
            start = end + (end == space)
            width = sum(2 if is_wide(c) else 1 for c in line[start : i + 1])
    return [*parts, line[start:]]


def show_controls(text: str) -> str:
    """Return a text in which control characters and overrides of direction are visible.

    For paths and addresses that the user is asked about: such characters make one look like
    another.
    """
    return "".join(c if c.isprintable() else f"[U+{ord(c):04X}]" for c in text)


_SMALL_WORDS = frozenset(
    "a an and as at but by for from in into of on or the to with".split()  # not shown
)
_ROMAN = re.compile(r"[IVXLCDM]+\Z")
SUBTITLE = r": |：|; or,? "  # what parts a title from its subtitle


def cut_subtitle(title: str) -> str:
    """Return a title without its subtitle, where it has one."""
    return re.split(SUBTITLE, title, maxsplit=1)[0].strip() or title


def format_authors(author: str, year: str) -> str:
    """Return "Zejiang Shen and 5 others · 2021", as far as known.

    Args:
        author: the names, with "; " between them.
    """
    first, *others = author.split("; ")
    if others:
        first = trn("{name} and {n} other", "{name} and {n} others", len(others), name=first)
    return " · ".join(part for part in (first, year) if part)


FRONT_MATTER = later("Front matter")  # the text before the first section


# the word, its number, and a title that is not all in capitals
_NUMBERED = re.compile(r"([A-Z]{4,12}) (?:(?:[IVXLCDM]+|\d+)|([A-Z]{4,12}))[.:] (?=.*[a-z])")
# behind the title of a chapter that goes on with the one before: "DR. SEWARD'S DIARY--continued"
_CONTINUED = re.compile(r"\W*[\s(—–-](?:continued|concluded)\W*$")


def format_heading(heading: str) -> str:
    """Return a heading that is all in capitals with a capital at each word, others unchanged.

    Names keep their capitals, which a sentence in lower case would take from them. Before a title
    in small letters, the words of its number have them too: "CHAPTER I. Down the Rabbit-Hole",
    "SIXTH NARRATIVE. Contributed by SERGEANT CUFF".
    """
    continued = _CONTINUED.search(heading)
    if continued and heading[: continued.start()].isupper():
        return format_heading(heading[: continued.start()]) + continued[0].replace("--", "—")
    if numbered := _NUMBERED.match(heading):
        for word in filter(None, numbered.groups()):
            heading = heading.replace(word, word.capitalize(), 1)
        return heading
    letters = [char for char in heading if char.isalpha()]
    if len(letters) < 5 or " " not in heading or not heading.isupper():
        return heading
    words, begins = [], True
    for word in heading.split(" "):
        bare = word.strip(".,:;!?()\"'“”‘’—-")
        if _ROMAN.match(bare) or any(char.isdigit() for char in bare):
            words.append(word)
        elif not begins and bare.lower() in _SMALL_WORDS:
            words.append(word.lower())
        else:
            words.append(_capitalize(word))
        begins = word.endswith((":", ".", "!", "?", "—", "-"))
    return " ".join(words)


def format_headings(path: str) -> str:
    """Return headings that are joined by "›", each as `format_heading` returns it."""
    return " › ".join(format_heading(heading.strip()) for heading in path.split("›"))


def _capitalize(word: str) -> str:
    """Return a word in lower case with a capital at its start and after each hyphen."""
    return re.sub(r"(^|[-—])(\W*)(\w)", lambda m: m[1] + m[2] + m[3].upper(), word.lower())


def describe_mention_source(mention: MentionRow, *, several: bool) -> str:
    """Return the line below a quotation: its chapter and page, and its document if several."""
    chapter = format_heading(mention.heading.split("›")[-1].strip())
    title = mention.document_title if several else ""
    return " · ".join(part for part in (title, chapter, describe_page(mention.page_label)) if part)


def describe_page(label: str) -> str:
    """Return a page reference, or "" if the document has no pages."""
    return tr("p. {label}", label=label) if label else ""
