"""Tests estimates, progress, settings and the command of enrichment."""

from __future__ import annotations

import json
import signal

import pytest

from desktop_app.cli import run_command
from desktop_app.engine.errors import UserError
from desktop_app.engine.extraction.llm.tasks import EnrichSettings
from desktop_app.engine.llm.registry import ModelRow
from desktop_app.engine.services.enrichment.rates import (
    ChatFacts,
    parse_size_label,
)
from desktop_app.engine.services.enrichment.service import EnrichmentService
from desktop_app.engine.store import model_cache
from tests.books import BOOK, add_book, enriching_of, one_by_one
from tests.fakes import ScriptedChatModel, reply_alike

pytestmark = pytest.mark.usefixtures("small_prompts")


# --- the cache ------------------------------------------------------------------------------------


def test_the_oldest_cached_answers_are_deleted_beyond_a_limit(library):
    with library.writer.transaction():
        for number in range(10):
            library.writer.write(
                "INSERT INTO model_cache VALUES (?, ?, ?)", (f"k{number}", "x" * 98, float(number))
            )
        assert model_cache.trim_cache(library.writer, 1000) == 0
        assert model_cache.trim_cache(library.writer, 350) == 7
    assert model_cache.find_call(library.writer, "k9") and model_cache.find_call(
        library.writer, "k7"
    )
    assert model_cache.find_call(library.writer, "k6") is None


# --- estimates and settings -----------------------------------------------------------------------


def test_an_estimate_is_based_on_model_size_until_measured(library):
    document_id = add_book(library)
    model = ScriptedChatModel()
    enriching = enriching_of(library, model)
    before = enriching.estimate([document_id])
    assert (before.n_chunks, before.n_chars) == (5, sum(map(len, BOOK)))
    assert not before.is_measured and before.words.endswith("; you can keep working")
    model.n_parameters = 15_000_000_000
    assert enriching.estimate([document_id]).seconds == pytest.approx(before.seconds * 10)
    (entity_id,) = library.writer.row("SELECT id FROM entity WHERE name = 'Clara'")
    assert enriching.estimate(entity_id=entity_id).n_chunks == 2
    enriching.enqueue()
    assert enriching.status().waiting.n_chunks == 5
    enriching.run()
    assert enriching.estimate([document_id]).words == "There is nothing left to enrich."
    assert enriching.estimate([document_id], again=True).is_measured


def test_progress_includes_speed_and_remaining_time(library):
    add_book(library)
    enriching = enriching_of(library, one_by_one())
    enriching.enqueue()
    reported = []
    enriching.run(on_progress=reported.append)
    steps = [p for p in reported if p.stage == "enriching"]
    assert [p.done for p in steps] == [0, 1, 2, 3, 4, 5]
    assert {p.total for p in steps} == {5}
    assert all(p.chars_per_s > 0 for p in steps)
    assert steps[0].left_s > steps[-1].left_s == 0
    assert reported[-1].stage == "graph"


def test_settings_are_stored_and_invalid_ones_replaced_by_defaults(library):
    enriching = enriching_of(library, one_by_one())
    assert enriching.load_settings() == EnrichSettings()
    mine = EnrichSettings(strategy="free", entity_types=("ship",), n_threads=1, claims=True)
    enriching.save_settings(mine)
    assert enriching.load_settings() == mine
    for kept, expected in (
        ("no json", EnrichSettings()),
        ("[1]", EnrichSettings()),
        ('{"order": "backwards", "n_threads": -3, "claims": "yes"}', EnrichSettings()),
        ('{"entity_types": [], "later": {"x": 1}, "n_threads": 2}', EnrichSettings(n_threads=2)),
        ('{"max_entities": true, "language": 5, "kinds": [1]}', EnrichSettings()),
    ):
        with library.writer.transaction():
            library.writer.write("UPDATE setting SET value = ? WHERE key = 'enrichment'", (kept,))
        assert enriching.load_settings() == expected


def test_model_properties_are_read_without_loading_it(library):
    add_book(library)
    loaded = []
    enriching = EnrichmentService(
        library.writer,
        lambda: loaded.append(1) or ScriptedChatModel(name="small"),
        find_facts=lambda: ChatFacts("small", 1_500_000_000),
    )
    enriching.enqueue()
    enriching.estimate()
    enriching.status()
    assert not loaded
    enriching.run()
    assert len(loaded) == 1


@pytest.mark.parametrize(
    ("label", "n"),
    [("1.5B", 1_500_000_000), ("135M", 135_000_000), ("8x7B", 56_000_000_000), ("large", 0)],
)
def test_a_size_label_is_read(label, n):
    assert parse_size_label(label) == n


# --- the command ----------------------------------------------------------------------------------


class OneModel:
    """A registry with one chat model."""

    def __init__(self, model: ScriptedChatModel) -> None:
        self.model = model
        self.also_closed: list[object] = []

    def __enter__(self) -> OneModel:
        return self

    def __exit__(self, *_: object) -> None: ...

    def find_chat(self) -> ScriptedChatModel:
        return self.model

    def list_models(self) -> list[ModelRow]:
        row = ModelRow("scripted", "chat", "", 10**9, (), "", 0, True, None, True, "")
        return [row]


@pytest.fixture
def command(library, monkeypatch, capsys):
    """Return a function that runs `inkgraph enrich` with a scripted model."""
    model = ScriptedChatModel()
    monkeypatch.setattr("desktop_app.cli.enrich.open_registry", lambda: OneModel(model))

    def run(*arguments: str, code: int = 0) -> str:
        path = str(library.path)
        assert run_command(["enrich", "--library", path, *arguments]) == code
        printed = capsys.readouterr()
        return printed.out + printed.err if code else printed.out

    run.model = model
    return run


def test_the_command_enriches_and_prints_a_summary(library, command):
    add_book(library)
    assert "5 chunks" in command("--estimate")
    assert command("--limit", "2").startswith("2 chunks in")
    assert "2 of 5 chunks are enriched; 3 wait" in command("--status")
    printed = json.loads(command("--json"))
    assert printed["done"]["n_done"] == 3
    assert printed["status"]["documents"][0]["n_enriched"] == 5
    assert command("--estimate").strip() == "There is nothing left to enrich."


def test_the_command_can_enrich_one_entity_or_document(library, command):
    add_book(library)
    add_book(library, title="Another")
    assert command("--entity", "Petrel").startswith("2 chunks in")
    assert command("--document", "Another", "--order", "document").startswith("4 chunks in")
    assert EnrichmentService(library.writer, lambda: None).load_settings().order == "document"
    assert "nobody" in command("--entity", "nobody", code=1)
    assert "not both" in command("--entity", "Hale", "--document", "Another", code=1)
    assert "at least 1" in command("--limit", "0", code=1)


def test_the_command_lists_failed_chunks_and_retries_them(library, command):
    def refuse(script, ask, line):
        raise UserError("The model repeated itself.")

    add_book(library)
    good, command.model.reply = command.model.reply, refuse
    assert "4 failed" in command()
    assert "chunk 2 · Part › Chapter 2: The model repeated itself." in command("--status")
    command.model.reply = good
    assert "0 failed" in command("--retry")
    assert "0 failed" in command("--status")


def test_ctrl_c_pauses_the_command(library, command):
    add_book(library)

    def interrupt(script, ask, line):
        signal.raise_signal(signal.SIGINT)
        return reply_alike(script, ask, line)

    command.model.reply = interrupt
    before = signal.getsignal(signal.SIGINT)  # a shell starts what is in the background without one
    assert "go on" in command(code=130)
    assert signal.getsignal(signal.SIGINT) is before
    command.model.reply = reply_alike
    command()
    assert "5 of 5 chunks are enriched\n" in command("--status")
