"""Downloads one GGUF file from a link that the user gave, and takes in one from the disk.

Owns what counts as a link to a model, the rules for servers and redirects, and the unfinished
download (`.<file>.partial`: what is there so far and a journal), which goes on where it stopped.
Nothing here runs unless the user asked for this link or file. Knows nothing of how a model is run.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from email.message import Message as Headers
from pathlib import Path
from typing import IO, Any
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit

from ..errors import EnvironmentProblem, UserError
from ..file_names import make_file_name
from ..progress import CancelToken, Clock, Progress, ProgressCallback, ignore_progress
from .gguf_header import load_header
from .installer import delete, digest

SUFFIX = ".gguf"
PARTIAL = ".partial"
TIMEOUT_S = 15.0  # without a byte; also the longest time until a stop is noticed
RETRY_WAITS_S = (1.0, 3.0, 10.0)  # after a break; counted anew when bytes came
_BLOCK = 1 << 18
_HEAD_BYTES = 4_096
_SPARE_BYTES = 200_000_000
_SHA256 = re.compile(r"[0-9a-f]{64}")
_SHARD = re.compile(r"-\d{5}-of-\d{5}$")
_LOOPBACK = re.compile(r"localhost|127(\.\d{1,3}){3}|::1")
# Model pages show a file at …/blob/…; the file itself is at …/resolve/….
_PAGES = ("huggingface.co", "hf.co", "hf-mirror.com", "www.modelscope.cn", "modelscope.cn")


@dataclass(frozen=True, slots=True)
class LinkedModel:
    """What a server says about the file behind a link.

    Attributes:
        sha256: of the content, "" if neither the server nor the user named it.
        etag: the server's mark of this version, "" if it has none that can be relied on.
    """

    url: str
    file: str
    size_bytes: int
    sha256: str = ""
    etag: str = ""


@dataclass(frozen=True, slots=True)
class UnfinishedDownload:
    """A download that was stopped or broken; `n_bytes` are on the disk."""

    model: LinkedModel
    n_bytes: int


@dataclass(frozen=True, slots=True)
class AddedModel:
    """A model file in the models folder, complete and checked."""

    path: Path
    size_bytes: int
    sha256: str


# --- the link -------------------------------------------------------------------------------------


def parse_link(text: str) -> str:
    """Return the address of the file that a pasted text means; uses no network.

    Raises:
        UserError: it is no https address, or no address of one GGUF file.
    """
    text = text.strip().strip("<>\"'")
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        host = ""
    if not host or any(c.isspace() or not c.isprintable() for c in text):
        raise UserError(
            "This is not a web address.", "Paste the whole link, from https:// to .gguf."
        )
    if not _is_trusted_way(parts.scheme, host):
        raise UserError(
            "Only links that begin with https:// are used.",
            "Without encryption, others could change the file on its way.",
        )
    if parts.username or parts.password:
        raise UserError(
            "This link has a user name in it, which hides the site it leads to.",
            "Use the link without it.",
        )
    path = parts.path
    if host in _PAGES:
        path = path.replace("/blob/", "/resolve/", 1)
    stem, dot, suffix = unquote(path).rpartition("/")[2].rpartition(".")
    if not dot or suffix.lower() != SUFFIX[1:]:
        raise UserError(
            "This link does not lead to a GGUF file: its address does not end in .gguf.",
            "On the page of the model, open the list of files and copy the link of one file.",
        )
    _check_stem(stem)
    return urlunsplit((parts.scheme, parts.netloc, path, parts.query, ""))


def _check_stem(stem: str) -> None:
    if _SHARD.search(stem):
        raise UserError(
            "This is one part of a model that is split into several files.",
            "Choose a file that has the whole model; most pages offer one.",
        )


def _is_trusted_way(scheme: str, host: str) -> bool:
    return scheme == "https" or (scheme == "http" and bool(_LOOPBACK.fullmatch(host)))


def _file_of(url: str) -> str:
    stem = unquote(urlsplit(url).path).rpartition("/")[2][: -len(SUFFIX)]
    return make_file_name(stem, "model") + SUFFIX


def parse_sha256(text: str) -> str:
    """Return a SHA-256 as the user pasted it, "" for none.

    Raises:
        UserError: it is something else.
    """
    plain = text.strip().lower().removeprefix("sha256:").strip()
    if plain and not _SHA256.fullmatch(plain):
        raise UserError("A SHA-256 has 64 characters: digits and the letters a to f.")
    return plain


# --- the server -----------------------------------------------------------------------------------


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects to https only; keeps what model pages say about the file on the way."""

    def __init__(self) -> None:
        self.sha256 = ""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: Headers,
        newurl: str,
    ) -> urllib.request.Request | None:
        marked = (headers.get("X-Linked-Etag") or "").strip().strip('"').lower()
        self.sha256 = marked if _SHA256.fullmatch(marked) else self.sha256
        before, after = urlsplit(req.full_url), urlsplit(urljoin(req.full_url, newurl))
        is_worse = before.scheme == "https" and after.scheme != "https"
        if is_worse or not _is_trusted_way(after.scheme, after.hostname or ""):
            raise UserError(
                "The server redirects to an address without encryption: {site}.",
                "Use another link.",
                site=after.hostname or after.scheme,
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]


class _Response:
    """One answer of a server: a stretch of the file from `start`.

    Attributes:
        total: bytes of the whole file, 0 if the server does not say.
    """

    def __init__(self, raw: http.client.HTTPResponse, redirects: _Redirects, site: str) -> None:
        self._raw, self._site = raw, site
        self.sha256 = redirects.sha256
        self.is_page = raw.headers.get_content_type() in ("text/html", "application/xhtml+xml")
        etag = raw.headers.get("ETag") or ""
        self.etag = etag if etag.startswith('"') else ""
        self.start = self.total = 0
        found = re.fullmatch(r"bytes (\d+)-\d+/(\d+)", raw.headers.get("Content-Range") or "")
        if raw.status == 206 and found:
            self.start, self.total = int(found[1]), int(found[2])
        elif raw.status == 200 and (length := raw.headers.get("Content-Length") or "").isdigit():
            self.total = int(length)

    def read(self, n: int) -> bytes:
        """Return up to n bytes, none at the end.

        Raises:
            ConnectionBroken: nothing came for too long, or the connection ended.
        """
        try:
            return self._raw.read1(n)
        except (OSError, http.client.HTTPException) as error:
            raise _describe_break(error, self._site) from error


@contextmanager
def _open(url: str, first: int, last: int | None = None) -> Iterator[_Response]:
    """Open a stretch of the file.

    Raises:
        EnvironmentProblem: the server can't be reached, is busy, or broke off.
        UserError: it refuses this address.
    """
    headers = {
        "Range": f"bytes={first}-{'' if last is None else last}",
        "Accept-Encoding": "identity",
        "User-Agent": "Inkgraph",
    }
    redirects = _Redirects()
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        redirects,
    ):
        opener.add_handler(handler)
    site = urlsplit(url).hostname or ""
    try:
        raw = opener.open(urllib.request.Request(url, headers=headers), timeout=TIMEOUT_S)
    except urllib.error.HTTPError as error:
        error.close()
        raise _describe_status(error.code, site) from error
    except (OSError, http.client.HTTPException) as error:
        raise _describe_break(error, site) from error
    with raw:
        yield _Response(raw, redirects, site)


class ConnectionBroken(EnvironmentProblem):
    """The network or the server failed; trying again may help."""


def _describe_break(error: Exception, site: str) -> ConnectionBroken:
    reason = getattr(error, "reason", None) or error
    return ConnectionBroken(
        "The connection to {site} failed: {reason}.",
        "Check the network and continue; what was downloaded is kept.",
        site=site,
        reason=getattr(reason, "strerror", None) or str(reason) or type(error).__name__,
    )


def _describe_status(code: int, site: str) -> UserError | EnvironmentProblem:
    if code in (401, 403):
        return UserError(
            "{site} does not offer this file without signing in ({code}).",
            "Download it in your browser, where you can sign in, and add the file.",
            site=site,
            code=code,
        )
    if code in (404, 410):
        return UserError(
            "There is no file at this address of {site} ({code}).",
            "Copy the link again from the page of the model.",
            site=site,
            code=code,
        )
    if code == 416:
        return EnvironmentProblem(
            "The file on {site} is smaller than what was downloaded.",
            "Delete the unfinished download and start again.",
            site=site,
        )
    if code in (408, 429) or code >= 500:  # trying again may help
        return ConnectionBroken(
            "{site} is busy or out of order ({code}).", "Try again later.", site=site, code=code
        )
    return EnvironmentProblem(
        "{site} answers with error {code}.", "Try again later.", site=site, code=code
    )


def _check_begin(data: bytes, response: _Response) -> None:
    """Refuse what does not begin like a GGUF file.

    Raises:
        UserError: it is a web page or something else.
    """
    if data[:4] == b"GGUF":
        return
    low = data[:512].lstrip().lower()
    if response.is_page or low.startswith((b"<!doctype html", b"<html")):
        raise UserError(
            "This link leads to a web page, not to a file.",
            "On that page, copy the link of the download button of one .gguf file.",
        )
    if data.startswith(b"version https://git-lfs"):
        raise UserError(
            "This link leads to a reference to the file, not to the file itself.",
            "Copy the link of the download button on the page of the model.",
        )
    raise UserError(
        "The file at this link is not a GGUF file, despite its name.",
        "Copy the link again from the page of the model.",
    )


def inspect_link(text: str, sha256: str = "") -> LinkedModel:
    """Ask the server for the first bytes behind a link and return what it says about the file.

    Raises:
        UserError: the link, or what it leads to, is no GGUF file.
        EnvironmentProblem: the server can't be reached or does not say the size.
    """
    url, wanted = parse_link(text), parse_sha256(sha256)
    with _open(url, 0, _HEAD_BYTES - 1) as response:
        _check_begin(response.read(_HEAD_BYTES), response)
        if not response.total:
            raise EnvironmentProblem(
                "The server does not say how large the file is.",
                "Download it in your browser and add the file.",
            )
        if wanted and response.sha256 and wanted != response.sha256:
            raise UserError(
                "The server has another file under this link: its SHA-256 is {sha256}.",
                "Compare it with the page from which you copied it.",
                sha256=response.sha256,
            )
        return LinkedModel(
            url, _file_of(url), response.total, wanted or response.sha256, response.etag
        )


# --- the download ---------------------------------------------------------------------------------


def download(
    model: LinkedModel,
    folder: Path,
    *,
    cancel: CancelToken | None = None,
    on_progress: ProgressCallback = ignore_progress,
    retry_waits_s: Sequence[float] = RETRY_WAITS_S,
) -> AddedModel:
    """Return the model after downloading what is missing of it.

    Raises:
        Cancelled: stopped; calling again goes on where it stopped.
        EnvironmentProblem: no connection after several tries, or no room on the disk.
        UserError: what came is not the file that was promised; it was deleted.
    """
    try:
        return _Download(model, folder, cancel or CancelToken(), on_progress).run(retry_waits_s)
    except OSError as error:
        raise _describe_disk(error, folder) from error


def _describe_disk(error: OSError, folder: Path) -> EnvironmentProblem:
    return EnvironmentProblem(
        "The model could not be saved in {target_dir}: {reason}.",
        "Make room there or choose another folder, then try again.",
        target_dir=folder,
        reason=error.strerror or error,
    )


def list_unfinished(folder: Path) -> list[UnfinishedDownload]:
    """Return the downloads of links that were not finished, by name."""
    found = []
    for place in sorted(folder.glob(f".*{SUFFIX}{PARTIAL}")):
        with suppress(OSError, ValueError, TypeError, UserError):
            kept = json.loads((place / "link.json").read_text("utf-8"))
            model = LinkedModel(**kept)
            if parse_link(model.url) == model.url and place == _work_dir(model.file, folder):
                data = place / "data"
                found.append(UnfinishedDownload(model, data.stat().st_size if data.exists() else 0))
    return found


def discard(file: str, folder: Path) -> None:
    """Delete an unfinished download."""
    delete(_work_dir(file, folder))


def _work_dir(file: str, folder: Path) -> Path:
    return folder / f".{file}{PARTIAL}"


class _Download:
    """One download; `data` has the bytes so far, the journal what they belong to."""

    def __init__(
        self, model: LinkedModel, folder: Path, cancel: CancelToken, on_progress: ProgressCallback
    ) -> None:
        self.model, self.folder = model, folder
        self.cancel, self.on_progress = cancel, on_progress
        self.work = _work_dir(model.file, folder)
        self.data, self.journal = self.work / "data", self.work / "link.json"

    def run(self, retry_waits_s: Sequence[float]) -> AddedModel:
        self._take_up()
        check_room(self.folder, self.model.size_bytes - self._n_bytes())
        clock = Clock(self.model.size_bytes - self._n_bytes())
        waits = iter(retry_waits_s)
        while (before := self._n_bytes()) < self.model.size_bytes:
            self.cancel.check()
            try:
                self._fetch(before, clock)
            except ConnectionBroken:
                if self._n_bytes() > before:
                    waits = iter(retry_waits_s)
                wait_s = next(waits, None)
                if wait_s is None:
                    raise
                self.cancel.wait(wait_s)
        return self._finish()

    def _n_bytes(self) -> int:
        return self.data.stat().st_size if self.data.exists() else 0

    def _take_up(self) -> None:
        """Keep what an earlier run of the same file left, otherwise begin with nothing."""
        wanted = asdict(self.model)
        with suppress(OSError, ValueError):
            before = json.loads(self.journal.read_text("utf-8"))
            known = ("url", "file", "size_bytes", "etag")
            if isinstance(before, dict) and all(before.get(k) == wanted[k] for k in known):
                if self._n_bytes() > self.model.size_bytes:
                    delete(self.data)
                return
        delete(self.work)
        self.work.mkdir(parents=True)
        self.journal.write_text(json.dumps(wanted), "utf-8")

    def _fetch(self, first: int, clock: Clock) -> None:
        with _open(self.model.url, first) as response:
            if response.total != self.model.size_bytes or (
                self.model.etag and response.etag != self.model.etag
            ):
                self._refuse_change(response)
            first = first if response.start == first else 0  # a server without ranges sends all
            with self.data.open("r+b" if self.data.exists() else "wb") as file:
                file.truncate(first)
                file.seek(first)
                n = first
                while n < self.model.size_bytes:
                    self.cancel.check()
                    block = response.read(_BLOCK)
                    if not block:
                        raise ConnectionBroken(
                            "The server ended the connection after {n} of {total} bytes.",
                            "Continue the download; what was downloaded is kept.",
                            n=n,
                            total=self.model.size_bytes,
                        )
                    if n == 0:
                        _check_begin(block, response)
                    file.write(block)
                    n += len(block)
                    clock.tick(len(block))
                    self.on_progress(
                        Progress("downloading", n, self.model.size_bytes, clock.rate, clock.left_s)
                    )
                file.truncate(self.model.size_bytes)
                file.flush()
                os.fsync(file.fileno())

    def _refuse_change(self, response: _Response) -> None:
        if response.is_page:
            _check_begin(b"", response)
        delete(self.work)
        raise UserError(
            "The file at this link has changed: {now} bytes, {before} before. The unfinished "
            "download was deleted.",
            "Check the link again.",
            now=response.total,
            before=self.model.size_bytes,
        )

    def _finish(self) -> AddedModel:
        self.on_progress(Progress("checking", self.model.size_bytes, self.model.size_bytes))
        found = digest(self.data, self.cancel)
        if self.model.sha256 and found != self.model.sha256:
            delete(self.work)
            raise UserError(
                "The downloaded file was deleted, because its SHA-256 is {found}, not {wanted}.",
                "Download it again; if this repeats, use another link.",
                found=found,
                wanted=self.model.sha256,
            )
        named = self.work / self.model.file  # the message has the name of the model
        os.replace(self.data, named)
        try:
            load_header(named)
        except UserError:
            delete(self.work)
            raise
        target = free_path(self.folder, self.model.file)
        write_marker(target, self.model.size_bytes, found, self.model.url.partition("?")[0])
        os.replace(named, target)
        delete(self.work)
        return AddedModel(target, self.model.size_bytes, found)


# --- the models folder ----------------------------------------------------------------------------


def add_file(
    path: Path,
    folder: Path,
    *,
    cancel: CancelToken | None = None,
    on_progress: ProgressCallback = ignore_progress,
) -> AddedModel:
    """Take a GGUF file of the user into the models folder; the original stays.

    On the same disk the file gets a second name there, which takes no room.

    Raises:
        UserError: it is no complete GGUF file, or no model by itself.
        EnvironmentProblem: it can't be read, or no room is left.
        Cancelled: stopped; nothing is left.
    """
    cancel = cancel or CancelToken()
    if path.suffix.lower() != SUFFIX:
        raise UserError(
            "{name} is not a GGUF file: its name does not end in .gguf.",
            "Models for other programs (safetensors, bin) can't be used; most are also "
            "offered as GGUF.",
            name=path.name,
        )
    _check_stem(path.stem)
    header = load_header(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        name = make_file_name(path.stem, "model") + SUFFIX
        same = folder / name
        if same.exists() and same.samefile(path):
            return AddedModel(same, header.size_bytes, read_marker(same)[1])
        target = free_path(folder, name)
        unfinished = folder / f".{target.name}{PARTIAL}-copy"
        unfinished.unlink(missing_ok=True)
        try:
            try:
                os.link(path.resolve(), unfinished)
            except OSError:
                _copy(path, unfinished, cancel, on_progress)
            on_progress(Progress("checking", header.size_bytes, header.size_bytes))
            found = digest(unfinished, cancel)
            write_marker(target, header.size_bytes, found, "")
            os.replace(unfinished, target)
        finally:
            unfinished.unlink(missing_ok=True)
        return AddedModel(target, header.size_bytes, found)
    except OSError as error:
        raise _describe_disk(error, folder) from error


def _copy(path: Path, target: Path, cancel: CancelToken, on_progress: ProgressCallback) -> None:
    size = path.stat().st_size
    check_room(target.parent, size)
    clock, n = Clock(size), 0
    with path.open("rb") as source, target.open("xb") as file:
        while block := source.read(1 << 22):
            cancel.check()
            file.write(block)
            n += len(block)
            clock.tick(len(block))
            on_progress(Progress("copying", n, size, clock.rate, clock.left_s))


def free_path(folder: Path, name: str) -> Path:
    """Return a path of this name, with a number if the name is taken."""
    target, number = folder / name, 2
    while target.exists():
        target = folder / f"{name[: -len(SUFFIX)]}-{number}{SUFFIX}"
        number += 1
    return target


def check_room(folder: Path, n_bytes: int) -> None:
    """Ensure that so many bytes fit on the disk of a folder.

    Raises:
        EnvironmentProblem: they do not.
    """
    folder.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder).free
    if free < n_bytes + _SPARE_BYTES:
        raise EnvironmentProblem(
            "The model needs {needed:.1f} GB of free space in {target_dir}, and {free:.1f} GB "
            "are free.",
            "Make room, or choose another folder for models in the settings.",
            needed=(n_bytes + _SPARE_BYTES) / 1e9,
            target_dir=folder,
            free=free / 1e9,
        )


def marker_of(path: Path) -> Path:
    """Return the file beside a model that has its SHA-256 and where it came from."""
    return path.with_name(f"{path.name}.ok")


def write_marker(path: Path, size_bytes: int, sha256: str, url: str) -> None:
    record: dict[str, Any] = {"name": path.stem, "sha256": sha256, "size_bytes": size_bytes}
    marker_of(path).write_text(json.dumps(record | ({"url": url} if url else {})) + "\n", "utf-8")


def read_marker(path: Path) -> tuple[int, str, str]:
    """Return size, SHA-256 and link of a model as they were recorded; zero and "" for unknown."""
    try:
        kept = json.loads(marker_of(path).read_text("utf-8"))
        sha256, url = str(kept["sha256"]), str(kept.get("url", ""))
        if not _SHA256.fullmatch(sha256) or kept["size_bytes"] != path.stat().st_size:
            return 0, "", ""
        return int(kept["size_bytes"]), sha256, url
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return 0, "", ""
