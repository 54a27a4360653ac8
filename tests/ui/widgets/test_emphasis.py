"""The emphasis of shown texts is drawn in italics and bold type."""

from __future__ import annotations

from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter

from desktop_app.engine.text.shown_text import show_text
from desktop_app.ui.widgets.emphasis import (
    build_html,
    find_name_spans,
    format_emphasis,
    paint_underlined,
)


def test_html_has_the_emphasis_and_the_marked_name() -> None:
    shown = show_text("He _saw Mina & **me**_.")
    start = shown.text.index("Mina")
    assert build_html(shown, [(start, start + 4)], "x") == (
        'He <i>saw </i><span style="x"><i>Mina</i></span><i> &amp; </i><i><b>me</b></i>.'
    )


def test_formats_count_in_the_units_of_qt(qapp: object) -> None:
    formats = format_emphasis(show_text("\U00020000 *是的* **no**"))
    assert [(one.start, one.length) for one in formats] == [(3, 2), (6, 2)]
    assert formats[0].format.fontItalic()


def test_a_name_is_not_marked_inside_of_a_longer_word() -> None:
    def words(text: str, *names: str) -> list[str]:
        return [text[start:end] for start, end in find_name_spans(text, names)]

    assert words("Annoyed, Ann left the Banns.", "Ann") == ["Ann"]
    assert words("Mr. Wickham spoke of Wick's Spirits.", "Wick", "Spirit") == ["Wick", "Spirit"]
    assert words("武松在London的街上", "London", "武松") == ["武松", "London"]
    assert words("JONES met the Joneses and Jonesy.", "Jones") == ["JONES", "Jones"]
    assert words("The Baker STREET irregulars, bakers", "Baker Street") == ["Baker STREET"]
    # the longest word of a name that does not occur as a whole
    assert words("Old Marley was dead.", "Jacob Marley", "Mar") == ["Marley"]
    # letters whose lower or folded form has another length
    assert words("Groß und GROSS in İstanbul", "groß", "istanbul") == ["Groß", "İstanbul"]


def test_letters_are_underlined_below_the_line_and_spaces_are_not(qapp):
    image = QImage(200, 40, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    painter.setPen(QColor("black"))
    metrics = QFontMetricsF(painter.font())
    paint_underlined(painter, 10, 20, "Ann Lee", [(3, 7)], QColor("red"))
    painter.end()
    red = [
        (x, y) for x in range(200) for y in range(40) if image.pixelColor(x, y).name() == "#ff0000"
    ]
    first, last = (10 + metrics.horizontalAdvance("Ann Lee"[:end]) for end in (4, 7))
    assert {y for _, y in red} == {23, 24}
    assert abs(min(x for x, _ in red) - first) <= 1 and abs(max(x for x, _ in red) + 1 - last) <= 1
