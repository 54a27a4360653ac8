"""The address of a model server, as a person writes it; checked without using the network."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from ...errors import UserError

# What people paste from examples: the address of one API instead of their common beginning.
_ENDPOINTS = ("/chat/completions", "/completions", "/embeddings", "/rerank", "/models")
_USUAL_PATH = "/v1"  # of llama-server, vLLM, Ollama and others
# Names that are given out inside a home or a company only (RFC 6762, 8375, and common routers).
_LOCAL_NAMES = (".localhost", ".local", ".lan", ".home", ".home.arpa", ".internal", ".intranet")


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Where a model server is.

    Attributes:
        url: the common beginning of all requests, without a final slash: "http://10.0.0.5:8080/v1".
        site: host and port as they are shown: "10.0.0.5:8080".
        is_encrypted: whether it is https.
        is_near: whether the host is this computer, or in a private network by its name or number.
    """

    url: str
    site: str
    is_encrypted: bool
    is_near: bool

    @property
    def needs_confirmation(self) -> bool:
        """Whether texts would cross the internet readable for everybody on the way."""
        return not self.is_encrypted and not self.is_near


def parse_address(text: str) -> ServerAddress:
    """Return the address that a text means; an address without a path gets "/v1".

    Raises:
        UserError: it is no http or https address of a server.
    """
    text = text.strip().strip("<>\"'")
    try:
        parts = urlsplit(text)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        raise _no_address() from None
    if parts.scheme not in ("http", "https") or not host:
        raise _no_address()
    if any(c.isspace() or not c.isprintable() or c == "\\" for c in text) or not host.isascii():
        raise _no_address()
    if parts.username is not None or parts.password is not None:
        raise UserError(
            "This address has a user name in it, which hides the site it leads to.",
            "Enter the address without it; a key has a field of its own.",
        )
    if parts.query or parts.fragment:
        raise UserError("The address ends with a query.", "Enter it up to /v1 only.")
    path = parts.path.rstrip("/")
    for endpoint in _ENDPOINTS:
        path = path.removesuffix(endpoint)
    shown_host = f"[{host}]" if ":" in host else host
    site = f"{shown_host}:{port}" if port is not None else shown_host
    url = urlunsplit((parts.scheme, site, path or _USUAL_PATH, "", ""))
    return ServerAddress(url, site, parts.scheme == "https", _is_near(host))


def _no_address() -> UserError:
    return UserError(
        "This is not the address of a server.",
        "Enter it from http:// or https:// on, such as http://192.168.1.20:8080/v1.",
    )


def _is_near(host: str) -> bool:
    """Return whether a host is this computer or in a private network; asks no name server."""
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith(_LOCAL_NAMES)
    return number.is_loopback or number.is_private or number.is_link_local
