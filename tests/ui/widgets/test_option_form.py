"""The form of a settings class: every kind of option, validation and messages."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QPlainTextEdit

from desktop_app.engine.errors import UserError
from desktop_app.engine.settings import option, options_of
from desktop_app.ui.widgets.option_form import OptionForm
from tests.ui.fakes import FakeContext


@dataclass(frozen=True, slots=True)
class Sample:
    size: int = option(400, "Size", "How large.", unit="tokens", least=50, most=4000)
    share: float = option(0.5, "Share", most=1.0)
    mode: str = option("a", "Mode", choices=(("a", "First"), ("b", "Second")))
    language: str = option("", "Language", choices=(("", "Any"),), other_values=True)
    on: bool = option(True, "Switch", section="More")
    text: str = option("", "Text", kind="paragraph", section="More")
    words: tuple[str, ...] = option(("x",), "Words", required=True, section="More")


@pytest.fixture
def form(qtbot, context: FakeContext) -> OptionForm:
    made = OptionForm(context.theme, options_of(Sample))
    qtbot.addWidget(made)
    made.resize(600, 500)
    made.show()
    return made


def test_values_come_back_as_they_were_set(form: OptionForm) -> None:
    values = Sample(60, 0.25, "b", "de", False, "One\nTwo", ("x", "y"))
    form.set_values(values)
    assert form.commit() and Sample(**form.values()) == values
    form.reset()
    assert Sample(**form.values()) == Sample()


def test_entered_values_are_taken(qtbot, form: OptionForm) -> None:
    with qtbot.waitSignal(form.changed) as changed:
        form.rows["on"].findChild(QCheckBox).click()
    assert changed.args == ["on"]
    with qtbot.waitSignal(form.changed) as changed:
        qtbot.keyClicks(form.rows["text"].findChild(QPlainTextEdit), "Hello")
    assert changed.args == ["text"]
    box = form.rows["mode"].findChild(QComboBox)
    qtbot.keyClick(box, Qt.Key.Key_Down)
    field = form.rows["words"].findChild(QLineEdit)
    qtbot.keyClicks(field, "x, y")
    assert form.commit()
    assert Sample(**form.values()) == Sample(mode="b", on=False, text="Hello", words=("x", "y"))


@pytest.mark.parametrize(
    ("name", "entered", "problem"),
    [
        ("size", "many", "“many” is not a whole number. Write digits only, such as 400."),
        ("size", "9", "Choose a value from 50 to 4,000."),
        ("share", "2", "Choose a value from 0 to 1.0."),
        ("words", (), "At least one is needed."),
    ],
)
def test_an_invalid_value_is_explained_and_not_taken(
    form: OptionForm, name: str, entered: object, problem: str
) -> None:
    row = form.rows[name]
    row.enter(entered)
    assert row.problem.text() == problem and row.problem.isVisible() and not form.commit()
    assert Sample(**form.values()) == Sample()
    row.reset()
    assert form.commit() and not row.problem.isVisible()


def test_values_refused_by_the_owner_are_explained(qtbot, context: FakeContext) -> None:
    def refuse(name: str, value: object) -> None:
        raise UserError("The disk is full.", "Delete something.")

    form = OptionForm(context.theme, options_of(Sample), refuse)
    qtbot.addWidget(form)
    form.rows["size"].enter(60)
    assert form.rows["size"].problem.text() == "The disk is full. Delete something."
    assert form.values()["size"] == 400
