"""The command `enrich`: read the chunks with a chat model to add descriptions and relations."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from ..engine.durations import format_duration
from ..engine.errors import UserError
from ..engine.model import DocumentId
from ..engine.progress import Progress
from .cluster import (
    cluster_address,
    find_facts_elsewhere,
    open_cluster,
    open_grouped_programs,
    open_programs,
)
from .command_context import (
    ProgressPrinter,
    choose_documents,
    count_words,
    get_best_entity,
    open_library,
    open_models,
    open_registry,
    show,
    stop_on_interrupt,
)

if TYPE_CHECKING:
    from ..engine.services.cluster.connection import ClusterConnection
    from ..engine.services.enrichment.grouped_programs import GroupedPrograms
    from ..engine.services.enrichment.service import EnrichmentService, RunResult
    from ..engine.services.library import Library

STRATEGIES = ("auto", "slots", "free")
ORDERS = ("importance", "document")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--document", action="append", default=[], help="title or file name")
    parser.add_argument(
        "--entity", default="", help="only passages that mention this name or alias"
    )
    parser.add_argument(
        "--strategy", choices=STRATEGIES, help="how the model is asked; kept for this library"
    )
    parser.add_argument(
        "--order", choices=ORDERS, help="which passages come first; kept for this library"
    )
    parser.add_argument(
        "--threads", type=int, help="CPU threads; 0: automatic; kept for this library"
    )
    parser.add_argument(
        "--again", action="store_true", help="also passages that were enriched before"
    )
    parser.add_argument("--limit", type=int, help="highest number of passages")
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        type=cluster_address,
        help="ask the chat models of a Dask cluster of yours, tcp://SCHEDULER:PORT; the passages "
        "are sent there (docs/CLUSTER.md)",
    )
    parser.add_argument(
        "--fixed-groups",
        action="store_true",
        help="ask in groups of 8, as a cluster does: a little slower, and on equal processors the "
        "library is that of a cluster to the last digit",
    )
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--estimate", action="store_true", help="only print how long it takes")
    instead.add_argument("--status", action="store_true", help="only print the progress")
    instead.add_argument("--retry", action="store_true", help="try failed passages again")
    instead.add_argument("--stop", action="store_true", help="remove all passages from the queue")


def run(options: argparse.Namespace) -> int:
    """Queue the requested chunks and enrich until the queue is empty; Ctrl+C pauses."""
    from ..engine.services.enrichment.service import EnrichmentService
    from ..engine.services.library_reader import LibraryReader

    if options.threads is not None and not 0 <= options.threads <= 256:
        raise UserError("Threads can be 0 (as many as suit) to 256.")
    if options.limit is not None and options.limit < 1:
        raise UserError("A limit is at least 1 chunk.", "Leave it out to do all.")
    if options.entity and options.document:
        raise UserError("Choose documents or an entity, not both.")
    if options.cluster and (options.estimate or options.status or options.stop):
        raise UserError("A cluster is only used for enriching.", "Leave --cluster out.")
    with (
        open_cluster(options.cluster) as cluster,
        open_library(options) as library,
        open_registry() as registry,
    ):
        models = open_models(library, registry)
        programs: GroupedPrograms | None = None
        find_facts = models.find_chat_facts
        if cluster is not None:
            programs = open_programs(models, cluster)
            find_facts = partial(find_facts_elsewhere, models, "on a cluster")
        elif options.fixed_groups:
            programs = open_grouped_programs(models)
            find_facts = partial(find_facts_elsewhere, models, "in groups")
        enriching = EnrichmentService(library.writer, models.find_chat, find_facts=find_facts)
        chosen = choose_documents(library, options.document)
        if options.status:
            return _show_status(library, enriching, options)
        if options.stop:
            enriching.stop(chosen)
            return _show_status(library, enriching, options)
        given = {"strategy": options.strategy, "order": options.order, "n_threads": options.threads}
        if kept := {name: value for name, value in given.items() if value is not None}:
            enriching.save_settings(replace(enriching.load_settings(), **kept))
        reader = LibraryReader(library.writer)
        entity_id = get_best_entity(reader, options.entity) if options.entity else None
        if options.estimate:
            return _show_estimate(enriching, chosen, entity_id, options)
        if options.retry:
            for document_id in chosen or (None,):
                enriching.retry(document_id)
        elif entity_id is not None:
            enriching.enqueue_entity(entity_id, again=options.again)
        else:
            enriching.enqueue(chosen, first=chosen is not None, again=options.again)
        narrow = not options.retry and (entity_id is not None or chosen is not None)
        on_progress = EnrichLine(cluster)
        with stop_on_interrupt() as token:
            result = enriching.run(
                cancel=token,
                on_progress=on_progress,
                now_only=narrow,
                limit=options.limit,
                runner=programs,
            )
        on_progress.end()
        if cluster is not None and programs is not None and programs.n_here:
            asked = count_words(programs.n_here, "passage")
            print(f"inkgraph: {asked} asked about on this computer", file=sys.stderr)
        return _show_result(library, enriching, result, on_progress.chars_per_s, options)


def _show_result(
    library: Library,
    enriching: EnrichmentService,
    result: RunResult,
    chars_per_s: float,
    options: argparse.Namespace,
) -> int:
    from ..engine.services.library_reader import LibraryReader

    for failure in enriching.failures() if result.n_failed else []:
        print(f"inkgraph: chunk {failure.chunk_order + 1}: {failure.reason}", file=sys.stderr)
    overview = LibraryReader(library.writer).overview()
    speed, per_minute = chars_per_s, 60 * result.n_done / max(result.seconds, 1e-3)
    line = (
        f"{result.n_done:,} chunks in {format_duration(result.seconds)}"
        f"{f', {per_minute:,.1f} a minute' if result.n_done else ''}"
        f"{f', {speed:,.0f} characters/s' if result.n_done else ''}, {result.n_failed:,} failed: "
        f"{overview.n_entities:,} names, {overview.n_relations:,} connections in {overview.path}"
    )
    show({"done": result, "status": enriching.status(), "overview": overview}, [line], options.json)
    return 0


def _show_estimate(
    enriching: EnrichmentService,
    chosen: tuple[DocumentId, ...] | None,
    entity_id: int | None,
    options: argparse.Namespace,
) -> int:
    found = enriching.estimate(chosen, entity_id=entity_id, again=options.again)
    basis = "measured on this machine" if found.is_measured else "a guess by the model's size"
    lines = [found.words[0].upper() + found.words[1:] + ("" if found.words.endswith(".") else ".")]
    if found.n_chunks:
        lines.append(f"{found.n_chunks:,} chunks, {found.n_chars:,} characters; {basis}.")
    show(found, lines, options.json)
    return 0


def _show_status(
    library: Library, enriching: EnrichmentService, options: argparse.Namespace
) -> int:
    from ..engine.services.library_reader import LibraryReader

    status, failures = enriching.status(), enriching.failures()
    titles: dict[int, str] = {d.id: d.title for d in LibraryReader(library.writer).list_documents()}
    total = status.total
    waiting = f"; {total.n_waiting:,} wait: {status.waiting.words}" if total.n_waiting else ""
    lines = [f"{total.n_enriched:,} of {total.n_chunks:,} chunks are enriched{waiting}"]
    for d in status.documents:
        by = f" by {d.model}" if d.model else ""
        cost = f"{d.n_tokens:,} tokens, {format_duration(d.seconds)}"
        if d.n_enriched and not d.n_tokens:  # cached model calls cost nothing
            cost = "from answers kept before"
        lines.append(
            f"  {titles.get(d.document_id, '')}: {d.n_enriched:,} of {d.n_chunks:,} chunks{by}"
            f" ({d.n_empty:,} without a result), {d.n_waiting:,} waiting, {d.n_failed:,} failed;"
            f" {cost}"
        )
        lines += [
            f"    chunk {f.chunk_order + 1}{' · ' + f.heading if f.heading else ''}: {f.reason}"
            for f in failures
            if f.document_id == d.document_id
        ]
    show({"status": status, "total": status.total, "failures": failures}, lines, options.json)
    return 0


class EnrichLine(ProgressPrinter):
    """Prints progress with the speed in characters per second, and the workers of a cluster."""

    def __init__(self, cluster: ClusterConnection | None = None) -> None:
        super().__init__()
        self._cluster = cluster
        self.chars_per_s = 0.0

    def __call__(self, progress: Progress) -> None:
        from ..engine.services.enrichment.rates import EnrichProgress

        if isinstance(progress, EnrichProgress):
            self.chars_per_s = progress.chars_per_s
            progress = replace(progress, document_id=None)  # the document changes with every chunk
        super().__call__(progress)

    def words(self, progress: Progress) -> str:
        from ..engine.services.enrichment.rates import EnrichProgress

        if not isinstance(progress, EnrichProgress):
            return super().words(progress)
        failed = f", {progress.n_failed:,} failed" if progress.n_failed else ""
        workers = ""
        if self._cluster is not None:
            workers = f", on {count_words(self._cluster.n_workers, 'worker')}"
        return (
            f"{super().words(progress)}, {60 * progress.rate:,.1f} chunks a minute, "
            f"{progress.chars_per_s:,.0f} characters/s{failed}{workers}"
        )
