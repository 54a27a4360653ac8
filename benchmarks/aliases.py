"""Names of one character: how many pairs of the gold standard are joined or suggested.

Novels, indexed without a model. Names joined on import and clusters of the merge desk both count as
found. Five casts come from published data; those in `casts.txt` were written from memory of the
novels before the program was run on them. The books, ordered by name, are dealt into thirds: rules
are fitted on the first ("fit"), the two others only measure ("report"). Weights and word lists of
older rules were settled on 水浒传 and Pride and Prejudice, which therefore count as fitted.
`--together` reads all books into one library, where names of other books must not matter.
"""

from __future__ import annotations

import json
import re
import tempfile
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import TypeVar

from desktop_app.engine.graph.duplicates.model import NameFacts, PairKey, TextFacts
from desktop_app.engine.graph.duplicates.search import METHODS, cluster, find_pairs
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.duplicate_facts import read_facts
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library

from .common import data_file, make_parser, print_result

N = TypeVar("N", int, float)

FITTED_BEFORE = ("shuihu", "pride")
BOOKS = {
    "shuihu": "zh_novels/shuihu/shuihu_120.txt",
    "pride": "alias/pdnc/PrideAndPrejudice/novel_text.txt",
    "xiyou": "zh_novels/xiyou/xiyou.txt",
    "alice": "alias/pdnc/AlicesAdventuresInWonderland/novel_text.txt",
    "sign": "alias/pdnc/TheSignOfTheFour/novel_text.txt",
    "adversary": "en_novels/litbank_full/1155_the_secret_adversary.txt",
    "christmas": "en_novels/gutenberg/christmas_carol.txt",
    "dracula": "en_novels/gutenberg/dracula.txt",
    "expectations": "en_novels/gutenberg/great_expectations.txt",
    "frankenstein": "en_novels/gutenberg/frankenstein.txt",
    "honglou": "zh_novels/honglou/honglou.txt",
    "hound": "en_novels/litbank_full/2852_the_hound_of_the_baskervilles.txt",
    "jane": "en_novels/litbank_full/1260_jane_eyre_an_autobiography.txt",
    "middlemarch": "en_novels/litbank_full/145_middlemarch.txt",
    "moby": "en_novels/litbank_full/2489_moby_dick.txt",
    "moonstone": "en_novels/litbank_full/155_the_moonstone.txt",
    "oliver": "en_novels/litbank_full/730_oliver_twist.txt",
    "sanguo": "zh_novels/sanguo/sanguo.txt",
    "sherlock": "en_novels/gutenberg/sherlock_holmes.txt",
    "treasure": "en_novels/litbank_full/120_treasure_island.txt",
    "war": "en_novels/gutenberg/war_and_peace.txt",
    "wuthering": "en_novels/litbank_full/768_wuthering_heights.txt",
}
CASTS = Path(__file__).with_name("casts.txt")
N_THIRDS = 3
Names = frozenset[str]  # two names


@dataclass
class Gold:
    """Who is who in one book; `occurring` are the pairs whose names both stand in the text."""

    groups: dict[str, set[int]] = field(default_factory=dict)
    occurring: set[Names] = field(default_factory=set)

    def agrees(self, pair: Names) -> bool:
        left, right = pair
        return bool(self.groups[left] & self.groups[right])


@dataclass
class Tally:
    """Pairs of names counted over books.

    `judged` are found pairs whose names the gold standard both knows: about others it says
    nothing. `known` are gold pairs whose names the library both has, `occurring` those whose
    names both stand in the text, found as names or not.
    """

    right: int = 0
    judged: int = 0
    known: int = 0
    occurring: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.right + other.right,
            self.judged + other.judged,
            self.known + other.known,
            self.occurring + other.occurring,
        )

    def figures(self) -> dict[str, float | None]:
        """Return shares of 1, None where there was nothing to judge."""
        return {
            "precision": _share(self.right, self.judged),
            "recall": _share(self.right, self.known),
            "recall_of_text": _share(self.right, self.occurring),
        }


def find_third(book: str) -> int:
    """Return 0 for a book that rules are fitted on, 1 or 2 for those that only measure."""
    return 0 if book in FITTED_BEFORE else sorted(BOOKS).index(book) % N_THIRDS


def load_casts(path: Path = CASTS) -> dict[str, list[list[str]]]:
    """Return book -> people -> names, as the file of casts gives them."""
    casts: dict[str, list[list[str]]] = {}
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("["):
            people = casts.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            people.append(line.split("|"))
    return casts


def count_names(people: Iterable[Sequence[str]], text: str) -> list[dict]:
    """Return the entries of a gold standard: people's names, and how often the text has them."""
    text = re.sub(r"\s+", " ", text.replace("\u2019", "'"))
    entries = []
    for names in people:
        counts = {}
        for name in names:
            word = re.escape(name)
            counts[name] = len(re.findall(rf"\b{word}\b" if name.isascii() else word, text))
        entries.append({"names": list(names), "counts": counts})
    return entries


def load_book_gold(book: str, corpora: Mapping[str, list[dict]]) -> Gold:
    """Return who is who in a book, from the published casts or from our own."""
    if BOOKS[book] in corpora:
        return load_gold(corpora[BOOKS[book]])
    text = data_file(*BOOKS[book].split("/")).read_text("utf-8-sig")
    return load_gold(count_names(load_casts()[book], text))


def load_gold(entries: Iterable[dict]) -> Gold:
    """Return the gold standard of one book as its file gives it."""
    gold = Gold()
    for number, entry in enumerate(entries):
        for name in entry["names"]:
            gold.groups.setdefault(name, set()).add(number)
        there = [name for name in entry["names"] if entry["counts"][name]]
        gold.occurring |= {frozenset(pair) for pair in combinations(there, 2)}
    return gold


def count(facts: Iterable[NameFacts], found: Collection[frozenset[int]], gold: Gold) -> Tally:
    """Return how the pairs of names of equal entities, or of those in one set, do.

    Args:
        found: sets of entities that are suggested as one; a set of one is what is joined.
    """
    names_of = {one.id: [name for name in one.names if name in gold.groups] for one in facts}
    pairs: set[Names] = set()
    for ids in found:
        names = sorted({name for i in ids for name in names_of.get(i, ())})
        pairs |= {frozenset(pair) for pair in combinations(names, 2)}
    there = {name for names in names_of.values() for name in names}
    return Tally(
        right=sum(pair in gold.occurring for pair in pairs),
        judged=sum(pair in gold.occurring or not gold.agrees(pair) for pair in pairs),
        known=sum(pair <= there for pair in gold.occurring),
        occurring=len(gold.occurring),
    )


def open_book(book: str, cache: Path) -> Library:
    """Return the library of one book, indexed now unless the cache has it."""
    path = cache / f"{book}.inkgraph"
    there = path.exists()
    library = Library(path)
    if not there:
        add_files(library.writer, [data_file(*BOOKS[book].split("/"))])
        IndexingService(library.writer, lambda: None).run(embed=False)
    return library


def measure(book: str, cache: Path, gold: Gold, *, by_method: bool) -> dict[str, Tally]:
    """Return the tallies of a book: joined on import, suggested, all, and per method if asked."""
    library = open_book(book, cache)
    try:
        started = time.monotonic()
        facts, text = read_facts(library.writer)
        clusters = cluster(find_pairs(facts, text))
        seconds = time.monotonic() - started
    finally:
        library.close()
    joined = [frozenset((one.id,)) for one in facts]
    suggested = [frozenset(one.ids) for one in clusters]
    base = count(facts, joined, gold)
    tallies = {"joined": base, "together": count(facts, [*joined, *suggested], gold)}
    tallies["suggested"] = _less(tallies["together"], base)
    for method in METHODS if by_method else ():
        alone = [frozenset(one.ids) for one in cluster(find_pairs(facts, text, methods=(method,)))]
        tallies[method] = _less(count(facts, [*joined, *alone], gold), base)
    print(
        f"{book}: {len(facts):,} names, {len(clusters)} clusters in {seconds:.1f} s; "
        f"{_say(tallies['together'])}; joined on import {_say(base)}",
        flush=True,
    )
    return tallies


def measure_together(
    books: Sequence[str], cache: Path, golds: Mapping[str, Gold]
) -> tuple[Tally, Tally, dict[str, int]]:
    """Return the pairs joined on import in libraries of one book, and in one of all books.

    Also returns how many mentions of people there are in the large library, and how many of them
    belong to an entity that other books mention as well.
    """
    path = cache / "all.inkgraph"
    there = path.exists()
    library = Library(path)
    try:
        if not there:
            add_files(library.writer, [data_file(*BOOKS[book].split("/")) for book in books])
            IndexingService(library.writer, lambda: None).run(embed=False)
        alone, together = Tally(), Tally()
        for book in books:
            own = open_book(book, cache)
            try:
                alone += _count_joined(_fetch_people(own, book), golds[book])
            finally:
                own.close()
            found = _count_joined(_fetch_people(library, book), golds[book])
            together += found
            print(f"{book}: {_say(found)}", flush=True)
        [shared] = library.writer.rows(
            "WITH used AS (SELECT en.entity_id AS id, m.document_id, count(*) AS n FROM mention m"
            " JOIN entity_name en USING (name_id) JOIN entity e ON e.id = en.entity_id"
            " WHERE e.type = 'person' GROUP BY 1, 2),"
            " entities AS (SELECT id, sum(n) AS n, sum(n >= 10) AS books FROM used GROUP BY id)"
            " SELECT sum(n), sum(n * (books > 1)), sum(books > 1) FROM entities"
        )
    finally:
        library.close()
    return (
        alone,
        together,
        dict(zip(("mentions", "shared_mentions", "shared"), shared, strict=True)),
    )


def _fetch_people(library: Library, book: str) -> dict[int, set[str]]:
    """Return entity -> its names in a book."""
    names: dict[int, set[str]] = {}
    for entity_id, name in library.writer.rows(
        "SELECT DISTINCT en.entity_id, n.text FROM mention m JOIN name n ON n.id = m.name_id"
        " JOIN entity_name en ON en.name_id = n.id JOIN document d ON d.id = m.document_id"
        " WHERE d.source_path = ?",
        (str(data_file(*BOOKS[book].split("/"))),),
    ):
        names.setdefault(entity_id, set()).add(name)
    return names


def _count_joined(people: Mapping[int, set[str]], gold: Gold) -> Tally:
    facts = [NameFacts(id=i, names=tuple(sorted(names))) for i, names in people.items()]
    return count(facts, [frozenset((one.id,)) for one in facts], gold)


def time_many(book: str, cache: Path, n_names: int) -> float:
    """Return the seconds that clusters of so many names take: one book's, over and over.

    Each copy has another first character in every name, so that copies hardly meet and titles
    stay titles.
    """
    library = open_book(book, cache)
    try:
        facts, text = read_facts(library.writer)
    finally:
        library.close()
    step = max(one.id for one in facts) + 1
    copies = range(-(-n_names // len(facts)))

    def move(pairs: Mapping[PairKey, N]) -> dict[PairKey, N]:
        return {(a + k * step, b + k * step): n for (a, b), n in pairs.items() for k in copies}

    many = [
        replace(
            one,
            id=one.id + k * step,
            names=tuple(chr(ord(name[0]) + k) + name[1:] for name in one.names),
            chunks=frozenset(chunk + k * 1_000_000 for chunk in one.chunks),
            neighbours={other + k * step: weight for other, weight in one.neighbours.items()},
        )
        for k in copies
        for one in facts
    ]
    told = TextFacts(move(text.stated), move(text.adjacent), move(text.together))
    started = time.process_time()
    clusters = cluster(find_pairs(many, told))
    seconds = time.process_time() - started
    print(f"{len(many):,} names: {len(clusters):,} clusters, {seconds:.1f} s of processor time")
    return seconds


def _less(all_: Tally, base: Tally) -> Tally:
    return Tally(all_.right - base.right, all_.judged - base.judged, all_.known, all_.occurring)


def _say(tally: Tally) -> str:
    f = tally.figures()
    return (
        f"{tally.right} of {tally.judged} right ({f['precision']}), recall {f['recall']} "
        f"of {tally.known} known and {f['recall_of_text']} of {tally.occurring} in the text"
    )


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--cache", type=Path, help="folder that keeps the indexed books")
    parser.add_argument("--books", default="", help="some books, by name; else all")
    parser.add_argument("--third", type=int, choices=range(N_THIRDS), help="only these books")
    parser.add_argument("--methods", action="store_true", help="each method alone, too")
    parser.add_argument("--together", action="store_true", help="all books in one library")
    parser.add_argument("--many", type=int, default=20_000, help="names to time; 0: don't")
    options = parser.parse_args()
    corpora = json.loads(data_file("alias", "aliases_gold.json").read_text("utf-8"))["corpora"]
    books = options.books.split(",") if options.books else sorted(BOOKS)
    if options.third is not None:
        books = [book for book in books if find_third(book) == options.third]
    with tempfile.TemporaryDirectory(prefix="inkgraph-aliases-") as folder:
        cache = options.cache or Path(folder)
        if options.together:
            golds = {book: load_book_gold(book, corpora) for book in books}
            alone, together, shared = measure_together(books, cache, golds)
            print_result(
                "aliases",
                books=len(books),
                alone=alone.figures(),
                together=together.figures(),
                **shared,
            )
            return
        tallies = {
            b: measure(b, cache, load_book_gold(b, corpora), by_method=options.methods)
            for b in books
        }
        many_s = time_many(books[0], cache, options.many) if options.many else None
    total = {key: _sum(tallies, books, key) for key in next(iter(tallies.values()))}
    for method in METHODS if options.methods else ():
        if total[method].judged:
            f = total[method].figures()
            print(f"  {method}: {total[method].right} of {total[method].judged}", f["precision"])
    thirds = {}
    for third in range(N_THIRDS):
        ours = [book for book in books if find_third(book) == third]
        for key in ("joined", "together"):
            thirds[f"{third}_{key}"] = tally = _sum(tallies, ours, key)
            print(f"third {third} ({'report' if third else 'fit'}), {key}: {_say(tally)}")
    print_result(
        "aliases",
        **total["together"].figures(),
        precision_of_suggestions=total["suggested"].figures()["precision"],
        precision_joined=total["joined"].figures()["precision"],
        recall_joined=total["joined"].figures()["recall"],
        thirds={key: tally.figures() for key, tally in thirds.items()},
        many_s=many_s if many_s is None else round(many_s, 2),
        books={book: tallies[book]["together"].figures() for book in books},
    )


def _sum(tallies: dict[str, dict[str, Tally]], books: Iterable[str], key: str) -> Tally:
    return sum((tallies[book][key] for book in books), Tally())


if __name__ == "__main__":
    main()
