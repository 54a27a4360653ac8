"""The speed of enrichment: measured characters per second, and the remaining time."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from ...errors import UserError
from ...llm.gguf_header import load_header
from ...llm.registry import ModelRegistry, ModelRow
from ...progress import Progress, TimeLeft
from ...store import enrichment
from ...store.db import Db
from ...store.enrichment import find_setting, store_setting
from ...store.stored_json import parse_stored_json

# Characters a second times parameters: a 1.5B model reads about 100 with choices on two cores.
_CHARS_TIMES_PARAMETERS = 1.5e11
_FREE_IS_SLOWER = 5.0
_USUAL_PARAMETERS = 1_500_000_000
_MEMORY_CHARS = 200_000  # after this many characters, older measurements count half


@dataclass(frozen=True, slots=True)
class Rate:
    """Characters of text per second; not `is_measured`: estimated from the model's size."""

    chars_per_s: float
    is_measured: bool


def load_rate(db: Db, model: str, strategy: str, n_parameters: int = 0) -> Rate:
    """Return a model's measured speed, or an estimate."""
    chars, seconds = _load(db, model, strategy)
    if chars > 0 and seconds > 0:
        return Rate(chars / seconds, True)
    guess = _CHARS_TIMES_PARAMETERS / (n_parameters or _USUAL_PARAMETERS)
    return Rate(max(0.5, guess / (_FREE_IS_SLOWER if strategy == "free" else 1.0)), False)


def add_measurement(db: Db, model: str, strategy: str, n_chars: int, seconds: float) -> None:
    """Add enriched text and its time to the measurements; inside a transaction."""
    if n_chars <= 0 or seconds <= 0:
        return
    chars, before = _load(db, model, strategy)
    if chars > _MEMORY_CHARS:
        chars, before = chars / 2, before / 2
    measured = json.dumps([chars + n_chars, round(before + seconds, 3)])
    store_setting(db, _key(model, strategy), measured)


def _key(model: str, strategy: str) -> str:
    return f"enrich_rate:{strategy}:{model}"


def _load(db: Db, model: str, strategy: str) -> tuple[float, float]:
    kept = find_setting(db, _key(model, strategy))
    try:
        chars, seconds = parse_stored_json(kept, list)
        return float(chars), float(seconds)
    except (ValueError, TypeError):
        return 0.0, 0.0


_BYTES_A_PARAMETER = 0.65  # in common four-bit files
_LABEL = re.compile(r"(?:(\d+)x)?(\d+(?:\.\d+)?)([KMBT])", re.IGNORECASE)
_UNITS = {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}


@dataclass(frozen=True, slots=True)
class ChatFacts:
    """The name and size of a chat model; 0 parameters: unknown.

    Attributes:
        can_choose: as in `ChatModel`.
        where: in what else than on this computer it runs, which has a speed of its own.
    """

    name: str
    n_parameters: int = 0
    can_choose: bool = True
    where: str = ""

    @property
    def speed_name(self) -> str:
        """The name under which its speed is remembered."""
        return f"{self.name} {self.where}".rstrip()


def find_chat_facts(registry: ModelRegistry) -> ChatFacts | None:
    """Return the active chat model, None if none is installed."""
    for row in registry.list_models():
        if row.active and row.role == "chat":
            return ChatFacts(row.name, _count_parameters(row))
    return None


class CachedChatFacts:
    """Caches the facts about the chat model until `forget`, since a lookup reads folders."""

    def __init__(self, find_facts: Callable[[], ChatFacts | None]) -> None:
        self._find_facts = find_facts
        self._lock = threading.Lock()
        self._known: list[ChatFacts | None] = []

    def __call__(self) -> ChatFacts | None:
        with self._lock:
            if not self._known:
                self._known.append(self._find_facts())
            return self._known[0]

    def forget(self) -> None:
        with self._lock:
            self._known.clear()


def _count_parameters(row: ModelRow) -> int:
    """Return the number of parameters from the file's header, or an estimate from its size."""
    try:
        label = str(load_header(row.path).fields.get("general.size_label", "")) if row.path else ""
    except UserError:
        label = ""
    return parse_size_label(label) or int(row.size_bytes / _BYTES_A_PARAMETER)


def parse_size_label(label: str) -> int:
    """Return the parameters of a label like "1.5B", "135M" or "8x7B", 0 if it has none."""
    found = _LABEL.match(label.strip())
    if found is None:
        return 0
    experts, number, unit = found.groups()
    return round(int(experts or 1) * float(number) * _UNITS[unit.upper()])


_SIZE_IN_NAME = re.compile(r"(?<![a-z\d.])((?:\d+x)?\d+(?:\.\d+)?[mb])(?![a-z\d])", re.IGNORECASE)


def parse_size_in_name(name: str) -> int:
    """Return the parameters that the name of a model has: "qwen2.5-7b-instruct"; 0 if none."""
    found = _SIZE_IN_NAME.search(name)
    return parse_size_label(found[1]) if found else 0


_COUNT_EVERY_S = 1.0
_TRUST_AFTER_S = 20.0  # of work; until then earlier measurements have more weight


@dataclass(frozen=True, slots=True)
class EnrichProgress(Progress):
    """Progress of enrichment: `done` and `total` are chunks, `rate` is chunks per second."""

    chars_per_s: float = 0.0
    n_failed: int = 0


class EnrichmentSpeed:
    """Measures the speed of a run; only the time between `go` and `stop` counts."""

    def __init__(
        self, db: Db, facts: ChatFacts, strategy: str, min_priority: int, limit: int | None
    ) -> None:
        self._db, self._facts, self._strategy = db, facts, strategy
        self._min_priority, self._limit = min_priority, limit
        self._prior = load_rate(db, facts.speed_name, strategy, facts.n_parameters).chars_per_s
        self._since: float | None = None
        self._active_s = self._stored_s = 0.0
        self._n_chars = self._n_stored_chars = 0
        self._left = (0, 0)
        self._time_left = TimeLeft()
        self._counted_at = -_COUNT_EVERY_S
        self.n_done = 0
        self.n_failed = 0

    def go(self) -> None:
        self._since = time.monotonic()

    def stop(self) -> None:
        if self._since is not None:
            self._active_s += time.monotonic() - self._since
            self._since = None

    def count(self, n_chars: int, *, asked: bool) -> None:
        """Count a chunk; one with only cached answers does not count for the speed."""
        self.n_done += 1
        self._n_chars += n_chars if asked else 0
        n_left, chars_left = self._left
        self._left = (max(0, n_left - 1), max(0, chars_left - n_chars))

    @property
    def active_s(self) -> float:
        running = time.monotonic() - self._since if self._since is not None else 0.0
        return self._active_s + running

    @property
    def chars_per_s(self) -> float:
        """Return the speed of this run, weighted with earlier measurements at first."""
        trust = _TRUST_AFTER_S
        return (self._n_chars + self._prior * trust) / (self.active_s + trust)

    def progress(self, document_id: int | None = None) -> EnrichProgress:
        """Return the progress of the run."""
        now = time.monotonic()
        if now - self._counted_at > _COUNT_EVERY_S:  # the queue can change from outside
            self._counted_at = now
            self._left = enrichment.count_wanted(self._db, self._min_priority)
        n_left, chars_left = self._left
        if self._limit is not None and n_left > (most := max(0, self._limit - self.n_done)):
            n_left, chars_left = most, chars_left * most // n_left
        rate = self.chars_per_s
        total = self.n_done + n_left
        left_s = (
            self._time_left.update(chars_left / rate, at=self.active_s, total=total)
            if rate
            else None
        )
        return EnrichProgress(
            "enriching",
            done=self.n_done,
            total=total,
            rate=self.n_done / self.active_s if self.active_s else 0.0,
            left_s=left_s,
            document_id=document_id,
            chars_per_s=rate,
            n_failed=self.n_failed,
        )

    def store(self) -> None:
        """Store the measured speed for later estimates."""
        n_chars, seconds = self._n_chars - self._n_stored_chars, self.active_s - self._stored_s
        self._n_stored_chars, self._stored_s = self._n_chars, self.active_s
        with self._db.transaction():
            add_measurement(self._db, self._facts.speed_name, self._strategy, n_chars, seconds)
