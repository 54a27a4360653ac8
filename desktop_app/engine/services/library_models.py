"""The models that one library uses: those of this computer, or of the server set for it.

Owns the choice between both: the server while it is on, the model on this computer while the server
is gone. Everything that works with a library gets its models here.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..errors import AppError, EnvironmentProblem, UserError
from ..llm.model_checks import CheckResult, check_chat
from ..llm.protocols import ChatModel, Embedder, Reranker
from ..llm.registry import ModelRegistry, ModelRow
from ..llm.remote.contract import (
    USUAL_LIMITS,
    ChatFeatures,
    RequestLimits,
    ServerGone,
    name_remote,
    shorten_name,
)
from ..llm.reranking import ChatReranker
from ..messages import Message
from ..progress import CancelToken
from .enrichment.rates import ChatFacts, find_chat_facts, parse_size_in_name
from .model_servers import (
    CHAT,
    ModelServer,
    ModelServers,
    ServerKeys,
    check_key,
    shared_keys,
)

if TYPE_CHECKING:  # the client of a server is imported where one is set
    from ..llm.remote.chat import ListedModel, RemoteChat
    from ..llm.remote.client import ServerClient

log = logging.getLogger(__name__)

AWAY_S = 60.0  # a server that was gone is not asked again before
# Asking whether it is back holds up a question, so it is short.
_BACK_LIMITS = RequestLimits(connect_s=2.0, silence_s=3.0, total_s=4.0, waits_s=())


@dataclass(frozen=True, slots=True)
class ModelServerState:
    """What the window shows: `site` is "" while all models are on this computer.

    Attributes:
        is_away: whether the server is gone, so that the model on this computer is used.
    """

    site: str = ""
    is_away: bool = False


class LibraryModels:
    """Gives the models of one library; may be used from any thread.

    Args:
        library: its name in the settings; see `library_name`.
        limits: of requests; the time-out is the user's.
        clock: says how long the server has been gone.

    Attributes:
        on_change: called from any thread when the server is set, gone or back.
    """

    def __init__(
        self,
        registry: ModelRegistry,
        library: str,
        servers: ModelServers | None = None,
        keys: ServerKeys | None = None,
        *,
        limits: RequestLimits = USUAL_LIMITS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.registry = registry
        self._library = library
        self._servers, self._keys = servers or ModelServers(), keys or shared_keys()
        self._limits, self._clock = limits, clock
        self._lock = threading.RLock()
        self._used: tuple[ModelServer, str] | None = None  # of the client, with its key
        self._client: ServerClient | None = None
        self._chat: RemoteChat | None = None
        self._away_since: float | None = None
        self.on_change: Callable[[], None] = lambda: None

    # --- models -----------------------------------------------------------------------------------

    def find_chat(self) -> ChatModel | None:
        """Return the chat model in use.

        While the server is gone, that is the one on this computer; None if there is none.
        """
        server = self._find_chat_server()
        if server is None or self._is_away():
            return self.registry.find_chat()
        with self._lock:
            client = self._ensure_client(server)
            if self._chat is None:
                self._chat = _build_chat(client, server)
            return self._chat

    def estimate_loading(self) -> float:
        """Return the seconds that `find_chat` is likely to need; 0.0 where nothing is loaded."""
        is_remote = self._find_chat_server() is not None and not self._is_away()
        return 0.0 if is_remote else self.registry.estimate_loading()

    @contextmanager
    def borrow_chat(self, name: str) -> Iterator[ChatModel]:
        """Yield a chat model by its name in `list_models`, without making it the one in use.

        Raises:
            UserError: there is no such model, or it is not installed.
            EnvironmentProblem: it does not work here, or its server does not answer.
        """
        server = self._find_chat_server()
        if server is None or name != name_remote(server.chat, server.address):
            with self.registry.borrow_chat(name) as model:
                yield model
            return
        from ..llm.remote.chat import RemoteChat

        remote = self.find_chat()
        if not isinstance(remote, RemoteChat):  # the one on this computer takes its place meanwhile
            raise EnvironmentProblem(
                "{site} does not answer.", "Try again later.", site=server.address.site
            )
        yield remote

    @contextmanager
    def borrow_served_chat(self) -> Iterator[ChatModel]:
        """Yield the chat model of the server that is set, also while it is off.

        For texts that have nothing of the library: it may be off because the user did not agree.

        Raises:
            UserError: no server is set, or its chat model is not used.
        """
        server = self.server
        if not server.chat:
            raise UserError("No chat model of a server is set for this library.")
        with closing(self._open_client(server, None)) as client:
            yield _build_chat(client, server)

    def find_embedder(self) -> Embedder | None:
        """Return the embedding model in use, None if there is none.

        None while the server is gone, too: vectors of another model are no use for this library,
        and those of the server are kept.
        """
        server = self._find_server()
        if server is None or not server.embedding:
            return self.registry.find_embedder()
        if self._is_away():
            return None
        from ..llm.remote.vectors import RemoteEmbedder

        with self._lock:
            return RemoteEmbedder(self._ensure_client(server), server.embedding, server.dim)

    def find_reranker(self) -> Reranker | None:
        """Return the reranker in use, None unless one was chosen.

        That of this computer while the server is gone. One that reads with the chat model
        (`CHAT_RERANKER`) uses the chat model of this library.
        """
        server = self._find_server()
        if server is not None and server.reranker and not self._is_away():
            from ..llm.remote.vectors import RemoteReranker

            with self._lock:
                client = self._ensure_client(server)
                return RemoteReranker(client, server.reranker, server.has_logits)
        found = self.registry.find_reranker()
        if server is not None and server.chat and isinstance(found, ChatReranker):
            chat = self.find_chat()
            return ChatReranker(chat) if chat is not None else None
        return found

    def embedding_name(self) -> str:
        """Return the embedding model in use, "" if there is none; loads and contacts nothing."""
        server = self._find_server()
        if server is None or not server.embedding:
            return self.registry.embedding_name()
        return name_remote(server.embedding, server.address)

    def chat_model_name(self) -> str:
        """Return the chat model in use, "" if there is none; loads and contacts nothing."""
        server = self._find_chat_server()
        if server is None or self._away_since is not None:
            return self.registry.chat_model_name()
        return name_remote(server.chat, server.address)

    def list_models(self) -> list[ModelRow]:
        """Return the models of this computer and, first, the one of the server that is set."""
        rows, server = self.registry.list_models(), self.server
        if not server.chat or server.needs_agreement:
            return rows
        if server.is_on:
            rows = [replace(row, active=row.active and row.role != CHAT) for row in rows]
        return [_build_row(server), *rows]

    def get_chat_row(self, name: str) -> ModelRow:
        """Return the chat model that `borrow_chat` yields for a name, and raise as it does."""
        server = self._find_chat_server()
        if server is not None and name == name_remote(server.chat, server.address):
            return _build_row(server)
        return self.registry.get_chat_row(name)

    def use_chat(self, name: str) -> None:
        """Use the model of the server, by its name in `list_models`, or one of this computer."""
        server = self.server
        if (
            server.chat
            and name == name_remote(server.chat, server.address)
            and not server.needs_agreement
        ):
            self.turn_on()
            return
        self.registry.use(name)
        self.turn_off()

    def find_chat_facts(self) -> ChatFacts | None:
        """Return the chat model in use without loading it, None if there is none."""
        server = self._find_chat_server()
        if server is None or self._away_since is not None:
            return find_chat_facts(self.registry)
        return ChatFacts(
            name_remote(server.chat, server.address),
            _count_parameters(server),
            server.features.n_top > 0,
        )

    @property
    def state(self) -> ModelServerState:
        server = self._find_server()
        if server is None:
            return ModelServerState()
        return ModelServerState(server.address.site, self._away_since is not None)

    def close(self) -> None:
        """Close the connections to the server; a later use opens new ones."""
        with self._lock:
            self._forget_client()

    # --- the setting ------------------------------------------------------------------------------

    @property
    def server(self) -> ModelServer:
        """The server set for the library, also while it is off."""
        return self._servers.load(self._library)

    def has_key(self) -> bool:
        """Return whether a key of the server is known. May wait for the keyring."""
        return bool(self.server.url and self._keys.find(self.server.url))

    def connect(
        self, url: str, key: str | None = None, cancel: CancelToken | None = None
    ) -> list[ListedModel]:
        """Ask a server for its models; nothing of the library is sent.

        Args:
            key: None for the one that is known.

        Raises:
            UserError, ServerGone, ServerRefused, BadServerAnswer: it does not answer as it should.
        """
        from ..llm.remote.chat import list_server_models

        client = self._open_client(replace(self.server, url=url), key)
        try:
            return list_server_models(client, cancel)
        finally:
            client.close()

    def set_server(
        self,
        server: ModelServer,
        key: str | None = None,
        cancel: CancelToken | None = None,
    ) -> ModelServer:
        """Try the models of a server and store it, off if the user has not agreed yet.

        Nothing of the library is sent.

        Args:
            key: None to keep the one that is known, "" for none.

        Raises:
            UserError: there is no model, or the key has a wrong form.
            EnvironmentProblem: the server does not answer, or has no such model.
        """
        if not server.roles:
            raise UserError("No model of the server is chosen.", "Choose one.")
        from ..llm.remote.chat import check_found, find_features, list_server_models
        from ..llm.remote.vectors import find_dim, find_has_logits

        client = self._open_client(server, key)
        try:
            listed = {model.name: model for model in list_server_models(client, cancel)}
            found = {
                role: check_found(listed.get(name), name, client)
                for role in server.roles
                for name in [getattr(server, role)]
            }
            features = (
                find_features(client, found[CHAT], cancel) if CHAT in found else ChatFeatures()
            )
            dim = find_dim(client, server.embedding, cancel) if server.embedding else 0
            has_logits = bool(server.reranker) and find_has_logits(client, server.reranker, cancel)
        finally:
            client.close()
        before = self.server
        agreed = server.agreed if before.url == server.url else ()
        fresh = replace(server, features=features, dim=dim, has_logits=has_logits, agreed=agreed)
        fresh = replace(fresh, is_on=server.is_on and not fresh.needs_agreement)
        if key is not None:
            self._keys.store(server.url, check_key(key))
        self._store(fresh)
        return fresh

    def change(self, **values: Any) -> ModelServer:
        """Store other values of the options, such as `n_at_once`."""
        fresh = replace(self.server, **values)
        self._store(fresh)
        return fresh

    def change_option(self, name: str, value: Any) -> ModelServer:
        """Store one option, such as `n_at_once`."""
        return self.change(**{name: value})

    def turn_on(self) -> ModelServer:
        """Use the server from now on: the user saw what is sent, and agreed.

        Raises:
            UserError: no server is set.
        """
        server = self.server
        if not server.url or not server.roles:
            raise UserError("No server is set for this library.", "Enter its address first.")
        fresh = replace(server, is_on=True, agreed=server.roles)
        self._store(fresh)
        return fresh

    def turn_off(self) -> None:
        """Use the models of this computer from now on."""
        if self.server.is_on:
            self._store(replace(self.server, is_on=False))

    def forget_server(self) -> None:
        """Turn the server off and forget it with its key."""
        if self.server.url:
            self._keys.store(self.server.url, "")
        self._servers.remove(self._library)
        self._changed()

    def check(self, cancel: CancelToken | None = None) -> CheckResult:
        """Ask the model one question that has nothing of the library; see `ModelRegistry.check`."""
        server = self.server
        if not server.url:
            raise UserError("No server is set for this library.", "Enter its address first.")
        if server.chat:
            with self.borrow_served_chat() as model:
                result = check_chat(model)
        else:
            from ..llm.remote.chat import list_server_models

            with closing(self._open_client(server, None)) as client:
                list_server_models(client, cancel)
            result = CheckResult(True, Message("{site} answers.", site=server.address.site))
        with self._lock:
            self._away_since = None
        self.on_change()
        return result

    # --- the connection ---------------------------------------------------------------------------

    def _find_server(self) -> ModelServer | None:
        server = self.server
        return server if server.is_on else None

    def _find_chat_server(self) -> ModelServer | None:
        """Return the server if its chat model is to be used."""
        server = self._find_server()
        return server if server is not None and server.chat else None

    def _ensure_client(self, server: ModelServer) -> ServerClient:
        """Return the client of a server; a new one if its setting or key changed."""
        used = (server, self._keys.find(server.url))
        if self._client is None or used != self._used:
            self._forget_client()
            self._used, self._client = used, self._open_client(server, used[1])
            self._client.on_gone = self._note_gone
        return self._client

    def _open_client(self, server: ModelServer, key: str | None) -> ServerClient:
        key = self._keys.find(server.url) if key is None else check_key(key)
        limits = replace(self._limits, silence_s=min(server.silence_s, self._limits.total_s))
        from ..llm.remote.client import ServerClient

        return ServerClient(server.address, key, n_at_once=server.n_at_once, limits=limits)

    def _forget_client(self) -> None:
        client, self._client = self._client, None
        self._chat = self._used = None
        if client is not None:
            client.close()

    def _store(self, server: ModelServer) -> None:
        self._servers.save(self._library, server)
        self._changed()

    def _changed(self) -> None:
        with self._lock:
            self._away_since = None
            self._forget_client()
        self.on_change()

    # --- a server that is gone --------------------------------------------------------------------

    def _note_gone(self, problem: ServerGone) -> None:
        """Use the model on this computer from now on; in the thread of the event loop."""
        # Without the lock: whoever holds it may wait for this thread.
        is_new, self._away_since = self._away_since is None, self._clock()
        if is_new:
            log.info("the model server is gone")
            if self.server.embedding:
                report = EnvironmentProblem(
                    "{problem} Until it is back, models on this computer are used, and search is "
                    "by words only.",
                    problem=problem.message,
                )
            else:
                report = EnvironmentProblem(
                    "{problem} Models on this computer are used until it is back.",
                    problem=problem.message,
                )
            self.registry.on_problem(report)
            self.on_change()

    def _is_away(self) -> bool:
        """Return whether the server is gone; ask again after a while."""
        since = self._away_since
        if since is None:
            return False
        if self._clock() - since < AWAY_S:
            return True
        self._away_since = self._clock()  # one thread asks
        from ..llm.remote.client import ServerClient

        server = self.server
        client = ServerClient(server.address, self._keys.find(server.url), limits=_BACK_LIMITS)
        try:
            client.get("/models")
        except AppError:
            return True
        finally:
            client.close()
        self._away_since = None
        self.on_change()
        return False


def _build_row(server: ModelServer) -> ModelRow:
    """Return the chat model of a server as a row among those of this computer."""
    site = server.address.site
    return ModelRow(
        name=name_remote(server.chat, server.address),
        role=CHAT,
        title=Message("{model} ({site})", model=shorten_name(server.chat), site=site),
        size_bytes=0,
        languages=(),
        licence="",
        memory_bytes=0,
        installed=True,
        path=None,
        active=server.is_on,
        note=Message("On {site}: texts of this library are sent there.", site=site),
    )


def _build_chat(client: ServerClient, server: ModelServer) -> RemoteChat:
    from ..llm.remote.chat import RemoteChat

    return RemoteChat(
        client,
        server.chat,
        server.features,
        n_ctx=server.n_ctx,
        n_parameters=_count_parameters(server),
    )


def _count_parameters(server: ModelServer) -> int:
    """Return the size of the chat model: the user's, the server's, or that in its name."""
    own = round(server.n_billions * 1e9)
    return own or server.features.n_parameters or parse_size_in_name(server.chat)
