"""Fifty relations drawn at random, to be read by eye against the text.

Owns the drawing (the same seed draws the same), the Markdown that a person fills in, and the
counting of the verdicts. Judges nothing itself.

    python -m benchmarks.sampling library.inkgraph --n 50 --seed 7 --out sample.md
    python -m benchmarks.sampling --score sample.md
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from desktop_app.engine import paths
from desktop_app.engine.extraction.llm.tasks import EnrichSettings
from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.services.library import SUFFIX, Library
from desktop_app.engine.store.db import Db

from .common import load_body, make_parser, print_result
from .enriched import STANDING, enrich, find_model, index_texts, open_chat

CONTEXT_CHARS = 300
VERDICTS = ("right", "partly", "wrong")
_VERDICT = re.compile(r"^verdict:[ \t]*(\w*)", re.MULTILINE | re.IGNORECASE)
# What a model said itself: not an instant relation that its extraction only carries on.
_STATED = f"{STANDING} AND e.strategy <> 'instant' AND (q.kind <> '' OR q.description <> '')"


@dataclass(frozen=True, slots=True)
class Drawn:
    """One relation with what the text says around it."""

    source: str
    target: str
    kind: str
    confidence: float
    description: str
    document: str
    before: str
    quotes: tuple[str, ...]
    after: str
    named: tuple[str, str]


def main() -> int:
    options = _read_options()
    if options.score:
        text = Path(options.score).read_text(encoding="utf-8")
        counts = count_verdicts(text)
        figures = share_right(counts)
        print(", ".join(f"{n} {verdict}" for verdict, n in counts.items()))
        print_result("sampling", **figures)
        return 0
    source = Path(options.source)
    with tempfile.TemporaryDirectory(prefix="inkgraph-bench-") as folder:
        if source.suffix == SUFFIX:
            library = Library(source, create=False)
        else:
            library = _enrich_text(source, options, Path(folder))
        try:
            draw = draw_claims if options.by == "claim" else draw_relations
            drawn = draw(library.writer, options.n, options.seed)
        finally:
            library.close()
    out = Path(options.out)
    out.write_text(write_sheet(drawn, source.name, options.seed, options.by), encoding="utf-8")
    print(f"{len(drawn)} relations are in {out}: write right, partly or wrong behind “verdict:”.")
    return 0


def _read_options() -> argparse.Namespace:
    parser = make_parser(__doc__)
    parser.add_argument("source", nargs="?", help=f"an enriched library ({SUFFIX}) or a text")
    parser.add_argument("--n", type=int, default=50)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument(
        "--by",
        choices=("relation", "claim"),
        default="relation",
        help="draw from the graph's relations, or from what single passages say",
    )
    parser.add_argument("--out", default="sample.md")
    parser.add_argument("--score", metavar="FILE", help="count the verdicts of a filled-in sheet")
    parser.add_argument("--model", default="1.5b", help="for a text: part of the model's name")
    parser.add_argument("--strategy", default="auto", choices=("auto", "slots", "free"))
    parser.add_argument("--chars", type=int, default=0, help="for a text: only its first N")
    parser.add_argument("--until", help="for a text: only what stands before this line")
    parser.add_argument("--keep", help=f"for a text: keep the enriched library here ({SUFFIX})")
    options = parser.parse_args()
    if not options.score and not options.source:
        parser.error("name a library or a text, or --score a sheet")
    return options


def _enrich_text(source: Path, options: argparse.Namespace, folder: Path) -> Library:
    text = cut_text(load_body(source), options)
    library = Library(Path(options.keep) if options.keep else folder / "sample.inkgraph")
    index_texts(library, {source.stem: text}, folder / "texts")
    registry = ModelRegistry(paths.model_folders())
    try:
        with open_chat(find_model(registry, options.model)) as chat:
            cost = enrich(library, chat, EnrichSettings(strategy=options.strategy))
    finally:
        registry.close()
    print(f"{cost.n_chars:,} characters enriched in {cost.seconds:.0f} s", flush=True)
    return library


def cut_text(text: str, options: argparse.Namespace) -> str:
    """Return the part of a text that is asked for."""
    if options.until:
        found = re.search(rf"^\s*{re.escape(options.until)}", text, re.MULTILINE)
        if not found:
            sys.exit(f"No line begins with “{options.until}”.")
        text = text[: found.start()]
    return text[: options.chars or None]


# --- drawing ----------------------------------------------------------------------------------


def draw_claims(db: Db, n: int, seed: int) -> list[Drawn]:
    """Draw from all that a model said of two names in one passage."""
    ids = [
        row[0]
        for row in db.rows(
            "SELECT q.id FROM claimed_relation q JOIN extraction e ON e.id = q.extraction_id"
            f" WHERE {_STATED} ORDER BY q.id"
        )
    ]
    return [_fetch(db, [claim_id]) for claim_id in _draw(ids, n, seed)]


def draw_relations(db: Db, n: int, seed: int) -> list[Drawn]:
    """Draw from the graph's relations of which a model said something, each with its quotes."""
    claims: dict[int, list[int]] = {}
    for relation_id, claim_id in db.rows(
        "SELECT r.id, q.id FROM relation r"
        " JOIN entity_name a ON a.entity_id IN (r.source_id, r.target_id)"
        " JOIN claimed_relation q ON q.source_id = a.name_id"
        " JOIN entity_name b ON b.name_id = q.target_id"
        "  AND b.entity_id IN (r.source_id, r.target_id) AND b.entity_id <> a.entity_id"
        f" JOIN extraction e ON e.id = q.extraction_id WHERE {_STATED}"
        " ORDER BY r.id, q.id = r.best_claim DESC, q.confidence DESC, q.weight DESC, q.id"
    ):
        claims.setdefault(relation_id, []).append(claim_id)
    return [_fetch(db, claims[i], i) for i in _draw(list(claims), n, seed)]


def _draw(ids: Sequence[int], n: int, seed: int) -> list[int]:
    return random.Random(seed).sample(list(ids), min(n, len(ids)))


def _fetch(db: Db, claim_ids: Sequence[int], relation_id: int | None = None) -> Drawn:
    """Return what is to be read: the first claim's place, and up to two more quotes."""
    places = [
        place
        for claim_id in claim_ids[:3]
        for place in db.rows(
            "SELECT a.text, b.text, q.kind, q.confidence, q.description, q.start, q.end, d.title,"
            " t.text FROM claimed_relation q JOIN name a ON a.id = q.source_id"
            " JOIN name b ON b.id = q.target_id JOIN document d ON d.id = q.document_id"
            " JOIN document_text t ON t.document_id = d.id WHERE q.id = ?",
            (claim_id,),
        )
    ]
    source, target, kind, confidence, description, start, end, title, text = places[0]
    named = (source, target)
    if relation_id is not None:  # the graph's own words, which may come of several passages
        [(source, target, kind, confidence, description)] = db.rows(
            "SELECT a.name, b.name, r.kind, r.confidence, r.description FROM relation r"
            " JOIN entity a ON a.id = r.source_id JOIN entity b ON b.id = r.target_id"
            " WHERE r.id = ?",
            (relation_id,),
        )
    return Drawn(
        *(source, target, kind, confidence, description, title),
        before=text[max(0, start - CONTEXT_CHARS) : start],
        quotes=tuple(place[8][place[5] : place[6]] for place in places),
        after=text[end : end + CONTEXT_CHARS],
        named=named,
    )


# --- the sheet --------------------------------------------------------------------------------


def write_sheet(drawn: Sequence[Drawn], source: str, seed: int, by: str) -> str:
    """Return the Markdown: one relation a section, its verdict empty."""
    lines = [f"# {len(drawn)} relations of {source}", ""]
    lines += [f"Drawn by {by}, seed {seed}. Behind “verdict:” write right, partly or wrong.", ""]
    for number, one in enumerate(drawn, 1):
        said = f"{one.kind or 'no kind'} ({one.confidence:.2f})"
        lines += [f"## {number}. {one.source} – {one.target}", ""]
        if set(one.named) != {one.source, one.target}:
            lines += [f"- named here: {one.named[0]}, {one.named[1]}"]
        lines += [f"- kind: {said}", f"- said: {_flat(one.description) or 'nothing'}"]
        lines += [f"- in: {one.document}", ""]
        context = f"{_flat(one.before)} **{_flat(one.quotes[0])}** {_flat(one.after)}"
        lines += [f"> … {context} …", ""]
        for quote in one.quotes[1:]:
            lines += [f"> also: {_flat(quote)}", ""]
        lines += ["verdict: ", ""]
    return "\n".join(lines)


def count_verdicts(sheet: str) -> dict[str, int]:
    """Count the verdicts of a filled-in sheet; what is empty or unknown is "open"."""
    counts = Counter(match.group(1).lower() for match in _VERDICT.finditer(sheet))
    known = {verdict: counts[verdict] for verdict in VERDICTS}
    return known | {"open": sum(counts.values()) - sum(known.values())}


def share_right(counts: dict[str, int]) -> dict[str, float]:
    """Return the share that is right of those judged; "lenient" counts half for partly."""
    judged = sum(counts[verdict] for verdict in VERDICTS)
    right = counts["right"] / judged if judged else 0.0
    lenient = (counts["right"] + counts["partly"] / 2) / judged if judged else 0.0
    return {**counts, "judged": judged, "share": round(right, 3), "lenient": round(lenient, 3)}


def _flat(text: str) -> str:
    return " ".join(text.split()).replace("*", "\\*")


if __name__ == "__main__":
    sys.exit(main())
