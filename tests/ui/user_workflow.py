"""Texts, a PDF and mouse actions for the test of a user's workflow.

Sends the events of a mouse; nothing is read from the library here.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from desktop_app.ui.workspace import Workspace

LEFT = Qt.MouseButton.LeftButton

ENGLISH = """The Lighthouse at Corran Head

CHAPTER I. The Keeper

Old Isaac Penrose kept the lighthouse at Corran Head. His daughter, Judith Penrose, trimmed the
lamp every evening. Isaac Penrose had lost his left hand in the wreck of the Marigold.

One night Doctor Lowell rowed over from Saltby. "I have come for the brass compass that Captain
Ferris left with you," said Doctor Lowell. Judith Penrose looked at her father.

CHAPTER II. The Compass

Captain Ferris had sailed the Marigold out of Saltby. He hid the compass under the lamp room
because the Harbour Company wanted it. Judith Penrose found it on the day of the great storm.

Doctor Lowell carried the compass to Saltby. Isaac Penrose never spoke of Captain Ferris again.
"""
CHINESE = """第一回　渡口

话说江州城外有个渡口，摆渡的老人姓沈名怀远，人称沈老爹。沈怀远的孙女沈小满每日在渡口卖茶。

那日，书生陆青山来到渡口，对沈怀远说道：“老丈可认得柳三娘？”沈怀远答道：“柳三娘住在听雨楼。”

第二回　听雨楼

当夜，陆青山来到听雨楼。柳三娘把一只玉笛交给陆青山，说道：“这是沈怀远当年留下的。”沈小满在旁边听见，不觉大惊。
"""
PDF_PAGES = [
    [
        "The survey of the Alder Valley was made by Martha Quill in the",
        "spring. Martha Quill counted nineteen springs above the mill.",
    ],
    [
        "On the second page stands the finding of the survey: the river",
        "Alder runs dry in August because the Stonegate Quarry draws its water.",
    ],
]
FINDING = "runs dry in August"


def drop(workspace: Workspace, files: list[Path]) -> None:
    """Drag files over the window and drop them."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    middle, copy = workspace.window.rect().center(), Qt.DropAction.CopyAction
    no_key = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(workspace.window, QDragEnterEvent(middle, copy, data, LEFT, no_key))
    assert workspace.window.drop_overlay.isVisible()
    QApplication.sendEvent(workspace.window, QDropEvent(QPointF(middle), copy, data, LEFT, no_key))
    assert not workspace.window.drop_overlay.isVisible()
