"""Files are read in a child process: attacks end the child, never the program or the next file."""

from __future__ import annotations

import io
import os
import resource
import select
import signal
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks.attack_files import (
    make_endless_pdf,
    make_flate_bomb,
    make_pdf,
    make_self_calling_pdf,
    show,
)
from benchmarks.format_files import FILES
from desktop_app.engine.errors import Cancelled, EnvironmentProblem, UserError
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.text import parser_process
from desktop_app.engine.text.parser_process import ParserBug
from desktop_app.engine.text.reader_process import DocumentReader, ReaderLimits
from desktop_app.engine.text.reading import read_bytes

ROOT = Path(__file__).resolve().parents[3]
GOOD = b"The tide came in. A clerk wrote letters."
SMALL = ReaderLimits(memory_bytes=300_000_000)
SILENT = ReaderLimits(silence_s=1.0, memory_bytes=8_000_000_000)


# --- attack files ---------------------------------------------------------------------------------


def make_docx() -> bytes:
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    body = "<w:p><w:r><w:t>The tide came in.</w:t></w:r></w:p>" * 3
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(
            "word/document.xml",
            f'<w:document xmlns:w="{word}"><w:body>{body}</w:body></w:document>',
        )
    return stream.getvalue()


# --- helpers --------------------------------------------------------------------------------------


@pytest.fixture
def make_reader() -> Iterator[Callable[[ReaderLimits], DocumentReader]]:
    readers: list[DocumentReader] = []

    def make(limits: ReaderLimits) -> DocumentReader:
        readers.append(DocumentReader(limits))
        return readers[-1]

    yield make
    for reader in readers:
        reader.close()


@pytest.fixture(scope="module")
def reader() -> Iterator[DocumentReader]:
    made = DocumentReader()
    yield made
    made.close()


def read_memory() -> int:
    """Return the peak memory of this process in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def wait_for_end(pid: int) -> None:
    file = os.pidfd_open(pid)
    try:
        assert select.select([file], [], [], 60)[0], "the child still runs"
    finally:
        os.close(file)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


# --- what a child reads is what the readers read ------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", GOOD),
        ("tea.txt", "话说苏州城里有个秀才，姓沈名砚。".encode("gb18030") * 20),
        ("a.md", b"---\ntitle: Tides\nauthor: Ada Voss\n---\n# One\n\nText\n\n## Two\n\nMore"),
        ("a.html", b"<html lang=en><title>Tides</title><h1>One</h1><p>Text</p></html>"),
        ("a.csv", b"title,text\nA,one\nB,two\n"),
        ("a.jsonl", b'{"title": "A", "text": "one"}\nbroken\n{"text": "a \\ud800 b"}'),
        ("a.docx", make_docx()),
        ("a.pdf", make_pdf([show(b"The tide came in."), b"", show(b"Letters.")], b"")),
        ("long.txt", b"The tide came in. " * 40_000),
        *((name, make()) for name, make in FILES.items()),
    ],
)
def test_a_child_gives_the_same_documents(reader: DocumentReader, name: str, content: bytes):
    assert reader.read(content, name) == read_bytes(content, name)


def test_the_pages_of_a_pdf_are_reported(reader: DocumentReader):
    pages: list[tuple[int, int]] = []
    content = make_pdf([show(b"One."), show(b"Two.")], b"")
    reader.read(content, "a.pdf", on_page=lambda done, total: pages.append((done, total)))
    assert pages == [(1, 2), (2, 2)]


@pytest.mark.parametrize(
    ("name", "content"), [("a.txt", b""), ("a.pdf", b"%PDF-1.4 rubbish"), ("a.epub", b"PK\x03\x04")]
)
def test_a_refusal_keeps_its_template_and_the_child(reader: DocumentReader, name, content):
    reader.read(GOOD, "good.txt")
    pid = reader.child_pid
    with pytest.raises(UserError) as here:
        read_bytes(content, name)
    with pytest.raises(UserError) as there:
        reader.read(content, name)
    assert there.value.message == here.value.message
    assert there.value.message.template == here.value.message.template
    assert there.value.full_message.to_stored() == here.value.full_message.to_stored()
    assert reader.child_pid == pid


def test_one_child_reads_many_files_and_is_replaced_in_time(make_reader):
    reader = make_reader(ReaderLimits(files=3))
    pids = []
    for _ in range(7):
        reader.read(GOOD, "good.txt")
        pids.append(reader.child_pid)
    assert len(set(pids)) == 3
    assert pids[0] == pids[2] != pids[3]
    assert not is_alive(pids[0])


# --- attacks --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make", [pytest.param(make_self_calling_pdf, marks=pytest.mark.slow), make_flate_bomb]
)
def test_a_file_that_fills_memory_is_refused(make_reader, make):
    reader = make_reader(SMALL)
    content = make()
    assert len(content) < 20_000
    before = read_memory()
    with pytest.raises(UserError) as refused:
        reader.read(content, "bomb.pdf")
    expected = "“bomb.pdf” can't be read: it needs more than 0.3 GB of memory."
    assert refused.value.message == expected
    assert read_memory() - before < 100_000_000
    if make is make_flate_bomb:
        assert reader.read(GOOD, "good.txt")[0].text == GOOD.decode()


def test_a_text_that_fills_memory_is_refused(make_reader):
    reader = make_reader(SMALL)
    content = b"A tide.\n" * 20_000_000
    with pytest.raises(UserError, match=r"more than 0\.3 GB"):
        reader.read(content, "long.csv")


def test_a_reader_without_progress_is_ended(make_reader):
    reader = make_reader(SILENT)
    with pytest.raises(UserError) as refused:
        reader.read(make_endless_pdf(), "endless.pdf")
    assert "its reader stopped answering on page 2." in refused.value.message


@pytest.mark.slow
def test_a_first_page_without_end_is_refused(make_reader):
    reader = make_reader(SILENT)
    with pytest.raises(UserError, match="did not answer for 1 seconds"):
        reader.read(make_pdf([b"/X Do"], b"/X Do /X Do"), "endless.pdf")


@pytest.mark.slow
def test_a_file_has_a_time_limit_also_with_progress(make_reader):
    # a fast computer reaches the usual limit of memory before this time
    reader = make_reader(ReaderLimits(total_s=1.0, memory_bytes=8_000_000_000))
    with pytest.raises(UserError, match="takes too long"):
        reader.read(make_endless_pdf(), "endless.pdf")


@pytest.mark.skipif(sys.platform != "linux", reason="the signal is Linux's")
def test_a_child_outlives_the_thread_that_read_the_first_file(make_reader):
    reader = make_reader(ReaderLimits())
    thread = threading.Thread(target=reader.read, args=(GOOD, "a.txt"))
    thread.start()
    task = Path(f"/proc/self/task/{thread.native_id}")
    thread.join()
    while task.exists():  # `join` returns a little before the system ends the thread
        threading.Event().wait(0.001)
    pid = reader.child_pid
    reader.read(GOOD, "a.txt")
    assert reader.child_pid == pid


@pytest.mark.parametrize(
    "number", [signal.SIGKILL, pytest.param(signal.SIGSEGV, marks=pytest.mark.slow)]
)
def test_a_child_that_dies_by_a_signal_is_a_refusal_of_its_file(make_reader, number):
    reader = make_reader(ReaderLimits())

    def kill(done: int, total: int) -> None:
        os.kill(reader.child_pid, number)

    with pytest.raises(UserError) as refused:
        reader.read(make_endless_pdf(), "endless.pdf", on_page=kill)
    assert f"its reader crashed ({number.name})" in refused.value.message
    if number is signal.SIGSEGV:
        assert reader.read(GOOD, "good.txt")


def test_a_child_that_died_while_it_waited_costs_no_file(make_reader):
    reader = make_reader(ReaderLimits())
    reader.read(GOOD, "good.txt")
    pid = reader.child_pid
    os.kill(pid, signal.SIGKILL)
    assert reader.read(GOOD, "good.txt")[0].text == GOOD.decode()
    assert reader.child_pid != pid


def test_a_prepared_child_reads_the_next_file(make_reader):
    reader = make_reader(ReaderLimits())
    reader.prepare()
    pid = reader.child_pid
    assert pid is not None
    assert reader.read(GOOD, "good.txt")[0].text == GOOD.decode()
    assert reader.child_pid == pid
    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    reader.prepare()
    assert reader.child_pid not in (None, pid)


def test_no_child_is_prepared_while_a_file_is_read(make_reader):
    reader = make_reader(ReaderLimits())
    seen: list[int | None] = []

    def prepare(done: int, total: int) -> None:
        thread = threading.Thread(target=reader.prepare)
        thread.start()
        thread.join(30)
        seen.append(None if thread.is_alive() else reader.child_pid)

    reader.read(make_pdf([show(b"One.")], b""), "a.pdf", on_page=prepare)
    assert seen
    assert set(seen) == {reader.child_pid}


def test_a_child_that_waits_in_vain_ends_by_itself(make_reader):
    reader = make_reader(ReaderLimits(idle_s=0.0))
    reader.read(GOOD, "good.txt")
    wait_for_end(reader.child_pid)


# --- cancelling -----------------------------------------------------------------------------------


def test_cancelling_ends_the_child_at_once(make_reader):
    reader, token = make_reader(ReaderLimits()), CancelToken()
    pids: list[int] = []

    def cancel(done: int, total: int) -> None:
        pids.append(reader.child_pid)
        thread = threading.Thread(target=token.cancel)
        thread.start()
        thread.join()

    with pytest.raises(Cancelled):
        reader.read(make_endless_pdf(), "endless.pdf", cancel=token, on_page=cancel)
    assert not is_alive(pids[0])
    assert reader.read(GOOD, "good.txt")


def test_nothing_is_read_for_work_that_was_cancelled_before(make_reader):
    reader, token = make_reader(ReaderLimits()), CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        reader.read(GOOD, "good.txt", cancel=token)
    assert reader.child_pid is None


def test_an_error_of_the_caller_leaves_no_child_in_the_middle_of_a_file(make_reader):
    reader = make_reader(ReaderLimits())

    def fail(done: int, total: int) -> None:
        raise KeyError(done)

    with pytest.raises(KeyError):
        reader.read(make_endless_pdf(), "endless.pdf", on_page=fail)
    assert reader.read(GOOD, "good.txt")[0].text == GOOD.decode()


def test_closing_while_a_file_is_read_cancels_it_and_does_not_wait(make_reader):
    reader = make_reader(ReaderLimits())
    reading, ends = threading.Event(), []

    def read() -> None:
        try:
            reader.read(make_endless_pdf(), "a.pdf", on_page=lambda done, total: reading.set())
        except (Cancelled, UserError) as error:
            ends.append(type(error))

    thread = threading.Thread(target=read)
    thread.start()
    assert reading.wait(60)
    reader.close()
    thread.join(60)
    assert ends == [Cancelled]
    assert reader.read(GOOD, "good.txt")


# --- a child that is no reader --------------------------------------------------------------------

READY = """
import os, struct, sys
def send(text):
    out.write(struct.pack(">I", len(text)) + text.encode())
    out.flush()
out = sys.stdout.buffer
send('[{"ready": []}]')
sys.stdin.buffer.read(20)
"""
BEGUN = READY + "send('[{\"begun\": true}]')\n"


def start_program(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """Let another program take the place of the child."""

    def start(
        module: str, argument: str, errors: io.BufferedRandom, variables: dict[str, str]
    ) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
        )

    monkeypatch.setattr(parser_process, "start_child", start)


@pytest.mark.parametrize(
    "end",
    [
        "out.write(bytes([255]) * 100_000); out.flush(); sys.stdin.buffer.read()",
        "send('no json')\nsys.stdin.buffer.read()",
        "send('[' * 100_000)\nsys.stdin.buffer.read()",
        "send('[{\"end\": true}]')\nsys.stdin.buffer.read()",
        'send(\'[{"page": ["a", 1]}]\')\nsys.stdin.buffer.read()',
        "send('[{\"page\": 3}]')\nsys.stdin.buffer.read()",
        "while True: send('[{\"text\": \"' + 'a' * 200_000 + '\"}]')",
        "sys.exit(5)",
    ],
)
def test_a_child_that_sends_nonsense_is_a_refusal(make_reader, monkeypatch, end):
    start_program(monkeypatch, BEGUN + end)
    before = read_memory()
    with pytest.raises(UserError, match=r"“a\.txt” can't be read"):
        make_reader(ReaderLimits(silence_s=20.0)).read(GOOD, "a.txt")
    assert read_memory() - before < 100_000_000


def test_a_child_without_end_to_its_text_is_stopped_at_the_limit(make_reader, monkeypatch):
    head = (
        '{"document":["","","","",""],"format":"txt","language":"en","body":[0,1],'
        '"place":"","notes":[]}'
    )
    start_program(
        monkeypatch,
        BEGUN + f"send('[{head}]')\nwhile True: send('[{{\"page\":[1,1]}}]')",
    )
    with pytest.raises(UserError, match="takes too long"):
        make_reader(ReaderLimits(total_s=1.0)).read(GOOD, "a.txt")


def test_a_bug_of_a_reader_keeps_its_traceback(make_reader, monkeypatch):
    bug = 'send(\'[{"bug": "KeyError: 7"}]\')'
    start_program(monkeypatch, f"{BEGUN}{bug}\nsys.stdin.buffer.read()")
    with pytest.raises(ParserBug, match="KeyError: 7"):
        make_reader(ReaderLimits()).read(GOOD, "a.txt")


def test_a_child_that_cannot_start_is_a_problem_of_the_machine(make_reader, monkeypatch):
    start_program(monkeypatch, "raise SystemExit('no module named lxml')")
    with pytest.raises(EnvironmentProblem, match="no module named lxml"):
        make_reader(ReaderLimits()).read(GOOD, "a.txt")


def test_a_packaged_program_starts_itself_as_the_child(make_reader, monkeypatch, tmp_path):
    program = tmp_path / "inkgraph"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT)!r})\n"
        "from desktop_app.__main__ import main\nsys.exit(main())\n",
        "utf-8",
    )
    program.chmod(0o755)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(program))
    assert make_reader(ReaderLimits()).read(GOOD, "a.txt")[0].text == GOOD.decode()


# --- indexing -------------------------------------------------------------------------------------


def test_indexing_goes_on_after_the_death_of_a_reader(make_reader, tmp_path):
    (tmp_path / "bomb.pdf").write_bytes(make_self_calling_pdf())
    (tmp_path / "good.txt").write_bytes(GOOD)
    library = Library(tmp_path / "small.inkgraph")
    try:
        add_files(library.writer, [tmp_path / "bomb.pdf", tmp_path / "good.txt"])
        service = IndexingService(library.writer, lambda: None, reader=make_reader(SMALL))
        service.run(embed=False)
        rows = {row.file_name: row for row in LibraryReader(library.writer).list_documents()}
        assert rows["good.txt"].state == "ready"
        assert rows["bomb.pdf"].state == "failed"
        assert "needs more than 0.3 GB" in rows["bomb.pdf"].reason
    finally:
        library.close()
