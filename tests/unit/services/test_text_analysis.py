"""Names are extracted in a child process: its death costs nothing, and no text ends the program."""

from __future__ import annotations

import io
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.child_protocol import (
    ProtocolError,
    parse_frame,
    read_frame,
    write_frame,
)
from desktop_app.engine.errors import Cancelled, EnvironmentProblem, UserError
from desktop_app.engine.extraction.instant import InstantExtractor
from desktop_app.engine.model import (
    ChunkEvidence,
    ChunkSpan,
    ClaimedEvent,
    ClaimedRelation,
    Heading,
    Mention,
    NameClaim,
    ReadDocument,
    TextClaim,
)
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.services.document_analysis import LocalAnalysis
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.text_analysis.evidence_protocol import (
    decode_evidence,
    encode_evidence,
)
from desktop_app.engine.services.text_analysis.process import (
    AnalysisLimits,
    TextAnalysis,
    _Request,
)
from desktop_app.engine.services.text_analysis.splitting import decode_split, split_text
from desktop_app.engine.text.chunking import ChunkingSettings, split_sentences
from desktop_app.engine.text.parser_process import ParserBug, ParserProcess
from desktop_app.engine.text.reader_process import DocumentReader
from tests.unit.text.test_reader_process import READY, start_program

ENGLISH = (
    "Ada Byron wrote letters to Clara Wren in Leeds. Mrs. Wren, or Clara, answered Ada Byron. "
)
# French has no tagger to load.
FRENCH = "Jean Valjean rencontra Javert dans la rue. Javert suivit Jean Valjean avec les gens. "
CHINESE = "柳三娘对沈砚说道：“苏州城里来了一位客人。”沈砚笑了，柳三娘也笑了。"


def cut(text: str, n: int) -> list[ChunkSpan]:
    """Return chunks of `n` characters."""
    starts = range(0, len(text), n)
    return [ChunkSpan(i, a, min(a + n, len(text)), 0, "") for i, a in enumerate(starts)]


@pytest.fixture
def make_analysis() -> Iterator[Callable[..., TextAnalysis]]:
    made: list[TextAnalysis] = []

    def make(limits: AnalysisLimits | None = None) -> TextAnalysis:
        made.append(TextAnalysis(limits))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture(scope="module")
def analysis() -> Iterator[TextAnalysis]:
    """Return an analysis for tests that need no limits: its child has loaded the taggers."""
    made = TextAnalysis()
    yield made
    made.close()


@pytest.mark.parametrize(
    ("text", "language", "n"),
    [
        (ENGLISH * 30, "en", len(ENGLISH)),
        (CHINESE * 20, "zh", len(CHINESE)),
        (FRENCH * 9, "fr", 200),
        ("🙂 Ada Byron met Ada Byron 🙂 " * 5, "und", 100),
        ("", "en", 1),
    ],
)
def test_a_child_finds_what_this_process_finds(analysis, text, language, n):
    chunks = cut(text, n)
    body = (0, len(text))
    here = list(InstantExtractor(split_sentences).extract(text, chunks, language, body=body))
    assert list(analysis.extract(text, chunks, language, body=body)) == here
    pids = analysis.child_pids
    skip = frozenset(chunk.order for chunk in chunks[::2])
    rest = list(analysis.extract(text, chunks, language, body=body, skip=skip))
    assert rest == [one for one in here if one.chunk_order not in skip]
    assert analysis.child_pids == pids  # one child for all


@pytest.mark.parametrize(
    "read",
    [
        ReadDocument("a", ENGLISH * 100, "txt", "en"),
        ReadDocument("a", CHINESE * 100, "txt", "und", body_start=10, body_end=900),
        ReadDocument(
            "a",
            "One\n\n" + ENGLISH * 30 + "\n\nTwo\n\n" + ENGLISH * 30,
            "md",
            "en",
            outline=(Heading(1, "One", 0), Heading(1, "Two", 4 + 30 * len(ENGLISH), 3)),
        ),
        ReadDocument("a", "\n".join(f"Row {n}." for n in range(5_000)), "txt", "en"),
        ReadDocument("a", "", "txt", "en"),
    ],
)
def test_a_child_splits_as_this_process_does(analysis, read):
    body = (read.body_start, read.body_end)
    for settings in (ChunkingSettings(), ChunkingSettings(mode="tokens", chunk_token_size=60)):
        here = split_text(read.text, read.outline, read.language, body, settings, CancelToken())
        assert analysis.split(read, settings, CancelToken()) == here


@pytest.mark.slow  # as the next test of a killed child, with the other request
def test_a_killed_child_splits_again(analysis):
    read = ReadDocument("a", FRENCH * 1_000, "txt", "fr")
    first = analysis.split(read, ChunkingSettings(), CancelToken())
    [pid] = analysis.child_pids
    os.kill(pid, signal.SIGKILL)
    assert analysis.split(read, ChunkingSettings(), CancelToken()) == first


@pytest.mark.parametrize(
    "items",
    [
        [],
        [{"chunks": [], "windows": []}],
        [{"language": 3}],
        [{"language": "en"}, {"chunks": [[0, 11, 1, ""]], "windows": [[]]}],
        [{"language": "en"}, {"chunks": [[5, 4, 1, ""]], "windows": [[]]}],
        [{"language": "en"}, {"chunks": [[0, 4, 1, ""]], "windows": []}],
        [{"language": "en"}, {"chunks": [[0, 4, 1, ""]], "windows": [[[0, 11]]]}],
        [{"language": "en"}, {"chunks": [[0, 4, 1, "x" * 200_000]], "windows": [[]]}],
    ],
)
def test_chunks_that_no_child_sends_are_refused(items):
    with pytest.raises(ProtocolError):
        decode_split(items, 10)


def test_a_killed_child_is_replaced_and_no_chunk_is_lost_or_doubled(analysis):
    text = FRENCH * 200
    chunks = cut(text, 5 * len(FRENCH))
    here = list(InstantExtractor(split_sentences).extract(text, chunks, "fr"))
    found = []
    for one in analysis.extract(text, chunks, "fr"):
        if not found:
            [pid] = analysis.child_pids
            os.kill(pid, signal.SIGKILL)
        found.append(one)
    assert found == here


def test_a_child_that_died_while_it_waited_is_replaced(analysis):
    first = list(analysis.extract(FRENCH, cut(FRENCH, 40), "fr"))
    [pid] = analysis.child_pids
    os.kill(pid, signal.SIGKILL)
    assert list(analysis.extract(FRENCH, cut(FRENCH, 40), "fr")) == first


@pytest.mark.parametrize("language", ["zh", "fr"])
def test_a_prepared_child_analyses_the_next_text(make_analysis, language):
    analysis = make_analysis()
    analysis.prepare(language)
    [pid] = analysis.child_pids
    analysis.prepare(language)
    assert list(analysis.extract(FRENCH, cut(FRENCH, 40), "fr"))
    assert analysis.child_pids == [pid]


def test_a_text_waits_for_the_child_that_is_being_prepared(make_analysis, monkeypatch):
    analysis = make_analysis()
    is_started, may_go_on = threading.Event(), threading.Event()
    begin = _Request.receive

    def receive(request: _Request, child: ParserProcess) -> Iterator[dict[str, object]]:
        if threading.current_thread() is preparing:
            is_started.set()
            assert may_go_on.wait(30)
        yield from begin(request, child)

    monkeypatch.setattr(_Request, "receive", receive)
    preparing = threading.Thread(target=lambda: analysis.prepare("fr"))
    preparing.start()
    assert is_started.wait(30)
    [pid] = analysis.child_pids
    found: list[ChunkEvidence] = []
    reading = threading.Thread(
        target=lambda: found.extend(analysis.extract(FRENCH, cut(FRENCH, 40), "fr"))
    )
    reading.start()
    may_go_on.set()
    for thread in (preparing, reading):
        thread.join(30)
    assert found
    assert analysis.child_pids == [pid]


def test_nothing_is_prepared_while_a_text_is_read(make_analysis):
    analysis = make_analysis()
    texts = analysis.extract(FRENCH * 90, cut(FRENCH * 90, 100), "fr")
    next(texts)
    pids = analysis.child_pids
    analysis.prepare("zh")
    assert analysis.child_pids == pids
    assert list(texts)


def test_what_can_not_be_prepared_is_reported_with_the_document(make_analysis, monkeypatch):
    start_program(monkeypatch, "sys.exit(5)")
    reader = DocumentReader()
    local = LocalAnalysis(reader, make_analysis())
    local.prepare("en")
    with pytest.raises(EnvironmentProblem):
        reader.read(b"Clara Wren winds clocks.", "a.txt")


# A child that sends evidence of two chunks and waits.
ROWS = "[[], [], [], [], [], []]"
HALF = READY + "".join(f'send(\'[{{"evidence": {n}, "rows": {ROWS}}}]\')\n' for n in (0, 1))
WAIT = "sys.stdin.buffer.read()"


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        (READY + "os.kill(os.getpid(), 11)", "its reader crashed (SIGSEGV)."),
        (READY + "sys.exit(5)", "its reader ended unexpectedly."),
        (READY + "send('[{\"memory\": true}]')\n" + WAIT, "it needs more than 1.5 GB of memory."),
        (READY + WAIT, "its reader did not answer for 1 seconds."),
        (HALF + "send('[{\"end\": true}]')\n" + WAIT, "its reader crashed (SIGKILL)."),
        (HALF.replace(": 1", ": 99") + WAIT, "its reader crashed (SIGKILL)."),
        (HALF.replace(": 0", ": 99") + WAIT, "its reader crashed (SIGKILL)."),
        (READY + "send('no json')\n" + WAIT, "its reader crashed (SIGKILL)."),
    ],
)
def test_a_second_death_is_a_failure_with_its_reason(make_analysis, monkeypatch, program, reason):
    start_program(monkeypatch, program)
    analysis = make_analysis(AnalysisLimits(silence_s=1.0))
    with pytest.raises(UserError) as caught:
        list(analysis.extract(ENGLISH, cut(ENGLISH, 20), "en"))
    assert str(caught.value.message) == f"Its text can't be analysed: {reason}"
    assert analysis.child_pids == []


def test_a_text_that_fills_the_memory_is_a_failure(make_analysis):
    analysis = make_analysis(AnalysisLimits(memory_bytes=150_000_000))
    text = ENGLISH * 20  # the tagger of English fills it
    with pytest.raises(UserError, match=r"more than 0\.15 GB of memory"):
        list(analysis.extract(text, cut(text, 2_000), "en"))


def test_a_cancel_ends_the_child(make_analysis, monkeypatch):
    start_program(monkeypatch, HALF + WAIT)
    token, analysis = CancelToken(), make_analysis()
    with pytest.raises(Cancelled):
        for _ in analysis.extract(ENGLISH, cut(ENGLISH, 20), "en", cancel=token):
            token.cancel()
    assert analysis.child_pids == []
    with pytest.raises(Cancelled):
        list(analysis.extract(ENGLISH, cut(ENGLISH, 20), "en", cancel=token))


def test_an_iterator_that_is_dropped_leaves_no_child_in_the_middle_of_a_text(analysis):
    text = FRENCH * 500
    found = analysis.extract(text, cut(text, 500), "fr")
    next(found)
    found.close()
    assert analysis.child_pids == []
    assert list(analysis.extract(FRENCH, cut(FRENCH, 100), "fr"))


def test_two_texts_at_a_time_have_a_child_each(analysis):
    one = analysis.extract(FRENCH * 90, cut(FRENCH * 90, 100), "fr")
    next(one)
    assert list(analysis.extract(CHINESE, cut(CHINESE, 100), "zh"))
    assert len(list(one)) > 5
    assert len(analysis.child_pids) == 1  # one is kept


def test_closing_cancels_a_text_that_is_being_read(make_analysis, monkeypatch):
    start_program(monkeypatch, HALF + WAIT)
    analysis = make_analysis()
    with pytest.raises(Cancelled):
        for _ in analysis.extract(ENGLISH, cut(ENGLISH, 20), "en"):
            analysis.close()
    assert analysis.child_pids == []


def test_a_bug_is_reported_with_its_traceback_and_keeps_the_child(analysis):
    with pytest.raises(ParserBug, match="Traceback"):
        list(analysis.extract("abc", [ChunkSpan(0, 0, "x", 0, "")], "fr"))  # type: ignore[arg-type]
    assert len(analysis.child_pids) == 1


def test_indexing_goes_on_after_the_death_of_a_child(make_analysis, tmp_path):
    library = Library(tmp_path / "a.inkgraph")
    analysis = make_analysis()
    service = IndexingService(library.writer, lambda: None, analysis=LocalAnalysis(texts=analysis))
    for name, times in (("long", 100), ("short", 1)):
        (tmp_path / f"{name}.txt").write_text(FRENCH * times, "utf-8")
    add_files(library.writer, [tmp_path / "long.txt", tmp_path / "short.txt"])
    killed = []

    def kill(progress: object) -> None:
        if not killed and analysis.child_pids:
            killed.extend(analysis.child_pids)
            os.kill(killed[0], signal.SIGKILL)

    service.run(embed=False, on_progress=kill)
    assert killed
    assert library.writer.column("SELECT state FROM document") == ["ready", "ready"]
    library.close()


# --- the protocol ---------------------------------------------------------------------------------

N_CHARS = 1_000
_names = st.text(st.characters(codec="utf-8"), max_size=5)
_places = st.integers(0, N_CHARS)
_weights = st.floats(0, 100)
_evidence = st.builds(
    ChunkEvidence,
    st.just(0),
    st.lists(
        st.builds(Mention, _names, _names, _places, _places, _places, _places, _weights), max_size=4
    ).map(tuple),
    st.lists(
        st.builds(
            ClaimedRelation,
            *(_names, _names, _places, _places, _weights, _names),
            st.lists(_names, max_size=3).map(tuple),
            *(_names, _weights, st.integers(0, 3)),
        ),
        max_size=3,
    ).map(tuple),
    st.lists(st.tuples(_names, _names), max_size=3).map(tuple),
    st.lists(st.builds(NameClaim, _names, _names, _names, _weights), max_size=3).map(tuple),
    st.lists(
        st.builds(TextClaim, _names, _names, _names, _names, _places, _places, _names), max_size=2
    ).map(tuple),
    st.lists(
        st.builds(ClaimedEvent, _names, *[_places] * 4, *[st.lists(_places).map(tuple)] * 3),
        max_size=2,
    ).map(tuple),
)


def send(groups: Iterable[list[dict[str, object]]]) -> Iterator[dict[str, object]]:
    """Yield the items as they come out of a pipe."""
    stream = io.BytesIO()
    for group in groups:
        write_frame(stream, group)
    stream.seek(0)
    while (frame := read_frame(stream)) is not None:
        yield from parse_frame(frame)


@given(st.lists(_evidence, max_size=3))
def test_evidence_comes_back_as_it_was(found):
    numbered = [replace(one, chunk_order=3 * i) for i, one in enumerate(found)]
    assert list(decode_evidence(send(encode_evidence(numbered)), N_CHARS)) == numbered


def test_much_evidence_of_a_chunk_comes_in_pieces():
    mentions = tuple(Mention("x" * 1_000, "person", 0, 1, 0, 1) for _ in range(1_000))
    one = ChunkEvidence(7, mentions, ())
    groups = list(encode_evidence([one]))
    assert len(groups) > 3
    assert list(decode_evidence(send(groups), N_CHARS)) == [one]


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("mentions", ["a", "person", 0, N_CHARS + 1, 0, 1, 0.0]),
        ("mentions", ["a", "person", -1, 1, 0, 1, 0.0]),
        ("mentions", ["a", "person", 0, 1, 0, 1]),
        ("mentions", [3, "person", 0, 1, 0, 1, 0.0]),
        ("mentions", ["\ud800", "person", 0, 1, 0, 1, 0.0]),
        ("mentions", ["a", "person", 0, 1, 0, 1, float("nan")]),
        ("mentions", ["a", "person", 0, True, 0, 1, 0.0]),
        ("relations", ["a", "b", 0, 1, 1.0, "", "no list", "", 0.0, 0]),
        ("relations", ["a", "b", 0, 1, 1.0, "", [], "", 0.0, 4]),
        ("also_called", ["a"]),
        ("events", ["dies", 0, 1, 0, 1, [N_CHARS + 1], [], []]),
        ("events", ["dies", 0, 1, 0, 1, "no list", [], []]),
    ],
)
def test_values_that_no_child_sends_are_refused(name, row):
    [[item]] = encode_evidence([ChunkEvidence(0, (), ())])
    number = ("mentions", "relations", "also_called", "names", "claims", "events").index(name)
    item["rows"][number].append(row)
    with pytest.raises(ProtocolError):
        list(decode_evidence([item], N_CHARS))


def test_evidence_that_is_not_in_order_is_refused():
    items = [item for n in (1, 0) for [item] in encode_evidence([ChunkEvidence(n, (), ())])]
    with pytest.raises(ProtocolError):
        list(decode_evidence(items, N_CHARS))
