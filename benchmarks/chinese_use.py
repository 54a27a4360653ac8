"""How well the use of a string tells names from common words in Chinese novels; fits the weights.

`python -m benchmarks.chinese_use`. For the most frequent strings that the program took for names
in four novels, two readers who knew nothing of the method said what they are
(`chinese_names_gold.tsv`: book, string, and P a being, G a group, L a place, O another thing with
a name, T a title of changing bearers, C a common word, F a fragment). The weights of
`extraction/rules/chinese_use.py` were fitted on all four; what is printed first for each half was
fitted on the other half.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from unittest.mock import patch

import numpy as np

from desktop_app.engine.extraction.rules import chinese_names, chinese_use
from desktop_app.engine.extraction.rules.chinese_tagger import tag_chinese
from desktop_app.engine.progress import CancelToken

from .common import data_file, make_parser, print_result

BOOKS = {
    "honglou": "honglou/honglou.txt",
    "sanguo": "sanguo/sanguo.txt",
    "shuihu": "shuihu/shuihu_120.txt",
    "xiyou": "xiyou/xiyou.txt",
}
HALVES = (("honglou", "sanguo"), ("shuihu", "xiyou"))
NAMES, NO_NAMES = "PGLO", "CF"  # a title of changing bearers is neither
PENALTY = 0.3  # inverse strength of the regularisation, as scikit-learn has it

Sample = tuple[str, list[float], bool]  # string, features, whether it is a name


def read_gold() -> dict[str, dict[str, str]]:
    """Return book -> string -> letter."""
    gold: dict[str, dict[str, str]] = {book: {} for book in BOOKS}
    path = Path(__file__).with_name("chinese_names_gold.tsv")
    for line in path.read_text("utf-8").splitlines():
        book, name, letter = line.split("\t")
        gold[book][name] = letter
    return gold


def collect_samples(book: str, gold: dict[str, str]) -> list[Sample]:
    """Return the features of all strings that the rules take for persons and that were judged."""
    text = data_file("zh_novels", *BOOKS[book].split("/")).read_text("utf-8", errors="replace")
    spans, borders = tag_chinese(text, 0, len(text), cancel=CancelToken())
    found: list[Sample] = []

    def keep(body: str, tagged: dict[str, int]) -> list[str]:
        for name, values in chinese_use.measure_use(body, tagged).items():
            if gold.get(name, "") in [*NAMES, *NO_NAMES]:
                row = [values[key] for key in chinese_use.WEIGHTS]
                found.append((name, row, gold[name] in NAMES))
        return []

    with patch.object(chinese_names, "find_used_as_words", keep):  # sees all candidates
        chinese_names.build_chinese_names(text, 0, len(text), spans, borders)
    return found


def fit(samples: list[Sample]) -> tuple[np.ndarray, float]:
    """Return the weights of the features as they are measured, shape (F,), and the constant."""
    from sklearn.linear_model import LogisticRegression

    rows = np.array([row for _, row, _ in samples])
    middle, spread = rows.mean(0), rows.std(0) + 1e-9
    model = LogisticRegression(C=PENALTY, max_iter=2000)
    model.fit((rows - middle) / spread, [is_name for *_, is_name in samples])
    weights = model.coef_[0] / spread
    return weights, float(model.intercept_[0] - weights @ middle)


def judge(samples: list[Sample], weights: np.ndarray, constant: float) -> dict[str, object]:
    least = np.log(chinese_use.LEAST_LIKELY / (1 - chinese_use.LEAST_LIKELY))
    dropped = [(n, is_name) for n, row, is_name in samples if weights @ row + constant < least]
    counts = Counter(is_name for *_, is_name in samples)
    return {
        "names": counts[True],
        "no_names": counts[False],
        "no_names_found": sum(not is_name for _, is_name in dropped),
        "names_lost": [name for name, is_name in dropped if is_name],
    }


def main() -> None:
    make_parser(__doc__).parse_args()
    gold = read_gold()
    samples = {book: collect_samples(book, gold[book]) for book in BOOKS}
    figures: dict[str, object] = {}
    for own, other in (HALVES, HALVES[::-1]):
        weights, constant = fit([one for book in other for one in samples[book]])
        for book in own:
            figures[book] = judge(samples[book], weights, constant)
            print(f"{book}, weights of the other half: {figures[book]}")
    weights, constant = fit([one for book in BOOKS for one in samples[book]])
    for key, weight in zip(chinese_use.WEIGHTS, weights, strict=True):
        print(f'    "{key}": {weight:.3f},')
    print(f"CONSTANT = {constant:.3f}")
    shipped = np.array(list(chinese_use.WEIGHTS.values()))
    for book in BOOKS:
        now = judge(samples[book], shipped, chinese_use.CONSTANT)
        print(f"{book}, weights of the program: {now}")
    print_result("names by their use in Chinese novels", **figures)


if __name__ == "__main__":
    main()
