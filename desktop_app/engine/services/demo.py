"""The demo library: the texts that ship with Inkgraph and the questions about them.

Owns the demo's questions and the evaluation of an answer. Knows neither models nor output.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import paths
from ..errors import EnvironmentProblem
from ..model import Answer
from ..query import QueryParam

# A fixed prompt length: the default depends on the measured speed of the machine, and with it
# the passages that the model reads. The demo gives the same prompt on every machine.
DEMO_PROMPT_TOKENS = 1000


@dataclass(frozen=True, slots=True)
class DemoQuestion:
    """A question about one of the demo texts, with what a right answer states.

    Attributes:
        file: the demo text that holds the answer.
        answer: the right answer in full, for the reader.
        joins: whether no single passage answers it.
        anchors: quotes from the text that answer it, together.
        facts: an answer is right if it contains a form of every fact.
        errors: an answer that contains one of these is wrong.
        paraphrases: the question in other words; the benchmark asks them as well.
    """

    id: str
    language: str
    file: str
    question: str
    answer: str
    joins: bool
    anchors: tuple[str, ...]
    facts: tuple[tuple[str, ...], ...]
    errors: tuple[str, ...] = ()
    paraphrases: tuple[str, ...] = ()


def demo_files() -> list[Path]:
    """Return the texts of the demo library."""
    folder = paths.resource("demo")
    files = sorted(p for p in folder.glob("*") if p.suffix in (".txt", ".md"))
    if not files:
        raise EnvironmentProblem(
            "The demo texts are missing from {folder}.",
            "Get a complete copy of Inkgraph.",
            folder=folder,
        )
    return files


def load_demo_questions() -> list[DemoQuestion]:
    """Return the demo's questions, in order."""
    found = tomllib.loads(paths.resource("demo", "questions.toml").read_text("utf-8"))
    return [_build_question(row) for row in found["questions"]]


def demo_library() -> Path:
    """Return the path of the demo library."""
    return paths.data_dir() / "libraries" / "Demo.inkgraph"


def demo_param() -> QueryParam:
    """Return the query parameters of the demo."""
    return QueryParam(max_total_tokens=DEMO_PROMPT_TOKENS)


def is_right(text: str, question: DemoQuestion) -> bool:
    """Return whether an answer states every fact of its question and none of the errors."""
    states = all(any(form in text for form in forms) for forms in question.facts)
    return states and not any(error in text for error in question.errors)


def cites_its_source(answer: Answer, question: DemoQuestion) -> bool:
    """Return whether the answer cites a passage with an anchor, at a sentence with a fact."""
    passages = {p.chunk_id: p.text for p in answer.found.passages}
    cited = [passages.get(c.chunk_id, "") for c in answer.citations]
    forms = [form for fact in question.facts for form in fact]
    has_anchor = any(anchor in text for anchor in question.anchors for text in cited)
    return has_anchor and any(form in c.quote for form in forms for c in answer.citations)


def _build_question(row: dict[str, Any]) -> DemoQuestion:
    lists = {
        "anchors": tuple(row["anchors"]),
        "facts": tuple(tuple(forms) for forms in row["facts"]),
        "errors": tuple(row.get("errors", ())),
        "paraphrases": tuple(row.get("paraphrases", ())),
    }
    return DemoQuestion(**{**row, **lists})
