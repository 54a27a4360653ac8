"""Decoding of bytes in an unknown encoding.

Tries byte order marks, strict decoding and a plausibility score of the decoded text. Bytes whose
best decoding does not look like a language are rejected, so that no mojibake is returned.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from dataclasses import dataclass, replace

from ..messages import Message
from .language import FREQUENT_HAN, FREQUENT_HANGUL
from .readers.archives import Unreadable

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"\x84\x31\x95\x33", "gb18030"),
)
_MULTI_BYTE = ("gb18030", "big5hkscs", "cp932", "euc_jp", "cp949")
_SINGLE_BYTE = ("cp1252", "cp1251", "koi8-r", "cp1250", "latin-1")
_NAMES = {"big5hkscs": "big5", "cp932": "shift_jis", "cp949": "euc-kr"}
_SAMPLE_BYTES = 48_000
_GOOD_SCORE = 0.3
# Tab, line feed, form feed, return and ^Z (end of file in DOS) do not indicate binary data.
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x19\x1b-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
_ISOLATED_HIGH = re.compile(rb"(?<![\x80-\xff])[\x80-\xff](?![\x80-\xff])")
_HIGH = re.compile(rb"[\x80-\xff]")
_NOT_ASCII = re.compile("[^\x00-\x7f]")
_LATIN_IN_WORD = re.compile(
    "(?<=[A-Za-z])[\xc0-\xff\u0152-\u0178](?=[a-z])|[\xdf-\xff](?![\xc0-\xff])"
)
_LATIN_MARKS = re.compile(
    "[\u2018-\u201d\u2013\u2014\u2026\xa0\xa3\xa7\xa9\xab\xb0\xb4\xb7\xbb\xbf]"
)
_CYRILLIC_LOWER = re.compile("[\u0430-\u044f\u0451](?=[\u0430-\u044f\u0451\\W])")
_CJK_MARKS = frozenset("，。、；：？！“”‘’（）《》「」『』…—\u3000·【】〈〉―　～％")


@dataclass(frozen=True, slots=True)
class Decoded:
    """Decoded text with its encoding; `notes` are messages for the user about lost characters."""

    text: str
    encoding: str
    notes: tuple[Message, ...] = ()


def decode(content: bytes, declared: str = "") -> Decoded:
    """Return the decoded text with LF line ends, and notes about what was lost.

    Args:
        declared: encoding that an HTML or XML page declares; tried before the guesses.

    Raises:
        Unreadable: the bytes are not text.
    """
    decoded = _remove_control_characters(_decode(content, declared))
    return replace(decoded, text=normalise_newlines(decoded.text))


def normalise_newlines(text: str) -> str:
    """Return the text with LF line ends; all offsets refer to this text."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\x1a", "").replace("\x0c", "\n").replace("\x00", "")


def _decode(content: bytes, declared: str) -> Decoded:
    for mark, encoding in _BOMS:
        if content.startswith(mark):
            return _decode_leniently(content[len(mark) :], encoding)
    utf8 = _try_strict(content, "utf-8")
    if utf8 is not None and "\x00" not in utf8.text[:4096]:
        if "\x1b$" in utf8.text and utf8.text.isascii():
            japanese = _try_strict(content, "iso2022_jp")
            if japanese is not None:
                return japanese
        return utf8
    if declared:
        named = _try_declared(content, declared)
        if named is not None:
            return named
    wide = _try_wide(content)
    if wide is not None:
        return wide
    if b"\x00" in content[:8192]:
        raise Unreadable("it is binary data, not text.", "Choose a text, Word, EPUB or PDF file.")
    text = content.decode("utf-8", "replace")
    n_bad, n_bad_in_head = text.count("\ufffd"), text[:200_000].count("\ufffd")
    n_wide = len(_NOT_ASCII.findall(text[:200_000])) - n_bad_in_head
    if n_bad * 200 <= len(text) and n_wide >= 20 * min(n_bad, n_bad_in_head or 1):
        return Decoded(text.replace("\ufffd", ""), "utf-8", (_damage_note(n_bad),))
    return _decode_legacy(content)


def plausibility(text: str) -> float:
    """Return how plausible the characters beyond ASCII are: 1 is certain, below 0 impossible."""
    counts = Counter(_NOT_ASCII.findall(text))
    total = sum(counts.values())
    if not total:
        return 1.0 if not _CONTROL.search(text) else -1.0
    good = sum(count * _plausible_weight(char) for char, count in counts.items())
    latin = len(_LATIN_IN_WORD.findall(text)) + len(_LATIN_MARKS.findall(text))
    return (good + latin + len(_CYRILLIC_LOWER.findall(text))) / total


def _plausible_weight(char: str) -> float:
    code = ord(char)
    if char in FREQUENT_HAN or 0x3040 <= code <= 0x309F:
        return 1.0
    if char in _CJK_MARKS and not 0x2013 <= code <= 0x2026:
        return 1.0
    if 0x30A0 <= code <= 0x30FF or char in FREQUENT_HANGUL:
        return 0.8
    if 0xE000 <= code <= 0xF8FF or code < 0xA0 or code == 0xFFFD or code >= 0xF0000:
        return -5.0
    if 0xFF61 <= code <= 0xFF9F:
        return -0.7
    if 0x3400 <= code <= 0x4DBF or code >= 0x20000:
        return -1.0
    return 0.0


def _try_strict(content: bytes, encoding: str) -> Decoded | None:
    """Decode all bytes; an incomplete character at the very end is dropped."""
    decoder = codecs.getincrementaldecoder(encoding)("strict")
    try:
        text = decoder.decode(content, False)
        cut = bool(decoder.getstate()[0])
    except UnicodeDecodeError as error:
        # Some decoders fail on an incomplete last character instead of waiting for more bytes.
        if encoding == "utf-8" or len(content) - error.start > 4:
            return None
        text, cut = content[: error.start].decode(encoding, "ignore"), True
    notes = (Message("The file ends in the middle of a character; that character is left out."),)
    return Decoded(text, _NAMES.get(encoding, encoding), notes if cut else ())


def _decode_leniently(content: bytes, encoding: str) -> Decoded:
    strict = _try_strict(content, encoding)
    if strict is not None:
        return strict
    text = content.decode(encoding, "replace")
    n_bad = text.count("\ufffd")
    if n_bad * 200 > len(text):
        raise Unreadable(
            "it says that it is {encoding} but is not.",
            "Save it again as UTF-8.",
            encoding=encoding.upper(),
        )
    return Decoded(text.replace("\ufffd", ""), encoding, (_damage_note(n_bad),))


def _damage_note(n_bad: int) -> Message:
    return Message("{n} damaged characters are left out.", n=n_bad)


def _try_declared(content: bytes, declared: str) -> Decoded | None:
    alias = {"gb2312": "gb18030", "gbk": "gb18030", "big5": "big5hkscs", "shift_jis": "cp932"}
    name = declared.strip().lower()
    name = alias.get(name, "cp1252" if name in ("iso-8859-1", "ascii", "us-ascii") else name)
    try:
        codecs.lookup(name)
        found = _try_strict(content, name)
    except (LookupError, ValueError, TypeError):
        return None
    if found is None or _CONTROL.search(found.text):
        return None
    return found


def _try_wide(content: bytes) -> Decoded | None:
    """Decode UTF-16 or UTF-32 without a byte order mark, None if it is neither."""
    sample = content[:_SAMPLE_BYTES]
    best: tuple[float, str] | None = None
    widths = ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")
    for encoding in widths if b"\x00" in sample or len(content) % 2 == 0 else ():
        try:
            text = codecs.getincrementaldecoder(encoding)("strict").decode(sample, False)
        except UnicodeDecodeError:
            continue
        if not text or _CONTROL.search(text):
            continue
        # White space in UTF-16 always has a zero byte; text without any is too short to decide.
        ordinary = sum(c.isascii() for c in text)
        score = plausibility(text) if ordinary < len(text) else 1.0
        share = ordinary / len(text)
        if (score > 0.5 and share > 0.004) and (best is None or score + share > best[0]):
            best = (score + share, encoding)
    return _decode_leniently(content, best[1]) if best else None


def _decode_legacy(content: bytes) -> Decoded:
    first = _HIGH.search(content)
    start = first.start() if first else 0
    start = content.rfind(b"\n", max(0, start - 400), start) + 1 or start
    sample = content[start : start + _SAMPLE_BYTES]
    n_high = len(_HIGH.findall(sample))
    isolated = len(_ISOLATED_HIGH.findall(sample)) / max(n_high, 1)
    scored: list[tuple[float, int, str]] = []
    for order, encoding in enumerate(_MULTI_BYTE + _SINGLE_BYTE):
        found = _try_strict(sample, encoding)
        if found is None or len(_CONTROL.findall(found.text)) * 1000 > len(found.text):
            continue
        score = plausibility(found.text)
        # In Western text accented letters stand alone; bytes of multi-byte text come in pairs.
        score += (isolated - 0.5) * (-0.8 if encoding in _MULTI_BYTE else 0.4)
        scored.append((score, -order, encoding))
    for score, _, encoding in sorted(scored, reverse=True):
        if score < _GOOD_SCORE:
            break
        found = _try_strict(content, encoding)
        if found is not None:
            return found
    if scored and max(scored)[0] >= _GOOD_SCORE:
        encoding = max(scored)[2]
        text = content.decode(encoding, "replace")
        n_bad = text.count("\ufffd")
        if n_bad * 200 <= len(text):
            name = _NAMES.get(encoding, encoding)
            return Decoded(text.replace("\ufffd", ""), name, (_damage_note(n_bad),))
    return _decode_with_charset_normalizer(content, sample)


def _decode_with_charset_normalizer(content: bytes, sample: bytes) -> Decoded:
    from charset_normalizer import from_bytes

    best = from_bytes(sample[:16_000]).best()
    found = _try_strict(content, best.encoding) if best is not None else None
    if found is None or plausibility(found.text[:50_000]) < 0.0:
        raise Unreadable(
            "the encoding of its characters is not known, or it is not text.",
            "Open it in the program it comes from and save it as UTF-8 text.",
        )
    return found


def _remove_control_characters(decoded: Decoded) -> Decoded:
    """Return the text without its control characters; reject it if there are too many."""
    text = decoded.text.removeprefix("\ufeff")
    step = 200_000
    found = Counter(
        c for at in range(0, len(text), step) for c in _CONTROL.findall(text, at, at + step)
    )
    n_low = sum(n for c, n in found.items() if c < "\x20")
    if n_low * 500 > len(text) or sum(found.values()) * 50 > len(text):
        raise Unreadable("it is binary data, not text.", "Choose a text, Word, EPUB or PDF file.")
    if not found:
        return Decoded(text, decoded.encoding, decoded.notes)
    note = Message("{n} control characters are left out.", n=sum(found.values()))
    return Decoded(_CONTROL.sub("", text), decoded.encoding, (*decoded.notes, note))
