"""Models run in processes of their own: equal results, and no death ends more."""

from __future__ import annotations

import os
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from desktop_app.engine.errors import AppError, EnvironmentProblem, UserError
from desktop_app.engine.llm import host_process, hosted_models
from desktop_app.engine.llm.host_child import load_native
from desktop_app.engine.llm.host_process import HostLimits, find_limits
from desktop_app.engine.llm.host_protocol import HostSpec
from desktop_app.engine.llm.hosted_models import (
    HostedChat,
    HostedEmbedder,
    HostedModel,
    ModelStopped,
)
from desktop_app.engine.llm.registry import UNUSED_S, ModelRegistry
from desktop_app.engine.llm.trial import ModelCannotRun, ModelTrials, TrialResult
from desktop_app.engine.llm.trial_child import write_chat_model, write_embedding_model
from desktop_app.engine.model import ChatMessage
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.prompt_program import (
    PASSAGE,
    STOPPED,
    Ask,
    Choose,
    OneLine,
    ProgramResult,
    PromptProgram,
    Write,
)
from tests.unit.llm.guards import Digits
from tests.unit.llm.test_embedding import find_model

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends signals")

ASK = [ChatMessage("user", "Name three colours.")]
ABOUT = (ChatMessage("system", "Be brief."), ChatMessage("user", f"Text: {PASSAGE}\nTopic?"))
TEXTS = [f"Town {i} has {thing}." for i, thing in enumerate(("a mill", "ships", "snow", "salt"))]
TOPICS = Choose(("It is about", "Mood:"), (" horses", " ships", " weather"))
DEATHS = [
    signal.SIGKILL,  # SIGSEGV and SIGABRT end an answer and a batch
    pytest.param(signal.SIGILL, marks=pytest.mark.slow),
]


def make_programs(texts: Sequence[str] = TEXTS, on_turn=lambda text: None) -> list[PromptProgram]:
    """Return programs of three questions; `on_turn` is called before the second."""

    def start(text: str) -> Callable:
        def talk() -> Iterator[Ask]:
            chosen = yield TOPICS
            on_turn(text)
            written = yield Write(("A word:",), 6, OneLine())
            year = yield Write(("Year: ",), 8, Digits(4))
            return chosen, written, year

        return talk

    return [PromptProgram(text, ABOUT, text, start(text)) for text in texts]


def by_key(runs: Iterator[ProgramResult]) -> dict[str, ProgramResult]:
    found = {run.key: run for run in runs}
    assert all(not run.error for run in found.values())
    return found


def kill(model: HostedModel, number: signal.Signals) -> None:
    assert model.host_pid
    os.kill(model.host_pid, number)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a chat and an embedding model of random weights."""
    folder = tmp_path_factory.mktemp("host-models")
    write_chat_model(folder / "chat.gguf")
    write_embedding_model(folder / "embedding.gguf")
    return folder


@pytest.fixture
def open_model(made: Path) -> Iterator[Callable[..., HostedModel]]:
    """Open models of random weights; they are closed after the test."""
    opened: list[HostedModel] = []

    def open_one(kind: type[HostedModel], **options) -> HostedModel:
        role = "chat" if kind is HostedChat else "embedding"
        spec = HostSpec(role, made / f"{role}.gguf", n_threads=1)
        opened.append(kind(spec, **options))
        return opened[-1]

    yield open_one
    for model in opened:
        model.close()


@pytest.fixture(scope="module")
def chat_spec(random_chat: Path) -> HostSpec:
    return HostSpec("chat", random_chat, n_ctx=1024, n_threads=1)


@pytest.fixture(scope="module")
def loaded_chat(chat_spec: HostSpec) -> Iterator[HostedChat]:
    model = HostedChat(chat_spec)
    yield model
    model.close()


@pytest.fixture
def chat(loaded_chat: HostedChat) -> HostedChat:
    """Return a chat model in a process; answers of one of random weights would end at once."""
    loaded_chat.count_tokens("a")  # starts another process if the last test left none
    assert loaded_chat.host_pid
    return loaded_chat


@pytest.fixture(scope="module")
def loaded_embedder(made: Path) -> Iterator[HostedEmbedder]:
    model = HostedEmbedder(HostSpec("embedding", made / "embedding.gguf", n_threads=1))
    yield model
    model.close()


@pytest.fixture
def embedder(loaded_embedder: HostedEmbedder) -> HostedEmbedder:
    """Return an embedding model of random weights in a process."""
    loaded_embedder.count_tokens("a")
    assert loaded_embedder.host_pid
    return loaded_embedder


# --- equal results --------------------------------------------------------------------------------


@pytest.mark.model
def test_a_real_chat_model_gives_the_same_in_its_process(chat_spec: HostSpec):
    own, hosted = load_native(chat_spec), HostedChat(chat_spec)
    try:
        assert (hosted.name, hosted.n_ctx, hosted.n_parameters) == (
            *(own.name, own.n_ctx, own.n_parameters),
        )
        assert hosted.count_tokens("The tide 潮水 came in.") == own.count_tokens(
            "The tide 潮水 came in."
        )
        pieces = list(own.stream(ASK, max_tokens=16))
        assert list(hosted.stream(ASK, max_tokens=16)) == pieces and len(pieces) > 4
        for name in ("n_prompt", "n_reused", "n_written", "ended"):
            assert getattr(hosted.last_run, name) == getattr(own.last_run, name)
        assert hosted.choose(ASK, ["It is", ""], [" red", " blue"]) == own.choose(
            ASK, ["It is", ""], [" red", " blue"]
        )
        first, second = (
            by_key(own.run_programs(make_programs())),
            by_key(hosted.run_programs(make_programs())),
        )
        for key, run in first.items():
            assert second[key].value == run.value
            assert second[key].calls == run.calls
            assert (second[key].n_prompt, second[key].n_written) == (run.n_prompt, run.n_written)
        known = {key: value for run in first.values() for key, value in run.calls}
        for run in by_key(hosted.run_programs(make_programs(), find_call=known.get)).values():
            assert run.value == first[run.key].value and run.n_prompt == 0 and run.calls == ()
    finally:
        hosted.close()
        own.close()


@pytest.mark.model
@pytest.mark.slow
def test_a_real_embedding_model_gives_the_same_in_its_process():
    spec = HostSpec("embedding", find_model("multilingual-e5-small"), n_threads=1)
    own, hosted = load_native(spec), HostedEmbedder(spec)
    try:
        assert (hosted.name, hosted.dim) == (own.name, own.dim)
        texts = [*TEXTS, "", "half a surrogate \udc9f", "long " * 1000]
        assert np.array_equal(hosted.embed_passages(texts), own.embed_passages(texts))
        assert np.array_equal(hosted.embed_query("tide"), own.embed_query("tide"))
        assert hosted.embed_passages([]).shape == (0, own.dim)
        assert hosted.count_tokens("The tide came in.") == own.count_tokens("The tide came in.")
    finally:
        hosted.close()
        own.close()


@pytest.mark.model
def test_a_prompt_that_does_not_fit_is_refused_before_the_first_piece(chat: HostedChat):
    with pytest.raises(UserError, match="tokens long"):
        chat.stream([ChatMessage("user", "word " * 3000)])
    with pytest.raises(UserError, match="characters long"):
        chat.stream([ChatMessage("user", "word " * 1_000_000)])
    assert list(chat.stream(ASK, max_tokens=4))


@pytest.mark.model
def test_a_bug_in_a_program_comes_out_and_the_model_stays_usable(chat: HostedChat):
    def talk() -> Iterator[Ask]:
        yield TOPICS
        raise ZeroDivisionError

    pid = chat.host_pid
    with pytest.raises(ZeroDivisionError):
        list(chat.run_programs([*make_programs(), PromptProgram("bug", ABOUT, "x", talk)]))
    assert len(by_key(chat.run_programs(make_programs()))) == len(TEXTS)
    assert chat.host_pid == pid


# --- deaths ---------------------------------------------------------------------------------------


@pytest.mark.model
def test_an_answer_goes_on_after_a_death_without_repeating(chat: HostedChat):
    expected = "".join(chat.stream(ASK, max_tokens=300))
    pid = chat.host_pid
    stream = chat.stream(ASK, max_tokens=300)
    text = next(stream)
    kill(chat, signal.SIGSEGV)
    text += "".join(stream)
    assert text == expected
    assert chat.host_pid not in (0, pid)


@pytest.mark.model
@pytest.mark.slow
def test_a_batch_begins_again_after_a_death(chat: HostedChat):
    expected = by_key(chat.run_programs(make_programs()))
    killed: list[int] = []

    def kill_once(_text: str) -> None:
        if not killed:
            killed.append(chat.host_pid)
            kill(chat, signal.SIGABRT)

    runs = by_key(chat.run_programs(make_programs(on_turn=kill_once)))
    assert runs.keys() == expected.keys() and killed != [chat.host_pid]
    for key, run in runs.items():
        chosen, written, year = run.value
        for choice, other in zip(chosen, expected[key].value[0], strict=True):
            # Programs run alone the second time: llama.cpp rounds otherwise, see `test_runner`.
            assert choice.logprobs == pytest.approx(other.logprobs, abs=0.05)
        assert written[0].text and year[0].text.isdigit() and len(run.calls) == 4


@pytest.mark.parametrize("number", DEATHS, ids=lambda number: number.name)
def test_vectors_are_made_again_after_a_death(embedder: HostedEmbedder, number):
    texts = [f"Passage {i}: the tide came in." for i in range(100)]
    expected = embedder.embed_passages(texts)
    kill(embedder, number)
    assert np.array_equal(embedder.embed_passages(texts), expected)
    pid = embedder.host_pid
    thread = threading.Thread(target=kill_when_busy, args=(pid, number))
    thread.start()
    assert np.array_equal(embedder.embed_passages(texts), expected)
    thread.join()
    assert embedder.host_pid != pid


def kill_when_busy(pid: int, number: signal.Signals) -> None:
    """End a process once it has used some processor time."""
    before = read_processor_time(pid)
    while read_processor_time(pid) < before + 5:
        pass
    os.kill(pid, number)


def read_processor_time(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


@pytest.mark.model
@pytest.mark.slow
def test_a_program_that_kills_the_model_twice_is_marked_and_the_others_run(chat: HostedChat):
    def kill_at_salt(text: str) -> None:
        if "salt" in text:
            kill(chat, signal.SIGABRT)

    runs = {run.key: run for run in chat.run_programs(make_programs(on_turn=kill_at_salt))}
    assert runs.keys() == set(TEXTS)
    failed = runs.pop("Town 3 has salt.")
    assert "stopped twice" in str(failed.error) and "SIGABRT" in str(failed.error)
    assert all(not run.error and run.value for run in runs.values())
    assert len(by_key(chat.run_programs(make_programs()))) == len(TEXTS)


@pytest.mark.model
@pytest.mark.slow
def test_an_answer_whose_process_dies_twice_fails_and_the_next_works(chat: HostedChat):
    stream, first = chat.stream(ASK, max_tokens=900), chat.host_pid
    next(stream)
    kill(chat, signal.SIGSEGV)
    while chat.host_pid in (0, first):
        next(stream)
    kill(chat, signal.SIGSEGV)
    with pytest.raises(ModelStopped, match=r"stopped twice at this \(SIGSEGV\)"):
        list(stream)
    assert list(chat.stream(ASK, max_tokens=4))


@pytest.fixture
def deadly_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the process of a model end with SIGABRT at a text with the word "deadly"."""
    (tmp_path / "sitecustomize.py").write_text(
        "import os\n"
        "from desktop_app.engine.llm.embedding import GgufEmbedder\n"
        "cut = GgufEmbedder._cut\n"
        "def cut_or_die(self, model, text):\n"
        "    if 'deadly' in text:\n"
        "        os.abort()\n"
        "    return cut(self, model, text)\n"
        "GgufEmbedder._cut = cut_or_die\n"
    )
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")


@pytest.mark.slow
def test_a_text_that_kills_the_model_gets_the_vector_of_an_empty_one(deadly_text, open_model):
    embedder = open_model(HostedEmbedder)
    good = embedder.embed_passages(["tide", "ship", ""])
    rows = embedder.embed_passages(["tide", "a deadly text", "ship"])
    assert np.allclose(rows, good[[0, 2, 1]], atol=1e-3)
    with pytest.raises(ModelStopped, match="SIGABRT"):
        embedder.embed_query("deadly")
    assert embedder.embed_query("tide").shape == (256,)


def test_a_model_at_which_two_pieces_in_a_row_fail_is_broken(deadly_text, open_model):
    broken: list[TrialResult] = []
    embedder = open_model(HostedEmbedder, on_broken=broken.append)
    with pytest.raises(ModelStopped):
        embedder.embed_query("deadly")
    with pytest.raises(ModelCannotRun, match=r"stopped twice while it worked \(SIGABRT\)"):
        embedder.embed_query("deadly again")
    assert [result.problem for result in broken] == ["stopped twice while it worked (SIGABRT)"]


# --- hangs, memory, cancel, close -----------------------------------------------------------------


def test_a_process_that_does_not_answer_is_ended_and_the_work_done_again(embedder: HostedEmbedder):
    expected, host = embedder.embed_query("tide"), embedder._host
    assert host is not None
    host.limits = replace(host.limits, silence_s=1.0)  # of this one; the next has time to load
    kill(embedder, signal.SIGSTOP)
    assert np.array_equal(embedder.embed_query("tide"), expected)
    assert embedder.host_pid != host.pid


def test_limits_grow_with_the_model(made: Path):
    small = HostSpec("chat", made / "chat.gguf")
    limits = find_limits(small)
    assert 2_000_000_000 < limits.memory_bytes < 2_100_000_000
    assert 60 < limits.silence_s < 61
    more = find_limits(replace(small, n_ctx=16_384))
    cell = 2 * 2 * 2 * 2 * 64  # keys and values, float16, 2 layers, 2 heads of 64 numbers
    assert more.memory_bytes - limits.memory_bytes == cell * 16_384
    assert find_limits(replace(small, n_gpu_layers=99)).memory_bytes == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere nothing is promised")
def test_a_process_of_a_model_has_a_memory_limit_and_no_network(embedder: HostedEmbedder):
    assert embedder._host is not None
    assert embedder._host.facts["ready"] == ["memory", "network"]
    limits = Path(f"/proc/{embedder.host_pid}/limits").read_text()
    assert str(find_limits(embedder._spec).memory_bytes) in limits
    status = Path(f"/proc/{embedder.host_pid}/status").read_text()
    assert "Seccomp:\t2" in status and "NoNewPrivs:\t1" in status


def test_long_texts_are_counted_in_parts(embedder: HostedEmbedder, monkeypatch):
    whole = embedder.count_tokens("tide " * 400)
    monkeypatch.setattr(hosted_models, "_CHARS_AT_ONCE", 500)
    assert embedder.count_tokens("tide " * 400) == pytest.approx(whole, abs=8)
    assert embedder.count_tokens("") == embedder.count_tokens("") >= 0


def test_a_model_that_needs_more_memory_than_allowed_is_refused(made):
    spec = HostSpec("chat", made / "chat.gguf", n_ctx=2048)
    with pytest.raises(EnvironmentProblem):
        HostedChat(spec, limits=HostLimits(60_000_000, 60.0))


@pytest.mark.model
def test_a_process_that_cannot_be_started_is_reported(open_model, monkeypatch):
    def refuse(*_: object) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(host_process, "start_child", refuse)
    with pytest.raises(EnvironmentProblem, match="Resource temporarily unavailable"):
        open_model(HostedEmbedder)


def test_closing_the_registry_ends_the_loading_of_a_model(models: Path, tmp_path: Path):
    """The child is stopped while it loads, so that only closing can end the wait."""
    trials = ModelTrials(tmp_path / "trials.json")
    trials.ensure_runs("embedding", models / "embedding.gguf")
    registry = ModelRegistry([models], trials=trials)
    known, stopped = host_process.ModelHost.wait_until_ready, threading.Event()
    raised: list[Exception] = []

    def wait_for_a_stopped_one(host: host_process.ModelHost) -> None:
        os.kill(host.pid, signal.SIGSTOP)
        stopped.set()
        known(host)

    def load() -> None:
        try:
            registry.find_embedder()
        except EnvironmentProblem as error:
            raised.append(error)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(host_process.ModelHost, "wait_until_ready", wait_for_a_stopped_one)
        thread = threading.Thread(target=load)
        thread.start()
        assert stopped.wait(60)
        registry.close()
        thread.join(20)
    assert not thread.is_alive() and "closed meanwhile" in str(raised[0])


def test_a_cancelled_answer_ends_and_the_process_stays(chat: HostedChat):
    cancel, pid = CancelToken(), chat.host_pid
    stream = chat.stream(ASK, max_tokens=900, cancel=cancel)
    next(stream)
    cancel.cancel()
    assert len(list(stream)) < 800
    assert chat.last_run.ended == "stopped"
    assert chat.host_pid == pid and list(chat.stream(ASK, max_tokens=4))


@pytest.mark.model
def test_an_answer_that_is_not_read_to_its_end_gives_the_model_back(chat: HostedChat):
    stream = chat.stream(ASK, max_tokens=900)
    next(stream)
    stream.close()
    assert list(chat.stream(ASK, max_tokens=4))


@pytest.mark.model
def test_a_cancelled_batch_says_what_was_stopped(chat: HostedChat):
    cancel = CancelToken()
    texts = [f"Town {i}." for i in range(40)]
    programs = make_programs(texts, on_turn=lambda text: cancel.cancel())
    runs = list(chat.run_programs(programs, cancel=cancel))
    assert runs and len(runs) < len(texts)
    assert all(run.error == STOPPED for run in runs if run.value is None)
    assert any(run.calls for run in runs)
    assert len(by_key(chat.run_programs(make_programs()))) == len(TEXTS)


@pytest.mark.model
def test_how_long_each_loading_took_is_reported(chat_spec: HostSpec):
    times: list[float] = []
    chat = HostedChat(chat_spec, on_loaded=times.append)
    try:
        assert len(times) == 1 and times[0] > 0.0
        assert chat.release_if_unused(0.0)
        assert list(chat.stream(ASK, max_tokens=2)) and len(times) == 2
    finally:
        chat.close()


@pytest.mark.model
def test_closing_ends_work_at_once(chat_spec: HostSpec):
    chat = HostedChat(chat_spec)
    stream = chat.stream(ASK, max_tokens=900)
    next(stream)
    chat.close()
    with pytest.raises(EnvironmentProblem, match="closed meanwhile"):
        list(stream)
    with pytest.raises(EnvironmentProblem, match="closed meanwhile"):
        chat.count_tokens("a")
    assert chat.host_pid == 0


def test_two_threads_share_an_embedding_model(embedder: HostedEmbedder):
    texts = [f"Passage {i}" for i in range(200)]
    expected = embedder.embed_passages(texts)
    results: list[np.ndarray] = []
    threads = [
        threading.Thread(target=lambda: results.append(embedder.embed_passages(texts)))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(rows, expected) for rows in results) and len(results) == 3


# --- the registry ---------------------------------------------------------------------------------


@pytest.fixture
def models(made: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "models"
    folder.mkdir()
    for path in made.glob("*.gguf"):
        (folder / path.name).symlink_to(path)
    return folder


def test_unused_models_are_let_go_and_come_back(models: Path, tmp_path: Path):
    now = [0.0]
    trials = ModelTrials(tmp_path / "trials.json")
    registry = ModelRegistry([models], trials=trials, clock=lambda: now[0])
    try:
        embedder = registry.find_embedder()
        assert isinstance(embedder, HostedEmbedder)
        vector = embedder.embed_query("tide")
        now[0] = UNUSED_S - 1
        registry.release_unused()
        assert embedder.host_pid
        now[0] = UNUSED_S + 1
        registry.release_unused()
        assert not embedder.host_pid
        assert np.array_equal(embedder.embed_query("tide"), vector)
        assert embedder.host_pid and registry.find_embedder() is embedder
        registry.release_unused()
        assert embedder.host_pid
    finally:
        registry.close()


@pytest.mark.slow
def test_a_broken_model_is_set_aside_until_it_is_checked(deadly_text, models: Path, tmp_path: Path):
    registry = ModelRegistry([models], trials=ModelTrials(tmp_path / "trials.json"))
    told: list[ModelCannotRun] = []
    registry.on_problem = told.append
    try:
        embedder = registry.find_embedder()
        for asked, error in (("deadly", ModelStopped), ("deadly", ModelCannotRun)):
            with pytest.raises(error):
                embedder.embed_query(asked)
        assert registry.find_embedder() is None  # the error has told it
        assert [str(problem) for problem in told] == [
            "The model trial embedding stopped (SIGABRT); it is restarted and continues."
        ]
        told.clear()
        row = next(row for row in registry.list_models() if row.name == "embedding")
        assert row.damaged and "stopped twice" in str(row.note)
        again = ModelRegistry([models], trials=ModelTrials(tmp_path / "trials.json"))
        again.on_problem = told.append
        assert again.find_embedder() is None and again.find_embedder() is None
        assert len(told) == 1 and "stopped twice" in str(told[0])
        registry.use("embedding")
        found = registry.find_embedder()
        assert found is not None and found.embed_query("tide").shape == (256,)
    finally:
        registry.close()


# --- altered files --------------------------------------------------------------------------------


def alter(content: bytes, kind: str) -> bytes:
    """Return a GGUF file with one thing changed."""
    data = bytearray(content)
    if kind == "tensors":
        data[8:16] = struct.pack("<Q", 1 << 40)
    elif kind == "fields":
        data[16:24] = struct.pack("<Q", 3)
    elif kind == "nan":
        data[-200_000:] = b"\xff" * 200_000
    elif kind == "cut":
        del data[len(data) // 2 :]
    else:
        at = data.index(kind.encode()) + len(kind) + 4
        data[at : at + 4] = struct.pack("<I", 1 << 20)
    return bytes(data)


@pytest.mark.parametrize(
    "kind",
    ["tensors", "fields", "nan", "cut", "llama.block_count", "llama.attention.head_count"],
)
def test_an_altered_model_file_is_a_sentence_or_works(made: Path, tmp_path: Path, kind: str):
    path = tmp_path / "altered.gguf"
    path.write_bytes(alter((made / "chat.gguf").read_bytes(), kind))
    try:
        chat = HostedChat(HostSpec("chat", path, n_threads=1))
    except AppError as error:
        assert str(error).strip()
        return
    try:
        list(chat.stream(ASK, max_tokens=4))
        chat.choose(ASK, ["It is"], [" red", " blue"])
    except AppError as error:
        assert str(error).strip()
    finally:
        chat.close()


# --- a child that was taken over ------------------------------------------------------------------

READY = """
import json, struct, sys
def send(item, payload=b""):
    text = json.dumps([item]).encode()
    sys.stdout.buffer.write(struct.pack(">I", len(text)) + text + payload)
    sys.stdout.buffer.flush()
def take():
    (n,) = struct.unpack(">I", sys.stdin.buffer.read(4))
    return json.loads(sys.stdin.buffer.read(n))[0]
take()
send({"ready": [], "dim": 4, "n_ctx": 512, "n_parameters": 1})
while True:
    asked = take()
"""


@pytest.mark.parametrize(
    "answer",
    [
        "send({'id': asked['id'], 'shape': [9, 4], 'n_bytes': 4}, b'abcd')",
        "send({'id': asked['id'], 'end': True})",
        "send({'id': asked['id'], 'refused': ['{n:>999999999}', {'n': 1}], 'hint': ['', {}]})",
        "send({'id': [1]})",
        "sys.stdout.buffer.write(b'\\xff' * 100_000); sys.stdout.buffer.flush()",
        "while True: send({'id': asked['id'], 'text': 'a' * 4_000_000})",
        "sys.exit(5)",
    ],
)
def test_a_child_that_sends_nonsense_is_ended(open_model, monkeypatch, answer: str):
    program = READY + f"    {answer}\n"

    def start(module: str, argument: str, errors: object, variables: object) -> subprocess.Popen:
        return subprocess.Popen(
            [sys.executable, "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    monkeypatch.setattr(host_process, "start_child", start)
    embedder = open_model(HostedEmbedder)
    with pytest.raises(ModelStopped, match="stopped twice at this"):
        embedder.embed_query("tide")
