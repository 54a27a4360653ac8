"""The 677-page 水浒传 as PDF in the reader: time to the first page, pages missed in scrolling.

A missed page is shown blurred, from its preview; a blank one as empty paper.
"""

from __future__ import annotations

import os
import statistics
import time

from .common import data_file, make_parser, print_result

WAIT_S = 60.0
# pixels a step and seconds a step: reading fast, flinging, leafing by whole windows
SPEEDS = ((60, 0.016), (240, 0.016), (800, 0.25))
STEPS = 200
PREVIEWED = 60


def main() -> None:
    """Read the file without indexing it, open it in a window of 1,000 by 860, and scroll."""
    make_parser(__doc__).parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from desktop_app.engine.text.reading import read_bytes
    from desktop_app.ui.reader.pdf.view import PdfView
    from desktop_app.ui.theme.theme import Theme

    app = QApplication([])
    path = data_file("derived", "shuihu_full.pdf")
    content = path.read_bytes()
    [read] = read_bytes(content, path.name)[:1]
    view = PdfView(Theme("light"), print)
    view.resize(1000, 860)
    view.show()
    app.processEvents()

    def wait(done) -> float:
        started = time.perf_counter()
        while not done() and time.perf_counter() - started < WAIT_S:
            app.processEvents()
        return time.perf_counter() - started

    started = time.perf_counter()
    view.set_document(content, None, read.text, read.pages)
    wait(lambda: view.worker.picture(0) is not None)
    first_page_s = time.perf_counter() - started
    wait(lambda: view.worker.letters(0) is not None)
    letters_s = time.perf_counter() - started
    # one reads a little before one scrolls; the pages around come meanwhile
    previews_s = wait(lambda: view.worker.thumbnail(PREVIEWED) is not None)
    missed = blank = shown = 0
    paints: list[float] = []
    for pixels, step_s in SPEEDS:
        for _ in range(STEPS):
            at = time.perf_counter()
            bar = view.verticalScrollBar()
            bar.setValue(bar.value() + pixels)
            view.viewport().repaint()
            paints.append(time.perf_counter() - at)
            pages = view.pages_in_sight()
            shown += len(pages)
            without = [page for page in pages if view.worker.picture(page) is None]
            missed += len(without)
            blank += sum(view.worker.thumbnail(page) is None for page in without)
            while time.perf_counter() - at < step_s:
                app.processEvents()
    view.show_page(500)
    jump_s = wait(lambda: view.worker.picture(500) is not None)
    view.worker.shut_down()
    print_result(
        "reader",
        n_pages=len(read.pages),
        first_page_s=round(first_page_s, 3),
        letters_s=round(letters_s, 3),
        previews_s=round(previews_s, 3),
        pages_missed=missed,
        pages_blank=blank,
        pages_shown=shown,
        paint_ms=round(1000 * statistics.median(paints), 1),
        paint_worst_ms=round(1000 * max(paints), 1),
        jump_s=round(jump_s, 3),
    )


if __name__ == "__main__":
    main()
