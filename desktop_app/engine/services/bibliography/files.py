"""BibTeX, RIS and CSL-JSON files -> works. Runs in the process that reads bibliographies.

pybtex and rispy parse the first two; here their fields get one meaning.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from ...errors import UserError
from ...messages import Message
from ...person_names import join_authors
from ...text.encodings import decode
from ...text.identifiers import find_doi, read_doi, read_isbn
from .model import AttachedFile, Bibliography, Entry

MAX_BYTES = 200_000_000
SUFFIXES = {".bib": "BibTeX", ".bibtex": "BibTeX", ".ris": "RIS", ".json": "CSL-JSON"}
_KINDS = {  # of BibTeX and RIS -> of CSL
    "article": "article-journal", "jour": "article-journal", "ejour": "article-journal",
    "mgzn": "article-magazine", "news": "article-newspaper", "newspaper": "article-newspaper",
    "book": "book", "booklet": "book", "mvbook": "book", "collection": "book", "ebook": "book",
    "edbook": "book", "manual": "book", "proceedings": "book",
    "incollection": "chapter", "inbook": "chapter", "chap": "chapter", "echap": "chapter",
    "inreference": "entry", "ency": "entry", "dict": "entry-dictionary",
    "inproceedings": "paper-conference", "conference": "paper-conference",
    "cpaper": "paper-conference", "conf": "paper-conference",
    "phdthesis": "thesis", "mastersthesis": "thesis", "thesis": "thesis", "thes": "thesis",
    "techreport": "report", "report": "report", "rprt": "report",
    "online": "webpage", "www": "webpage", "electronic": "webpage", "elec": "webpage",
    "blog": "post-weblog", "unpublished": "manuscript", "unpb": "manuscript",
    "patent": "patent", "pat": "patent", "dataset": "dataset", "data": "dataset",
    "software": "software", "comp": "software", "misc": "document", "gen": "document",
}  # fmt: skip


def read_bibliography_file(path: Path) -> Bibliography:
    """Return the works of a BibTeX, RIS or CSL-JSON file; the content decides on the format.

    Raises:
        UserError: it is none of them, too large, or has no work.
    """
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise UserError("it is larger than {limit} MB.", "Split it.", limit=MAX_BYTES // 1_000_000)
    text = decode(content).text.lstrip("\ufeff")
    read = _find_format(text)
    if read is None:
        raise UserError(
            "it is no list of references: neither BibTeX nor RIS nor CSL-JSON.",
            "Export the references again in one of these formats.",
        )
    found = read(text, path)
    if not found.entries:
        raise UserError(
            "it has no reference that can be read.",
            "Export the references again in the other program.",
        )
    return found


def _find_format(text: str) -> Callable[[str, Path], Bibliography] | None:
    if re.search(r"^\s*TY\s{1,2}-", text, re.M):
        return _read_ris
    if text.lstrip()[:1] in ("[", "{"):
        return _read_csl
    if re.search(r"^\s*@\s*\w+\s*[{(]", text, re.M):
        return _read_bibtex
    return None


# --- BibTeX ---------------------------------------------------------------------------------------


def _read_bibtex(text: str, path: Path) -> Bibliography:
    return parse_bibtex(text)


def parse_bibtex(text: str) -> Bibliography:
    """Return the entries of BibTeX; broken ones are left out and counted."""
    found = Bibliography("BibTeX")
    macros: dict[str, str] = {}
    entries, is_sound = _parse_bibtex(text, macros)
    if not is_sound:  # one broken entry hides those after it: each is parsed by itself
        entries = []
        for piece in re.split(r"(?m)^(?=\s*@\s*\w+\s*[{(])", text):
            if re.match(r"\s*@\s*(?:comment|preamble)\b", piece, re.I) or "@" not in piece:
                continue
            parsed, is_sound = _parse_bibtex(piece, macros)
            entries += (usable := [entry for entry in parsed if "title" in entry.fields])
            if not is_sound and not usable:
                found.left_out[Message("entries that are broken")] += 1
            elif not is_sound:
                found.left_out[Message("broken entries of which only a part was taken")] += 1
    found.entries += map(_build_from_bibtex, entries)
    return found


def _parse_bibtex(text: str, macros: dict[str, str]) -> tuple[list[Any], bool]:
    """Return the entries of a text, and whether it had no error; `macros` is kept up to date."""
    from pybtex import errors
    from pybtex.database.input.bibtex import Parser, month_names

    parser = Parser(macros=dict(month_names) | macros)
    with errors.capture() as problems:
        try:
            parser.parse_string(text)
        except Exception as error:  # each way in which a text is no BibTeX has its own exception
            problems.append(error)
    macros.update(parser.macros)
    return list(parser.data.entries.values()), not problems


def _build_from_bibtex(entry: Any) -> Entry:
    fields = {str(name).lower(): str(value) for name, value in entry.fields.items()}
    get = _getter(fields, _clean_latex)
    kind = _KINDS.get(entry.type.lower(), "document")
    people = {role.lower(): persons for role, persons in entry.persons.items()}
    names = {role: tuple(filter(None, map(_build_bibtex_name, people.get(role, ()))))
             for role in ("author", "editor")}  # fmt: skip
    eprint = fields.get("eprint", "")
    doi = read_doi(fields.get("doi", "").replace("\\_", "_").strip("{} "))
    is_arxiv = "arxiv" in fields.get("archiveprefix", fields.get("eprinttype", "")).lower()
    if not doi and is_arxiv and re.fullmatch(r"\d{4}\.\d{4,5}(v\d+)?", eprint):
        doi = f"10.48550/arxiv.{eprint.partition('v')[0]}"
    return Entry(
        title=_join_title(get("title"), get("subtitle")),
        authors=names["author"] or names["editor"],
        year=_find_year(get("year", "date")),
        doi=doi or find_doi(fields.get("url", "")),
        isbn=_find_isbn(get("isbn")),
        kind=kind,
        container=get("journaltitle", "journal", "booktitle", "maintitle"),
        volume=get("volume"),
        issue=get("number", "issue"),
        pages=get("pages"),
        publisher=get("publisher", "school", "institution", "organization"),
        place=get("location", "address"),
        edition=get("edition"),
        editors=join_authors(names["editor"]) if names["author"] else "",
        tags=_split_tags(get("keywords", "keyword")),
        files=_read_file_field(fields.get("file", "")),
    )


def _build_bibtex_name(person: Any) -> str:
    family = " ".join([*person.prelast_names, *person.last_names])
    given = " ".join([*person.first_names, *person.middle_names])
    if person.lineage_names:
        given = " ".join([given, *person.lineage_names]).strip()
    family, given = _clean_latex(family), _clean_latex(given)
    if family.lower() == "others":
        return ""
    return f"{family}, {given}" if given else family


_LATEX = re.compile(r"[\\`'?!]|--")
_COMMAND = re.compile(r"\\(?:[A-Za-z]+\*?\s*|.)")


def _clean_latex(text: str) -> str:
    """Return LaTeX as plain text: accents and signs as characters, commands and braces removed."""
    import latexcodec  # noqa: F401 (registers the codec)

    if _LATEX.search(text):  # decoding takes half a millisecond
        decode_text: Any = codecs.decode  # from text to text, which its types do not have
        with suppress(ValueError, KeyError):
            text = decode_text(text, "ulatex")
    text = re.sub(r"(?<!\\)[{}$]", "", _COMMAND.sub(_keep_sign, text))
    return " ".join(text.replace("~", " ").split())


def _keep_sign(command: re.Match[str]) -> str:
    sign = command.group()[1:2]
    return sign if sign in "&%#_{}$" else ""


def _read_file_field(value: str) -> tuple[AttachedFile, ...]:
    """Return the files of a `file` field as JabRef, Zotero, Mendeley and others write it.

    That is a path, or "description:path:type", several separated by semicolons; a backslash
    protects these signs.
    """
    files = []
    for group in re.split(r"(?<!\\);", value.strip().strip("{}")):
        if not group.strip():
            continue
        parts = re.split(r"(?<!\\):", group)
        places = []
        if len(parts) >= 3:
            places.append(":".join(parts[1:-1]))
        elif len(parts) == 2 and len(parts[0].strip()) > 1:
            places += [parts[0], parts[1]]
        places.append(group)
        plain = [re.sub(r"\\([:;\\_&%#])", r"\1", place).strip() for place in places]
        if len(parts) >= 3 and not plain[0].startswith(("/", "\\")) and ":" not in plain[0]:
            plain.append(f"/{plain[0]}")  # Mendeley leaves out the first slash
        files.append(AttachedFile(tuple(dict.fromkeys(filter(None, plain)))))
    return tuple(files)


# --- RIS ------------------------------------------------------------------------------------------


def _read_ris(text: str, path: Path) -> Bibliography:
    import rispy

    found = Bibliography("RIS")
    closed, n_without_type = _close_records(text)
    if n_without_type:
        found.left_out[Message("entries without a type")] += n_without_type
    records = rispy.loads(closed, enforce_list_tags=False)
    for record in records:
        found.entries.append(_build_from_ris(record, path))
    return found


def _close_records(text: str) -> tuple[str, int]:
    """Return RIS with an end for each record, and the number of records without a type.

    rispy leaves out both.
    """
    lines: list[str] = []
    is_open = has_lines = False
    n_without_type = 0
    for line in text.splitlines():
        tag = re.match(r"\s*([A-Z][A-Z0-9])\s{1,2}-\s?(.*)", line)
        if tag is None:
            if line.strip():
                lines.append(line)
            continue
        name, value = tag.groups()
        if name == "TY" and is_open:
            lines.append("ER  - ")
        if name in ("TY", "ER") and has_lines and not is_open:
            n_without_type += 1
        has_lines = name not in ("TY", "ER") and (has_lines or not is_open)
        is_open = name != "ER" and (is_open or name == "TY")
        lines.append(f"{name}  - {value}")
    return "\n".join([*lines, "ER  - "] if is_open else lines), n_without_type + has_lines


def _build_from_ris(record: Mapping[str, Any], path: Path) -> Entry:
    def all_of(*names: str) -> list[str]:
        found: list[str] = []
        for name in names:
            value = record.get(name)
            found += [str(v).strip() for v in (value if isinstance(value, list) else [value]) if v]
        return found

    def get(*names: str) -> str:
        return " ".join(next(iter(all_of(*names)), "").split())

    pages = [get("start_page"), get("end_page")]
    is_range = "-" in pages[0] or "–" in pages[0]
    numbers = all_of("issn")
    urls = all_of("doi", "urls", "custom3", "note", "notes")
    kind = _KINDS.get(get("type_of_reference").lower(), "document")
    titles = ("title", "primary_title") if kind != "book" else ("title", "primary_title",
                                                                 "secondary_title")  # fmt: skip
    attached = all_of("file_attachments1", "file_attachments2")
    authors, editors = all_of("authors", "first_authors"), all_of("secondary_authors")
    return Entry(
        title=get(*titles, "short_title"),
        authors=tuple(authors or editors),
        year=_find_year(get("year", "publication_year", "date")),
        doi=next(filter(None, (read_doi(u) or find_doi(u) for u in urls)), ""),
        isbn=next(filter(None, map(_find_isbn, numbers)), ""),
        kind=kind,
        container=get("journal_name", "alternate_title3", "secondary_title", "alternate_title2")
        if kind != "book"
        else "",
        volume=get("volume"),
        issue=get("number"),
        pages=pages[0] if is_range else "–".join(filter(None, dict.fromkeys(pages))),
        publisher=get("publisher"),
        place=get("place_published"),
        edition=get("edition"),
        editors=join_authors(editors) if authors else "",
        tags=tuple(all_of("keywords")),
        files=tuple(
            AttachedFile(_list_ris_places(place, path))
            for value in attached
            for place in value.split(";")
            if place.strip() and not re.match(r"\s*https?:", place, re.I)
        ),
    )


def _list_ris_places(value: str, path: Path) -> tuple[str, ...]:
    value = value.strip()
    if value.lower().startswith("internal-pdf://"):  # EndNote keeps them beside its library
        rest = unquote(value[len("internal-pdf://") :])
        return (f"{path.stem}.Data/PDF/{rest}", f"PDF/{rest}", rest)
    if value.lower().startswith("file:"):
        parts = urlsplit(value)
        place = unquote(parts.path)
        return (place.lstrip("/") if re.match(r"/[A-Za-z]:", place) else place,)
    return (value,)


# --- CSL-JSON -------------------------------------------------------------------------------------


def _read_csl(text: str, path: Path) -> Bibliography:
    found = Bibliography("CSL-JSON")
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        content = _read_sound_items(text)
        if not content:
            raise UserError("it is broken JSON.", "Export the references again.") from error
        found.left_out[
            Message("errors in the file; references after the first one may be missing")
        ] += 1
    if isinstance(content, dict):
        content = content.get("items", [content])
    for item in content if isinstance(content, list) else ():
        is_work = isinstance(item, dict) and isinstance(item.get("title"), str)
        if is_work and (isinstance(item.get("type"), str) or "author" in item or "DOI" in item):
            found.entries.append(_build_from_csl(item))
        else:
            found.left_out[Message("parts that are no references")] += 1
    return found


_BETWEEN_ITEMS = re.compile(r"[\s,\[\]]*")


def _read_sound_items(text: str) -> list[Any]:
    """Return the items of a broken list up to its first error."""
    decoder = json.JSONDecoder()
    items: list[Any] = []
    at = 0
    while (between := _BETWEEN_ITEMS.match(text, at)) is not None and between.end() < len(text):
        try:
            item, at = decoder.raw_decode(text, between.end())
        except (ValueError, RecursionError):
            break
        items.append(item)
    return items


def _build_from_csl(item: Mapping[str, Any]) -> Entry:
    get = _getter({name: str(v) for name, v in item.items() if isinstance(v, str | int | float)})
    authors, editors = (_build_csl_names(item.get(role)) for role in ("author", "editor"))
    issued = item.get("issued")
    year = ""
    if isinstance(issued, dict):
        parts = issued.get("date-parts")
        with suppress(LookupError, TypeError):
            year = str(parts[0][0]) if parts else ""
        year = year or str(issued.get("raw") or issued.get("literal") or "")
    keywords = item.get("keyword", "")
    place = get("file")
    return Entry(
        title=get("title"),
        authors=authors or editors,
        year=_find_year(year),
        doi=read_doi(get("DOI")),
        isbn=_find_isbn(get("ISBN")),
        kind=get("type"),
        container=get("container-title"),
        volume=get("volume"),
        issue=get("issue", "number"),
        pages=get("page"),
        publisher=get("publisher"),
        place=get("publisher-place", "event-place"),
        edition=get("edition"),
        editors=join_authors(editors) if authors else "",
        tags=tuple(map(str, keywords)) if isinstance(keywords, list) else _split_tags(keywords),
        files=(AttachedFile((place,)),) if place else (),
    )


def _build_csl_names(people: object) -> tuple[str, ...]:
    return tuple(filter(None, map(_build_csl_name, people if isinstance(people, list) else ())))


def _build_csl_name(name: object) -> str:
    if not isinstance(name, dict):
        return ""
    parts = {key: " ".join(value.split()) for key, value in name.items() if isinstance(value, str)}
    if parts.get("literal"):
        return parts["literal"]
    particle = parts.get("non-dropping-particle") or parts.get("dropping-particle", "")
    family = f"{particle} {parts.get('family', '')}".strip()
    given = f"{parts.get('given', '')} {parts.get('suffix', '')}".strip()
    return f"{family}, {given}" if given and family else family or given


# --- fields ---------------------------------------------------------------------------------------


def _getter(
    fields: Mapping[str, str], clean: Callable[[str], str] = lambda text: text
) -> Callable[..., str]:
    def get(*names: str) -> str:
        """Return the first of these fields that has a value."""
        found = next((fields[name] for name in names if fields.get(name, "").strip()), "")
        return " ".join(clean(found).split())

    return get


def _join_title(title: str, subtitle: str) -> str:
    return f"{title}: {subtitle}" if title and subtitle else title or subtitle


def _find_year(date: str) -> str:
    match = re.search(r"(?<!\d)\d{4}(?!\d)", date)
    return match.group() if match else ""


def _find_isbn(value: str) -> str:
    """Return the first ISBN of several; ISSNs and others are no ISBN."""
    parts: Iterable[str] = re.split(r"[,;/]|\s(?=97[89])", value)
    return read_isbn(value) or next(filter(None, map(read_isbn, parts)), "")


def _split_tags(value: object) -> tuple[str, ...]:
    parts = re.split(r"[;,，；]", value) if isinstance(value, str) else ()
    return tuple(tag.strip() for tag in parts if tag.strip())
