"""The server of a library that the window starts: `inkgraph serve` as a child process.

The window imports no web server, and a fault of one does not end it. The child opens the library
itself, beside the window; it ends when its input is closed, also where the window was killed. What
it writes are lines of JSON (`cli/serve.py`).
"""

from __future__ import annotations

import json
import logging
import sys
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, Signal

from desktop_app.engine import paths
from desktop_app.engine.messages import NO_MESSAGE, Message
from desktop_app.engine.services.preferences import ServerSettings
from desktop_app.engine.store.encryption import LibraryKey

log = logging.getLogger(__name__)

N_REQUESTS, N_CLIENTS = 50, 20
MAX_LINE_BYTES = 1 << 16
STOP_MS = 3000  # a child that has not ended by itself then is killed
CLOSE_MS = 300
OFF, STARTING, ON = "off", "starting", "on"


@dataclass(frozen=True, slots=True)
class RequestRow:
    """One request that was answered; `path` is without its question."""

    at: float
    client: str
    method: str
    path: str
    status: int
    seconds: float


@dataclass(frozen=True, slots=True)
class ClientRow:
    """One program, by the name that it gives itself."""

    name: str
    n_requests: int
    last_at: float


def build_command(arguments: Iterable[str]) -> list[str]:
    """Return the command line that runs a command of this program, packaged or not."""
    is_packaged = getattr(sys, "frozen", False)
    return [sys.executable, *([] if is_packaged else ["-m", "desktop_app"]), *arguments]


def build_assistant_configuration(library: Path) -> str:
    """Return the entry with which an assistant starts `inkgraph mcp`, from any folder, as JSON."""
    name = "inkgraph.exe" if sys.platform == "win32" else "inkgraph"
    script = Path(sys.executable).with_name(name)
    arguments = ["mcp", "--library", str(library.resolve())]
    command = [str(script), *arguments] if script.exists() else build_command(arguments)
    entry = {"command": command[0], "args": command[1:]}
    servers = {"mcpServers": {"inkgraph": entry}}  # not shown
    return json.dumps(servers, indent=2, ensure_ascii=False)


class LibraryServer(QObject):
    """Starts and stops the server of one library, and keeps what it reports.

    Attributes:
        state: "off", "starting" or "on".
        problem: why the server ended by itself, empty otherwise.
        requests: the last ones, newest first.
    """

    changed = Signal()
    requested = Signal()  # there are other requests and clients

    def __init__(
        self, library: Path, key: LibraryKey | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.library, self._key = library, key
        self.state, self.address, self.token = OFF, "", ""
        self.may_edit = False
        self.problem: Message = NO_MESSAGE
        self.requests: deque[RequestRow] = deque(maxlen=N_REQUESTS)
        self._clients: dict[str, ClientRow] = {}
        self._process: QProcess | None = None

    @property
    def clients(self) -> list[ClientRow]:
        """The programs that asked since the start, the last one first."""
        return sorted(self._clients.values(), key=lambda one: -one.last_at)

    def start(self, settings: ServerSettings) -> None:
        """Start the server, unless it runs."""
        if self._process is not None:
            return
        self.problem, self.may_edit = NO_MESSAGE, settings.may_edit
        self.requests.clear()
        self._clients.clear()
        arguments = ["serve", "--for-window", "--library", str(self.library)]
        arguments += ["--port", str(settings.port), "--token-file", str(paths.token_file())]
        arguments += ["--allow-edit"] if settings.may_edit else []
        program, *rest = build_command(arguments)
        process = self._process = QProcess(self)
        environment = QProcessEnvironment.systemEnvironment()
        environment.insert("INKGRAPH_SUPERVISED", "1")  # this object notices its end
        process.setProcessEnvironment(environment)
        process.setWorkingDirectory(str(paths.CHECKOUT_ROOT))  # `-m` looks there
        process.readyReadStandardOutput.connect(self._read)
        process.setStandardErrorFile(QProcess.nullDevice())  # its log has it
        process.errorOccurred.connect(self._fail_to_start)
        process.finished.connect(self._end)
        self._set_state(STARTING)
        process.start(program, rest)
        secret = {"key": [self._key.secret.hex(), self._key.salt.hex()]} if self._key else {}
        process.write(f"{json.dumps(secret)}\n".encode())

    def stop(self) -> None:
        """Let the server end its answers and stop."""
        process = self._process
        if process is None:
            return
        process.closeWriteChannel()
        QTimer.singleShot(STOP_MS, process, process.kill)

    def close(self) -> None:
        """End the server at once; for the end of the session."""
        process, self._process = self._process, None
        if process is not None:
            process.blockSignals(True)
            process.kill()
            process.waitForFinished(CLOSE_MS)

    def _read(self) -> None:
        process = self._process
        while process is not None and process.canReadLine():
            line = bytes(process.readLine(MAX_LINE_BYTES).data())
            try:
                self.take_report(json.loads(line))
            except (ValueError, TypeError, LookupError) as error:
                log.warning("the server wrote what is no report: %s", error)

    def take_report(self, report: dict[str, object]) -> None:
        if isinstance(one := report.get("request"), dict):
            row = RequestRow(**one)
            self.requests.appendleft(row)
            known = self._clients.pop(row.client, None)
            n_before = known.n_requests if known else 0
            self._clients[row.client] = ClientRow(row.client, n_before + 1, row.at)
            while len(self._clients) > N_CLIENTS:
                del self._clients[next(iter(self._clients))]
            self.requested.emit()
        elif "address" in report:
            self.address, self.token = str(report["address"]), str(report["token"])
            self._set_state(ON)
        elif "error" in report:
            self.problem = Message.from_stored(str(report["error"]))

    def _fail_to_start(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self.problem = Message("The server can't be started.")
            self._end(-1)

    def _end(self, code: int) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.deleteLater()
        if code and not self.problem and self.state != OFF:
            log.warning("the server ended with exit code %d", code)
            self.problem = Message("The server ended unexpectedly; its log says why.")
        self.address = self.token = ""
        self._set_state(OFF)

    def _set_state(self, state: str) -> None:
        self.state = state
        self.changed.emit()
