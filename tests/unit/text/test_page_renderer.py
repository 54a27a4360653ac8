"""Pages are drawn in a child process: no page ends, fills or stops the window."""

from __future__ import annotations

import io
import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from benchmarks.attack_files import make_flate_bomb, make_pdf, make_self_calling_pdf, show
from desktop_app.engine.errors import Cancelled, UserError
from desktop_app.engine.scanned_pages import ScannedLine
from desktop_app.engine.text import parser_process
from desktop_app.engine.text.page_renderer import PageFailure, PageLimits, PageRenderer
from desktop_app.engine.text.pdf_pages import DIMMED, LARGEST_PIXELS, LONGEST_SIDE, PdfPages

TEXT = b"The ferry leaves at dawn."
GOOD = make_pdf([show(TEXT), show(b"Nobody waits.")], b"")
SMALL = PageLimits(memory_bytes=300_000_000)


@pytest.fixture(scope="module", autouse=True)
def page_children_are_kept() -> None:
    """Start a child for each reader: here, its start, its limits and its end are tested."""


@pytest.fixture
def make_renderer() -> Iterator[Callable[[PageLimits], PageRenderer]]:
    renderers: list[PageRenderer] = []

    def make(limits: PageLimits) -> PageRenderer:
        renderers.append(PageRenderer(limits))
        return renderers[-1]

    yield make
    for renderer in renderers:
        renderer.close()


@pytest.fixture(scope="module")
def renderer() -> Iterator[PageRenderer]:
    made = PageRenderer()
    yield made
    made.close()


def make_page_of(box: bytes) -> bytes:
    """Return a PDF of one page with this MediaBox."""
    return make_pdf([show(TEXT)], b"").replace(b"[0 0 612 792]", box.ljust(13))


# --- as in the process itself ---------------------------------------------------------------------


@pytest.mark.parametrize("dark", [False, True])
def test_a_page_is_drawn_as_in_the_process_itself(renderer: PageRenderer, dark: bool):
    here, there = PdfPages(GOOD), renderer.open(GOOD)
    try:
        assert there.sizes == here.sizes
        for index in range(2):
            assert there.render(index, 1.5, dark=dark) == here.render(index, 1.5, dark=dark)
        part = (60, 90, 260, 150)
        assert there.render_part(0, 2.0, part, dark=dark) == here.render_part(
            0, 2.0, part, dark=dark
        )
    finally:
        here.close()


def test_a_figure_keeps_its_colours_on_a_dark_page(renderer: PageRenderer):
    """As in the file, but a little darker; the white around it is left dark."""
    document = renderer.open(GOOD)
    text = TEXT.decode()
    [[line]] = document.find_boxes(0, text, [(0, len(text))])
    figure = (line[0] - 0.05, line[1] - 0.1, min(1.0, line[2] + 0.05), line[3] + 0.1)
    document.figures = {0: [figure]}

    def shades(picture, box) -> np.ndarray:
        rows = np.frombuffer(picture.pixels, np.uint8).reshape(picture.height, picture.stride)
        left, top, right, bottom = (round(side * 1000) for side in box)
        part = rows[
            top * picture.height // 1000 : bottom * picture.height // 1000,
            4 * (left * picture.width // 1000) : 4 * (right * picture.width // 1000),
        ]
        return part.reshape(-1, 4)[:, :3]

    whole, part = document.render(0, 2.0, dark=True), document.render(0, 2.0, dark=False)
    inside, white = shades(whole, line), shades(part, line)
    assert np.abs(inside.astype(int) - white.astype(int) * DIMMED // 100).max() <= 1
    assert np.median(inside) > 200
    above = (line[0], line[1] - 0.09, line[2], line[1] - 0.04)
    assert shades(whole, above).max() < 60
    document.figures = {0: [(0.0, 0.0, 1.0, 1.0), (0.1, 0.9, 0.2, 0.95)]}
    assert document.render(0, 1.0, dark=True).pixels  # one that fills the page, an empty one
    document.figures = {}
    assert np.median(shades(document.render(0, 2.0, dark=True), line)) < 60


def test_boxes_of_a_page_that_was_read_come_from_its_lines(renderer: PageRenderer):
    """The picture of a scan has no letters that PDFium could find."""
    document = renderer.open(GOOD)
    corners = (0.2, 0.3, 0.6, 0.3, 0.6, 0.34, 0.2, 0.34)
    document.scanned = {1: (ScannedLine(corners, "Nobody waits.", 0.9),)}
    text = "Nobody waits."
    [[box]] = document.find_boxes(1, text, [(0, 6)])
    assert box == pytest.approx((0.2, 0.3, 0.2 + 0.4 * 6 / 13, 0.34), abs=1e-4)
    letters = document.find_letters(1, text, 500)
    assert (letters.offsets[0], letters.width) == (500, document.sizes[1][0])
    assert letters.nearest(0.2, 0.32)[0] == 500
    [[other]] = document.find_boxes(0, TEXT.decode(), [(4, 9)])  # the other page has its own
    assert other != box


def test_boxes_and_letters_are_those_of_the_process_itself(renderer: PageRenderer):
    here, there = PdfPages(GOOD), renderer.open(GOOD)
    text, ranges = TEXT.decode(), [(4, 9), (0, 3), (20, 24)]
    shorter = text[10:]
    try:
        mine, theirs = here.find_letters(0, shorter, 0), there.find_letters(0, shorter, 0)
        assert len(mine.others) and np.array_equal(mine.others, theirs.others)
        assert there.find_boxes(0, text, ranges) == here.find_boxes(0, text, ranges)
        mine, theirs = here.find_letters(0, text, 100), there.find_letters(0, text, 100)
        assert np.array_equal(mine.offsets, theirs.offsets)
        assert np.array_equal(mine.boxes, theirs.boxes)
        assert (mine.width, mine.height) == (theirs.width, theirs.height)
    finally:
        here.close()


def test_a_document_is_sent_once(renderer: PageRenderer, monkeypatch):
    sent: list[int] = []
    send = parser_process.ParserProcess.send

    def count(self, request, content=None):
        sent.append(content.size if content is not None else 0)
        send(self, request, content)

    monkeypatch.setattr(parser_process.ParserProcess, "send", count)
    document = renderer.open(GOOD)
    for index in (0, 1, 0, 1):
        document.render(index, 1.0)
    assert sent == [len(GOOD), 0, 0, 0, 0]


def test_what_is_no_pdf_is_refused(renderer: PageRenderer):
    with pytest.raises(UserError, match="damaged, or not a PDF"):
        renderer.open(b"%PDF-1.4 rubbish")
    assert renderer.open(GOOD).sizes


@pytest.mark.parametrize("box", [b"[0 0 9e9 1]", b"[0 0 900000 1]", b"[0 0 1e5 1e5]", b"[0 0 0 0]"])
def test_a_page_of_a_size_that_no_page_has_needs_little_memory(renderer: PageRenderer, box: bytes):
    before = read_memory()
    document = renderer.open(make_page_of(box))
    picture = document.render(0, 100.0)
    assert picture.width * picture.height <= LARGEST_PIXELS + LONGEST_SIDE
    part = document.render_part(0, 100.0, (0, 0, 10**6, 10**6))
    assert part.width * part.height <= LARGEST_PIXELS + LONGEST_SIDE
    assert read_memory() - before < 200_000_000


def read_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


# --- deaths ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make", [make_self_calling_pdf, pytest.param(make_flate_bomb, marks=pytest.mark.slow)]
)
def test_a_page_that_fills_memory_fails_and_is_given_up_after_the_second_time(make_renderer, make):
    renderer = make_renderer(SMALL)
    for is_final in (False, True):
        with pytest.raises(PageFailure) as failure:
            renderer.open(make()).render(0, 1.0)
        reason = "it needs more than 0.3 GB of memory."
        assert failure.value.message == f"This page can't be shown: {reason}"
        assert failure.value.is_final is is_final
        assert renderer.open(GOOD).render(1, 1.0).width
    pid = renderer.child_pid
    with pytest.raises(PageFailure, match="ended twice"):
        renderer.open(make()).render(0, 1.0)
    assert renderer.child_pid == pid


def test_the_pages_beside_a_bad_one_are_drawn(make_renderer):
    renderer = make_renderer(SMALL)
    document = renderer.open(make_pdf([show(TEXT), b"/X Do", show(TEXT)], b"/X Do /X Do"))
    assert document.render(0, 1.0).width
    with pytest.raises(PageFailure):
        document.render(1, 1.0)
    assert document.render(2, 1.0).width
    assert document.find_letters(0, TEXT.decode(), 0).offsets.size


def test_a_page_without_end_is_ended(make_renderer):
    renderer = make_renderer(PageLimits(silence_s=1.0))
    with pytest.raises(PageFailure, match="did not answer for 1 seconds"):
        renderer.open(make_self_calling_pdf()).render(0, 1.0)
    assert renderer.open(GOOD).render(0, 1.0).width


def test_a_child_that_died_while_it_waited_costs_no_page(make_renderer):
    renderer = make_renderer(PageLimits())
    document = renderer.open(GOOD)
    os.kill(renderer.child_pid, signal.SIGKILL)
    assert document.render(0, 1.0).width


@pytest.mark.parametrize("end", ["document", "renderer"])
def test_nobody_waits_for_a_page_of_a_closed_document(make_renderer, end: str):
    renderer = make_renderer(PageLimits())
    document = renderer.open(make_self_calling_pdf())
    ended: list[type] = []

    def draw() -> None:
        try:
            document.render(0, 1.0)
        except (Cancelled, UserError) as error:
            ended.append(type(error))

    thread = threading.Thread(target=draw)
    thread.start()
    (document if end == "document" else renderer).close()
    thread.join(60)
    assert ended == [Cancelled]


# --- a child that is no renderer ------------------------------------------------------------------

PROGRAM = """
import json, struct, sys
out, given = sys.stdout.buffer, sys.stdin.buffer
def raw(content):
    out.write(struct.pack(">I", len(content)) + content)
    out.flush()
def send(item):
    raw(json.dumps([item]).encode())
def take():
    return json.loads(given.read(struct.unpack(">I", given.read(4))[0]))[0]
take()
send({"ready": []})
given.read(take()["size"])
send({"begun": True})
send({"pages": 1})
raw(struct.pack("=ff", 100.0, 100.0))
take()
send({"begun": True})
"""


@pytest.mark.parametrize(
    "answer",
    [
        "send({'picture': [10**6, 10**6, 4 * 10**6]}); raw(bytes(1000))",
        "send({'picture': [100, 100, 4 * 10**9]}); raw(bytes(1000))",
        "send({'picture': [100, 100, 10]}); raw(bytes(1000))",
        "send({'picture': [100, 100, 400]}); raw(bytes(50_000))",
        "send({'picture': [-1, 100, 400]})",
        "send({'letters': 7, 'others': 0})",
        "send({'letters': 0, 'others': 10**6})",
        "raw(b'no json')",
        "sys.exit(5)",
    ],
)
def test_a_child_that_sends_nonsense_costs_the_page(make_renderer, monkeypatch, answer: str):
    def start(
        module: str, argument: str, errors: io.BufferedRandom, variables: dict[str, str]
    ) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", f"{PROGRAM}\n{answer}\ngiven.read()"]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=errors)

    monkeypatch.setattr(parser_process, "start_child", start)
    before = read_memory()
    with pytest.raises(PageFailure):
        make_renderer(PageLimits(silence_s=20.0)).open(GOOD).render(0, 1.0)
    assert read_memory() - before < 100_000_000
