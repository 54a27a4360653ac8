"""Time of large lists and texts in the window: documents, names, sentences, a book, a long answer.

Needs no data and no model. The tests check what these parts show; this benchmark checks how fast.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from functools import partial

from .common import in_turn, make_parser, print_result

N_DOCUMENTS = 10_000
N_NAMES = 20_000
N_MENTIONS = 5_000
N_PIECES = 600  # of a streamed answer
PARAGRAPH = "In the spring of that year the surveyors came down the river to Quenby. " * 4 + "\n\n"
N_CHARS = 3_000_000


def measure_ms(work: Callable[[], object], rounds: int = 5) -> float:
    """Return the median time of `work`, in milliseconds."""
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - started))
    return round(statistics.median(times), 1)


def main() -> None:
    make_parser(__doc__).parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QAbstractItemView, QApplication

    from desktop_app.engine.model import (
        ChunkId,
        DocumentId,
        DocumentRow,
        EntityId,
        EntityRow,
        MentionRow,
    )
    from desktop_app.ui.chat.answer_view import AnswerView
    from desktop_app.ui.entity.names_panel import NamesPanel
    from desktop_app.ui.entity.quote_list import QuoteList
    from desktop_app.ui.entity.quotes import group_mentions
    from desktop_app.ui.library.document_list import DocumentList
    from desktop_app.ui.library.table_model import NAMES, DocumentTableModel
    from desktop_app.ui.reader.text.blocks import build_blocks
    from desktop_app.ui.reader.text.view import TextView
    from desktop_app.ui.shell.command_palette import rate
    from desktop_app.ui.theme.theme import Theme

    app = QApplication([])
    theme = Theme("light")
    rows = [
        DocumentRow(
            DocumentId(i),
            f"第{i}回" if i % 2 else f"Chapter {i}",
            f"{i}.txt",
            "txt",
            "en",
            "ready",
            n_chars=i,
        )
        for i in range(1, N_DOCUMENTS + 1)
    ]
    model = DocumentTableModel()
    documents = DocumentList(theme, model)
    documents.resize(1200, 800)
    documents.show()
    figures = {"set_rows_ms": measure_ms(lambda: model.set_rows(rows))}
    orders = [Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder]
    sorts = [partial(model.sort, NAMES, order) for order in orders]
    searches = [partial(model.set_filter, text) for text in ("9999", "")]
    figures["sort_ms"] = measure_ms(in_turn(*sorts)) / 2
    figures["filter_ms"] = measure_ms(in_turn(*searches))

    def scroll(view: QAbstractItemView) -> Callable[[], None]:
        places = iter(range(0, 10**9, 997))

        def step() -> None:
            bar = view.verticalScrollBar()
            bar.setValue(next(places) % max(1, bar.maximum()))
            view.viewport().repaint()

        return step

    app.processEvents()
    figures["table_step_ms"] = measure_ms(scroll(documents.table), rounds=60)
    documents.show_cards(True)
    app.processEvents()
    figures["cards_step_ms"] = measure_ms(scroll(documents.cards), rounds=60)

    types = ("person", "place", "object")
    names = [
        EntityRow(
            EntityId(i), f"林{i}号" if i % 3 else f"Name {i}", types[i % 3], i % 50, i % 91, 1
        )
        for i in range(1, N_NAMES + 1)
    ]
    panel = NamesPanel(theme)
    panel.resize(280, 800)
    panel.show()
    figures["set_names_ms"] = measure_ms(lambda: panel.set_rows(names))
    app.processEvents()
    figures["names_step_ms"] = measure_ms(scroll(panel.list), rounds=60)
    filters = [partial(panel.model.set_filter, text=text) for text in ("name 19", "")]
    figures["filter_names_ms"] = measure_ms(in_turn(*filters))

    sentences = [
        MentionRow(
            DocumentId(1),
            "F",
            ChunkId(i),
            "Ada",
            i * 99,
            i * 99 + 3,
            f"Ada {i} rowed. " * 9,
            i * 99,
        )
        for i in range(N_MENTIONS)
    ]

    def add_sentences() -> None:
        quotes = QuoteList(theme, "Mentions")
        quotes.resize(700, 10)
        for offset in range(0, N_MENTIONS, 200):
            quotes.add_quotes(group_mentions(sentences[offset : offset + 200], (1, "")))

    figures["add_sentences_ms"] = measure_ms(add_sentences)

    def stream_answer() -> None:
        answer = AnswerView(theme)
        answer.resize(500, 100)
        for i in range(N_PIECES):
            answer.append_piece(f"word{i} " if i % 40 else "\n\n- item [1] ")

    figures["stream_answer_ms"] = measure_ms(stream_answer)

    text = PARAGRAPH * (N_CHARS // len(PARAGRAPH))
    blocks = build_blocks(text)
    reader = TextView(theme)
    reader.resize(900, 800)
    reader.show()

    def jump() -> None:
        reader.set_document(text, blocks)
        reader.show_passage(2_000_000, 2_000_100)
        reader.grab()

    figures["open_and_jump_ms"] = measure_ms(jump)
    titles = [row.title.casefold() for row in rows]
    figures["palette_ms"] = measure_ms(lambda: [rate(title, "chapter 9998") for title in titles])
    for name, value in figures.items():
        print(f"{name:18} {value:8.1f}")
    print_result("large_lists", n_documents=N_DOCUMENTS, n_chars=len(text), **figures)


if __name__ == "__main__":
    main()
