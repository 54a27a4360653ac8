"""Types of names: person, place or organisation, in novels (LitBank) and articles (Re-DocRED).

`--fit` learns the weights of `engine/extraction/rules/latin_types` from the first half of both and
writes `words/name_types.toml`. Without it, the share of names whose type is right is printed for
both halves, and for the news of CoNLL04, which is never learned from; and F1, for which a name
that is none ("Parrot") is wrong as a person, place or organisation. The last line is JSON.
"""

from __future__ import annotations

import json
import math
import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from .common import data_file, make_parser, print_result
from .extraction_gold import join_tokens
from .names import load_gold, load_text

TYPES = {
    **{"PER": "person", "GPE": "place", "LOC": "place", "FAC": "place", "ORG": "organisation"},
    **{"Peop": "person", "Loc": "place", "Org": "organisation", "MISC": "other", "Other": "other"},
}
SCORED = ("person", "place", "organisation")
FindType = Callable[[int, int, str], str | None]
# Chosen by cross-validation within the first halves: a feature occurs with so many names; the
# strength of regularisation; LitBank has an eighth of the names and is what novels are like.
LEAST_NAMES, REGULARISATION, LITBANK_WEIGHT = 15, 0.1, 2.0
# Words that LitBank does not annotate as a name of a person, place or organisation are "other".
# Cross-validation within the first half, weights 0, 0.25 and 0.5: F1 0.808, 0.816, 0.832, right
# types 0.895, 0.898, 0.894.
UNNAMED_WEIGHT = 0.25


@dataclass(frozen=True, slots=True)
class Text:
    """A text with gold types; `find_type` takes start, end and name."""

    source: str
    is_first_half: bool
    text: str
    find_type: FindType


@dataclass(frozen=True, slots=True)
class Sample:
    """A name in a text, how often it occurs, and how often each gold type stands there."""

    source: str
    is_first_half: bool
    features: Mapping[str, float]
    gold: Counter[str]
    type: str
    n: int


def iter_texts(folder: Path) -> Iterator[Text]:
    paths = sorted((folder / "litbank" / "coref" / "tsv").glob("*.txt"))
    for number, path in enumerate(paths):
        text, spans = load_text(path)
        gold = load_gold(path.with_suffix(".ann"), spans, TYPES)

        def find_overlapping(
            start: int, end: int, name: str, gold: dict[tuple[int, int], str] = gold
        ) -> str | None:
            return next((t for (a, b), t in gold.items() if start < b and a < end), None)

        yield Text("litbank", number < len(paths) // 2, text, find_overlapping)
    rows = json.loads((folder / "redocred" / "dev_revised.json").read_text("utf-8"))
    for number, row in enumerate(rows):
        mentions = [mention for entity in row["vertexSet"] for mention in entity]
        names = {
            m["name"].replace(' " ', " ").casefold(): TYPES[m["type"]]
            for m in mentions
            if m["type"] in TYPES
        }
        text = " ".join(join_tokens(sentence) for sentence in row["sents"])
        yield Text("redocred", number < len(rows) // 2, text, _find_by_name(names))
    rows = json.loads((folder / "conll04" / "conll04_train.json").read_text("utf-8"))
    for row in rows:
        names = {
            join_tokens(row["tokens"][e["start"] : e["end"]]).casefold(): TYPES[e["type"]]
            for e in row["entities"]
        }
        yield Text("conll04", False, join_tokens(row["tokens"]), _find_by_name(names))


def _find_by_name(names: Mapping[str, str]) -> FindType:
    return lambda start, end, name: names.get(name.casefold())


def read_samples(text: Text) -> Iterator[Sample]:
    """Yield the names that the program finds in a text."""
    from desktop_app.engine.extraction.rules import latin_names, latin_types
    from desktop_app.engine.extraction.rules.latin_tokens import read_words, tag_english
    from desktop_app.engine.progress import CancelToken
    from desktop_app.engine.text.chunking import split_sentences

    n_chars = len(text.text)
    tagged = tag_english(text.text, 0, n_chars, cancel=CancelToken())
    words = read_words(text.text, 0, n_chars, split_sentences(text.text, "en"))
    accepted, trusted = latin_names.accept_names(
        words, tagged, has_tagger=True, counts_all_contexts=True
    )
    types = latin_types.decide_types(accepted, has_tagger=True)
    table = latin_names.NameTable(types, trusted)
    gold: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    n_found: Counter[tuple[str, ...]] = Counter()
    for one in latin_names.locate_names(words, table):
        first, stop = bisect_left(words.starts, one.start), bisect_left(words.starts, one.end)
        key = tuple(words.forms[first:stop])
        n_found[key] += 1
        if kind := text.find_type(one.start, one.end, one.name):
            gold[key][kind] += 1
    people, places = latin_types.count_related(accepted.values())
    for key, candidate in accepted.items():
        if gold[key] or n_found[key]:
            features = latin_types.list_features(candidate, people, places)
            yield Sample(
                text.source,
                text.is_first_half,
                features,
                gold[key],
                table.types[key],
                n_found[key],
            )


def fit(samples: list[Sample], path: Path) -> None:
    """Write the weights that a logistic regression learns from these names."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    from desktop_app.engine.extraction.rules.latin_types import MODEL_TYPES

    n_names = Counter(name for sample in samples if sample.gold for name in sample.features)
    rows, labels, weights = [], [], []
    for sample in samples:
        row = {k: v for k, v in sample.features.items() if n_names[k] >= LEAST_NAMES}
        own = LITBANK_WEIGHT if sample.source == "litbank" else 1.0
        for kind, n in sample.gold.items():
            rows.append(row)
            labels.append(kind)
            share = n / sample.gold.total()
            weights.append(own * share * math.sqrt(sample.gold.total()))
        if not sample.gold and sample.source == "litbank":
            rows.append(row)
            labels.append("other")
            weights.append(UNNAMED_WEIGHT * own * math.sqrt(sample.n))
    vectorizer = DictVectorizer()
    model = LogisticRegression(C=REGULARISATION, max_iter=5_000)
    model.fit(vectorizer.fit_transform(rows), labels, sample_weight=weights)
    order = [list(model.classes_).index(kind) for kind in MODEL_TYPES]
    table = {"bias": model.intercept_[order]}
    table |= {name: model.coef_[order, column] for name, column in vectorizer.vocabulary_.items()}
    lines = [
        "# What tells the types of names, learned from the first halves of LitBank (CC BY 4.0) and",
        "# Re-DocRED (MIT) by `python -m benchmarks.name_types --fit`: the weights of each feature",
        f"# for {', '.join(MODEL_TYPES)}. The features are named in `latin_types.py`.",
        "",
        "[weights]",
    ]
    for name in sorted(table):
        listed = ", ".join(f"{weight:.3f}" for weight in table[name])
        lines.append(f"{json.dumps(name, ensure_ascii=False)} = [{listed}]")
    path.write_text("\n".join(lines) + "\n", "utf-8")


def summarise(samples: list[Sample]) -> dict[str, float]:
    """Return the share of occurrences with the right type, and F1, by source and half."""
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for sample in samples:
        key = sample.source + ("_fitted" if sample.is_first_half else "")
        found[key] += sample.n * (sample.type in SCORED)
        for kind in SCORED:
            right[key] += sample.gold[kind] * (kind == sample.type)
            total[key] += sample.gold[kind]
    shares = {key: round(right[key] / total[key], 4) for key in sorted(total) if total[key]}
    f1 = {f"{key}_f1": round(2 * right[key] / (found[key] + total[key]), 4) for key in shares}
    return shares | f1


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--fit", action="store_true", help="learn the weights again first")
    options = parser.parse_args()
    folder = data_file("ie")
    if options.fit:
        from desktop_app.engine.word_lists import WORDS

        samples = [s for t in iter_texts(folder) if t.is_first_half for s in read_samples(t)]
        fit(samples, WORDS / "name_types.toml")
        print(f"{len(samples)} names; now run it without --fit")
        return 0
    started = time.perf_counter()
    samples = [sample for text in iter_texts(folder) for sample in read_samples(text)]
    seconds = round(time.perf_counter() - started, 1)
    print_result("name_types", n=len(samples), seconds=seconds, **summarise(samples))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
