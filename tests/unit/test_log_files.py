"""Tests that log files contain no text of the user, and are bounded in size and number."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_app.engine import crash_log, log_files
from desktop_app.engine.errors import UserError
from desktop_app.engine.log_files import (
    describe_exception,
    list_frames,
    open_log,
    plain,
    read_last_lines,
)

SECRET = "Ottilie"


@pytest.fixture
def handler(tmp_path: Path):
    made = open_log(tmp_path, "command")
    made.setLevel(logging.DEBUG)
    yield made
    made.close()


def write(handler: logging.Handler, name: str, message: str, *args: object, error=None) -> str:
    record = logging.LogRecord(name, logging.INFO, __file__, 1, message, args, None)
    if error is not None:
        record.exc_info = (type(error), error, error.__traceback__)
    handler.emit(record)
    return Path(handler.baseFilename).read_text("utf-8")


def test_a_text_is_written_as_its_length_and_numbers_as_they_are(handler):
    text = write(handler, "desktop_app.test", "document %d: “%s”", 12, SECRET)
    assert "document 12: “<7 characters>”" in text and SECRET not in text


def test_a_word_of_the_program_is_written(handler):
    assert "step reading" in write(handler, "desktop_app.test", "step %s", plain("reading"))


def test_collections_are_written_as_their_type(handler):
    text = write(handler, "desktop_app.test", "found %s and %r", [SECRET], {SECRET: 1})
    assert "found <list> and '<dict>'" in text


def test_a_message_of_another_library_is_left_out(handler):
    text = write(handler, "pypdf.reader", f"odd object {SECRET}")
    assert "pypdf.reader: a message of another library" in text and SECRET not in text


def test_arguments_that_do_not_fit_leave_the_template(handler):
    assert "it took %d ms" in write(handler, "desktop_app.test", "it took %d ms", SECRET)


def test_of_an_exception_the_type_and_the_places_are_written_but_no_words(handler):
    def fail() -> None:
        try:
            int(SECRET)
        except ValueError as cause:
            cause.add_note(SECRET)
            raise KeyError(SECRET) from cause

    with pytest.raises(KeyError) as caught:
        fail()
    text = write(handler, "desktop_app.test", "failed", error=caught.value)
    assert "KeyError" in text and "ValueError" in text and "in fail" in text
    assert SECRET not in text


def test_of_an_expected_failure_the_template_is_written():
    error = UserError("“{name}” can't be read.", name=SECRET)
    assert describe_exception(error).endswith("UserError: “{name}” can't be read.")


def test_of_a_file_error_the_reason_of_the_system_is_written(tmp_path):
    with pytest.raises(OSError) as caught:
        (tmp_path / SECRET).read_bytes()
    assert "FileNotFoundError: 2 No such file" in describe_exception(caught.value)
    assert SECRET not in describe_exception(caught.value)


def test_only_places_are_kept_of_a_record_of_a_child():
    record = (
        "Fatal Python error: Segmentation fault\n\n"
        "Current thread 0x00007f12 [reader] (most recent call first):\n"
        f'  File "/home/{SECRET}/x/desktop_app/engine/text/pdf.py", line 12 in read\n'
        f"the page says {SECRET}\n"
        f"Fatal Python error: {SECRET}: {SECRET}\n"
    )
    assert list_frames(record) == (
        "Fatal Python error: Segmentation fault\nThread:\n  desktop_app/engine/text/pdf.py:12"
        " in read"
    )


def test_a_log_is_bounded_in_size(handler):
    handler.maxBytes = 10_000
    for number in range(1_000):
        write_only(handler, number)
    files = list(Path(handler.baseFilename).parent.glob("command-*"))
    assert len(files) == 2 and sum(file.stat().st_size for file in files) <= 20_000


def write_only(handler: logging.Handler, number: int) -> None:
    message = "the number %d with some words"
    handler.emit(logging.LogRecord("desktop_app.t", 20, "", 1, message, (number,), None))


def test_only_the_newest_logs_stay_and_that_of_a_running_process(tmp_path):
    for number in range(30):
        (tmp_path / f"command-20260101-0000{number:02}-{number + 100}.log").touch()
    (tmp_path / "session-command-100.txt").touch()  # the oldest one still runs
    handler = open_log(tmp_path, "command")
    handler.close()
    names = sorted(file.name for file in tmp_path.glob("command-*.log"))
    assert len(names) == log_files.KEPT_FILES + 1
    assert names[0].endswith("-100.log")


def test_two_processes_write_to_their_own_files(tmp_path, monkeypatch):
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path))
    program = (
        "import logging\nfrom desktop_app.engine import crash_log\n"
        "crash_log.start_session('command')\n"
        "log = logging.getLogger('desktop_app.test')\n"
        "for number in range(500):\n    log.info('line %d', number)\n"
    )
    root = Path(__file__).resolve().parents[2]
    children = [subprocess.Popen([sys.executable, "-c", program], cwd=root) for _ in range(2)]
    assert [child.wait() for child in children] == [0, 0]
    logs = [file.read_text("utf-8") for file in crash_log.logs_dir().glob("command-*.log")]
    assert len(logs) == 2
    assert all(text.count(": line ") == 500 for text in logs)


def test_the_last_lines_come_from_the_newest_logs(tmp_path):
    (tmp_path / "window-20260101-000000-1.log").write_text("a\nb\nc\n")
    (tmp_path / "window-20260102-000000-2.log.1").write_text("d\n")
    (tmp_path / "window-20260102-000000-2.log").write_text("e\n")
    assert read_last_lines(tmp_path, "window", 3) == ["c", "d", "e"]
    assert read_last_lines(tmp_path, "command", 3) == []
