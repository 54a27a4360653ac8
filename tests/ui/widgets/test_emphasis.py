"""The emphasis of shown texts is drawn in italics and bold type."""

from __future__ import annotations

from desktop_app.engine.text.shown_text import show_text
from desktop_app.ui.widgets.emphasis import build_html, find_name_spans, format_emphasis


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
