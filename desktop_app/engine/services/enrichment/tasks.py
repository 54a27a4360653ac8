"""Builds the extraction task of a chunk for the model.

Combines the instant evidence with the plan of its document: which places get descriptions.
Caches plans, because the chunks of a document follow one another.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from functools import partial

from ...errors import AppError, UserError
from ...extraction.llm import strategy as enrich
from ...extraction.llm.descriptions import DocumentPlan, NamePlace, PairPlace, plan_document
from ...extraction.llm.relation_kinds import guess_domain
from ...extraction.llm.strategy import find_cut, split_task
from ...extraction.llm.tasks import ChunkTask, EnrichSettings
from ...prompt_program import PromptProgram, Talk
from ...store import enrichment
from ...store.db import Db
from ...text.chunking import split_sentences

MAX_PLANS = 8


class TaskMaker:
    """Builds tasks of chunks; caches the plans of the last documents."""

    def __init__(self, db: Db) -> None:
        self._db = db
        self._plans: OrderedDict[int, tuple[DocumentPlan, str]] = OrderedDict()

    def make(self, chunk_id: int) -> tuple[int, ChunkTask] | None:
        """Return the document and the task of a chunk, None if the chunk was deleted."""
        source = enrichment.find_source(self._db, chunk_id)
        if source is None:
            return None
        mentions = enrichment.fetch_mentions(self._db, chunk_id)
        relations = enrichment.fetch_relations(self._db, chunk_id)
        plan, domain = self._plan(source.document_id)
        names = {m.name for m in mentions}
        names |= {name for r in relations for name in (r.source, r.target)}
        pairs = {frozenset((r.source, r.target)) for r in relations}
        return source.document_id, ChunkTask(
            key=chunk_id,
            chunk_order=source.order_no,
            start=source.start,
            text=source.text,
            language=source.language,
            title=source.title,
            heading=source.heading,
            mentions=mentions,
            relations=relations,
            importance=plan.importance(sorted(names)),
            described=plan.described(source.order_no, names | pairs),
            domain=domain,
        )

    def _plan(self, document_id: int) -> tuple[DocumentPlan, str]:
        """Return the plan of a document: described names and pairs, and its domain."""
        if (known := self._plans.get(document_id)) is None:
            names = enrichment.fetch_name_places(self._db, document_id)
            pairs = enrichment.fetch_pair_places(self._db, document_id)
            plan = plan_document(
                [NamePlace(*row) for row in names],
                [PairPlace(frozenset((a, b)), order, weight) for a, b, order, weight in pairs],
            )
            known = plan, guess_domain(enrichment.fetch_sample(self._db, document_id))
            while len(self._plans) >= MAX_PLANS:
                self._plans.popitem(last=False)
        self._plans[document_id] = known
        self._plans.move_to_end(document_id)
        return known


def halve(task: ChunkTask) -> tuple[ChunkTask, ...]:
    """Return the task as two, split at a sentence; empty if its text is too short."""
    cut = find_cut(len(task.text), split_sentences(task.text, task.language))
    return split_task(task, cut) if cut is not None else ()


def build_script(
    task: ChunkTask, settings: EnrichSettings, strategy: str, key: tuple[int, int]
) -> PromptProgram:
    """Return the prompt program of a task under `key`; an error in it fails only this task."""
    script = enrich.build_prompt_program(task, settings, strategy, split_sentences)
    return replace(script, key=key, talk=partial(_shielded, script))


def _shielded(script: PromptProgram) -> Talk:
    """Convert an unexpected error in one program into its failure, so that the others continue."""
    try:
        return (yield from script.talk())
    except (AppError, GeneratorExit):
        raise
    except Exception as error:
        raise UserError(
            "What the model said could not be read: {reason}.", reason=repr(error)
        ) from error
