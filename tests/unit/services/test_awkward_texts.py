"""Every public method of the services takes every text: it works or refuses it, never a bug.

Methods are found by introspection: those with a parameter for text that a person types.
"""

from __future__ import annotations

import inspect
import json
import re
import typing
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from desktop_app.engine.communities.reader import CommunityReader
from desktop_app.engine.communities.report_service import ReportService
from desktop_app.engine.communities.updater import refresh_communities
from desktop_app.engine.errors import AppError
from desktop_app.engine.query import QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.annotations import AnnotationService
from desktop_app.engine.services.chats import Chats
from desktop_app.engine.services.collections import Collections
from desktop_app.engine.services.document_import import add_files, add_text
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.editing.curation_file import apply_curation, export_curation
from desktop_app.engine.services.editing.service import EditingService
from desktop_app.engine.services.graph_views import GraphViews
from desktop_app.engine.services.importing.formats import read_graph
from desktop_app.engine.services.importing.service import import_graph
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from tests.awkward_texts import AWKWARD_TEXTS
from tests.books import add_book

SAMPLES: dict[str, Any] = {"int": 1, "float": 0.5, "bool": True, "str": "Hale", "None": None}
# Parameters of type text that no person types: keys of the program itself.
LONGEST_READ = 3_000  # characters of texts that are indexed: names are found in all of them
NOT_TYPED = {"fingerprint", "place", "which", "order", "sort", "state", "level", "origin"}


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    made = Library(tmp_path / "small.inkgraph")
    add_book(made)
    refresh_communities(made.writer)
    yield made
    made.close()


def build_services(library: Library) -> list[Any]:
    db = library.writer
    return [
        EditingService(db),
        DocumentService(db),
        Collections(db),
        AnnotationService(db, db),
        Chats(db, db),
        GraphViews(db),
        LibraryReader(db),
        LibraryReader(db).graph,
        CommunityReader(db),
        ReportService(db, lambda: None),
    ]


def sample(hint: Any) -> Any:
    """Return a value of a type; raises KeyError for a type of the program."""
    if re.search(r"(Sequence|Collection)\[", str(hint)) and "tuple" not in str(hint):
        return [1] if "int" in str(hint) or "Id" in str(hint) else ["Hale"]
    for part in typing.get_args(hint) or (hint,):
        name = getattr(part, "__name__", str(part))
        if name in SAMPLES:
            return SAMPLES[name]
        if name.endswith("Id"):
            return 1
    raise KeyError(hint)


def find_text_calls(service: Any) -> Iterator[tuple[str, Callable[[str], object]]]:
    """Yield each public method with each of its parameters for text."""
    for name, method in inspect.getmembers(service, inspect.ismethod):
        if name.startswith("_"):
            continue
        hints = typing.get_type_hints(method)
        hints.pop("return", None)
        parameters = inspect.signature(method).parameters
        for text_name, hint in hints.items():
            # not a text itself, whose characters would be taken one by one
            is_list = (
                re.search(r"(Sequence|Iterable|Collection|list)\[str\]", str(hint)) is not None
            )
            if not re.search(r"\bstr\b", str(hint)) or re.search("dict|tuple", str(hint)):
                continue
            if text_name in NOT_TYPED:
                continue
            given: dict[str, Any] = {}
            for other, parameter in parameters.items():
                if other != text_name and parameter.default is parameter.empty:
                    try:
                        given[other] = sample(hints[other])
                    except KeyError:
                        break
            else:

                def call(
                    text: str,
                    name: str = name,
                    text_name: str = text_name,
                    given: dict[str, Any] = given,
                    is_list: bool = is_list,
                ) -> object:
                    value = [text] if is_list else text
                    return getattr(service, name)(**given, **{text_name: value})

                yield f"{type(service).__name__}.{name}({text_name})", call


def run_all(
    call: Callable[[str], object],
    texts: dict[str, str] = AWKWARD_TEXTS,
    *,
    longest: int = 10**6,
) -> dict[str, str]:
    """Call with all texts up to a length; return the bugs by the name of the text."""
    bugs = {}
    for name, text in texts.items():
        if len(text) > longest:
            continue
        try:
            call(text)
        except AppError:
            continue
        except Exception as error:
            bugs[name] = f"{type(error).__name__}: {str(error)[:200]}"
    return bugs


@pytest.mark.parametrize("share", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_no_text_is_a_bug_for_any_service(library: Library, share: int):
    """Each method takes its share of the texts, and each text goes to a share of the methods."""
    found, bugs = [], {}
    names = list(AWKWARD_TEXTS)
    for service in build_services(library):
        for label, call in find_text_calls(service):
            texts = {name: AWKWARD_TEXTS[name] for name in names[len(found) % share :: share]}
            found.append(label)
            if of_call := run_all(call, texts):
                bugs[label] = of_call
    assert bugs == {}
    assert len(found) > 40, found
    assert library.writer.integrity_problems() == []


def test_no_question_is_a_bug_for_retrieval(library: Library):
    """The usual mode takes all texts; the others, made of the same parts, share them."""
    retriever = Retriever(library.writer, lambda: None)
    others = ("words", "local", "global", "hybrid", "mix", "naive")
    names = list(AWKWARD_TEXTS)
    for mode in ("walk", *others):
        mine = names if mode == "walk" else names[others.index(mode) :: len(others)]
        texts = {name: AWKWARD_TEXTS[name] for name in mine}
        asked = QueryParam(mode=mode)
        assert run_all(lambda text, asked=asked: retriever.find(text, asked), texts) == {}


def test_no_title_and_no_text_is_a_bug_for_documents(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    db = library.writer
    (tmp_path / "a" / "b").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a" / "b")  # two of the texts are paths of folders
    assert run_all(lambda text: add_files(db, [Path(text)])) == {}
    assert run_all(lambda text: add_text(db, text, f"Ada {text}"), longest=LONGEST_READ) == {}
    IndexingService(db, lambda: None).run()
    rows = LibraryReader(db).list_documents()
    bugs = [str(row.reason) for row in rows if row.state != "ready" and "binary" not in row.reason]
    assert bugs == [] and len(rows) > 50


def build_graph(texts: Sequence[str], names: Sequence[str]) -> dict[str, Any]:
    """Return a graph with the texts in its passages and descriptions, and some as names."""
    passages = [text for text in texts if len(text) < LONGEST_READ]
    return {
        "chunks": [
            {"content": f"Ada Merrow. {text}", "source_id": text, "file_path": text}
            for text in passages
        ],
        "entities": [
            *({"entity_name": "Ada", "entity_type": text, "aliases": [text, text],
               "description": text} for text in texts),
            *({"entity_name": name, "entity_type": name, "description": name, "source_id": name}
              for name in names),
        ],
        "relationships": [
            {"src_id": "Ada", "tgt_id": name, "description": name, "keywords": name,
             "weight": name, "source_id": name} for name in names
        ],
    }  # fmt: skip


def test_no_text_is_a_bug_for_an_imported_graph(library: Library, tmp_path: Path):
    path = tmp_path / "graph.json"
    names: list[str] = []

    def read_as_name(text: str) -> None:
        path.write_text(json.dumps(build_graph([text], [text])), "utf-8")
        read_graph(path)
        names.append(text)

    def read_as_file(text: str) -> None:
        path.write_text(text, "utf-8", "surrogatepass")
        with pytest.raises(AppError):
            read_graph(path)

    assert run_all(read_as_name) == {} and run_all(read_as_file) == {}
    assert len(names) > 40
    path.write_text(json.dumps(build_graph(list(AWKWARD_TEXTS.values()), names)), "utf-8")
    imported = import_graph(library.writer, path)  # in one process: to start it takes longest
    assert imported.documents and library.writer.integrity_problems() == []
    with pytest.raises(AppError):
        path.write_text(AWKWARD_TEXTS["json"], "utf-8")
        import_graph(library.writer, path)


def test_no_row_of_a_table_is_a_bug(library: Library, tmp_path: Path):
    texts = [text for text in AWKWARD_TEXTS.values() if len(text) < LONGEST_READ]
    rows = [{"title": text, "text": f"Ada Merrow. {text}", text[:50]: text} for text in texts]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    add_files(library.writer, [tmp_path / "rows.jsonl"])
    IndexingService(library.writer, lambda: None).run()
    states = [(d.state, str(d.reason)) for d in LibraryReader(library.writer).list_documents()]
    assert {state for state, _ in states} == {"ready"}, states
    assert len(states) > 50


def test_no_text_is_a_bug_in_a_file_of_corrections(library: Library, tmp_path: Path):
    path = tmp_path / "corrections.json"
    export_curation(library.writer, path)
    whole = json.loads(path.read_text("utf-8"))

    def apply(text: str) -> None:
        alias = {"name": "Hale", "alias": text}
        changed = whole | {"alias": [alias], "deleted_name": [{"name": text, "documents": text}]}
        path.write_text(json.dumps(changed), "utf-8")
        apply_curation(library.writer, path)

    assert run_all(apply) == {}
    assert run_all(lambda text: path.write_text(text, "utf-8", "surrogatepass") and
                   apply_curation(library.writer, path)) == {}  # fmt: skip
