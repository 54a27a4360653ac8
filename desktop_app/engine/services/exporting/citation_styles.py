"""References written out in a style: APA 7, Chicago 18 (author-date), MLA 9 and GB/T 7714-2015.

Pure functions over `Reference`. The rules are those of each style's own guide for books, chapters,
articles, papers, theses, reports and preprints; what is not known of a work is left out. Titles are
kept as they are written, for whether a word is a name can't be seen. Italics are kept as HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from ...model import Reference
from ...person_names import is_east_asian, split_authors, split_name
from ...writing_systems import has_han

STYLES = ("apa", "chicago", "mla", "gbt7714")
_ARXIV = "10.48550/arxiv."
_ON, _OFF = "\ue000", "\ue001"  # around italics
_END = ".?!。？！"
# What a library without a bibliography knows of a work -> its kind as CSL names it.
_ARTICLES = frozenset("article-journal article-magazine article-newspaper".split())
_PARTS = frozenset("chapter paper-conference entry entry-encyclopedia entry-dictionary".split())
_GBT_TYPES = {
    "article-journal": "J", "article-magazine": "J", "article-newspaper": "N", "book": "M",
    "chapter": "M", "paper-conference": "C", "entry": "M", "entry-encyclopedia": "M",
    "entry-dictionary": "M", "thesis": "D", "report": "R", "patent": "P", "dataset": "DB",
    "software": "CP", "webpage": "EB/OL", "post-weblog": "EB/OL", "article": "EB/OL",
}  # fmt: skip


def format_reference(reference: Reference, style: str) -> str:
    """Return a reference in one of `STYLES` as plain text."""
    return _to_plain(_FORMATS[style](reference))


def format_reference_html(reference: Reference, style: str) -> str:
    """Return a reference in one of `STYLES` as HTML with its italics."""
    return _to_html(_FORMATS[style](reference))


def list_works_cited(references: Iterable[Reference], style: str) -> list[str]:
    """Return references as the lines of a list of works cited, as plain text.

    GB/T 7714 numbers them in their order; the other styles sort them by author, title and year.
    """
    return [_to_plain(line) for line in _list(references, style)]


def list_references_html(references: Iterable[Reference], style: str) -> list[str]:
    """Return the lines of `list_works_cited` as HTML with their italics."""
    return [_to_html(line) for line in _list(references, style)]


def _list(references: Iterable[Reference], style: str) -> list[str]:
    made = [_FORMATS[style](one) for one in references]
    if style == "gbt7714":
        return [f"[{n}] {line}" for n, line in enumerate(made, 1)]
    return sorted(made, key=lambda line: _sort_key(_to_plain(line)))


def _sort_key(line: str) -> str:
    return re.sub(r"^(?:The|A|An)\s+", "", line.lstrip('“‘"')).casefold()


def find_work_kind(reference: Reference) -> str:
    """Return the kind of work as CSL names it, by the identifiers where it is not known."""
    if reference.doi.startswith(_ARXIV):
        return "article"
    if reference.kind and reference.kind != "document":
        return reference.kind
    if reference.container or reference.doi:
        return "article-journal"
    return "book" if reference.isbn or reference.format == "epub" else "document"


# --- parts that styles share ----------------------------------------------------------------------


def _italic(text: str) -> str:
    return f"{_ON}{text}{_OFF}" if text else ""


def _to_plain(text: str) -> str:
    return text.replace(_ON, "").replace(_OFF, "")


def _to_html(text: str) -> str:
    return escape(text, quote=False).replace(_ON, "<i>").replace(_OFF, "</i>")


def _end(text: str, sign: str = ".") -> str:
    """Return a part with a full stop, unless it ends with a sign that ends a sentence."""
    last = _to_plain(text)[-1:]
    return text if not text or last in _END else text + sign


def _join(parts: Iterable[str]) -> str:
    return " ".join(part for part in parts if part)


def _doi(reference: Reference) -> str:
    return f"https://doi.org/{reference.doi}" if reference.doi else ""


def _pages(reference: Reference, dash: str = "–") -> str:
    return re.sub(r"\s*(?:-+|–|—)\s*", dash, reference.pages)


def _year(reference: Reference) -> str:
    match = re.search(r"\d{4}", reference.year)
    return match.group() if match else reference.year


def _edition(reference: Reference) -> str:
    """Return "2nd ed." for an edition that is not the first."""
    text = reference.edition.strip()
    number = re.match(r"(\d+)(?:st|nd|rd|th)?\.?(?:\s*(?:ed\b.*|edition))?$", text, re.I)
    if number:
        n = int(number.group(1))
        end = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
        return f"{n}{end} ed." if n > 1 else ""
    if not text or re.match(r"(?:1|first)\b", text, re.I):
        return ""
    return text if has_han(text) or re.search(r"\bed", text, re.I) else f"{text} ed."


def _is_whole(name: str) -> bool:
    """Return whether a name has no parts to turn around: Chinese names and organisations."""
    return is_east_asian(name.replace(",", "")) or not split_name(name)[1]


def _plain_name(name: str) -> str:
    return re.sub(r",?\s+", "", name) if is_east_asian(name.replace(",", "")) else name


def _inverted(name: str) -> str:
    """Return "Wren, Clara"; a Chinese name and an organisation stay as they are."""
    if _is_whole(name):
        return _plain_name(name)
    family, given = split_name(name)
    return f"{family}, {given}"


def _straight(name: str) -> str:
    """Return "Clara Wren"."""
    if _is_whole(name):
        return _plain_name(name)
    family, given = split_name(name)
    return f"{given} {family}"


def _initials(given: str, stop: str = ".") -> str:
    """Return "J.-P. M." of "Jean-Paul Marie"; with no stop "J P M"."""
    words = []
    for word in given.replace(".", ". ").split():
        parts = [part[0].upper() for part in re.split("[-‐]", word) if part and part[0].isalpha()]
        if re.fullmatch(r"(?:Jr|Sr|II|III|IV)\.?", word):
            words.append(f", {word}")
        elif parts:
            words.append(f"{stop}-".join(parts) + stop if stop else " ".join(parts))
    return " ".join(words).replace(" ,", ",")


def _and_list(names: Sequence[str], word: str, *, comma_for_two: bool) -> str:
    if len(names) < 2:
        return "".join(names)
    comma = "," if len(names) > 2 or comma_for_two else ""
    return f"{', '.join(names[:-1])}{comma} {word} {names[-1]}"


# --- APA 7 ----------------------------------------------------------------------------------------


def _apa_name(name: str) -> str:
    if _is_whole(name):
        return _plain_name(name)
    family, given = split_name(name)
    return f"{family}, {_initials(given)}"


def _apa_authors(names: Sequence[str]) -> str:
    made = [_apa_name(name) for name in names]
    if len(made) > 20:
        return f"{', '.join(made[:19])}, . . . {made[-1]}"
    return _and_list(made, "&", comma_for_two=True)


def _format_apa(r: Reference) -> str:
    kind, names = find_work_kind(r), split_authors(r.author)
    date = f"({_year(r) or 'n.d.'})."
    is_part = kind in _ARTICLES or kind in _PARTS
    title = r.title if is_part else _italic(r.title)
    place = ""
    if kind in _ARTICLES:
        volume = _italic(r.volume) + (f"({r.issue})" if r.issue else "")
        place = _end(", ".join(filter(None, (_italic(r.container), volume, _pages(r)))))
    elif kind in _PARTS and r.container:
        editors = [_join((_initials(split_name(n)[1]), split_name(n)[0])) if not _is_whole(n)
                   else _plain_name(n) for n in split_authors(r.editors)]  # fmt: skip
        role = "(Ed.)" if len(editors) == 1 else "(Eds.)"
        by = f"{_and_list(editors, '&', comma_for_two=False)} {role}, " if editors else ""
        inside = ", ".join(filter(None, (_edition(r), f"pp. {_pages(r)}" if r.pages else "")))
        place = _end(f"In {by}{_italic(r.container)}" + (f" ({inside})" if inside else ""))
        place = _join((place, _end(r.publisher)))
    elif kind == "thesis":
        title += f" [{', '.join(filter(None, ('Thesis', r.publisher)))}]"
    elif kind == "article":
        number = r.doi.removeprefix(_ARXIV) if r.doi.startswith(_ARXIV) else ""
        title += f" (arXiv:{number})" if number else ""
        place = "arXiv." if number else _end(r.publisher)
    else:
        more = ", ".join(filter(None, (_edition(r), f"Vol. {r.volume}" if r.volume else "")))
        title += f" ({more})" if more else ""
        place = _end(r.publisher)
    if not names:
        return _join((_end(title), date, place, _doi(r)))
    return _join((_end(_apa_authors(names)), date, _end(title), place, _doi(r)))


# --- Chicago 18, author-date ----------------------------------------------------------------------


def _list_inverted(names: Sequence[str], most: int, shown: int) -> str:
    """Return the first name turned around and the others as they are spoken."""
    made = [_inverted(names[0]), *map(_straight, names[1:])]
    if len(made) > most:
        return f"{', '.join(made[:shown])}, et al."
    return _and_list(made, "and", comma_for_two=not _is_whole(names[0]))


def _quoted(title: str) -> str:
    return f"“{_end(title)}”" if title else ""


def _format_chicago(r: Reference) -> str:
    kind, names = find_work_kind(r), split_authors(r.author)
    year = _end(_year(r) or "n.d.")
    is_part = kind in _ARTICLES or kind in _PARTS or kind in ("thesis", "article")
    title = _quoted(r.title) if is_part else _end(_italic(r.title))
    place = ""
    if kind in _ARTICLES:
        volume = _join((r.volume, f"({r.issue})" if r.issue else ""))
        place = _join((_italic(r.container), volume))
        place += (": " if volume else ", ") + _pages(r) if r.pages and place else ""
        place = _end(place)
    elif kind in _PARTS and r.container:
        editors = [_straight(name) for name in split_authors(r.editors)]
        by = f", edited by {_and_list(editors, 'and', comma_for_two=False)}" if editors else ""
        place = _join((_end(f"In {_italic(r.container)}{by}"), _end(r.publisher)))
    elif kind == "thesis":
        place = _end(", ".join(filter(None, ("Thesis", r.publisher))))
    elif kind == "article":
        number = r.doi.removeprefix(_ARXIV) if r.doi.startswith(_ARXIV) else ""
        place = f"Preprint, arXiv:{number}." if number else _end(r.publisher or "Preprint")
    else:
        place = _join((_end(_edition(r)), _end(r.publisher)))
    doi = _end(_doi(r))
    if not names:
        return _join((title, year, place, doi))
    return _join((_end(_list_inverted(names, 6, 3)), year, title, place, doi))


# --- MLA 9 ----------------------------------------------------------------------------------------


def _format_mla(r: Reference) -> str:
    kind, names = find_work_kind(r), split_authors(r.author)
    is_part = (kind in _ARTICLES or kind in _PARTS) and bool(r.container or kind in _ARTICLES)
    title = _quoted(r.title) if is_part else _end(_italic(r.title))
    editors = [_straight(name) for name in split_authors(r.editors)] if kind in _PARTS else []
    by = _and_list(editors, "and", comma_for_two=False) if len(editors) < 3 else (
        f"{editors[0]} et al."
    )  # fmt: skip
    is_arxiv = r.doi.startswith(_ARXIV)
    several = bool(re.search(r"[-–—,]", r.pages))
    parts = [
        _italic(r.container) if is_part else "",
        f"edited by {by}" if by else "",
        "" if kind in _ARTICLES else _edition(r),
        f"vol. {r.volume}" if r.volume else "",
        f"no. {r.issue}" if r.issue and kind in _ARTICLES else "",
        _italic("arXiv") if is_arxiv else "" if kind in _ARTICLES else r.publisher,
        _year(r),
        f"{'pp.' if several else 'p.'} {_pages(r)}" if r.pages and is_part else "",
        _doi(r),
    ]
    author = ""
    if names:
        author = _inverted(names[0])
        if len(names) == 2:
            author += f"{'' if _is_whole(names[0]) else ','} and {_straight(names[1])}"
        elif len(names) > 2:
            author += ", et al."
    rest = ", ".join(filter(None, parts))
    note = " Thesis." if kind == "thesis" else ""
    return _join((_end(author), title, _end(rest[:1].upper() + rest[1:]))) + note


# --- GB/T 7714-2015 -------------------------------------------------------------------------------


def _gbt_name(name: str) -> str:
    if _is_whole(name):
        return _plain_name(name)
    family, given = split_name(name)
    return _join((family.upper(), _initials(given, "")))


def _gbt_names(names: Sequence[str]) -> str:
    made = [_gbt_name(name) for name in names[:3]]
    if len(names) > 3:
        made.append("等" if is_east_asian(names[0].replace(",", "")) else "et al")
    return ", ".join(made)


def _format_gbt(r: Reference) -> str:
    kind = find_work_kind(r)
    sign = _GBT_TYPES.get(kind, "Z")
    is_chinese = r.language.startswith("zh") or has_han(r.title)
    authors = _end(_gbt_names(split_authors(r.author)))
    title = f"{r.title}[{sign}]"
    year, pages = _year(r), _pages(r, "-")
    edition = _edition(r)
    if is_chinese and (number := re.match(r"\d+", edition)):
        edition = f"{number.group()}版"
    publisher = ": ".join(filter(None, (r.place, r.publisher)))
    imprint = ", ".join(filter(None, (publisher, year)))
    doi = f"DOI:{r.doi}." if r.doi else ""
    if kind in _ARTICLES:
        volume = r.volume + (f"({r.issue})" if r.issue else "")
        place = ", ".join(filter(None, (r.container, year, volume)))
        return _join((authors, _end(title), _end(place + (f": {pages}" if pages else "")), doi))
    if kind in _PARTS and r.container:
        inside = _join((_end(_gbt_names(split_authors(r.editors))), _end(r.container)))
        place = _join((_end(edition), _end(imprint + (f": {pages}" if pages else ""))))
        return _join((authors, f"{title}//{inside}", place, doi))
    if sign == "EB/OL":
        return _join((authors, _end(title), f"({year})." if year else "", _end(_doi(r))))
    return _join((authors, _end(title), _end(edition), _end(imprint), doi))


_FORMATS = {
    "apa": _format_apa,
    "chicago": _format_chicago,
    "mla": _format_mla,
    "gbt7714": _format_gbt,
}
