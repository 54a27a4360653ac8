"""Summarizes descriptions of one entity or relation where they are too long to read.

Summaries are stored under a hash of their fragments: unchanged ones need no model call, and the
graph uses a summary only while it matches the evidence. Without a model the best fragments are
shown.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast

from ...changes import NOTHING, ChangeNotice
from ...extraction.llm.descriptions import FreshGuard, drop_repeated
from ...graph.evidence import hash_fragments, list_fragments
from ...llm.protocols import ChatModel
from ...model import ChatMessage
from ...progress import CancelToken, Clock, Progress, ProgressCallback, ignore_progress
from ...prompt_files import load_prompt
from ...prompt_program import PASSAGE, PromptProgram, Talk, Write, Written
from ...store import curation, evidence, graph
from ...store.db import Db
from ...text.language import detect_language
from ..graph_update import update_graph

log = logging.getLogger(__name__)

# Values and names from LightRAG.
FORCE_LLM_SUMMARY_ON_MERGE = 8
SUMMARY_TRIGGER_TOKENS = 1200
SUMMARY_MAX_TOKENS = 600
SUMMARY_CONTEXT_SIZE = 12_000

_MARGIN_TOKENS = 96  # the template's own tokens, and counting errors
_MAX_TOKENS_PER_CHAR = 3
_MAX_ROUNDS = 8
_SENTENCE_END = re.compile(r"[.!?。！？…][\"'”’」』）)]*")


@dataclass(slots=True)
class Target:
    """An entity or a relation to be summarized.

    Attributes:
        kind: "entity" or "relation", as in the prompt names.
        notes: texts still to be combined: first fragments, then partial summaries.
    """

    key: str
    kind: str
    name: str
    language: str
    n_fragments: int
    notes: list[str] = field(default_factory=list)


class SummaryService:
    """Writes the missing summaries of the graph.

    Args:
        db: the read-write connection.
        find_chat: gives the chat model, None where none is installed.
        follow: updates the graph afterwards.
    """

    def __init__(
        self,
        db: Db,
        find_chat: Callable[[], ChatModel | None],
        follow: Callable[[], ChangeNotice] | None = None,
    ) -> None:
        self._db = db
        self._find_chat = find_chat
        self._follow = follow or (lambda: update_graph(db))

    def run(
        self, *, cancel: CancelToken | None = None, on_progress: ProgressCallback = ignore_progress
    ) -> ChangeNotice:
        """Summarize all descriptions that are too long, and return the changes.

        Raises:
            Cancelled: the token was set; finished summaries stay.
        """
        cancel = cancel or CancelToken()
        chat = self._find_chat()
        if chat is None:
            return NOTHING
        waiting = self.find_targets(chat)
        n_all, n_made, clock = len(waiting), 0, Clock(len(waiting))
        try:
            for _ in range(_MAX_ROUNDS):
                if not waiting:
                    break
                on_progress(Progress("summaries", n_made, n_all))
                left = []
                for target in self._summarize(chat, waiting, cancel):
                    if len(target.notes) > 1:
                        left.append(target)
                        continue
                    with self._db.transaction():
                        evidence.store_summary(
                            self._db, target.key, target.notes[0], chat.name, target.n_fragments
                        )
                    n_made += 1
                    clock.tick()
                    on_progress(Progress("summaries", n_made, n_all, clock.rate, clock.left_s))
                cancel.check()
                waiting = left
        finally:
            changed = self._follow() if n_made else NOTHING
        if n_made < n_all:
            log.warning("%d of %d summaries could not be made", n_all - n_made, n_all)
        return changed

    def find_targets(self, chat: ChatModel) -> list[Target]:
        """Return the targets that are too long and have no summary, longest first."""
        by_entity, by_pair = evidence.fetch_descriptions(self._db)
        names = dict(graph.iter_entity_names(self._db))
        by_hand = self._described_by_hand()
        known = evidence.fetch_summary_times(self._db)
        described = [
            ("entity", names[i], texts) for i, texts in by_entity.items() if i not in by_hand
        ] + [("relation", f"{names[a]} – {names[b]}", texts) for (a, b), texts in by_pair.items()]
        found: dict[str, Target] = {}
        for kind, name, texts in described:
            fragments = list_fragments(texts)
            if not _is_long(chat, fragments) or (key := hash_fragments(fragments)) in known:
                continue
            language = detect_language(" ".join(fragments[:20]))
            found[key] = Target(key, kind, name, language, len(fragments), list(fragments))
        return sorted(found.values(), key=lambda t: (-t.n_fragments, t.key))

    def _described_by_hand(self) -> set[int]:
        names = {
            name
            for name, edit in curation.fetch_curation(self._db).edits.items()
            if edit.description is not None
        }
        return graph.find_entities_of_names(self._db, names)

    def _summarize(
        self, chat: ChatModel, targets: Sequence[Target], cancel: CancelToken
    ) -> Iterator[Target]:
        """Combine the notes of each target in parts; yield a target when all parts are done.

        A target with a failed part is left out: its best fragments are shown.
        """
        parts: dict[str, list[str | None]] = {}
        by_key = {target.key: target for target in targets}

        def programs() -> Iterator[PromptProgram]:
            for target in targets:
                note_groups = _split_notes(chat, target)
                parts[target.key] = [None] * len(note_groups)
                for number, notes in enumerate(note_groups):
                    yield _build_script(target, number, notes)

        for run in chat.run_programs(programs(), cancel=cancel):
            if cancel.cancelled:
                return
            key, number = cast(tuple[str, int], run.key)
            if (target := by_key.get(key)) is None:  # another part of it failed
                continue
            text = "" if run.error else _clean(run.value)
            if not text:
                log.warning("no summary of %s: %s", target.name, run.error or "empty text")
                del by_key[key]
                continue
            parts[key][number] = text
            if None not in parts[key]:
                target.notes = [part for part in parts[key] if part is not None]
                yield target


def _is_long(chat: ChatModel, fragments: Sequence[str]) -> bool:
    if len(fragments) < 2:
        return False
    if len(fragments) >= FORCE_LLM_SUMMARY_ON_MERGE:
        return True
    text = "\n".join(fragments)
    if len(text) * _MAX_TOKENS_PER_CHAR < SUMMARY_TRIGGER_TOKENS:
        return False
    return chat.count_tokens(text) >= SUMMARY_TRIGGER_TOKENS


def _messages(target: Target) -> tuple[ChatMessage, ...]:
    """Return the instruction, which is the same for all targets of one kind and language."""
    asked = load_prompt(f"summary_{target.kind}", target.language)
    return (
        ChatMessage("system", load_prompt("summary_system", target.language)),
        ChatMessage("user", asked.format(notes=PASSAGE)),
    )


def _split_notes(chat: ChatModel, target: Target) -> list[list[str]]:
    """Return the notes in parts that fit into the model's context, at least one part."""
    instruction = sum(chat.count_tokens(m.text) for m in _messages(target))
    room = min(SUMMARY_CONTEXT_SIZE, chat.n_ctx) - SUMMARY_MAX_TOKENS - _MARGIN_TOKENS
    room = max(64, room - instruction - chat.count_tokens(target.name))
    parts: list[list[str]] = [[]]
    used = 0
    for note in target.notes:
        n_tokens = chat.count_tokens(note) + 2
        # At least two notes, so that every round reduces their number.
        if used + n_tokens > room and len(parts[-1]) > 1:
            parts.append([])
            used = 0
        parts[-1].append(note)
        used += n_tokens
    return parts


def _build_script(target: Target, number: int, notes: Sequence[str]) -> PromptProgram:
    def talk() -> Talk:
        [written] = yield Write(("",), SUMMARY_MAX_TOKENS, FreshGuard())
        return written

    text = "\n".join((target.name, *(f"- {note}" for note in notes)))
    return PromptProgram((target.key, number), _messages(target), text, talk)


def _clean(written: Written) -> str:
    """Return the text as one paragraph of whole sentences; "" if it is unusable."""
    text = drop_repeated(" ".join(written.text.split()))
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    if written.ended == "finished" and not ends:
        return text
    return text[: ends[-1]] if ends else ""
