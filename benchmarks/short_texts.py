"""Names in short texts: how many of what the tagger finds alone the instant graph gives as well.

Owns the reading of the invented texts under `tests/short_texts` and of single news sentences
(CoNLL04, MSRA), and the scoring. Every text is a document of its own: its language is detected,
and the names come from the product's own extractor. "fit" was used for tuning, "held" was not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from desktop_app.engine.extraction.instant import InstantExtractor
from desktop_app.engine.extraction.rules.chinese_tagger import tag_chinese
from desktop_app.engine.extraction.rules.latin_tokens import tag_english
from desktop_app.engine.model import ChunkSpan
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.text.chunking import split_sentences
from desktop_app.engine.text.language import detect_language

from .common import data_file, make_parser, print_result

INVENTED = Path(__file__).parents[1] / "tests" / "short_texts"
TYPES = frozenset(("person", "place", "organisation", "other"))
_HEAD = re.compile(r"== (?P<key>\S+) (?P<half>fit|held) (?P<kind>\S+)")
_NO_SPACE_BEFORE = re.compile(r"[.,;:!?)\]%]|'s|n't|'(?:re|ve|ll|d|m)|''|--.*")
_N_MSRA = 800

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ShortText:
    """A text with the spans of the names that a reader expects."""

    key: str
    half: str
    kind: str
    language: str
    text: str
    gold: frozenset[Span]


def load_invented(language: str) -> list[ShortText]:
    """Return the invented texts of a language, "en" or "zh"."""
    path = INVENTED / ("english.txt" if language == "en" else "chinese.txt")
    texts = []
    for part in re.split(r"\n(?=== )", path.read_text(encoding="utf-8"))[1:]:
        head, _, rest = part.partition("\n")
        match = _HEAD.fullmatch(head)
        text, _, names = rest.rpartition("\n-- ")
        if match is None or not text:
            raise ValueError(f"{path.name}: {head}")
        gold = _find_names(text, names.strip().split(" | "))
        texts.append(ShortText(match["key"], match["half"], match["kind"], language, text, gold))
    return texts


def _find_names(text: str, names: Iterable[str]) -> frozenset[Span]:
    """Return every place of every name, the longest name first where two share a place."""
    found: set[Span] = set()
    for name in sorted(names, key=len, reverse=True):
        spans = [m.span() for m in re.finditer(re.escape(name), text)]
        if not spans:
            raise ValueError(f"{name!r} is not in {text[:40]!r}")
        found |= {(a, b) for a, b in spans if not any(a < y and x < b for x, y in found)}
    return frozenset(found)


def iter_conll() -> Iterator[ShortText]:
    """Give the sentences of CoNLL04: even ones to tune on, odd ones to report."""
    rows = json.loads(data_file("ie", "conll04", "conll04_train.json").read_text("utf-8"))
    for number, row in enumerate(rows):
        text, spans = "", []
        for token in row["tokens"]:
            token = {"-LRB-": "(", "-RRB-": ")", "``": '"', "''": '"'}.get(token, token)
            glued = not text or text[-1] in "([" or _NO_SPACE_BEFORE.fullmatch(token)
            text += token if glued else " " + token
            spans.append((len(text) - len(token), len(text)))
        gold = frozenset(
            (spans[e["start"]][0], spans[e["end"] - 1][1])
            for e in row["entities"]
            if e["type"] != "Other"
        )
        yield ShortText(f"conll{number}", ("fit", "held")[number % 2], "news", "en", text, gold)


def iter_msra() -> Iterator[ShortText]:
    """Give sentences of MSRA: even ones to tune on, odd ones to report."""
    path = data_file("ie", "msra_ner_zh", "msra_test_bio.txt")
    blocks = path.read_text(encoding="utf-8").split("\n\n")[: 2 * _N_MSRA]
    for number, block in enumerate(blocks):
        text, spans = "", []
        for line in block.splitlines():
            char, _, tag = line.partition("\t")
            if tag.startswith("B"):
                spans.append((len(text), len(text) + 1))
            elif tag.startswith("I") and spans:
                spans[-1] = (spans[-1][0], len(text) + 1)
            text += char
        if text:
            half = ("fit", "held")[number % 2]
            # one character (美, 京) is no name of ours: it would stand for half of a book
            gold = frozenset((a, b) for a, b in spans if b - a > 1)
            yield ShortText(f"msra{number}", half, "news", "zh", text, gold)


def tag_plainly(short: ShortText) -> set[Span]:
    """Return what the language's tagger finds in the text when nothing else is asked."""
    text, token = short.text, CancelToken()
    if short.language == "en":
        tagged = tag_english(text, 0, len(text), cancel=token)
    else:
        tagged, _ = tag_chinese(text, 0, len(text), cancel=token)
    least = 2 if short.language == "zh" else 1
    return {(t.start, t.end) for t in tagged if t.type in TYPES and t.end - t.start >= least}


def find_names(extractor: InstantExtractor, text: str) -> set[Span]:
    """Return what the product finds, with the language that it detects."""
    whole = ChunkSpan(order=0, start=0, end=len(text), n_tokens=0)
    return {
        (mention.start, mention.end)
        for evidence in extractor.extract(text, [whole], detect_language(text))
        for mention in evidence.mentions
        if mention.type in TYPES
    }


def score(rows: Iterable[tuple[frozenset[Span], set[Span]]]) -> dict[str, float]:
    """Return recall and precision by overlap and recall by exact span, of (gold, found)."""
    n_gold = n_found = covered = hits = exact = 0
    for gold, found in rows:
        n_gold += len(gold)
        n_found += len(found)
        covered += sum(any(a < y and x < b for x, y in found) for a, b in gold)
        hits += sum(any(a < y and x < b for x, y in gold) for a, b in found)
        exact += len(gold & found)
    return {
        "recall": round(covered / max(1, n_gold), 3),
        "precision": round(hits / max(1, n_found), 3),
        "exact": round(exact / max(1, n_gold), 3),
        "n": n_gold,
    }


def main() -> None:
    """Print tagger and product side by side for each set and half."""
    parser = make_parser(__doc__)
    parser.add_argument("shown", nargs="?", help="print the differences in a set, as msra_held")
    shown = parser.parse_args().shown
    extractor = InstantExtractor(split_sentences)
    sets = {
        "invented_en": load_invented("en"),
        "invented_zh": load_invented("zh"),
        "conll04": list(iter_conll()),
        "msra": list(iter_msra()),
    }
    figures: dict[str, object] = {}
    for name, texts in sets.items():
        for half in ("fit", "held"):
            rows = [
                (t, tag_plainly(t), find_names(extractor, t.text)) for t in texts if t.half == half
            ]
            found_by = {
                "tagger": score((short.gold, tagged) for short, tagged, _ in rows),
                "product": score((short.gold, found) for short, _, found in rows),
            }
            for who, scores in found_by.items():
                figures[f"{name}_{half}_{who}"] = scores
                print(f"{name} {half} {who}: {scores}", flush=True)
            if shown == f"{name}_{half}":
                _show(rows)
    print_result("short_texts", **figures)


def _show(rows: Iterable[tuple[ShortText, set[Span], set[Span]]]) -> None:
    for short, tagged, found in rows:

        def words(spans: Iterable[Span], text: str = short.text) -> str:
            return " | ".join(text[a:b].replace("\n", "/") for a, b in sorted(spans))

        def apart(some: Iterable[Span], others: Iterable[Span]) -> set[Span]:
            return {(a, b) for a, b in some if not any(a < y and x < b for x, y in others)}

        print(f"{short.key} {detect_language(short.text)}: {short.text[:300]!r}")
        print(f"    missed: {words(apart(short.gold, found))}")
        print(f"    of these tagged: {words(apart(short.gold, found) - apart(short.gold, tagged))}")
        print(f"    extra: {words(apart(found, short.gold))}")
        print(f"    other bounds: {words(found - short.gold - apart(found, short.gold))}")


if __name__ == "__main__":
    main()
