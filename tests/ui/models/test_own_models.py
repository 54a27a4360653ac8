"""Models of one's own on the models screen: with the real registry and a local web server."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from desktop_app.engine.llm.machine import (
    CORES,
    FITS,
    MEMORY,
    RUNS_SLOWLY,
    RUNS_WELL,
    TIGHT,
    TOO_LARGE,
    UNKNOWN,
    LoadingTimes,
    Machine,
    MeasuredSpeeds,
)
from desktop_app.engine.llm.registry import ModelRegistry, find_quantisation
from desktop_app.ui.models.cards import (
    KnownSpeed,
    describe_estimate,
    describe_lack,
    explain_estimate,
)
from desktop_app.ui.models.link_dialog import LinkDialog
from desktop_app.ui.models.screen import ModelsScreen
from desktop_app.ui.widgets import Label
from tests.model_server import ModelServer, build_gguf, serve_model
from tests.ui.fakes import FakeContext

CONTENT = build_gguf()
SHA256 = hashlib.sha256(CONTENT).hexdigest()
FILE, NAME = "Small-Test.Q4.gguf", "small-test.q4"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serve_model(ModelServer(CONTENT)) as server:
        yield server


@pytest.fixture
def models(tmp_path: Path) -> Path:
    return tmp_path / "models"


@pytest.fixture
def screen(context: FakeContext, models: Path, tmp_path: Path, qtbot) -> ModelsScreen:
    speeds = MeasuredSpeeds(tmp_path / "speeds.json")
    context.model_registry = ModelRegistry([models], speeds=speeds)
    return open_screen(context, qtbot)


def open_screen(context: FakeContext, qtbot) -> ModelsScreen:
    screen = ModelsScreen(context)
    screen.resize(900, 700)
    qtbot.addWidget(screen)
    screen.show()
    qtbot.waitUntil(lambda: len(screen.cards) > 0)
    return screen


def open_dialog(screen: ModelsScreen, link: str, qtbot) -> LinkDialog:
    screen.ask_for_link()
    dialog = screen.window().findChild(LinkDialog)
    qtbot.keyClicks(dialog.link, link)
    return dialog


@pytest.mark.loopback
def test_a_pasted_link_is_checked_downloaded_and_used(screen, server, models, context, qtbot):
    dialog = open_dialog(screen, server.link(), qtbot)
    assert server.requests == []  # nothing before the button
    qtbot.mouseClick(dialog.check_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dialog.download_button.isVisible)
    assert dialog.facts.isVisible() and len(server.requests) == 1
    qtbot.mouseClick(dialog.download_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: NAME in screen.cards)
    assert (models / FILE).read_bytes() == CONTENT
    assert SHA256 in screen.cards[NAME].checksum.text()
    assert context.messages.last.text == f"{FILE} is installed."
    context.messages.last.action()
    qtbot.waitUntil(lambda: screen.cards[NAME].in_use.isVisible())
    qtbot.waitUntil(lambda: not screen.downloads)


@pytest.mark.loopback
def test_a_stopped_download_is_offered_in_a_new_window(screen, server, context, models, qtbot):
    server.hold = threading.Event()
    model = context.model_registry.inspect_link(server.link())
    screen.download(model)
    qtbot.waitUntil(lambda: "%" in screen.downloads[FILE].text.text())
    qtbot.mouseClick(screen.downloads[FILE].stop_button, Qt.MouseButton.LeftButton)
    server.hold.set()
    qtbot.waitUntil(screen.downloads[FILE].continue_button.isVisible)
    again = open_screen(context, qtbot)
    qtbot.waitUntil(lambda: FILE in again.downloads)
    assert again.downloads[FILE].text.text().startswith("Unfinished: ")
    qtbot.mouseClick(again.downloads[FILE].continue_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: NAME in again.cards)
    assert (models / FILE).read_bytes() == CONTENT


@pytest.mark.loopback
def test_a_broken_download_says_so_and_can_be_deleted(screen, server, context, qtbot):
    model = context.model_registry.inspect_link(server.link())
    server.status = 404
    screen.download(model)
    qtbot.waitUntil(lambda: context.messages.last is not None)
    assert "no file at this address" in context.messages.last.text
    qtbot.waitUntil(screen.downloads[FILE].discard_button.isVisible)
    qtbot.mouseClick(screen.downloads[FILE].discard_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not screen.downloads)


@pytest.mark.loopback
@pytest.mark.parametrize(
    ("page", "path", "part"),
    [
        ("<!doctype html>", "/m.gguf", "web page"),
        ("", "/model", "does not end in .gguf"),
    ],
)
def test_a_wrong_link_is_refused_in_the_dialog(screen, server, qtbot, page, path, part):
    server.page = page
    dialog = open_dialog(screen, server.link(path), qtbot)
    qtbot.mouseClick(dialog.check_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: part in dialog.status.text())
    assert not dialog.download_button.isVisible() and dialog.check_button.isEnabled()
    dialog.reject()


def test_a_file_of_ones_own_is_added_by_the_button(screen, models, tmp_path, qtbot, monkeypatch):
    source = tmp_path / "My novel model.gguf"
    source.write_bytes(CONTENT)
    chosen = lambda *_: (str(source), "")  # noqa: E731
    monkeypatch.setattr("desktop_app.ui.models.screen.QFileDialog.getOpenFileName", chosen)
    qtbot.mouseClick(screen.file_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "my novel model" in screen.cards)
    card = screen.cards["my novel model"]
    assert card.title.full_text() == "Small test"
    assert card.texts.note.text() == "A file of your own."
    assert source.exists() and (models / source.name).exists()


def test_a_damaged_file_is_refused_with_a_sentence(screen, context, models, tmp_path, qtbot):
    (tmp_path / "half.gguf").write_bytes(CONTENT[:9_000])
    screen.add_file(tmp_path / "half.gguf")
    qtbot.waitUntil(lambda: context.messages.last is not None)
    assert "damaged or not complete" in context.messages.last.text
    qtbot.waitUntil(lambda: not screen.downloads)


def test_larger_models_are_suggested_with_what_they_need(context, qtbot):
    rows = context.model_registry.rows
    context.model_registry.rows = [replace(row, in_catalogue=True) for row in rows]
    screen = open_screen(context, qtbot)
    qtbot.waitUntil(lambda: len(screen.suggestions) > 2)
    small, *_, large = screen.suggestions
    assert small.texts.columns.memory.text() == "4.2 GB"
    verdicts = [row.texts.columns.verdict.text() for row in (small, large)]
    assert verdicts == ["runs slowly", "too little memory"]
    assert large.texts.lack.text().startswith("Too little memory: needs ")
    qtbot.waitUntil(large.texts.lack.isVisible)
    assert not small.texts.lack.isVisible()
    assert "Qwen · 4B parameters · Q4_K_M · Apache-2.0 · English" in small.texts.facts.text()
    assert screen.summary.lines["This computer"] == (
        "8.0 GB of memory, 5.0 GB of it free · 2 processor cores"
    )


def test_a_larger_model_is_got_in_steps_and_nothing_opens_by_itself(context, qtbot, monkeypatch):
    opened: list[str] = []
    asked = lambda theme, page, parent, corner: opened.append(page)  # noqa: E731
    monkeypatch.setattr("desktop_app.ui.models.link_dialog.ask_to_open", asked)
    screen = open_screen(context, qtbot)
    qtbot.waitUntil(lambda: bool(screen.suggestions))
    row = screen.suggestions[0]
    row.button.click()
    dialog = screen.window().findChild(LinkDialog)
    assert row.suggestion.title in dialog.windowTitle()
    shown = [label.text() for label in dialog.findChildren(Label)]
    assert {"1.", "2.", "3."} <= set(shown) and any("Q4_K_M" in text for text in shown)
    assert not opened and dialog.link.isVisible()
    qtbot.mouseClick(dialog.page_button, Qt.MouseButton.LeftButton)
    assert opened == [row.suggestion.page]
    dialog.reject()


def test_a_model_fits_by_its_share_of_the_memory():
    machine = Machine(10_000_000_000, 0, 2)
    judged = [machine.judge(share * 1_000_000_000) for share in (0, 6, 7, 9)]
    assert judged == [UNKNOWN, FITS, TIGHT, TOO_LARGE]


@pytest.mark.parametrize(
    ("memory_gb", "n_processors", "best"),
    [
        (8, 2, "starter"),
        (8, 8, "4b"),
        (16, 8, "4b"),
        (16, 16, "12b"),
        (2, 8, "tiny"),
        (32, 32, "30b"),
        (0.1, 8, ""),
        (0, 8, ""),
    ],
)
def test_the_largest_model_that_fits_and_is_not_slow_is_the_best(memory_gb, n_processors, best):
    needs = {"starter": 1.9, "tiny": 0.3, "4b": 4.2, "7b": 6.0, "12b": 9.5, "30b": 19.0}
    machine = Machine(round(memory_gb * 1e9), 0, n_processors)
    assert machine.find_best({key: round(gb * 1e9) for key, gb in needs.items()}) == best


@pytest.mark.parametrize(
    ("memory_gb", "n_processors", "needed_gb", "verdict"),
    [
        (16, 2, 1.9, RUNS_WELL),
        (16, 2, 4.2, RUNS_SLOWLY),  # two cores
        (16, 8, 4.2, RUNS_WELL),
        (16, 16, 9.7, RUNS_SLOWLY),  # the memory is tight
        (16, 64, 15.0, TOO_LARGE),
        (0, 8, 1.9, UNKNOWN),
        (16, 8, 0, UNKNOWN),
    ],
)
def test_memory_and_cores_decide_how_a_model_runs(memory_gb, n_processors, needed_gb, verdict):
    machine = Machine(round(memory_gb * 1e9), 0, n_processors)
    assert machine.rate(round(needed_gb * 1e9)) == verdict


@pytest.mark.parametrize(
    ("memory_gb", "n_processors", "limit"),
    [(64, 2, (2e9, CORES)), (8, 64, (4.8e9, MEMORY)), (64, 8, (5.6e9, CORES)), (0, 8, (0, ""))],
)
def test_the_largest_model_that_runs_well_is_limited_by_cores_or_memory(
    memory_gb, n_processors, limit
):
    machine = Machine(round(memory_gb * 1e9), 0, n_processors)
    assert machine.find_well_limit() == limit
    if limit[0]:
        assert machine.rate(round(limit[0])) == RUNS_WELL
        assert machine.rate(round(limit[0]) + 1_000_000) == RUNS_SLOWLY


@pytest.mark.parametrize(
    ("stem", "quantisation"),
    [
        ("qwen2.5-7b-instruct-q4_k_m", "Q4_K_M"),
        ("Mistral-Nemo-Instruct-2407-IQ3_XS", "IQ3_XS"),
        ("tiny.f16", "F16"),
        ("small-q8_0-00001-of-00002", "Q8_0"),
        ("qwen3-4b", ""),
    ],
)
def test_the_quantisation_is_in_the_name_of_a_file(stem, quantisation):
    assert find_quantisation(stem) == quantisation


def test_a_measured_speed_belongs_to_one_file(tmp_path):
    path, speeds = tmp_path / "m.gguf", MeasuredSpeeds(tmp_path / "speeds.json")
    path.write_bytes(b"one")
    speeds.store(path, 18.61)
    assert MeasuredSpeeds(tmp_path / "speeds.json").find(path) == 18.61
    path.write_bytes(b"another")
    assert speeds.find(path) == 0.0
    (tmp_path / "speeds.json").write_text("[")
    assert speeds.find(path) == 0.0


def test_the_usual_loading_time_of_a_file_is_the_median_of_its_last_ones(tmp_path):
    path, times = tmp_path / "m.gguf", LoadingTimes(tmp_path / "loading.json")
    path.write_bytes(b"one")
    assert times.find(path) == 0.0
    for seconds in (90.0, 90.0, 4.0, 31.0, 3.0, 4.2, 3.9):  # first from a cold disk
        times.store(path, seconds)
    assert LoadingTimes(tmp_path / "loading.json").find(path) == 4.0
    path.write_bytes(b"another")
    assert times.find(path) == 0.0
    (tmp_path / "loading.json").write_text('{"m.gguf": 3}')
    assert times.find(tmp_path / "m.gguf") == 0.0


def test_the_speed_of_other_models_is_estimated_from_a_measured_one():
    known = KnownSpeed("Starter", 1_100_000_000, 11.0)
    assert describe_estimate(known, 2_200_000_000, "Twice 3B") == "about 6 tokens/s"
    assert describe_estimate(known, 11_000_000_000, "Large 14B") == "about 1.1 tokens/s"
    # a tenth of the file is read for each token
    mixture = describe_estimate(known, 22_000_000_000, "Qwen3 30B A3B Instruct")
    assert mixture == describe_estimate(known, 2_200_000_000, "Twice 3B")
    assert describe_estimate(KnownSpeed(), 2_200_000_000, "Twice 3B") == ""


def test_without_a_measured_speed_models_are_compared_by_their_sizes(context, qtbot):
    known = KnownSpeed("Starter", 1_100_000_000)
    assert describe_estimate(known, 2_500_000_000, "Qwen3 4B") == "about 44% as fast"
    assert describe_estimate(known, 480_000_000, "Small") == "about 2.3× as fast"
    assert describe_estimate(known, 1_100_000_000, "Same") == "about 100% as fast"
    assert describe_estimate(known, 90_000_000, "Tiny") == "about 12× as fast"
    assert "Starter" in explain_estimate(known) and "Test speed" in explain_estimate(known)
    screen = open_screen(context, qtbot)
    qtbot.waitUntil(lambda: len(screen.suggestions) > 2)
    column = screen.suggestions[0].texts.columns.speed
    assert "% as fast" in column.text() and column.toolTip()
    assert "compared with" in column.toolTip()


def test_a_model_that_needs_more_than_is_free_lacks_memory():
    machine = Machine(round(25.3e9), round(18.9e9), 2)
    assert describe_lack(machine, round(20.5e9)) == (
        "Too little memory: needs 20.5 GB, 18.9 GB free"
    )
    assert describe_lack(machine, round(9.5e9)) == ""
    assert describe_lack(Machine(round(8e9), 0, 2), round(20.5e9)) == (
        "Too little memory: needs 20.5 GB, this computer has 8.0 GB"
    )


def test_a_measured_speed_is_used_for_models_that_are_not_installed(context, qtbot):
    rows = context.model_registry.rows
    context.model_registry.rows = [
        replace(row, in_catalogue=True, tokens_per_s=10.0 if row.active else 0.0) for row in rows
    ]
    screen = open_screen(context, qtbot)
    qtbot.waitUntil(lambda: len(screen.suggestions) > 2)
    words = [row.texts.columns.speed.text() for row in screen.suggestions]
    assert all("about" in text for text in words[:2])
