"""The last steps that all readers share: from text and metadata to a `ReadDocument`.

Owns the header and footer of Project Gutenberg, title, author and outline.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ...figures import Figure
from ...messages import Message
from ...model import Heading, Page, ReadDocument
from ...person_names import join_authors, looks_like_person, split_authors
from ...writing_systems import HAN_BASIC, count_han, replace_lone_surrogates
from ..identifiers import find_isbn, read_doi, read_isbn
from ..language import detect_language
from .archives import Unreadable, check_length
from .text_builder import MAX_HEADING_CHARS
from .title_case import restore_case, title_from_file_name

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
_CARDINALS = "zero one two three four five six seven eight nine ten eleven twelve"
_ORDINALS = "none first second third fourth fifth sixth seventh eighth ninth tenth"
# "FIRST NARRATIVE", "The Second Part": any noun may follow; see `_ordinal_parts`
_ORDINAL_PART = re.compile(
    rf"^[ \t]{{0,12}}(?P<words>(?:the[ \t]+)?(?P<number>{'|'.join(_ORDINALS.split()[1:])})"
    r"[ \t]+(?P<noun>[a-z]{3,12}))\.?[ \t]*$",
    re.M | re.I,
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
    "volume": 1, "parts": 1, "book": 2, "act": 2, "part": 3, "chapter": 5, "stave": 5, "letter": 5,
    "adventure": 5, "canto": 5, "roman": 5, "alone": 5, "scene": 6, "section": 6, "bare": 6,
    "部": 1, "集": 1, "卷": 2, "編": 2, "编": 2, "vol": 2, "篇": 3,
    "回": 5, "章": 5, "折": 5, "幕": 5, "solo": 5, "節": 6, "节": 6,
}  # fmt: skip
_DENSE_GAP = 160
_WORDS = {w: i for i, w in enumerate(_CARDINALS.split())}
_WORDS |= {w: i for i, w in enumerate(_ORDINALS.split())}


@dataclass(slots=True)
class _Candidate:
    start: int
    end: int
    title: str
    kind: str
    number: int | None

    @classmethod
    def of(cls, match: re.Match[str], kind: str, number: int | None) -> _Candidate:
        return cls(match.start(), match.end(), _tidy(match.group()), kind, number)


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


_MAX_GAP_SHARE = 0.5  # of the text without a heading of the file: see `_complete_outline`
_MIN_FOUND = 3


def _complete_outline(
    given: Sequence[Heading], text: str, start: int, end: int
) -> tuple[Heading, ...]:
    """Return the headings that a file marks, and those of its text where it marks none.

    Left out are headings before and after the work, which are those of Project Gutenberg's notice
    and licence, and paragraphs that a page sets as a heading for their size.
    """
    given = [
        heading
        for heading in given
        if heading.start >= start
        and (heading.start < end or end == len(text))
        and len(heading.title) <= MAX_HEADING_CHARS
    ]
    found = _fill_gap(given, text, start, end) if given else find_outline(text, start, end)
    return tuple(_add_titles_below(found, text, end))


def _fill_gap(given: Sequence[Heading], text: str, start: int, end: int) -> Sequence[Heading]:
    """Return the headings of a file, and those of the text between two that are far apart.

    Some books mark only what stands before and after the chapters as headings, for example the
    list of plates; every chapter would then belong to that list. A file that marks its chapters
    leaves no stretch of half of its text between two headings, unless it has only two of them.
    """
    bounds = [start, *sorted(min(max(h.start, start), end) for h in given), end]
    gap, first = max((b - a, a) for a, b in pairwise(bounds))
    if gap <= _MAX_GAP_SHARE * (end - start):
        return given
    found = [h for h in find_outline(text, start, end) if first < h.start < first + gap]
    if len(found) < _MIN_FOUND:
        return given
    return sorted((*given, *found), key=lambda h: h.start)


def _english(text: str, start: int, end: int) -> list[_Candidate]:
    found: list[_Candidate] = []
    romans: list[_Candidate] = []
    for match in _ENGLISH.finditer(text, start, end):
        title = match.group("title") or ""
        if title.strip(" \t.:—–-])") == "" or _stands_alone(text, match):
            first = title.strip()[:1]
            if title[:1] in (" ", "\t") and not first.isupper() and first not in '.:—–-])"“':
                continue
            kind = match.group("kind").lower()
            found.append(_Candidate.of(match, kind, _value(match.group("number"))))
    for match in _ALONE.finditer(text, start, end):
        if _stands_alone(text, match):
            found.append(_Candidate.of(match, "alone", None))
    for match in _ROMAN_TITLE.finditer(text, start, end):
        if _stands_alone(text, match):
            romans.append(_Candidate.of(match, "roman", _value(match.group("roman"))))
    found += romans if len(romans) >= 3 else []
    found += _ordinal_parts(text, start, end)
    if not any(c.kind not in ("volume", "book", "parts", "part", "alone") for c in found):
        found += _bare_numbers(text, start, end)
    return found


def _ordinal_parts(text: str, start: int, end: int) -> list[_Candidate]:
    """Return headings such as "FIRST NARRATIVE" of which the second follows, ascending from 1.

    That they are counted shows that they are parts, whatever the noun is. Where two nouns are
    counted, the rarer one is that of the larger parts.
    """
    by_noun: dict[str, list[_Candidate]] = {}
    for match in _ORDINAL_PART.finditer(text, start, end):
        words, number = match["words"], _value(match["number"])
        is_title = words.isupper() or words.istitle()
        found = by_noun.setdefault(match["noun"].casefold(), [])
        expected = (found[-1].number or 0) + 1 if found else 1
        if is_title and number == expected and _stands_alone(text, match):
            found.append(_Candidate.of(match, "part", number))
    counted = sorted((found for found in by_noun.values() if len(found) > 1), key=len)
    for larger in counted[:-1]:
        for one in larger:
            one.kind = "parts"
    return [one for found in counted for one in found]


def _bare_numbers(text: str, start: int, end: int) -> list[_Candidate]:
    """Return headings that are only a number; the numbers must be consecutive from 1."""
    found: list[_Candidate] = []
    for match in _BARE.finditer(text, start, end):
        number = _value(match.group("bare"))
        expected = (found[-1].number or 0) + 1 if found else 1
        if number == expected and _stands_alone(text, match):
            found.append(_Candidate.of(match, "bare", number))
    return found if len(found) >= 3 else []


def _chinese(text: str, start: int, end: int) -> list[_Candidate]:
    found = []
    for match in _CHINESE.finditer(text, start, end):
        kind = match.group("unit") or ("vol" if match.group("vol") else "solo")
        if kind == "solo" and len(match.group().strip()) > 45:
            continue
        found.append(_Candidate.of(match, kind, _chinese_value(match.group("zh"))))
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


def _stands_alone(text: str, match: re.Match[str]) -> bool:
    """Return whether there are blank lines before and after a heading."""
    before = text[max(0, match.start() - 200) : match.start()]
    after = text[match.end() : match.end() + 200]
    if before and not (before.rstrip(" \t").endswith("\n") and _blank_line_at(before[::-1])):
        return False
    return not after.strip() or _blank_line_at(after)


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
        candidate.title = _join_title(candidate.title, _find_title_below(text, candidate.end, stop))


def _add_titles_below(headings: Sequence[Heading], text: str, end: int) -> list[Heading]:
    """Return headings that are only a number with the title that is below them.

    In HTML and EPUB the number and the title of a chapter are often two paragraphs, of which the
    contents name one. In a page without blank lines the first words of the text stand where a title
    may be; a book has titles for its chapters or it has none, so what follows at once, and what has
    not all its capitals, counts only if most of the chapters have a title without doubt.
    """
    places: dict[int, tuple[int, int]] = {}  # where the line of a number ends, and the next heading
    for i, heading in enumerate(headings):
        line_end = text.find("\n", heading.start)
        is_number = _ONLY_NUMBER.fullmatch(heading.title.strip()) is not None
        # the number and the title that `find_outline` has found
        line = text[heading.start : line_end]
        is_number = is_number and _fold(line) == _fold(heading.title)
        if line_end >= 0 and (is_number or _ONLY_NUMBER.fullmatch(line.strip(" \t_*"))):
            places[i] = line_end, headings[i + 1].start if i + 1 < len(headings) else end
    titles = {i: _find_title_below(text, *place) for i, place in places.items()}
    close = {i: _find_title_below(text, *place, has_gap=False) for i, place in places.items()}
    n_sure = sum(bool(titles[i] or close[i]) for i in places)
    if n_sure >= max(_MIN_TITLED * len(places), _MIN_FOUND):
        for i, place in places.items():
            titles[i] = titles[i] or close[i] or _find_short_line_below(text, *place)
    found = list(headings)
    for i, title in titles.items():
        if title and _ONLY_NUMBER.fullmatch(found[i].title.strip()):
            found[i] = replace(found[i], title=_join_title(found[i].title.strip(), title))
    return found


def _find_short_line_below(text: str, at: int, stop: int) -> str:
    """Return the line below the number of a chapter if a title may be so."""
    below = re.match(r"\s*\n[ \t]*([^\W\d_][^\n]{0,70})\n", text[at : min(stop, at + 200)])
    line = below[1].strip() if below else ""
    return _tidy(line) if line and line[0].isupper() and line[-1] not in ".,;:!" else ""


_MIN_TITLED = 0.6  # of the numbered chapters of a book
_ONLY_NUMBER = re.compile(rf"(?:(?:{_KINDS})[ \t]+)?{_NUMBER}[ \t]*[.:—–\-]*", re.I)
_MAX_TITLE_LINES, _MAX_TITLE_CHARS = 4, 250


def _fold(line: str) -> str:
    return "".join(char for char in line.casefold() if char.isalnum())


def _join_title(number: str, title: str) -> str:
    """Return the number of a chapter with its title, "" for a chapter without one."""
    if not title:
        return number
    joint = " " if number[-1] in ".:—" or count_han(number[-1]) else ". "
    return number + joint + title


def _find_title_below(text: str, at: int, stop: int, *, has_gap: bool = True) -> str:
    """Return the title below the line of a chapter's number, which ends at an offset.

    A title is one short line, or a summary in capitals of a few lines, as in Dickens.

    Args:
        stop: where the next heading is.
        has_gap: a blank line is below the title, else the text follows at once.
    """
    below = text[at : min(stop, at + 400)]
    if not has_gap:
        close = re.match(r"[ \t]*\n[ \t]*(\S[^\n]{0,70})\n[ \t]*\S", below)
        return _tidy(close[1]) if close and _looks_like_title(close[1].strip()) else ""
    match = re.match(r"\s*\n[ \t]*(\S[^\n]*(?:\n[ \t]*\S[^\n]*)*)\n[ \t]*\n", below)
    if match is None:
        return ""
    title = match[1].strip()
    if "\n" in title or len(title) > 71:
        n_lines = title.count("\n") + 1
        is_summary = n_lines <= _MAX_TITLE_LINES and len(title) <= _MAX_TITLE_CHARS
        return _tidy(title)[:MAX_HEADING_CHARS] if is_summary and title.isupper() else ""
    return _tidy(title) if _looks_like_title(title) else ""


_EMPHASIS = re.compile(r"(?<!\w)_([^_\n]+)_(?!\w)")


def _looks_like_title(line: str) -> bool:
    if _EMPHASIS.sub("", line).isupper():  # as in "HIS JOURNAL--_continued_"
        return line[0] not in "\"“‘'「『("
    line = line.strip("_*[] ")
    if not line or line[0] in "\"“‘'「『(":
        return False
    if line.isupper():
        return True
    # the parts of a compound are one word: "The Sea-chest"
    words = [w for w in re.findall(r"[^\W\d_][\w’'-]*", line) if len(w) > 3]
    fits = len(line) < 60 and line[-1] not in "?!,;:"
    if line[-1] == "." and len(words) < 2:
        return False  # "Text of it." is a sentence as well
    return bool(words) and fits and all(w[0].isupper() for w in words)


def _tidy(line: str) -> str:
    line = _EMPHASIS.sub(r"\1", line)
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


_CHINESE_DIGITS = "零一二三四五六七八九"
_DIGIT_VARIANTS = str.maketrans("０１２３４５６７８９两兩○〇", "0123456789二二零零")


def _chinese_value(title: str) -> int | None:
    match = re.search(rf"[{_DIGITS}]+", title)
    if match is None:
        return None
    digits = match.group().translate(_DIGIT_VARIANTS)
    if digits.isdigit() and digits.isascii():
        return int(digits)
    if not any(c in "十百千" for c in digits):
        values = [str(_CHINESE_DIGITS.find(c)) for c in digits if c in _CHINESE_DIGITS]
        return int("".join(values) or 0)
    total = last = 0
    for char in digits:
        if char in "十百千":
            total += max(last, 1) * {"十": 10, "百": 100, "千": 1000}[char]
            last = 0
        else:
            last = max(0, _CHINESE_DIGITS.find(char))
    return total + last


_START = re.compile(
    r"^[ \t]*\*\*\*\s?START OF (?:THE|THIS) PROJECT GUTENBERG[^*]{0,300}\*\*\*[^\n]*", re.M | re.I
)
_END = re.compile(
    r"^[ \t]*(?:\*\*\*\s?END OF (?:THE|THIS) PROJECT GUTENBERG|"
    r"End of (?:the )?Project Gutenberg(?:['’]s)?\b)",
    re.M | re.I,
)
_PRODUCED = re.compile(
    r"\s*(?:(?:Produced by|E-text prepared by|This e-?text was|HTML version by|Transcribed)"
    r"(?:[^\n]+\n){1,8}\s*\n)",
    re.I,
)
_TITLE = re.compile(r"^[ \t]*Title:[ \t]*([^\n]+(?:\n[ \t]{2,}\S[^\n]*)*)", re.M)
_AUTHOR = re.compile(r"^[ \t]*Authors?:[ \t]*([^\n]+(?:\n[ \t]{6,}\S[^\n]*)*)", re.M)
_PUBLISHED = re.compile(r"^[ \t]*Original publication:[^\n]*?\b(1[5-9]\d\d|20\d\d)\b", re.M)
_CHINESE_TITLE = re.compile(
    r"[ \t\u3000]*《([^》\n]{1,40})》[ \t\u3000]*(?:作者[:：])?[ \t\u3000]*([^\n]{0,20})$", re.M
)
_BY = re.compile(r"^[ \t_]*by:?[ \t]+([A-Z][^\n]{2,60}?)[_ \t]*$", re.I | re.M)
# Books without line breaks start with their title two or three times.
_REPEATED = re.compile(rf"([{HAN_BASIC}]{{2,8}}?)\1+(?=[{HAN_BASIC}])")
_ZH_AUTHOR = re.compile(
    r"^[ \t\u3000]*(?:作\s*者|著\s*者|编\s*著|編\s*著)[:：][ \t\u3000]*(?P<labelled>[^\n]{1,40})$|"
    rf"^[ \t\u3000]*(?:[\[［〔（(][{HAN_BASIC}]{{1,3}}[\]］〕）)])?[ \t\u3000]*"
    rf"(?P<written>[{HAN_BASIC}·]{{2,8}})[ \t\u3000]*[著撰][ \t\u3000]*$",
    re.M,
)
_ZH_TITLE = re.compile(
    r"^[ \t\u3000]*(?:书\s*名|書\s*名|题\s*名|题目|題目|标题|標題|篇名)[:：]"
    r"[ \t\u3000]*([^\n]{1,80})$",
    re.M,
)
_BAD_TITLE = re.compile(
    r"\.(?:docx?|pdf|tex|dvi|indd|qxd|pptx?|xlsx?|txt|html?|jpe?g|png|tiff?)$|"
    r"^untitled|^microsoft word|^doi:|"
    r"^(?:powerpoint presentation|slide \d+|word document|новый документ|no title|none|null)$|"
    r"^(?:无标题|未命名|未知|title|document\s*\d*)$|^\W*$|\ufffd",
    re.I,
)
_BAD_AUTHOR = re.compile(
    r"^(?:apache\b.*|python-docx|anonymous|unknown|administrator|admin|user|owner|author|none|null|"
    r"microsoft.*|openxml.*|.*\buser|various|佚名|未知|作者|用户|user\d*|\W*)$|[(\[{<].*0x|\ufffd|\d{3}",
    re.I,
)
_GENERIC = re.compile(
    r"(?:table of )?contents|index|abstract|summary|introduction|preface|foreword|references|"
    r"bibliography|acknowledge?ments?|appendix(?: \w)?|notes?|chapter\s+\w+|part\s+\w+|figures?|"
    r"list of \w+|title|untitled|cover|changelog|release notes|sommaire|inhalt(?:sverzeichnis)?|"
    r"research article|original (?:article|paper|research)|review(?: article)?|letter|article|"
    r"目\s*[录錄次]|摘\s*要|前\s*言|序\s*言?|引\s*言|附\s*[录錄]|参考文献|更新记录|更新日志|简介|概述|"
    r"チャプター|はじめに|차례|목차",
    re.I,
)
HEAD_CHARS = 6_000


@dataclass(frozen=True, slots=True)
class GutenbergFrame:
    """The work is text[start:end]; title and author are those of the header, or ""."""

    start: int
    end: int
    title: str = ""
    author: str = ""
    year: str = ""


def find_gutenberg_frame(text: str) -> GutenbergFrame:
    """Return the range of the work between header and footer; all of any other text."""
    head = _START.search(text, 0, 20_000)
    if head is None:
        return GutenbergFrame(0, len(text))
    start = head.end()
    produced = _PRODUCED.match(text, start)
    if produced:
        start = produced.end()
    while start < len(text) and text[start] == "\n":
        start += 1
    tail = next(_END.finditer(text, max(start, len(text) - 60_000)), None)
    end = tail.start() if tail else len(text)
    title = _TITLE.search(text, 0, head.end())
    author = _AUTHOR.search(text, 0, head.end())
    return GutenbergFrame(
        start,
        max(start, end),
        _join_title_lines(title.group(1)) if title else "",
        author.group(1).strip() if author else "",
        year.group(1) if (year := _PUBLISHED.search(text, 0, head.end())) else "",
    )


def _join_title_lines(lines: str) -> str:
    """Return a title whose subtitle is on lines of its own, as Project Gutenberg writes it."""
    title = ""
    for line in map(str.strip, lines.split("\n")):
        is_full = len(title) > 60 or title.endswith((":", ";", ",", "-", "—"))
        title += (" " if is_full else "; " if line.startswith("or,") else ": ") if title else ""
        title += line
    return title.replace(": or ", ", or ")


def is_generic(title: str) -> bool:
    """Return whether a text heads a part of many documents, such as "Contents"."""
    return _GENERIC.fullmatch(title.strip()) is not None


def clean_title(title: str) -> str:
    """Return a title of a file's metadata, "" for a file name or the default of a program."""
    title = " ".join(title.split())
    return "" if _BAD_TITLE.search(title) or is_generic(title) else title


def clean_author(author: str) -> str:
    """Return the authors of a file's metadata, "" for a user name or the name of a program."""
    names = []
    for name in split_authors(re.sub(r",?\s*https?://\S+", "", author)):
        is_full = looks_like_person(name) or len(name.split()) > 1 or count_han(name) > 1
        if not _BAD_AUTHOR.search(name) and is_full:
            names.append(name)
    return join_authors(names)


def build_document(
    text: str,
    *,
    format: str,
    stem: str,
    title: str = "",
    author: str = "",
    year: str = "",
    doi: str = "",
    isbn: str = "",
    outline: Sequence[Heading] | None = None,
    pages: Sequence[Page] = (),
    notes: Sequence[Message] = (),
    title_from_text: bool = True,
    pictures: Sequence[int] = (),
    figures: Sequence[Figure] = (),
) -> ReadDocument:
    """Return the document with its metadata completed from the text.

    Args:
        stem: file name without extension; the title is made from it if there is no other.
        author: names separated by semicolons, or as `split_authors` separates them.
        outline: headings that the file marks; those of the text fill a part without any.
        pictures: pages that have to be read as pictures; with some, the text may be blank.
        figures: the text may also be blank with some of them, as in a deck of drawings.
        title_from_text: take the title from the first lines if `title` is empty.

    Raises:
        Unreadable: the text is blank or too long.
    """
    text, title, author = map(replace_lone_surrogates, (text, title, author))
    if not text.strip() and not pictures:
        if not figures:
            raise Unreadable("it has no text in it.", "Check that it is the file you meant.")
        notes = [*notes, Message("It has no text, only pictures: see “Pictures” beside it.")]
    check_length(len(text))
    frame = find_gutenberg_frame(text)
    body = text[frame.start : frame.end]
    headings = _complete_outline(outline or (), text, frame.start, frame.end)
    found_title, found_author = _title_and_author(body[:3_000], headings, frame.start)
    title = frame.title or title.strip()
    if not title and title_from_text:
        title = found_title
    language = detect_language(body if body.strip() else text)
    return ReadDocument(
        title=restore_case(_one_line(title), body, language)
        or title_from_file_name(_one_line(stem), body, language)
        or "Untitled",
        text=text,
        format=format,
        language=language,
        pages=tuple(pages),
        outline=headings,
        author=_authors_line(frame.author or author or found_author),
        year=frame.year if frame.title else year,
        doi=read_doi(doi),
        isbn=read_isbn(isbn) or find_isbn(text[:HEAD_CHARS]),
        body_start=frame.start,
        body_end=frame.end,
        notes=tuple(notes),
        pictures=tuple(pictures),
        figures=tuple(figures),
    )


def _title_and_author(head: str, headings: Sequence[Heading], offset: int) -> tuple[str, str]:
    """Return title and author found in the first lines, "" where there is none."""
    if labelled := _ZH_TITLE.search(head[:600]):
        written = _zh_author(_ZH_AUTHOR.search(head[:800]))
        return labelled.group(1).strip(" 《》\t\u3000"), written
    chinese = _CHINESE_TITLE.match(head.lstrip("\n"))
    if chinese:
        beside = re.sub(r"[（(].*", "", chinese.group(2)).strip(" 　著")
        return chinese.group(1), beside or _zh_author(_ZH_AUTHOR.search(head[:600]))
    repeated = _REPEATED.match(head)
    if repeated:
        return repeated.group(1), ""
    by, zh = _BY.search(head[:600]), _ZH_AUTHOR.search(head[:600])
    author = by.group(1).strip() if by else _zh_author(zh)
    lines = head.strip().split("\n", 2)
    first = lines[0].strip(" \t\u3000#_*")
    is_separate = len(lines) == 1 or not lines[1].strip() or _BY.match(lines[1]) is not None
    is_chapter = any(0 <= h.start - offset < 20 for h in headings[:1])
    # A title is a short separate line that is not a sentence.
    has_words = len(re.findall(r"[^\W\d_]", first)) >= 2 and len(first) <= 80
    good = has_words and is_separate and first[-1] not in ".。,，;；:：?？!！"
    return (first if good and not is_chapter and clean_title(first) else ""), author


def _zh_author(match: re.Match[str] | None) -> str:
    found = (match["labelled"] or match["written"]) if match else ""
    return re.sub(r"[\s\u3000]*(?:编?著|撰|等)$", "", found.strip())


def _authors_line(authors: str) -> str:
    names = split_authors(_one_line(authors, 4_000))
    return join_authors(names)[:MAX_AUTHORS_CHARS]


MAX_AUTHORS_CHARS = 2_000


def _one_line(text: str, most: int = 300) -> str:
    text = re.sub(r"[\x00-\x1f\x7f\ufffd]+", " ", text)
    return re.sub(r"\s+", " ", text).strip()[:most]
