"""References of documents as BibTeX, RIS, CSL-JSON and in the styles of `citation_styles`, and the
source of a quotation in words.

Pure functions over `Reference`. What kind of work a document is follows from its identifiers where
no bibliography says it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ...errors import UserError
from ...model import DocumentRow, Reference
from ...person_names import is_east_asian, split_authors, split_name
from ...store import document_metadata
from ...store.db import Db
from ...writing_systems import has_han
from .citation_styles import STYLES, list_works_cited
from .output import write_bytes

FORMATS = ("bibtex", "ris", "csl", *STYLES)
SUFFIXES = {"bibtex": ".bib", "ris": ".ris", "csl": ".json"} | dict.fromkeys(STYLES, ".txt")
_ARXIV = "10.48550/arxiv."
_KIND = {  # of work -> entry of BibTeX, RIS and CSL
    "book": ("book", "BOOK", "book"),
    "article": ("article", "JOUR", "article-journal"),
    "preprint": ("misc", "UNPB", "article"),
    "document": ("misc", "GEN", "document"),
    "article-magazine": ("article", "MGZN", "article-magazine"),
    "article-newspaper": ("article", "NEWS", "article-newspaper"),
    "chapter": ("incollection", "CHAP", "chapter"),
    "paper-conference": ("inproceedings", "CPAPER", "paper-conference"),
    "entry": ("incollection", "ENCYC", "entry"),
    "entry-encyclopedia": ("incollection", "ENCYC", "entry-encyclopedia"),
    "entry-dictionary": ("incollection", "DICT", "entry-dictionary"),
    "thesis": ("phdthesis", "THES", "thesis"),
    "report": ("techreport", "RPRT", "report"),
    "webpage": ("misc", "ELEC", "webpage"),
    "post-weblog": ("misc", "BLOG", "post-weblog"),
    "manuscript": ("unpublished", "UNPB", "manuscript"),
    "patent": ("misc", "PAT", "patent"),
    "dataset": ("misc", "DATA", "dataset"),
    "software": ("misc", "COMP", "software"),
}
_BIBTEX_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip


def reference_of(row: DocumentRow) -> Reference:
    """Return what a citation says of a document of the list."""
    return Reference(
        row.id, row.title or row.file_name, row.author, row.year, row.doi, row.isbn, row.language,
        row.format, row.tags,
    )  # fmt: skip


def describe_cited_source(reference: Reference, place: str = "") -> str:
    """Return author, title, year and place as a citation in the text names them.

    Its form follows the language of the document: "Zirui Guo et al., LightRAG, 2024, p. 3",
    or "施耐庵《水浒传》，1994，第 3 页".
    """
    names = split_authors(reference.author)
    if reference.language.startswith("zh"):
        author = "、".join(names) if len(names) <= 3 else f"{names[0]}等"
        title = reference.title.strip("《》")
        rest = [part for part in (reference.year, place) if part]
        return "，".join([f"{author}《{title}》", *rest])
    author = f"{names[0]} et al." if len(names) > 3 else _join_words(names)
    parts = (author, reference.title, reference.year, place)
    return ", ".join(part for part in parts if part)


def _join_words(names: Sequence[str]) -> str:
    return (
        names[0]
        if len(names) == 1
        else " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
    )


def export_references(
    db: Db, path: Path, format: str, document_ids: Sequence[int] | None = None
) -> int:
    """Write the references of documents, or of all; return their number.

    Args:
        format: one of `FORMATS`.

    Raises:
        UserError: there is no such document, or the file can't be written.
    """
    found = document_metadata.fetch_document_references(db, document_ids)
    if not found:
        raise UserError("There is no document to export.", "Choose other documents.")
    write_bytes(path, build_references(found, format).encode("utf-8", "replace"))
    return len(found)


def build_references(references: Sequence[Reference], format: str) -> str:
    """Return references in one of `FORMATS`; a style gives one a line."""
    if format in STYLES:
        return "\n".join(list_works_cited(references, format)) + "\n"
    build = {"bibtex": build_bibtex, "ris": build_ris, "csl": build_csl_json}[format]
    return build(references)


def fetch_references(db: Db, document_ids: Sequence[int]) -> list[Reference]:
    """Return what a citation says of documents, in their order, without those that are gone."""
    found = {
        one.document_id: one
        for one in document_metadata.fetch_document_references(db, document_ids)
    }
    return [found[i] for i in dict.fromkeys(document_ids) if i in found]


def find_kind(reference: Reference) -> str:
    """Return "book", "article", "preprint" or "document", or what a bibliography says."""
    if reference.doi.startswith(_ARXIV):
        return "preprint"
    if reference.kind == "article-journal":
        return "article"
    if reference.kind in _KIND and reference.kind != "document":
        return reference.kind
    if reference.doi:
        return "article"
    if reference.isbn or reference.format in ("epub", "fb2", "mobi"):
        return "book"
    return "document"


def build_csl_item(reference: Reference) -> dict[str, Any]:
    """Return a document as an item of CSL-JSON."""
    item: dict[str, Any] = {
        "id": f"inkgraph-{reference.document_id}",
        "type": _KIND[find_kind(reference)][2],
        "title": reference.title,
    }
    if names := split_authors(reference.author):
        item["author"] = [_build_csl_name(name) for name in names]
    if year := _find_year(reference):
        item["issued"] = {"date-parts": [[year]]}
    if editors := split_authors(reference.editors):
        item["editor"] = [_build_csl_name(name) for name in editors]
    values = {
        "container-title": reference.container, "volume": reference.volume,
        "issue": reference.issue, "page": reference.pages, "publisher": reference.publisher,
        "publisher-place": reference.place, "edition": reference.edition,
    }  # fmt: skip
    item |= {name: value for name, value in values.items() if value}
    if reference.doi:
        item["DOI"] = reference.doi
    if reference.isbn:
        item["ISBN"] = reference.isbn
    if reference.language not in ("", "und"):
        item["language"] = reference.language
    if reference.tags:
        item["keyword"] = ", ".join(reference.tags)
    return item


def _build_csl_name(name: str) -> dict[str, str]:
    family, given = split_name(name)
    return {"family": family, "given": given} if given else {"literal": family}


def _find_year(reference: Reference) -> int:
    match = re.search(r"\d{4}", reference.year)
    return int(match.group()) if match else 0


def build_csl_json(references: Iterable[Reference]) -> str:
    items = [build_csl_item(reference) for reference in references]
    return json.dumps(items, ensure_ascii=False, indent=1) + "\n"


def build_bibtex(references: Iterable[Reference]) -> str:
    """Return BibTeX entries, each with a key of its own."""
    taken: set[str] = set()
    entries = []
    for reference in references:
        kind = find_kind(reference)
        entry = _KIND[kind][0]
        inside = "journal" if entry == "article" else "booktitle"
        publisher = {"phdthesis": "school", "techreport": "institution"}.get(entry, "publisher")
        fields = {
            "author": " and ".join(map(_bibtex_name, split_authors(reference.author))),
            "title": f"{{{_escape_bibtex(reference.title)}}}",
            "year": _escape_bibtex(reference.year),
            "editor": " and ".join(map(_bibtex_name, split_authors(reference.editors))),
            inside: _escape_bibtex(reference.container),
            "volume": _escape_bibtex(reference.volume),
            "number": _escape_bibtex(reference.issue),
            "pages": re.sub("[-–—]+", "--", _escape_bibtex(reference.pages)),
            publisher: _escape_bibtex(reference.publisher),
            "address": _escape_bibtex(reference.place),
            "edition": _escape_bibtex(reference.edition),
            "doi": reference.doi,
            "isbn": reference.isbn,
            "keywords": _escape_bibtex(", ".join(reference.tags)),
        }
        if kind == "preprint":
            fields |= {"eprint": reference.doi.removeprefix(_ARXIV), "archiveprefix": "arXiv"}
        if reference.language not in ("", "und"):
            fields["langid"] = reference.language
        lines = [f"  {name} = {{{value}}}" for name, value in fields.items() if value]
        key = _build_key(reference, taken)
        entries.append(f"@{entry}{{{key},\n" + ",\n".join(lines) + "\n}\n")
    return "\n".join(entries)


def _bibtex_name(name: str) -> str:
    family, given = split_name(name)
    escaped = _escape_bibtex(family)
    if not given:
        return f"{{{escaped}}}" if " " in family else escaped
    return f"{escaped}, {_escape_bibtex(given)}"


def _escape_bibtex(text: str) -> str:
    return "".join(_BIBTEX_SPECIAL.get(char, char) for char in " ".join(text.split()))


def _build_key(reference: Reference, taken: set[str]) -> str:
    """Return "guo2024lightrag", with a number where several would have the same key."""
    names = split_authors(reference.author)
    family = split_name(names[0])[0] if names else ""
    if names and is_east_asian(names[0]):
        family = names[0]
    words = [w for w in re.findall(r"\w+", reference.title) if len(w) > 3 or has_han(w)]
    start = (words or [""])[0][:12]
    plain = unicodedata.normalize("NFKD", f"{family}{reference.year[:4]}{start}".lower())
    base = "".join(c for c in plain if c.isascii() and c.isalnum())
    base = base if re.search("[a-z]", base) else f"document{reference.document_id}"
    key, n = base, 1
    while key in taken:
        n += 1
        key = f"{base}{n}"
    taken.add(key)
    return key


def build_ris(references: Iterable[Reference]) -> str:
    """Return RIS records, with CRLF line ends as the format asks."""
    lines: list[str] = []
    for reference in references:
        lines.append(f"TY  - {_KIND[find_kind(reference)][1]}")
        for name in split_authors(reference.author):
            family, given = split_name(name)
            lines.append(f"AU  - {family}, {given}" if given else f"AU  - {family}")
        lines.append(f"TI  - {' '.join(reference.title.split())}")
        if year := _find_year(reference):
            lines.append(f"PY  - {year}")
        lines += [f"A2  - {', '.join(filter(None, split_name(name)))}"
                  for name in split_authors(reference.editors)]  # fmt: skip
        first, _, last = re.sub("[-–—]+", "–", reference.pages).partition("–")
        values = {
            "T2": reference.container, "VL": reference.volume, "IS": reference.issue,
            "SP": first, "EP": last, "PB": reference.publisher, "CY": reference.place,
            "ET": reference.edition,
        }  # fmt: skip
        lines += [f"{tag}  - {' '.join(value.split())}" for tag, value in values.items() if value]
        if reference.doi:
            lines.append(f"DO  - {reference.doi}")
        if reference.isbn:
            lines.append(f"SN  - {reference.isbn}")
        if reference.language not in ("", "und"):
            lines.append(f"LA  - {reference.language}")
        lines += [f"KW  - {' '.join(tag.split())}" for tag in reference.tags]
        lines += ["ER  - ", ""]
    return "\r\n".join(lines) + "\r\n"
