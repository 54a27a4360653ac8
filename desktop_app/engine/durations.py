"""Durations in words, as the window and the command line show them."""

from __future__ import annotations

from .messages import Message


def format_duration(seconds: float) -> Message:
    """Return a measured duration, short: "40 s", "12 min" or "3 h 20 min"."""
    if seconds < 90:
        return Message("{n} s", n=round(seconds))
    minutes = round(seconds / 60)
    if minutes < 90:
        return Message("{n} min", n=minutes)
    hours, rest = divmod(minutes, 60)
    return Message("{h} h {m} min", h=hours, m=rest) if rest else Message("{h} h", h=hours)


def format_seconds(seconds: float, n_decimals: int = 1) -> Message:
    """Return a measured time in full: "1.5 s", "41 s", "6 min 9 s" or "1 h 2 min".

    Args:
        n_decimals: digits behind the point below 10 seconds.
    """
    if seconds < 9.95:
        return Message("{n} s", n=f"{seconds:.{n_decimals}f}")
    whole = round(seconds)
    if whole < 60:
        return Message("{n} s", n=whole)
    if whole >= 3600:
        hours, rest = divmod(round(whole / 60), 60)
        return Message("{h} h {m} min", h=hours, m=rest) if rest else Message("{h} h", h=hours)
    minutes, rest = divmod(whole, 60)
    return Message("{m} min {s} s", m=minutes, s=rest) if rest else Message("{n} min", n=minutes)


def format_estimate(seconds: float) -> Message:
    """Return an estimated duration, rounded, in words: "about 25 minutes"."""
    minutes = seconds / 60
    if minutes < 0.75:
        return Message("less than a minute")
    if minutes < 1.5:
        return Message("about a minute")
    if minutes < 12.5:
        return Message("about {minutes:.0f} minutes", minutes=minutes)
    if minutes < 57.5:
        return Message("about {minutes} minutes", minutes=5 * round(minutes / 5))
    hours = minutes / 60
    if hours < 1.25:
        return Message("about an hour")
    if hours < 4:
        whole, half = divmod(round(hours * 2), 2)
        return Message("about {whole}½ hours" if half else "about {whole} hours", whole=whole)
    return Message(
        "about {hours:.0f} hours" if hours < 48 else "about {days:.0f} days",
        hours=hours,
        days=hours / 24,
    )
