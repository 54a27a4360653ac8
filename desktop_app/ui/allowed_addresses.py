"""Web addresses that open without asking, as the user decided.

Owns what counts as a web address and the list of sites in `window.ini`. Opens nothing itself.
"""

from __future__ import annotations

from PySide6.QtCore import QUrl

from .window_file import open_window_file

_KEY = "links/allowed"
_SCHEMES = ("http", "https")


def is_web_address(address: str) -> bool:
    """Return whether this is a web address whose site is visible in it.

    Files, scripts and data never do; neither does one with a user name in it, which is there to
    look like another site.
    """
    if any(c.isspace() or ord(c) < 32 or c == "\\" for c in address):
        return False
    url = QUrl(address, QUrl.ParsingMode.StrictMode)
    plain = url.isValid() and url.scheme() in _SCHEMES and not url.userInfo()
    return plain and bool(site_of(address))


def site_of(address: str) -> str:
    """Return the site of an address, such as "example.org"; letters of other scripts encoded."""
    url = QUrl(address)
    host = url.host(QUrl.ComponentFormattingOption.FullyEncoded).lower()
    return f"{host}:{url.port()}" if host and url.port() > 0 else host


def allowed_sites() -> list[str]:
    """Return the sites that are opened without asking."""
    kept = open_window_file().value(_KEY, [])
    sites = kept if isinstance(kept, list) else [kept] if kept else []
    return [str(site) for site in sites]


def is_allowed(address: str) -> bool:
    return is_web_address(address) and site_of(address) in allowed_sites()


def allow_site(address: str) -> None:
    """Open this address's site without asking from now on."""
    _keep([*allowed_sites(), site_of(address)])


def forget_sites() -> None:
    """Clear the list, so that every address is asked for again."""
    _keep([])


def _keep(sites: list[str]) -> None:
    settings = open_window_file()
    settings.setValue(_KEY, sorted(set(sites)))
    settings.sync()
