"""Chapter detection in plain text: English and Chinese headings on separate lines.

Headings that follow each other closely are a table of contents and are left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..model import Heading

_NUMBER = (
    r"(?:[IVXLCDM]+|\d{1,4}|(?:THE\s+)?(?:ONE|TWO|THREE|FOUR|FIVE|SIX|SEVEN|EIGHT|NINE|TEN|ELEVEN|"
    r"TWELVE|THIRTEEN|FOURTEEN|FIFTEEN|SIXTEEN|SEVENTEEN|EIGHTEEN|NINETEEN|TWENTY(?:[- ]\w+)?|"
    r"THIRTY(?:[- ]\w+)?|FIRST|SECOND|THIRD|FOURTH|FIFTH|SIXTH|SEVENTH|EIGHTH|NINTH|TENTH|LAST))"
)
_KINDS = "VOLUME|BOOK|PART|CHAPTER|STAVE|LETTER|ADVENTURE|CANTO|ACT|SCENE|SECTION"
_ENGLISH = re.compile(
    rf"^[ \t_*]{{0,12}}(?P<kind>(?i:{_KINDS}))[ \t]+(?P<number>(?i:{_NUMBER}))"
    r"(?P<title>(?:[ \t]*[.:—–\-\])][^\n]{0,90}|[ \t]+[A-Z\"“][^\n]{0,80})?)[ \t_*]*$",
    re.M,
)
_ALONE = re.compile(
    r"^[ \t]{0,12}(?P<alone>(?:FIRST |SECOND |First |Second )?(?:PROLOGUE|EPILOGUE|PREFACE|"
    r"INTRODUCTION|CONCLUSION|FOREWORD|AFTERWORD|ETYMOLOGY|EXTRACTS|Prologue|Epilogue|Preface|"
    r"Introduction|Conclusion|Foreword|Afterword|Abstract|ABSTRACT)(?::[^\n]{1,40})?)\.?[ \t]*$",
    re.M,
)
_ROMAN_TITLE = re.compile(
    r"^[ \t]{0,4}(?P<roman>[IVXL]+)\.[ \t]+(?P<rest>[A-Z][A-Z '’,\-]{6,70})$", re.M
)
_BARE = re.compile(r"^[ \t]{0,30}(?P<bare>\d{1,3}|[IVXL]{1,7})\.?[ \t]*$", re.M)
_DIGITS = "0-9〇零一二两兩三四五六七八九十百千○０-９"
_CHINESE = re.compile(
    r"^[ \t\u3000]*(?:正文[ \u3000]*)?(?P<zh>(?:"
    rf"第[{_DIGITS}]{{1,7}}(?P<unit>[回章节節卷部集篇折幕編编])|"
    rf"(?P<vol>卷[之]?[{_DIGITS}上中下]{{1,5}}|"
    r"[上中下]卷|[上中下]部)|"
    r"(?P<solo>楔子|引首|引子|序言|序章|序|自序|前言|後記|后记|尾聲|尾声|附錄|附录|跋|緒論|绪论|结语|番外))"
    r"(?:[ \t\u3000:：.．、·—]+[^\n]{0,60}|[^\n。，；！？,a-z的了是在也]{0,26})?)[ \t\u3000]*$",
    re.M,
)
_INLINE_CHINESE = re.compile(rf"第([{_DIGITS}]{{1,6}})[回章](?=\w)")
_INLINE_TITLE_END = re.compile(
    "話說|话说|卻說|却说|且說|且说|詩曰|诗曰|詞曰|词曰|話表|话表|[。，：；「“？]"
)
_RANK = {
    "volume": 1, "book": 2, "act": 2, "part": 3, "chapter": 5, "stave": 5, "letter": 5,
    "adventure": 5, "canto": 5, "roman": 5, "alone": 5, "scene": 6, "section": 6, "bare": 6,
    "部": 1, "集": 1, "卷": 2, "編": 2, "编": 2, "vol": 2, "篇": 3,
    "回": 5, "章": 5, "折": 5, "幕": 5, "solo": 5, "節": 6, "节": 6,
}  # fmt: skip
_DENSE_GAP = 160
_CARDINALS = "zero one two three four five six seven eight nine ten eleven twelve"
_ORDINALS = "none first second third fourth fifth sixth seventh eighth ninth tenth"
_WORDS = {w: i for i, w in enumerate(_CARDINALS.split())}
_WORDS |= {w: i for i, w in enumerate(_ORDINALS.split())}


@dataclass(slots=True)
class _Candidate:
    start: int
    end: int
    title: str
    kind: str
    number: int | None


def find_outline(text: str, start: int = 0, end: int | None = None) -> tuple[Heading, ...]:
    """Return the chapter headings between two offsets; empty if there are fewer than two."""
    end = len(text) if end is None else end
    found = [*_english(text, start, end), *_chinese(text, start, end)]
    found.sort(key=lambda c: c.start)
    found = _without_overlaps(found)
    found = _without_contents(text, found, end)
    if len(found) < 2:
        found = _inline_chinese(text, start, end)
    if len(found) < 2:
        return ()
    _add_titles(text, found, end)
    ranks = sorted({_RANK[c.kind] for c in found if c.kind not in ("alone", "solo")} or {5})
    levels = {rank: i + 1 for i, rank in enumerate(ranks)}
    headings = []
    for candidate in found:
        level = levels.get(_RANK[candidate.kind], 1)
        if candidate.kind in ("alone", "solo"):
            level = 1
        headings.append(Heading(min(level, 6), candidate.title, candidate.start))
    return tuple(headings)


def _english(text: str, start: int, end: int) -> list[_Candidate]:
    found: list[_Candidate] = []
    romans: list[_Candidate] = []
    for match in _ENGLISH.finditer(text, start, end):
        title = match.group("title") or ""
        if title.strip(" \t.:—–-])") == "" or _stands_alone(text, match.start(), match.end()):
            if (
                title
                and title[0] in " \t"
                and not title.strip()[:1].isupper()
                and title.strip()[:1] not in '.:—–-])"“'
            ):
                continue
            kind = match.group("kind").lower()
            number = _value(match.group("number"))
            found.append(_Candidate(match.start(), match.end(), _tidy(match.group()), kind, number))
    for match in _ALONE.finditer(text, start, end):
        if _stands_alone(text, match.start(), match.end()):
            found.append(
                _Candidate(match.start(), match.end(), _tidy(match.group()), "alone", None)
            )
    for match in _ROMAN_TITLE.finditer(text, start, end):
        if _stands_alone(text, match.start(), match.end()):
            number = _value(match.group("roman"))
            romans.append(
                _Candidate(match.start(), match.end(), _tidy(match.group()), "roman", number)
            )
    found += romans if len(romans) >= 3 else []
    if not any(c.kind not in ("volume", "book", "part", "alone") for c in found):
        found += _bare_numbers(text, start, end)
    return found


def _bare_numbers(text: str, start: int, end: int) -> list[_Candidate]:
    """Return headings that are only a number; the numbers must be consecutive from 1."""
    found: list[_Candidate] = []
    for match in _BARE.finditer(text, start, end):
        number = _value(match.group("bare"))
        expected = (found[-1].number or 0) + 1 if found else 1
        if number == expected and _stands_alone(text, match.start(), match.end()):
            title = _tidy(match.group())
            found.append(_Candidate(match.start(), match.end(), title, "bare", number))
    return found if len(found) >= 3 else []


def _chinese(text: str, start: int, end: int) -> list[_Candidate]:
    found = []
    for match in _CHINESE.finditer(text, start, end):
        kind = match.group("unit") or ("vol" if match.group("vol") else "solo")
        if kind == "solo" and len(match.group().strip()) > 45:
            continue
        number = _chinese_value(match.group("zh"))
        found.append(_Candidate(match.start(), match.end(), _tidy(match.group()), kind, number))
    return found


def _inline_chinese(text: str, start: int, end: int) -> list[_Candidate]:
    """Return headings of a text without line breaks: 第一回, 第二回 … in ascending order."""
    if text.count("\n", start, end) * 2_000 > end - start:
        return []
    found: list[_Candidate] = []
    for match in _INLINE_CHINESE.finditer(text, start, end):
        number = _chinese_value(match.group())
        ends_before = match.start() == 0 or text[match.start() - 1] in "。！？」』”…\n \u3000"
        if not ends_before and (found or match.start() - start > 3_000):
            continue
        expected = (found[-1].number or 0) + 1 if found else 1
        if number is None or not expected <= number <= expected + 12:
            continue
        stop = _INLINE_TITLE_END.search(text, match.end(), match.end() + 30)
        title_end = stop.start() if stop else match.end() + 16
        title = text[match.start() : title_end]
        found.append(_Candidate(match.start(), title_end, title, "回", number))
    return found if len(found) >= 5 else []


def _stands_alone(text: str, start: int, end: int) -> bool:
    before = text[max(0, start - 200) : start]
    after = text[end : end + 200]
    return (
        not before or (before.rstrip(" \t").endswith("\n") and _blank_line_at(before[::-1]))
    ) and (not after.strip() or _blank_line_at(after))


def _blank_line_at(text: str) -> bool:
    return re.match(r"[ \t]*\n[ \t\r]*(?:\n|$)|[ \t]*\n?$", text) is not None


def _without_overlaps(found: list[_Candidate]) -> list[_Candidate]:
    kept: list[_Candidate] = []
    for candidate in found:
        if kept and candidate.start < kept[-1].end:
            continue
        # A heading that is printed twice, one below the other, counts once.
        again = kept and (kept[-1].kind, kept[-1].number) == (candidate.kind, candidate.number)
        if again and candidate.number is not None and candidate.start - kept[-1].end < 400:
            continue
        kept.append(candidate)
    return kept


def _without_contents(text: str, found: list[_Candidate], end: int) -> list[_Candidate]:
    """Leave out runs of headings with almost no text between them."""
    kept: list[_Candidate] = []
    run: list[_Candidate] = []
    for i, candidate in enumerate(found):
        run.append(candidate)
        stop = found[i + 1].start if i + 1 < len(found) else end
        gap = len(text[candidate.end : min(stop, candidate.end + 2_000)].strip())
        if gap < _DENSE_GAP and i + 1 < len(found):
            continue
        kept += run if len(run) < 4 else _headings_after_contents(run)
        run = []
    return kept


def _headings_after_contents(run: list[_Candidate]) -> list[_Candidate]:
    """Return the last headings of a run that are real, for example a part and its first chapter."""
    first = len(run) - 1
    while first > 0 and _RANK[run[first - 1].kind] < _RANK[run[first].kind]:
        first -= 1
    last, before = run[-1], run[-2]
    same_kind = last.kind == before.kind and last.number is not None
    if same_kind and before.number is not None and last.number == before.number + 1:
        return []
    return run[first:]


def _add_titles(text: str, found: list[_Candidate], end: int) -> None:
    """Append the short line below a heading to its title if that is only a number."""
    for i, candidate in enumerate(found):
        if candidate.kind in ("alone", "solo", "roman") or len(candidate.title) > 16:
            continue
        stop = found[i + 1].start if i + 1 < len(found) else end
        below = text[candidate.end : min(stop, candidate.end + 300)]
        match = re.match(r"\s*\n[ \t]*(\S[^\n]{0,70})\n[ \t]*\n", below)
        if match and _looks_like_title(match.group(1).strip()):
            joint = " " if candidate.title[-1] in ".:—" else ". "
            joint = " " if "\u4e00" <= candidate.title[-1] <= "\u9fff" else joint
            candidate.title += joint + _tidy(match.group(1))


def _looks_like_title(line: str) -> bool:
    line = line.strip("_*[] ")
    if not line or line[0] in "\"“‘'「『(":
        return False
    words = [w for w in re.findall(r"[^\W\d_][\w’']*", line) if len(w) > 3]
    if line.isupper():
        return True
    return (
        bool(words)
        and len(line) < 60
        and line[-1] not in "?!,;:"
        and all(w[0].isupper() for w in words)
    )


def _tidy(line: str) -> str:
    return re.sub(r"\s+", " ", line).strip(" _*\t").removeprefix("正文 ")


def _value(number: str) -> int | None:
    number = number.strip().lower().removeprefix("the ")
    if number.isdigit():
        return int(number)
    if number in _WORDS:
        return _WORDS[number]
    values = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
    if any(c not in values for c in number):
        return None
    total = 0
    for char, following in zip(number, number[1:] + "i", strict=True):
        total += -values[char] if values[char] < values[following] else values[char]
    return total


def _chinese_value(title: str) -> int | None:
    match = re.search(rf"[{_DIGITS}]+", title)
    if match is None:
        return None
    digits = match.group().translate(
        str.maketrans("０１２３４５６７８９两兩○〇", "0123456789二二零零")
    )
    if digits.isdigit() and digits.isascii():
        return int(digits)
    if not any(c in "十百千" for c in digits):
        return int(
            "".join(
                str("零一二三四五六七八九".find(c)) for c in digits if c in "零一二三四五六七八九"
            )
            or 0
        )
    total = last = 0
    for char in digits:
        if char in "十百千":
            total += max(last, 1) * {"十": 10, "百": 100, "千": 1000}[char]
            last = 0
        else:
            last = max(0, "零一二三四五六七八九".find(char))
    return total + last
