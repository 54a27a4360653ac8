"""Finds and reads the lines of text in a picture, with the PP-OCR networks of the package rapidocr.

Only the package's two network files are used; what stands between them (outlines of lines, cutting
them out, decoding) is done here with numpy, SciPy and Pillow, so that OpenCV with its video codecs
is not installed (decision 101). Detection is "Real-time Scene Text Detection with Differentiable
Binarization" (Liao et al. 2020): the network gives the shrunken area of each line, which is
enlarged again. Decoding is greedy CTC. Knows no documents and no reading order.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import EnvironmentProblem

# Part of what is stored with each page: a page that another engine read can be read again.
ENGINE = "PP-OCRv6-small/1"
DETECTION_FILE, READING_FILE = "PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small.onnx"
# Of the picture in which lines are looked for; they are read from the whole one.
MAX_SIDE = 1_600  # pixels
_MULTIPLE = 32
_INK, _SURE = 0.3, 0.5  # probability of a pixel and of a line
_ENLARGE = 1.6
_MIN_SIDE = 3.0  # of an outline, in pixels
_MAX_LINES = 2_000
_HEIGHT = 48  # of a line that is read
_MAX_WIDTH = 3_200  # a longer line is narrowed
_BATCH_WIDTH = 4_000  # pixels of lines that are read together
_TALL = 1.5  # height by width from which a line is taken to run from top to bottom
_MIN_CONFIDENCE = 0.5
_SAMPLE = 6  # lines that are read in other directions
_TURNED_GAIN = 0.05  # confidence by which another direction has to be better
_GOOD = 0.9


@dataclass(frozen=True, slots=True)
class FoundLine:
    """One line of a picture.

    Attributes:
        corners: top left, top right, bottom right, bottom left as the line is read; shape (4, 2),
            pixels.
        confidence: 0 to 1, mean of its characters.
        places: where each character stands, as a share of the line from its beginning.
        is_vertical: its characters stand one below the other.
    """

    corners: np.ndarray
    text: str
    confidence: float
    places: tuple[float, ...]
    is_vertical: bool = False


def find_network_files() -> tuple[Path, Path]:
    """Return the files of the two networks.

    Raises:
        EnvironmentProblem: the package is not installed, or is another version.
    """
    found = importlib.util.find_spec("rapidocr")
    folders = (
        [Path(place) / "models" for place in (found.submodule_search_locations or ())]
        if (found is not None)
        else []
    )
    for folder in folders:
        files = folder / DETECTION_FILE, folder / READING_FILE
        if all(file.is_file() for file in files):
            return files
    raise EnvironmentProblem(
        "What reads scanned pages is not installed.",
        "Run the setup of Inkgraph again: it installs the package rapidocr.",
    )


class LineReader:
    """The two networks, loaded; `read` is called in one thread at a time.

    Args:
        n_threads: of the networks.
    """

    def __init__(self, n_threads: int = 2) -> None:
        import onnxruntime

        detection, reading = find_network_files()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = n_threads
        options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False  # it would keep the memory of the widest line
        options.log_severity_level = 3

        def load(path: Path) -> Any:
            return onnxruntime.InferenceSession(
                str(path), options, providers=["CPUExecutionProvider"]
            )

        self._detection, self._reading = load(detection), load(reading)
        known = self._reading.get_modelmeta().custom_metadata_map["character"]
        self._characters = ["", *known.split("\n")]
        classes = self._reading.get_outputs()[0].shape[-1]
        self._characters = [*self._characters[: classes - 1], " "]

    def read(self, picture: np.ndarray) -> tuple[list[FoundLine], int]:
        """Return the lines of a picture, and by how many degrees it was turned: 0, 90, 180, 270.

        The turn is clockwise: a picture turned by 90 has the top of its text on the right. The
        corners belong to the picture as it is given.

        Args:
            picture: red, green, blue; uint8, shape (height, width, 3).
        """
        boxes = self._find_boxes(picture)
        turn = self._find_turn(picture, boxes)
        if turn:
            upright = np.ascontiguousarray(np.rot90(picture, turn // 90))
            boxes = self._find_boxes(upright)
            lines = self._read_boxes(upright, boxes)
            return [_turn_back(line, turn, picture.shape) for line in lines], turn
        return self._read_boxes(picture, boxes), 0

    def _find_turn(self, picture: np.ndarray, boxes: Sequence[np.ndarray]) -> int:
        """Return by how many degrees a picture is turned, from the confidence of a few lines."""
        if not boxes:
            return 0
        sizes = [(_sides(box), box) for box in boxes]
        lengths = [(max(w, h) / max(1.0, min(w, h)), h > _TALL * w, box) for (w, h), box in sizes]
        total = sum(ratio for ratio, _, _ in lengths)
        tall = sum(ratio for ratio, is_tall, _ in lengths if is_tall)
        is_tall = tall > 0.6 * total
        wanted = [one for one in lengths if one[1] == is_tall]
        wanted.sort(key=lambda one: -min(one[0], 12.0))
        sample = [_cut(picture, box) for _, _, box in wanted[:_SAMPLE]]
        if not sample:
            return 0
        if is_tall:
            # A column of upright characters is read in pieces, a turned page as a whole.
            left = self._confidence([np.rot90(cut) for cut in sample])
            right = self._confidence([np.rot90(cut, 3) for cut in sample])
            upright = self._confidence_of_columns(sample)
            best = max(left, right)
            if upright + _TURNED_GAIN >= best:
                return 0
            return 90 if left >= right else 270
        straight = self._confidence(sample)
        if straight >= _GOOD:
            return 0
        turned = self._confidence([np.rot90(cut, 2) for cut in sample])
        return 180 if turned > straight + _TURNED_GAIN else 0

    def _confidence(self, cuts: Sequence[np.ndarray]) -> float:
        """Return the mean confidence of lines, 0 for one without any character."""
        found = self._decode([_scale(np.ascontiguousarray(cut)) for cut in cuts])
        return float(np.mean([confidence if text else 0.0 for text, confidence, _ in found]))

    def _confidence_of_columns(self, cuts: Sequence[np.ndarray]) -> float:
        return float(np.mean([self._read_column(cut)[1] for cut in cuts]))

    # --- finding lines ------------------------------------------------------------------------

    def _find_boxes(self, picture: np.ndarray) -> list[np.ndarray]:
        """Return the outlines of lines, each (4, 2): from the top left, clockwise."""
        height, width = picture.shape[:2]
        scale = min(1.0, MAX_SIDE / max(height, width))
        size = [max(_MULTIPLE, round(side * scale / _MULTIPLE) * _MULTIPLE)
                for side in (width, height)]  # fmt: skip
        small = _resize(picture, size[0], size[1])
        given = small[:, :, ::-1].astype(np.float32) / 127.5 - 1.0
        found = _run(self._detection, given.transpose(2, 0, 1)[np.newaxis])
        shares = found[0, 0]
        boxes = find_outlines(shares)
        ratio = np.array([width / shares.shape[1], height / shares.shape[0]])
        limit = np.array([width - 1, height - 1])
        return [np.clip(box * ratio, 0, limit) for box in boxes]

    # --- reading lines ------------------------------------------------------------------------

    def _read_boxes(self, picture: np.ndarray, boxes: Sequence[np.ndarray]) -> list[FoundLine]:
        lines: list[FoundLine] = []
        flat: list[tuple[np.ndarray, np.ndarray]] = []
        for box in boxes:
            width, height = _sides(box)
            cut = _cut(picture, box)
            if height > _TALL * width:
                text, confidence, places = self._read_column(cut)
                # letters of another script that were turned, as on the spine of a book
                turned = self._decode([_scale(np.ascontiguousarray(np.rot90(cut)))])[0]
                if text and confidence + _TURNED_GAIN >= turned[1]:
                    lines.append(FoundLine(box, text, confidence, places, True))
                elif turned[0]:
                    lines.append(FoundLine(np.roll(box, -1, axis=0), *turned))
            else:
                flat.append((box, _scale(cut)))
        order = sorted(range(len(flat)), key=lambda i: flat[i][1].shape[1])
        batch: list[int] = []
        results: dict[int, tuple[str, float, tuple[float, ...]]] = {}
        for i in [*order, -1]:
            is_full = i >= 0 and (len(batch) + 1) * flat[i][1].shape[1] > _BATCH_WIDTH
            if batch and (i < 0 or is_full):
                found = self._decode([flat[j][1] for j in batch])
                results.update(zip(batch, found, strict=True))
                batch = []
            batch.append(i)
        for i, (box, _) in enumerate(flat):
            text, confidence, places = results[i]
            if text.strip():
                lines.append(FoundLine(box, text, confidence, places))
        return [line for line in lines if line.confidence >= _MIN_CONFIDENCE]

    def _read_column(self, cut: np.ndarray) -> tuple[str, float, tuple[float, ...]]:
        """Read characters that stand one below the other.

        The column is cut between the characters, and these are put beside each other: the network
        reads rows.
        """
        pieces = split_column(cut)
        width = max(1, cut.shape[1])
        side = max(width, *(end - start for start, end in pieces)) if pieces else width
        row = np.full((side, sum(max(end - start, width) for start, end in pieces) or 1, 3), 255,
                      dtype=np.uint8)  # fmt: skip
        at = 0
        ends: list[tuple[int, int, int]] = []
        for start, end in pieces:
            piece = cut[start:end]
            room = max(end - start, width)
            top, left = (side - len(piece)) // 2, at + (room - width) // 2
            row[top : top + len(piece), left : left + width] = piece
            ends.append((at, at + room, (start + end) // 2))
            at += room
        [(text, confidence, places)] = self._decode([_scale(row)])
        heights = []
        for place in places:
            x = place * row.shape[1]
            middle = next((mid for low, high, mid in ends if low <= x < high), cut.shape[0])
            heights.append(middle / max(1, cut.shape[0]))
        return text, confidence, tuple(heights)

    def _decode(self, lines: Sequence[np.ndarray]) -> list[tuple[str, float, tuple[float, ...]]]:
        """Return text, confidence and places of the characters of lines that are read together."""
        widest = max(max(line.shape[1] for line in lines), _HEIGHT)
        given = np.zeros((len(lines), 3, _HEIGHT, widest), dtype=np.float32)
        for i, line in enumerate(lines):
            colours = line[:, :, ::-1].astype(np.float32) / 127.5 - 1.0
            given[i, :, :, : line.shape[1]] = colours.transpose(2, 0, 1)
        found = _run(self._reading, given)
        best = found.argmax(axis=2)
        shares = found.max(axis=2)
        made = []
        for i, line in enumerate(lines):
            codes = best[i]
            kept = codes != 0
            kept[1:] &= codes[1:] != codes[:-1]
            steps = np.flatnonzero(kept)
            text = "".join(self._characters[code] for code in codes[steps])
            width = line.shape[1] * len(codes) / widest  # in steps
            places = tuple(float(min(1.0, (step + 0.5) / width)) for step in steps)
            confidence = float(shares[i, steps].mean()) if len(steps) else 0.0
            lead = len(text) - len(text.lstrip())
            shown = text.strip()
            made.append((shown, confidence, places[lead : lead + len(shown)]))
        return made


def _run(network: Any, given: np.ndarray) -> np.ndarray:
    """Return what a network makes of a picture.

    Raises:
        MemoryError: there is not enough; ONNX Runtime has an exception of its own for everything.
    """
    try:
        [found] = network.run(None, {"x": np.ascontiguousarray(given)})
    except Exception as error:
        if any(words in str(error) for words in ("bad_alloc", "allocate memory")):
            raise MemoryError from error
        raise
    return np.asarray(found)


# --- outlines -------------------------------------------------------------------------------------


def find_outlines(shares: np.ndarray) -> list[np.ndarray]:
    """Return rectangles around the areas of a map of probabilities, enlarged to whole lines."""
    from scipy import ndimage

    mask = ndimage.binary_dilation(shares > _INK, structure=np.ones((2, 2)))
    labels, _ = ndimage.label(mask, structure=np.ones((3, 3)))
    boxes: list[np.ndarray] = []
    for number, where in enumerate(ndimage.find_objects(labels), start=1):
        rows, columns = where
        inside = labels[where] == number
        points = _edge_points(inside) + np.array([columns.start, rows.start])
        rectangle = _smallest_rectangle(points)
        width, height = _sides(rectangle)
        if min(width, height) < _MIN_SIDE:
            continue
        if float(shares[where][inside].mean()) < _SURE:
            continue
        by = width * height * _ENLARGE / (2 * (width + height))
        enlarged = _enlarge(rectangle, by)
        if min(_sides(enlarged)) >= _MIN_SIDE + 2:
            boxes.append(_from_top_left(enlarged))
        if len(boxes) >= _MAX_LINES:
            break
    return boxes


def _edge_points(inside: np.ndarray) -> np.ndarray:
    """Return the corners of the first and last pixel of each row, (x, y)."""
    rows = np.flatnonzero(inside.any(axis=1))
    first = inside[rows].argmax(axis=1)
    last = inside.shape[1] - inside[rows, ::-1].argmax(axis=1)
    corners = [
        np.stack([x, y], axis=1)
        for x, y in ((first, rows), (last, rows), (first, rows + 1), (last, rows + 1))
    ]
    return np.concatenate(corners).astype(np.float64)


def _hull(points: np.ndarray) -> np.ndarray:
    """Return the convex hull, by Andrew's monotone chain."""
    ordered = sorted({(float(x), float(y)) for x, y in points})
    chains: list[tuple[float, float]] = []
    for sequence in (ordered, ordered[::-1]):
        half: list[tuple[float, float]] = []
        for point in sequence:
            while len(half) >= 2 and _cross(half[-2], half[-1], point) <= 0:
                half.pop()
            half.append(point)
        chains += half[:-1]
    return np.array(chains)


def _cross(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _smallest_rectangle(points: np.ndarray) -> np.ndarray:
    """Return the rectangle of the smallest area around points, (4, 2); a side lies on the hull."""
    hull = _hull(points)
    edges = np.roll(hull, -1, axis=0) - hull
    angles = np.unique(np.round(np.mod(np.arctan2(edges[:, 1], edges[:, 0]), math.pi / 2), 6))
    cosine, sine = np.cos(angles), np.sin(angles)
    along = np.outer(cosine, hull[:, 0]) + np.outer(sine, hull[:, 1])
    across = np.outer(-sine, hull[:, 0]) + np.outer(cosine, hull[:, 1])
    areas = np.ptp(along, axis=1) * np.ptp(across, axis=1)
    # An upright rectangle unless another one is clearly smaller.
    areas[0] *= 0.98 if angles[0] < 1e-6 else 1.0
    i = int(np.argmin(areas))
    a0, a1, b0, b1 = along[i].min(), along[i].max(), across[i].min(), across[i].max()
    c, s = cosine[i], sine[i]
    return np.array([(a * c - b * s, a * s + b * c)
                     for a, b in ((a0, b0), (a1, b0), (a1, b1), (a0, b1))])  # fmt: skip


def _from_top_left(box: np.ndarray) -> np.ndarray:
    """Return the corners of a rectangle clockwise from the one that is top left."""
    by_x = box[np.argsort(box[:, 0], kind="stable")]
    left = by_x[:2][np.argsort(by_x[:2, 1])]
    right = by_x[2:][np.argsort(by_x[2:, 1])]
    return np.array([left[0], right[0], right[1], left[1]])


def _enlarge(box: np.ndarray, by: float) -> np.ndarray:
    along, across = box[1] - box[0], box[3] - box[0]
    along = along / max(1e-6, float(np.linalg.norm(along))) * by
    across = across / max(1e-6, float(np.linalg.norm(across))) * by
    moves = np.array([-along - across, along - across, along + across, -along + across])
    return np.asarray(box + moves)


def _sides(box: np.ndarray) -> tuple[float, float]:
    """Return width and height of a rectangle."""
    return float(np.linalg.norm(box[1] - box[0])), float(np.linalg.norm(box[3] - box[0]))


def _turn_back(line: FoundLine, turn: int, shape: tuple[int, ...]) -> FoundLine:
    """Return a line of the upright picture with corners of the picture that was turned."""
    height, width = shape[:2]
    x, y = line.corners[:, 0], line.corners[:, 1]
    if turn == 90:
        corners = np.stack([width - y, x], axis=1)
    elif turn == 180:
        corners = np.stack([width - x, height - y], axis=1)
    else:
        corners = np.stack([y, height - x], axis=1)
    return FoundLine(corners, line.text, line.confidence, line.places, line.is_vertical)


# --- pictures of lines ----------------------------------------------------------------------------


def _resize(picture: np.ndarray, width: int, height: int) -> np.ndarray:
    from PIL import Image

    if picture.shape[:2] == (height, width):
        return picture
    made = Image.fromarray(picture).resize((width, height), Image.Resampling.BILINEAR)
    return np.asarray(made)


def _scale(line: np.ndarray) -> np.ndarray:
    """Return a line at the height at which lines are read."""
    height, width = line.shape[:2]
    wanted = min(_MAX_WIDTH, max(8, math.ceil(_HEIGHT * width / max(1, height))))
    return _resize(line, wanted, _HEIGHT)


def _cut(picture: np.ndarray, box: np.ndarray) -> np.ndarray:
    """Return the part of a picture in a rectangle, turned upright."""
    from PIL import Image

    width, height = (max(1, round(side)) for side in _sides(box))
    low = np.floor(box.min(axis=0)).astype(int)
    high = np.ceil(box.max(axis=0)).astype(int) + 1
    part = picture[low[1] : high[1], low[0] : high[0]]
    if abs(box[0, 1] - box[1, 1]) < 1.0 and abs(box[0, 0] - box[3, 0]) < 1.0:
        return np.ascontiguousarray(part)
    x, y = box[0] - low
    ax, ay = (box[1] - box[0]) / width
    bx, by = (box[3] - box[0]) / height
    made = Image.fromarray(np.ascontiguousarray(part)).transform(
        (width, height), Image.Transform.AFFINE, (ax, bx, x, ay, by, y), Image.Resampling.BICUBIC,
        fillcolor=(255, 255, 255),
    )  # fmt: skip
    return np.asarray(made)


def split_column(cut: np.ndarray) -> list[tuple[int, int]]:
    """Return (start, end) of the characters of a column, by rows without ink and by their size.

    Characters of Chinese are about as high as the column is wide.
    """
    grey = cut.mean(axis=2)
    dark = float(grey.min()), float(grey.max())
    ink = grey < (dark[0] + dark[1]) / 2
    if ink.mean() > 0.5:  # light on dark
        ink = ~ink
    weights = ink.sum(axis=1)
    filled = weights > 0
    inside = np.flatnonzero(ink.any(axis=0))
    width = float(inside[-1] - inside[0] + 1) if len(inside) else float(cut.shape[1])
    rows = np.flatnonzero(filled)
    if not len(rows):
        return []
    start, last = int(rows[0]), int(rows[-1]) + 1
    pieces: list[tuple[int, int]] = []
    while start < last:
        # The end of a character: the row with the least ink about its width below its start.
        low, high = start + int(0.6 * width), start + int(1.4 * width)
        if high >= last:
            if last - start > 1.45 * width:
                high = last
            else:
                pieces.append((start, last))
                break
        span = np.arange(max(low, start + 1), max(high, low + 2))
        span = span[span < last]
        if not len(span):
            pieces.append((start, last))
            break
        cost = weights[span] + 0.02 * width * np.abs(span - start - 1.05 * width) / width
        end = int(span[np.argmin(cost)])
        pieces.append((start, end))
        following = rows[rows >= end]
        if not len(following):
            break
        start = int(following[0])
    return pieces
