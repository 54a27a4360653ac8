"""The sentence of a passage that the window marks: does it have the answer?

    python -m benchmarks.key_sentence [--keep FOLDER]

HotpotQA: it is a supporting fact. CMRC2018: it contains the answer (one question a paragraph). The
questions about novels (`benchmarks/questions`): it overlaps the evidence; passages are the chunks
that have it. Compared with the sentence that `narrow` finds, which is made for claims.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from desktop_app.engine.answering.citations import find_key_sentence, narrow
from desktop_app.engine.model import ChunkId, DocumentId, Passage

from .common import data_file, load_cmrc_articles, make_parser, print_result
from .novel_evidence import FILES, load_questions
from .novels import open_indexed

Span = tuple[int, int]


class Marked(NamedTuple):
    """A question, a passage that answers it, and the spans of the passage with the answer."""

    question: str
    text: str
    gold: list[Span]


def iter_hotpot() -> Iterator[Marked]:
    """Give the paragraphs of HotpotQA that have a supporting fact among three sentences or more."""
    rows = json.loads(data_file("qa", "hipporag_legacy", "hotpotqa_train.json").read_text("utf-8"))
    for row in rows:
        for title, sentences in row["context"]:
            facts = {n for name, n in row["supporting_facts"] if name == title}
            if facts and len(sentences) > 2:
                starts = [sum(map(len, sentences[:n])) for n in range(len(sentences))]
                # a sentence begins with the blank before it
                spans = [(starts[n] + 1, starts[n] + len(sentences[n])) for n in sorted(facts)]
                yield Marked(row["question"], "".join(sentences), spans)


def iter_cmrc() -> Iterator[Marked]:
    """Give each paragraph of CMRC2018 with its first question, if its answer occurs once."""
    for article in load_cmrc_articles():
        for paragraph in article["paragraphs"]:
            text, first = paragraph["context"], paragraph["qas"][0]
            answer = first["answers"][0]["text"]
            if text.count(answer) == 1:
                start = text.index(answer)
                yield Marked(first["question"], text, [(start, start + len(answer))])


def iter_novel(name: str, keep: Path | None) -> Iterator[Marked]:
    """Give each anchor of a novel's questions with the chunk that has it."""
    with open_indexed(f"novel-{name}", keep, lambda _: [data_file(*FILES[name])]) as (library, _):
        chunks = library.writer.column("SELECT text FROM chunk")
    for question in load_questions(name):
        for anchor in question.anchors:  # without blanks and line breaks
            pattern = re.compile(r"\s*".join(map(re.escape, anchor)))
            places = ((text, pattern.search(text)) for text in chunks)
            found = next(((text, place) for text, place in places if place), None)
            if found is not None and found[1] is not None:
                yield Marked(question.text, found[0], [found[1].span()])


def measure(
    items: Iterator[Marked], choose: dict[str, Callable[[Passage, str], Span]]
) -> dict[str, Any]:
    """Return the shares of marked sentences with the answer, of the even and the odd questions."""
    scores: dict[str, tuple[list[bool], list[bool]]] = {key: ([], []) for key in choose}
    for n, item in enumerate(items):
        passage = Passage(
            ChunkId(1), DocumentId(1), "", 0, len(item.text), 1.0, item.text, 0, len(item.text)
        )
        for key, find in choose.items():
            start, end = find(passage, item.question)
            is_whole = (start, end) == (0, len(item.text))  # no word in common
            hit = not is_whole and any(start < b and end > a for a, b in item.gold)
            scores[key][n % 2].append(hit)
    row: dict[str, Any] = {"n": sum(map(len, next(iter(scores.values()))))}
    for key, halves in scores.items():
        row[key] = "/".join(f"{mean(half):.2f}" for half in halves)
    return row


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--keep", type=Path, help="folder of the indexed novels, used again")
    options = parser.parse_args()
    choose: dict[str, Callable[[Passage, str], Span]] = {
        "key sentence": find_key_sentence,
        "narrow": narrow,
    }
    sets = [("hotpot", iter_hotpot()), ("cmrc", iter_cmrc())]
    sets += [(name, iter_novel(name, options.keep)) for name in FILES]
    for name, items in sets:
        print_result("key_sentence", of=name, **measure(items, choose))


if __name__ == "__main__":
    main()
