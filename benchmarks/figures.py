"""Figures found in real PDFs and EPUBs, compared with the captions that their text counts.

`python -m benchmarks.figures FOLDER [--render FOLDER]`: for each file the labels of captions at
line starts of its text ("Figure 3", each counted once), those of the figures found, pictures
without a caption, and the time that finding took of the time of reading. With `--render`, the
figures are saved as PNG files, to be looked at.
"""

from __future__ import annotations

import re
import time
from pathlib import Path

from desktop_app.engine.figures import Figure, find_caption_label
from desktop_app.engine.text.captioned_figures import PageFigure
from desktop_app.engine.text.document_pages import open_pages
from desktop_app.engine.text.figure_pages import FigureFile, draw_pixels
from desktop_app.engine.text.readers import pdf_figures
from desktop_app.engine.text.reading import read_bytes

from .common import make_parser

SUFFIXES = (".pdf", ".epub", ".docx", ".html", ".htm", ".mht", ".pptx", ".odt")


def list_labels(text: str) -> set[str]:
    """Return the labels of captions at the beginning of paragraphs, without those of tables."""
    found = (find_caption_label(line) for line in re.split(r"\n+", text))
    return {label for label in found if label and not label.startswith("table")}


def render(content: bytes, figure: Figure, path: Path) -> None:
    """Save a figure as a PNG file."""
    import numpy as np
    from PIL import Image

    pages = open_pages(content)
    try:
        if isinstance(pages, FigureFile):
            pixels = draw_pixels(pages.open_picture(figure.path), 800)
        else:
            assert figure.box is not None and figure.page_index is not None
            left, top, right, bottom = figure.box
            width, height = pages.sizes[figure.page_index]
            scale = 1.5
            part = (
                *(int(left * width * scale), int(top * height * scale)),
                *(int(right * width * scale), int(bottom * height * scale)),
            )
            drawn = pages.render_part(figure.page_index, scale, part)
            rows = np.frombuffer(drawn.pixels, dtype=np.uint8).reshape(drawn.height, drawn.stride)
            pixels = rows[:, : 4 * drawn.width].reshape(drawn.height, drawn.width, 4)[:, :, 2::-1]
        Image.fromarray(np.ascontiguousarray(pixels)).save(path)
    finally:
        pages.close()


def main() -> None:
    """Print one line for each file, and the sums."""
    parser = make_parser(__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--render", type=Path)
    arguments = parser.parse_args()
    took = [0.0]
    original = pdf_figures.find_page_figures

    def timed(*args: object) -> list[PageFigure]:
        began = time.perf_counter()
        try:
            return original(*args)  # type: ignore[arg-type]
        finally:
            took[0] += time.perf_counter() - began

    pdf_figures.find_page_figures = timed  # type: ignore[assignment]
    sums = [0, 0, 0, 0]
    seconds = [0.0, 0.0]
    files = [
        path
        for folder in arguments.folders
        for path in sorted(folder.rglob("*"))
        if path.suffix.lower() in SUFFIXES
    ]
    for path in files:
        content = path.read_bytes()
        took[0], began = 0.0, time.perf_counter()
        try:
            [read] = read_bytes(content, path.name)
        except Exception as error:  # a damaged file of the collection
            print(f"{path.name[:44]:44} not read: {str(error)[:60]}")
            continue
        whole = time.perf_counter() - began
        counted = list_labels(read.text)
        found = {f.label for f in read.figures if f.label and not f.label.startswith("table")}
        alone = [f for f in read.figures if f.start == f.end]
        n_pages = max(1, len(read.pages))
        print(
            f"{path.name[:44]:44} pages {n_pages:4} captions {len(counted):3}"
            f" found {len(found & counted):3} other {len(found - counted):2}"
            f" without caption {len(alone):3} all {len(read.figures):3}"
            f" ms a page {1000 * took[0] / n_pages:5.1f} of {1000 * whole / n_pages:5.1f}"
            f" missed {', '.join(sorted(counted - found))[:60]}"
        )
        values = (len(counted), len(found & counted), len(found - counted), len(alone))
        sums = [a + b for a, b in zip(sums, values, strict=True)]
        if path.suffix.lower() == ".pdf":
            seconds = [seconds[0] + took[0], seconds[1] + whole]
        if arguments.render:
            arguments.render.mkdir(parents=True, exist_ok=True)
            for number, figure in enumerate(read.figures):
                name = f"{path.stem[:30]}-{number:03}-{figure.label.replace(' ', '_')}.png"
                render(content, figure, arguments.render / name)
    print(
        f"captions {sums[0]}, found {sums[1]}, found without a counted caption {sums[2]},"
        f" pictures without a caption {sums[3]};"
        f" PDFs: {seconds[0]:.1f} s of {seconds[1]:.1f} s"
    )


if __name__ == "__main__":
    main()
