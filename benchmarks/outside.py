"""What the program reaches outside of itself: every command and the window under strace.

    python -m benchmarks.outside [SECONDS]        of the window, default 180; needs Linux and strace

A library and documents that name files and addresses everywhere are used by every command, and
the window goes through all its screens again and again. Counted are connections, name lookups and
opened files that only a document or the library named. All three are to be 0; sockets of the
desktop are listed with the reason.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from pathlib import Path

from desktop_app.cli import COMMANDS
from desktop_app.engine import paths
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library

from .common import make_parser, print_result

WINDOW_S = 180.0
TRACED = "connect,bind,sendto,sendmsg,sendmmsg,open,openat,openat2,execve"
# Local sockets that the system's libraries use, and what for.
LOCAL_SOCKETS = {
    r"nscd/socket": "the C library asks for the user's name and home folder",
    r"/bus$|dbus": "the desktop: notifications, theme, keyring",
    r"X11-unix|wayland": "the display",
    r"systemd/(userdb|notify|journal)": "the user's name, the log of the system",
    r"at-spi": "screen readers",
}
LOOKUPS = re.compile(r"/etc/(resolv\.conf|hosts|gai\.conf)|libnss_(dns|resolve)|systemd/resolve")
CALL = re.compile(r"^(?:\d+ +)?(?P<call>\w+)\((?P<arguments>.*)$")
STORY = (
    "Ada Merrow lived in Lindau. Tobias Hale met Ada Merrow at the harbour of Lindau. "
    "Tobias Hale wrote to Clara Voss. Clara Voss sailed from Lindau with Ada Merrow. "
)


def main() -> None:
    """Trace all commands, then the window; print what they reached."""
    parser = make_parser(__doc__)
    parser.add_argument("seconds", nargs="?", type=float, default=WINDOW_S, help="of the window")
    parser.add_argument("--window", type=Path, metavar="LIBRARY", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.window:
        show_window(options.window, options.seconds)
        return
    if shutil.which("strace") is None:
        sys.exit("strace is missing (Debian: apt install strace).")
    seconds = options.seconds
    with tempfile.TemporaryDirectory(prefix="inkgraph-outside-") as folder:
        report = _run_all(Path(folder), seconds)
    for name, found in report.items():
        print(f"{name:24} {found}")
    totals = sum((Counter(found) for found in report.values()), Counter())
    local = {k: n for k, n in totals.items() if k.startswith("local")}
    print_result(
        "outside",
        commands=len(report) - 1,
        window_s=seconds,
        connections=totals["connect"] + totals["send"],
        lookups=totals["lookup"],
        foreign_opens=totals["foreign open"],
        local_sockets=local,
        programs={k: n for k, n in totals.items() if k.startswith("program")},
        binds=totals["bind"],
    )


# --- what is used ---------------------------------------------------------------------------------


def make_foreign_files(folder: Path) -> list[Path]:
    """Return files that exist and that only documents and the library name."""
    folder.mkdir()
    made = [folder / name for name in ("image.png", "style.css", "page.html", "note.txt", "e.dtd")]
    for path in made:
        path.write_text(STORY, "utf-8")
    return made


def make_documents(folder: Path, foreign: list[Path]) -> list[Path]:
    """Return documents of several formats that name the files and addresses wherever possible."""
    folder.mkdir()
    image, style, page, note, entity = (path.as_uri() for path in foreign)
    html = (
        f'<!DOCTYPE html [<!ENTITY x SYSTEM "{entity}">]><html><head>'
        f'<link rel="stylesheet" href="{style}"><base href="http://example.invalid/">'
        f'<title>&lt;img src="{image}"&gt;</title></head><body><img src="{image}">'
        f'<img src="http://example.invalid/a.png"><iframe src="{page}"></iframe>'
        f'<script src="{page}"></script><object data="{note}"></object>&x;<p>{STORY * 4}</p></body>'
        "</html>"
    )
    markdown = (
        f"# ![x]({image})\n\n![y](http://example.invalid/b.png) [z]({page})\n\n"
        f'<img src="{image}">\n\n{STORY * 4}\n\n[r]: {note}\n'
    )
    (folder / "page.html").write_text(html, "utf-8")
    (folder / "notes.md").write_text(markdown, "utf-8")
    (folder / "plain.txt").write_text(f"{image}\nhttp://example.invalid\n{STORY * 4}", "utf-8")
    with zipfile.ZipFile(folder / "word.docx", "w") as docx:
        docx.writestr(
            "word/document.xml",
            f'<!DOCTYPE x [<!ENTITY e SYSTEM "{entity}">]>'
            '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
            f"<w:body><w:p><w:r><w:t>{STORY * 4}</w:t></w:r></w:p></w:body></w:document>",
        )
    with zipfile.ZipFile(folder / "book.epub", "w") as epub:
        epub.writestr(
            "META-INF/container.xml",
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="b.opf"/></rootfiles></container>',
        )
        epub.writestr(
            "b.opf",
            '<package xmlns="http://www.idpf.org/2007/opf"><metadata'
            ' xmlns:dc="http://purl.org/dc/elements/1.1/">'
            f"<dc:title>&lt;img src='{image}'&gt;</dc:title></metadata><manifest>"
            f'<item id="a" href="a.xhtml"/><item id="b" href="{page}"/>'
            '<item id="c" href="../../note.txt"/></manifest><spine><itemref idref="a"/>'
            '<itemref idref="b"/><itemref idref="c"/></spine></package>',
        )
        epub.writestr(
            "a.xhtml", f"<html><body><img src='{image}'/><p>{STORY * 4}</p></body></html>"
        )
    return sorted(folder.iterdir())


def make_library(path: Path, documents: list[Path], foreign: list[Path]) -> None:
    """Make a library as from another person: its texts and paths name the foreign files."""
    library = Library(path)
    add_files(library.writer, documents)
    IndexingService(library.writer, lambda: None).run()
    db, bad = library.writer, f'<img src="{foreign[0].as_uri()}">'
    with db.transaction():
        db.write("INSERT INTO requested_folder VALUES (?, 0)", (str(foreign[0].parent),))
        db.write("UPDATE document SET source_path = ?, author = ?", (str(foreign[3]), bad))
        db.write("UPDATE entity SET description = ?", (bad,))
        db.write("UPDATE relation SET description = ?", (bad,))
        db.write("INSERT INTO collection(name) VALUES (?)", (bad,))
    library.close()


# --- tracing --------------------------------------------------------------------------------------


def _run_all(folder: Path, seconds: float) -> dict[str, dict[str, int]]:
    foreign = make_foreign_files(folder / "foreign")
    documents = make_documents(folder / "documents", foreign)
    library = folder / "work" / "library.inkgraph"
    library.parent.mkdir()
    home = folder / "home"
    os.environ["INKGRAPH_HOME"] = str(home)  # also for the library that is made here
    os.environ["INKGRAPH_MODELS"] = str(paths.models_dir())
    make_library(library, documents[:3], foreign)
    env = os.environ | {"QT_QPA_PLATFORM": "offscreen", "INKGRAPH_HEADLESS": "1"}
    report: dict[str, dict[str, int]] = {}
    out = folder / "out"
    for words in _list_commands(documents, out):
        argv = [sys.executable, "-m", "desktop_app", words[0]]
        if words[0] not in ("demo", "bench", "models"):
            argv += ["--library", str(library)]
        name = " ".join(words[:2]) if words[0] in ("entity", "models", "ask") else words[0]
        report[name] = _trace([*argv, *words[1:]], folder, env, foreign[0].parent)
    window = [sys.executable, "-m", "benchmarks.outside", "--window", str(library), str(seconds)]
    report["window"] = _trace(window, folder, env, foreign[0].parent)
    missing = set(COMMANDS) - {name.split()[0] for name in report}
    assert not missing, f"commands that were not traced: {missing}"
    return report


def _list_commands(documents: list[Path], out: Path) -> list[list[str]]:
    """Return every command with arguments that make it do its work."""
    files = [str(path) for path in documents]
    graph = out.parent / "graph.json"
    entry = {"entity_name": "Ada", "description": "![x](http://example.invalid/c.png)"}
    graph.write_text(json.dumps({"entities": [entry]}), "utf-8")
    backup = str(out.parent / "copy.inkgraph")
    listed = [
        ["status"],
        ["check"],
        ["add", *files],
        ["import", str(graph)],
        ["graph", "--entity", "Ada Merrow", "--image", f"{out}.png"],
        ["export", "--format", "vault", "--out", str(out)],
        ["search", "Who met Ada Merrow?"],
        ["ask", "Who met Ada Merrow? ![x](http://example.invalid)", "--only-context"],
        ["ask", "Who met Ada Merrow?"],
        ["enrich", "--limit", "1"],
        ["communities"],
        ["report", "--no-model", "--limit", "2"],
        ["duplicates"],
        ["entity", "show", "Ada Merrow"],
        ["entity", "alias", "Ada Merrow", "file:///etc/hostname"],
        ["undo"],
        ["redo"],
        ["history"],
        ["corrections", "export", str(out.parent / "corrections.json")],
        ["reindex"],
        ["delete", "--yes", "plain.txt"],
        ["models", "list"],
        ["bench", "no_such_benchmark"],
        ["demo"],
    ]
    if "backup" in COMMANDS:
        listed += [["backup", "--to", backup], ["restore"], ["recover", "--to", f"{out}.inkgraph"]]
    known = [words for words in listed if words[0] in COMMANDS]
    return known + [[name, "--help"] for name in COMMANDS if name not in {w[0] for w in known}]


def _trace(argv: list[str], folder: Path, env: dict[str, str], foreign: Path) -> dict[str, int]:
    """Run a program and its children under strace; return what they reached, by kind."""
    log = folder / "strace.txt"
    started = time.monotonic()
    done = subprocess.run(
        [
            "strace",
            "-f",
            "--seccomp-bpf",
            "-qq",
            "-s",
            "4096",
            "-e",
            f"trace={TRACED}",
            "-o",
            str(log),
            *argv,
        ],
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    found: Counter[str] = Counter()
    with log.open(errors="replace") as lines:
        for line in lines:
            for kind in classify(line, foreign):
                found[kind] += 1
                if kind in ("connect", "send", "lookup", "foreign open"):
                    print(f"  {kind}: {line.strip()[:300]}")
    words = " ".join(argv[3:])[:60]
    print(f"{time.monotonic() - started:6.1f} s, exit {done.returncode}: {words}", flush=True)
    if done.returncode == 3:
        print(done.stderr[-1500:])
    return dict(found)


def classify(line: str, foreign: Path) -> list[str]:
    """Return the kinds of a line of strace."""
    match = CALL.match(line)
    if match is None:
        return []
    call, arguments = match["call"], match["arguments"]
    if call.startswith("open"):
        kinds = ["lookup"] if LOOKUPS.search(arguments) else []
        return [*kinds, *(["foreign open"] if str(foreign) in arguments else [])]
    if call == "execve":
        program = arguments.split('"')[1] if '"' in arguments else ""
        is_own = Path(program).name.startswith("python") or "ENOENT" in arguments
        return [] if is_own else [f"program {Path(program).name}"]
    if "sa_family=AF_UNIX" in arguments:
        reasons = [why for how, why in LOCAL_SOCKETS.items() if re.search(how, arguments)]
        return [f"local: {reasons[0]}"] if reasons else ["connect"]
    if "sa_family=AF_INET" in arguments:
        return ["bind" if call == "bind" else "connect" if call == "connect" else "send"]
    return []


# --- the window -----------------------------------------------------------------------------------


def show_window(library: Path, seconds: float) -> None:
    """Show every screen of the library again and again, with the mouse over everything."""
    from PySide6.QtCore import QEvent, QEventLoop, QPoint, QTimer
    from PySide6.QtGui import QHelpEvent
    from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QDialog

    from desktop_app.app import App

    application = QApplication([])
    app = App(application)
    workspace = app.open_library(library)
    window, reader = workspace.window, workspace.context.library_reader
    end = time.monotonic() + seconds

    def pause(duration_s: float) -> None:
        loop = QEventLoop()
        QTimer.singleShot(round(duration_s * 1000), loop.quit)
        loop.exec()

    def hover() -> None:
        for area in window.findChildren(QAbstractScrollArea):
            if area.isVisible():
                for x in range(8, area.width(), 64):
                    for y in range(8, area.height(), 24):
                        at = QPoint(x, y)
                        event = QHelpEvent(QEvent.Type.ToolTip, at, area.mapToGlobal(at))
                        QApplication.sendEvent(area.viewport(), event)

    window.resize(1440, 900)
    window.show()
    asked = False
    while time.monotonic() < end:
        for name in ("library", "graph", "entity", "merge", "communities", "chat", "settings"):
            window.show_screen(name)
            pause(1.0)
            hover()
        for row in reader.list_documents()[:6]:
            window.show_screen("library")
            window.screens.library.list.select(row.id)
            window.navigator.open_document(row.id)
            pause(0.7)
            hover()
        for entity in reader.find_entities("a", 4):
            window.navigator.open_entity(entity.id)
            pause(0.5)
            hover()
        for action in ("history", "watch", "privacy", "shortcuts"):
            window.actions_by_name[action].trigger()
            pause(0.5)
            for dialog in window.findChildren(QDialog):
                if dialog.isVisible():
                    dialog.reject()
        if not asked:
            asked = True
            window.navigator.open_new_chat()
            window.screens.chat.ask("Who met Ada Merrow? ![x](http://example.invalid/d.png)")
            pause(2.0)
    app.close()


if __name__ == "__main__":
    main()
