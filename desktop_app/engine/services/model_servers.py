"""The model server that a user set for a library, its key, and what is sent to it, as an example.

The setting is in the user's data folder under the library's id and path, never in the library: one
from another person, or another file at the same path, sends nothing. The key is in the keyring of
the system, or in memory until the program ends.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from .. import paths
from ..errors import UserError
from ..llm.remote.address import ServerAddress, parse_address
from ..llm.remote.contract import ChatFeatures
from ..messages import Message
from ..query import QueryParam
from ..settings import load_mapping, load_valid, option, write_mapping
from ..store import document_metadata, enrichment
from ..store.db import Db
from .system_keyring import SystemKeyring

KEYRING_SERVICE = "Inkgraph model servers"
KEY_VARIABLE = "INKGRAPH_SERVER_KEY"  # where there is no keyring, and for scripts
_MAX_KEY_CHARS = 4000
_EXAMPLE_TOKENS = 512
CHAT = "chat"
EMBEDDING, RERANKER = "embedding", "reranker"
SERVED_ROLES = (CHAT, EMBEDDING, RERANKER)


@dataclass(frozen=True, slots=True)
class ModelServer:
    """A server as the user set it for one library.

    Attributes:
        url: see `ServerAddress.url`; "" while none is set.
        chat, embedding, reranker: what the server calls its models for these roles, "" where those
            on this computer are used.
        is_on: whether it is used.
        agreed: the roles for which the user saw what is sent and agreed, for this address.
        features: what the server can do with `chat`, as it was last tried.
        dim: of the vectors of `embedding`.
        has_logits: whether the scores of `reranker` are log-odds.
    """

    n_at_once: int = option(
        4,
        "Requests at once",
        "Requests sent at the same time while enriching. More is faster where the server has room "
        "for them.",
        least=1,
        most=64,
    )
    silence_s: int = option(
        120,
        "Time-out",
        "A server that sends nothing for this long counts as gone.",
        unit="seconds",
        least=5,
        most=3600,
    )
    n_ctx: int = option(
        0,
        "Context",
        "How long questions with their sources may be.",
        unit="tokens",
        least=512,
        most=2_000_000,
        zero="as the server states it",
        expert=True,
    )
    n_billions: float = option(
        0.0,
        "Size of the model",
        "In billions of parameters. Models from 7 on describe names and connections in sentences; "
        "an unknown size counts as small.",
        least=0.1,
        most=5000,
        zero="as the server states it",
        expert=True,
    )
    url: str = ""
    chat: str = ""
    embedding: str = ""
    reranker: str = ""
    is_on: bool = False
    agreed: tuple[str, ...] = ()
    features: ChatFeatures = field(default_factory=ChatFeatures)
    dim: int = 0
    has_logits: bool = False

    @property
    def address(self) -> ServerAddress:
        return parse_address(self.url)

    def with_roles(self, chosen: Mapping[str, str]) -> ModelServer:
        """Return the server with these models by role, "" for those of this computer."""
        return replace(
            self,
            chat=chosen.get(CHAT, ""),
            embedding=chosen.get(EMBEDDING, ""),
            reranker=chosen.get(RERANKER, ""),
        )

    @property
    def roles(self) -> tuple[str, ...]:
        """What the server is to be used for."""
        return tuple(role for role in SERVED_ROLES if getattr(self, role))

    @property
    def needs_agreement(self) -> bool:
        """Whether something would be sent that the user did not agree to."""
        return not set(self.roles) <= set(self.agreed)


NO_SERVER = ModelServer()


def _load(stored: object) -> ModelServer:
    """Return a stored setting; off, or without a part, where values are wrong."""
    server = load_valid(ModelServer, stored)
    if not isinstance(stored, Mapping):
        return server
    try:
        url = parse_address(str(stored.get("url", ""))).url
    except UserError:
        return server
    listed = stored.get("agreed", ())
    agreed = tuple(role for role in SERVED_ROLES if isinstance(listed, list) and role in listed)
    features = ChatFeatures(**_choose_valid(ChatFeatures, stored.get("features")))
    length = stored.get("dim")
    dim = length if isinstance(length, int) and length > 0 else 0
    embedding = str(stored.get(EMBEDDING, "")) if dim else ""
    found = replace(
        server,
        url=url,
        chat=str(stored.get(CHAT, "")),
        embedding=embedding,
        reranker=str(stored.get(RERANKER, "")),
        agreed=agreed,
        features=features,
        dim=dim if embedding else 0,
        has_logits=stored.get("has_logits") is True,
    )
    return replace(found, is_on=stored.get("is_on") is True and not found.needs_agreement)


def _choose_valid(of: type, stored: object) -> dict[str, Any]:
    """Return the values of a mapping that have the types of a dataclass's defaults."""
    if not isinstance(stored, Mapping):
        return {}
    known = {one.name: type(one.default) for one in fields(of)}
    return {name: value for name, value in stored.items() if known.get(name) is type(value)}


class ModelServers:
    """Reads and writes the settings of all libraries; each read gives what was written last."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file or paths.model_servers_file()
        self._read_at: tuple[int, int] | None = None
        self._known: dict[str, Any] = {}

    def load(self, library: str) -> ModelServer:
        """Return the server of a library (`library_name`), `NO_SERVER` if none is set."""
        stored = self._load_all().get(library)
        return NO_SERVER if stored is None else _load(stored)

    def save(self, library: str, server: ModelServer) -> None:
        """Store the server of a library.

        Raises:
            UserError: it is on although the user did not agree to what is sent.
            EnvironmentProblem: it can't be written.
        """
        if server.is_on and (server.needs_agreement or not server.roles):
            raise UserError("Nothing is sent before you agreed.", "Turn the server on again.")
        stored = load_mapping(self._file)
        stored[library] = asdict(server)
        write_mapping(self._file, stored)

    def remove(self, library: str) -> None:
        """Forget the server of a library; nothing is sent there any more."""
        stored = load_mapping(self._file)
        if stored.pop(library, None) is not None:
            write_mapping(self._file, stored)

    def _load_all(self) -> dict[str, Any]:
        """Return the file's content, read again only if it changed: this is for every question."""
        try:
            stat = self._file.stat()
        except OSError:
            return {}
        sign = (stat.st_mtime_ns, stat.st_size)
        if sign != self._read_at:
            self._known, self._read_at = load_mapping(self._file), sign
        return self._known


def library_name(db: Db) -> str:
    """Return what the setting of a library is found by: its id and path."""
    return f"{document_metadata.fetch_library_id(db)} {db.path.resolve()}"


# --- the key --------------------------------------------------------------------------------------


def check_key(text: str) -> str:
    """Return a key as the user pasted it, "" for none.

    Raises:
        UserError: it can't be sent.
    """
    key = text.strip().removeprefix("Bearer ").strip()
    if len(key) > _MAX_KEY_CHARS or any(not c.isascii() or not c.isprintable() for c in key):
        raise UserError("This is not a key.", "Copy it again from the server.")
    if " " in key:
        raise UserError("A key has no spaces.", "Copy it again from the server.")
    return key


class ServerKeys:
    """The keys of servers by address; may be used from any thread but the window's."""

    def __init__(self, keyring: SystemKeyring | None = None) -> None:
        self._keyring = keyring or SystemKeyring()
        self._memory: dict[str, str] = {}
        self._lock = threading.Lock()

    def find(self, url: str) -> str:
        """Return the key of a server, "" if it has none."""
        with self._lock:
            if url not in self._memory:
                found: list[str] = []

                def load(backend: Any) -> None:
                    value = backend.get_password(KEYRING_SERVICE, url)
                    if isinstance(value, str):
                        found.append(value)

                self._keyring.use(load)
                self._memory[url] = found[0] if found else ""
            return self._memory[url] or os.environ.get(KEY_VARIABLE, "").strip()

    def store(self, url: str, key: str) -> bool:
        """Keep the key of a server ("" deletes it); return whether the keyring has it now."""
        with self._lock:
            self._memory[url] = key
        stored: list[bool] = []

        def save(backend: Any) -> None:
            if key:
                backend.set_password(KEYRING_SERVICE, url, key)
            elif backend.get_password(KEYRING_SERVICE, url) is not None:
                backend.delete_password(KEYRING_SERVICE, url)
            stored.append(True)

        self._keyring.use(save)
        return bool(stored)


_shared_keys = ServerKeys()


def shared_keys() -> ServerKeys:
    """Return the keys of this process."""
    return _shared_keys


# --- what is sent ---------------------------------------------------------------------------------

WHAT_IS_SENT = {
    CHAT: Message(
        "Questions, earlier turns of the chat, the passages found for them, and, when you enrich, "
        "write reports or compare names, the passages and names that these are about."
    ),
    EMBEDDING: Message(
        "The whole text of every document of this library, in pieces, also of those that you add "
        "later; names with their descriptions; and every question."
    ),
    RERANKER: Message("Every question, with the best 24 passages found for it."),
}


@dataclass(frozen=True, slots=True)
class RequestExample:
    """One request as it would be sent: `text` has its address, headers and body."""

    role: str
    text: str


def build_examples(
    db: Db, server: ModelServer, has_key: bool, question: Message | str
) -> list[RequestExample]:
    """Return one request for each role of a server, in full, with text of this library.

    Args:
        question: what is asked in the example.
    """
    passage = _find_passage(db)
    found = []
    for role in server.roles:
        path, body = _BODIES[role](server, str(question), passage)
        lines = [f"POST {server.url}{path}", "Content-Type: application/json"]
        lines += ["Authorization: Bearer …"] if has_key else []
        found.append(
            RequestExample(
                role, "\n".join((*lines, "", json.dumps(body, ensure_ascii=False, indent=1)))
            )
        )
    return found


def _find_passage(db: Db) -> str:
    """Return the text of a passage in the middle of the library, "" if it has none."""
    places = enrichment.fetch_enrichable_chunks(db)
    source = enrichment.find_chunk_source(db, places[len(places) // 2].chunk_id) if places else None
    return source.text if source is not None else ""


def _build_chat(server: ModelServer, question: str, passage: str) -> tuple[str, dict[str, Any]]:
    from ..answering.context import build_messages
    from ..llm.remote.chat import build_body

    messages = build_messages(question, f"[1] {passage}", "", QueryParam(), "en")
    body = build_body(
        server.chat, messages, server.features, max_tokens=_EXAMPLE_TOKENS, stream=True
    )
    return "/chat/completions", body


def _build_embedding(
    server: ModelServer, question: str, passage: str
) -> tuple[str, dict[str, Any]]:
    from ..llm.embedding import find_prefixes

    prefix = find_prefixes(server.embedding).passage
    return "/embeddings", {
        "model": server.embedding,
        "input": [prefix + passage],
        "encoding_format": "float",
    }


def _build_reranker(server: ModelServer, question: str, passage: str) -> tuple[str, dict[str, Any]]:
    return "/rerank", {
        "model": server.reranker,
        "query": question,
        "documents": [passage],
        "top_n": 1,
    }


_BODIES: dict[str, Callable[[ModelServer, str, str], tuple[str, dict[str, Any]]]] = {
    CHAT: _build_chat,
    EMBEDDING: _build_embedding,
    RERANKER: _build_reranker,
}
