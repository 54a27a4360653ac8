"""Communities: time and modularity beside networkx's Louvain, and how steady they are.

Run `python -m benchmarks.communities [SIZE ...]` (2k, 20k, 100k relations). Made-up graphs with
groups inside groups; networkx has a name for Leiden but no code, so graspologic's own Leiden, flat
and hierarchical, stands beside ours. Then two books, each read without its last chapter and with
it: how many communities have the same members, how many go on, and how many reports stay fresh.
Times are of this process's own processor. The last line is JSON.
"""

from __future__ import annotations

import time
from pathlib import Path

import networkx as nx
import numpy as np

from desktop_app.engine.communities.report_service import ReportService
from desktop_app.engine.communities.updater import refresh_communities
from desktop_app.engine.graph.community_detection import find_hierarchy, measure_modularity
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.store import communities as community_rows

from .common import data_file, make_parser, open_scratch, print_result

SIZES = {"2k": (800, 2_000), "20k": (6_000, 20_000), "100k": (20_000, 100_000)}
BOOKS = {
    "A Christmas Carol": (("en_novels", "gutenberg", "christmas_carol.txt"), "STAVE"),
    "水浒传": (("zh_novels", "shuihu", "shuihu_120.txt"), "第一百二十回"),
}


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("sizes", nargs="*", choices=SIZES, metavar="SIZE")
    figures: dict[str, object] = {}
    for name in parser.parse_args().sizes or SIZES:
        figures[name] = compare(*SIZES[name])
    for title, (parts, last) in BOOKS.items():
        figures[title] = measure_steadiness(data_file(*parts), last)
        print(f"{title}: {figures[title]}")
    print_result("communities", **figures)


def build_graph(n: int, n_ties: int) -> tuple[np.ndarray, np.ndarray]:
    """Return ties with weights: small groups in greater ones, a few hubs, some noise."""
    rng = np.random.default_rng(n)
    ends = np.minimum((n * rng.random(2 * n_ties) ** 1.5).astype(int), n - 1)
    spread = rng.choice([8, 60, n], 2 * n_ties, p=[0.6, 0.3, 0.1])
    other = np.minimum(
        ends // spread * spread + (rng.random(2 * n_ties) * spread).astype(int), n - 1
    )
    pairs = np.unique(np.sort(np.column_stack((ends, other)), axis=1), axis=0)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    pairs = pairs[np.sort(rng.permutation(len(pairs))[:n_ties])]
    return pairs, rng.pareto(2.0, len(pairs)) + 0.1


def compare(n: int, n_ties: int) -> dict[str, dict[str, float]]:
    """Return seconds, modularity and how many communities, by method."""
    from graspologic_native import hierarchical_leiden, leiden

    pairs, weights = build_graph(n, n_ties)
    edges = [(str(a), str(b), float(w)) for (a, b), w in zip(pairs, weights, strict=True)]
    graph = nx.Graph()
    graph.add_weighted_edges_from(
        (int(a), int(b), float(w)) for (a, b), w in zip(pairs, weights, strict=True)
    )
    made: dict[str, dict[str, float]] = {}

    def note(name: str, seconds: float, labels: np.ndarray, depth: int = 1, total: int = 0) -> None:
        quality = measure_modularity(pairs, weights, labels)
        made[name] = {
            "seconds": round(seconds, 2),
            "modularity": round(quality, 4),
            "communities": int(labels.max()) + 1,
            "levels": depth,
            "all": total or int(labels.max()) + 1,
        }
        print(f"{n:,} entities, {len(pairs):,} relations, {name}: {made[name]}", flush=True)

    started = time.process_time()
    found = find_hierarchy(n, pairs, weights)
    spent = time.process_time() - started
    labels = np.full(n, -1, dtype=np.int64)
    for place, cluster in enumerate(c for c in found if c.level == 0):
        labels[cluster.rows] = place
    labels[labels < 0] = labels.max() + 1  # entities without relations
    note("ours", spent, labels, 1 + max(c.level for c in found), len(found))

    started = time.process_time()
    _, flat = leiden(edges, resolution=1.0, seed=7)
    note("graspologic Leiden, flat", time.process_time() - started, _labels(n, flat.items()))

    started = time.process_time()
    tree = hierarchical_leiden(edges, max_cluster_size=10, seed=7)
    spent = time.process_time() - started
    first = _labels(n, ((c.node, c.cluster) for c in tree if c.level == 0))
    n_all = len({c.cluster for c in tree})
    note("graspologic Leiden, hierarchical", spent, first, 1 + max(c.level for c in tree), n_all)

    started = time.process_time()
    parts = nx.community.louvain_communities(graph, weight="weight", seed=7)
    spent = time.process_time() - started
    of = ((str(row), place) for place, part in enumerate(parts) for row in part)
    note("networkx Louvain", spent, _labels(n, of))
    return made


def _labels(n: int, found: object) -> np.ndarray:
    labels = np.full(n, -1, dtype=np.int64)
    for name, label in found:  # type: ignore[attr-defined]
        labels[int(name)] = label
    labels[labels < 0] = labels.max() + 1  # what is tied to nothing
    return labels


def measure_steadiness(path: Path, last: str) -> dict[str, float]:
    """Return what adding the last chapter of a book changes."""
    text = path.read_text("utf-8", errors="replace")
    cut = text.rfind(last)
    with open_scratch() as (library, _):
        db = library.writer
        folder = Path(db.path).parent
        for name, part in (("first.txt", text[:cut]), ("last.txt", text[cut:])):
            (folder / name).write_text(part, "utf-8")
        indexing = IndexingService(db, lambda: None)
        reporting = ReportService(db, lambda: None)
        seen = []
        for name in ("first.txt", "last.txt"):
            add_files(db, [folder / name])
            indexing.run(embed=False)
            started = time.process_time()
            refresh_communities(db)
            seconds = time.process_time() - started
            members = {i: found for i, (_, found) in community_rows.fetch_memberships(db).items()}
            due = reporting.due(with_model=False)
            reporting.run(due)
            seen.append((members, seconds, len(due)))
        (before, _, _), (after, seconds, n_due) = seen
        same = sum(after.get(i) == found for i, found in before.items())
        return {
            "chapter_share": round((len(text) - cut) / len(text), 3),
            "before": len(before),
            "after": len(after),
            "unchanged": round(same / len(before), 3),
            "identity_kept": round(len(before.keys() & after.keys()) / len(before), 3),
            "reports_due": n_due,
            "refresh_seconds": round(seconds, 2),
        }


if __name__ == "__main__":
    main()
