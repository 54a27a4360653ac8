"""The sentence of a passage that the window marks: does it have the answer?

    python -m benchmarks.key_sentence [--keep FOLDER]

HotpotQA: it is a supporting fact. CMRC2018: it contains the answer (one question a paragraph). The
questions about novels (`benchmarks/questions`): it overlaps the evidence; passages are the chunks
that have it. Compared with the sentence that `narrow` finds, which is made for claims.

"clear": all paragraphs of a question of HotpotQA, the four with most of its words first. Of those
four, how many of the clear sentences (`find_clear_sentences`) are supporting facts, and how many of
the supporting facts among all key sentences are not clear.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from desktop_app.engine.answering.citations import find_clear_sentences, find_key_sentence, narrow
from desktop_app.engine.model import ChunkId, DocumentId, Passage
from desktop_app.engine.writing_systems import stems

from .common import data_file, load_cmrc_articles, make_parser, print_result
from .novel_evidence import FILES, load_questions
from .novels import open_indexed

Span = tuple[int, int]


class Marked(NamedTuple):
    """A question, a passage that answers it, and the spans of the passage with the answer."""

    question: str
    text: str
    gold: list[Span]


def load_hotpot() -> list[Any]:
    path = data_file("qa", "hipporag_legacy", "hotpotqa_train.json")
    rows: list[Any] = json.loads(path.read_text("utf-8"))
    return rows


def find_facts(row: Any, title: str, sentences: list[str]) -> list[Span]:
    """Return the spans of the supporting facts in a paragraph of HotpotQA."""
    facts = {n for name, n in row["supporting_facts"] if name == title and n < len(sentences)}
    starts = [sum(map(len, sentences[:n])) for n in range(len(sentences))]
    # a sentence begins with the blank before it
    return [(starts[n] + 1, starts[n] + len(sentences[n])) for n in sorted(facts)]


def iter_hotpot() -> Iterator[Marked]:
    """Give the paragraphs of HotpotQA that have a supporting fact among three sentences or more."""
    for row in load_hotpot():
        for title, sentences in row["context"]:
            if len(sentences) > 2 and (spans := find_facts(row, title, sentences)):
                yield Marked(row["question"], "".join(sentences), spans)


def rank_paragraphs(row: Any) -> list[Marked]:
    """Return the paragraphs of a question of HotpotQA, first those with most of its words."""
    question = row["question"]
    items = [
        (Marked(question, "".join(own), find_facts(row, title, own)), stems(title + " ".join(own)))
        for title, own in row["context"]
        if "".join(own).strip()
    ]
    asked = stems(question)
    spread = Counter(word for _, words in items for word in asked & words)
    items.sort(key=lambda item: -sum(1.0 / spread[word] for word in asked & item[1]))
    return [item for item, _ in items]


def measure_clear(least: float, n_first: int = 4) -> dict[str, str]:
    """Return the shares of even and odd questions for clear sentences with this share."""
    shares, lost = [], []
    for half in (0, 1):
        hits: list[tuple[bool, bool]] = []
        for row in load_hotpot()[half::2]:
            items = rank_paragraphs(row)
            passages = [_as_passage(item.text) for item in items]
            found = find_clear_sentences(passages, row["question"], least)
            for item, ((start, end), is_clear) in list(zip(items, found, strict=True))[:n_first]:
                hits.append((any(start < b and end > a for a, b in item.gold), is_clear))
        shares.append(mean(hit for hit, is_clear in hits if is_clear))
        lost.append(mean(not is_clear for hit, is_clear in hits if hit))
    return {
        "facts": "/".join(f"{share:.2f}" for share in shares),
        "not_clear": "/".join(f"{share:.2f}" for share in lost),
    }


def _as_passage(text: str) -> Passage:
    return Passage(ChunkId(1), DocumentId(1), "", 0, len(text), 1.0, text, 0, len(text))


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
        passage = _as_passage(item.text)
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
    for least in (0.0, 1 / 3, 0.5):
        print_result("key_sentence", of="clear", least=round(least, 2), **measure_clear(least))
    sets = [("hotpot", iter_hotpot()), ("cmrc", iter_cmrc())]
    sets += [(name, iter_novel(name, options.keep)) for name in FILES]
    for name, items in sets:
        print_result("key_sentence", of=name, **measure(items, choose))


if __name__ == "__main__":
    main()
