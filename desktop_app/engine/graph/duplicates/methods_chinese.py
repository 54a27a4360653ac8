"""Methods for Chinese names: a part of a longer name, surname with a title, one surname."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ...messages import Message
from ..resolution.chinese import is_bare_chinese
from .chinese_words import RANKS, RELATIVE_ENDINGS, TITLES, ending_of, is_full_name, surname_of
from .forms import MAX_BLOCK, Form, Forms
from .model import Hint
from .shared_context import SharedContexts

_MIN_FREQUENCY_RATIO = 10
_MAX_ALL_COMPARED = (
    20  # names of one surname that are all compared; of more, those with a shared context
)
_FAMILIAR_ENDINGS = (
    "郎",
    "哥",
    "爷",
    "儿",
    "公",
    "佛祖",
    "娘娘",
    "菩萨",
    "大师",
    "大仙",
    "老爷",
    "先生",
)


def propose_chinese_parts(forms: Forms) -> Iterator[Hint]:
    """Propose 智深 in 鲁智深, 武大 in 武大郎, and 玉帝 of 玉皇大帝."""
    by_name: dict[str, list[Form]] = defaultdict(list)
    for form in forms.han:
        if len(form.key) >= 2 and not is_bare_chinese(form.key):
            by_name[form.key].append(form)
    for form in forms.han:
        name = form.key
        for cut in range(1, len(name) - 1):
            for short in by_name.get(name[cut:], ()):
                if short.id != form.id and forms.facts[short.id].type == forms.facts[form.id].type:
                    is_person = forms.facts[form.id].type == "person"
                    given = is_person and cut == len(surname_of(name))
                    text = Message(
                        "“{short}” is “{form}” without “{rest}”",
                        short=short.name,
                        form=form.name,
                        rest=name[:cut],
                    )
                    yield Hint(
                        short.id,
                        form.id,
                        "part",
                        0.74 if given else 0.62 if is_person else 0.4,
                        text,
                        short.id,
                    )
            rest = name[len(name) - cut :]
            for short in by_name.get(name[:-cut], ()):
                if short.id != form.id and not rest.endswith(tuple(RELATIVE_ENDINGS)):
                    text = Message(
                        "“{short}” is “{form}” without “{rest}”",
                        short=short.name,
                        form=form.name,
                        rest=rest,
                    )
                    n_short = forms.facts[short.id].n_mentions
                    if rest in _FAMILIAR_ENDINGS or rest in RANKS or rest in TITLES:
                        yield Hint(short.id, form.id, "part", 0.7, text, short.id)
                    else:
                        is_error = n_short >= _MIN_FREQUENCY_RATIO * forms.facts[form.id].n_mentions
                        yield Hint(short.id, form.id, "part", 0.55 if is_error else 0.3, text)
        if len(name) == 4:
            for short in by_name.get(name[0] + name[3], ()):
                if short.id != form.id:
                    text = Message(
                        "“{short}” may be short for “{form}”", short=short.name, form=form.name
                    )
                    yield Hint(short.id, form.id, "part", 0.6, text, short.id)


def propose_surnames(forms: Forms, contexts: SharedContexts) -> Iterator[Hint]:
    """Propose 花知寨 for 花荣, 武二 for 武松: a surname with a title or a rank."""
    full: dict[str, list[Form]] = defaultdict(list)
    titled: dict[str, list[tuple[Form, str, bool]]] = defaultdict(list)
    for form in forms.han:
        if forms.facts[form.id].type not in ("person", "other") or len(form.key) > 5:
            continue
        surname = surname_of(form.key)
        if any(other.key != form.key and _is_own_name(other.key) for other in forms.of[form.id]):
            # Its entity has a full name already: 花和尚 is 鲁智深 and no Hua, 戴院长 is 戴宗.
            if _is_own_name(form.key):
                full[surname].append(form)
            continue
        title = ending_of(form.key, TITLES)
        rank = "" if title else ending_of(form.key, RANKS)
        if title or rank:
            titled[surname].append((form, title or rank, bool(title)))
        elif _is_own_name(form.key):
            full[surname].append(form)
    _drop_tagger_errors(forms, full)
    for surname in sorted(titled):
        few = len(full.get(surname, ())) <= _MAX_ALL_COMPARED
        for form, ending, is_title in titled[surname][:MAX_BLOCK]:
            for other in full.get(surname, ())[:MAX_BLOCK]:
                if other.id == form.id or other.key.startswith(form.key):
                    continue
                if few or contexts.share_context(form.id, other.id):
                    text = Message(
                        "“{form}” is the surname of “{other}” with a title"
                        if is_title
                        else "“{form}” is the surname of “{other}” with a rank among brothers",
                        form=form.name,
                        other=other.name,
                    )
                    strength = 0.68 if is_title else 0.6
                    yield Hint(form.id, other.id, "surname", strength, text, form.id)
            for other, other_ending, _ in titled[surname][:MAX_BLOCK]:
                if other.id <= form.id or ending == other_ending:
                    continue
                if contexts.share_context(form.id, other.id):
                    text = Message(
                        "“{form}” and “{other}” are one surname with two titles",
                        form=form.name,
                        other=other.name,
                    )
                    yield Hint(form.id, other.id, "titles", 0.4, text)


def _is_own_name(name: str) -> bool:
    return is_full_name(name) and not name.endswith(tuple(RELATIVE_ENDINGS))


def _drop_tagger_errors(forms: Forms, full: dict[str, list[Form]]) -> None:
    """Remove names with a character that the tagger added by mistake (武松搠)."""
    counts = {
        form.key: forms.facts[form.id].n_mentions for block in full.values() for form in block
    }
    for surname, block in full.items():
        full[surname] = [
            form
            for form in block
            if counts.get(form.key[:-1], 0) < _MIN_FREQUENCY_RATIO * forms.facts[form.id].n_mentions
        ]


def propose_shared_characters(forms: Forms, contexts: SharedContexts) -> Iterator[Hint]:
    """Propose names with one surname and different given names: 鲁达 and 鲁智深, or two brothers.

    A weak hint, which needs the support of the shared context.
    """
    blocks: dict[str, list[Form]] = defaultdict(list)
    for form in forms.han:
        if forms.facts[form.id].type == "person" and is_full_name(form.key):
            blocks[surname_of(form.key)].append(form)
    for surname, block in sorted(blocks.items()):
        if len(block) > MAX_BLOCK // 4:
            continue
        for n, a in enumerate(block):
            for b in block[n + 1 :]:
                if a.id == b.id or len(a.key) == len(b.key):
                    continue
                if contexts.share_context(a.id, b.id):
                    text = Message(
                        "“{a}” and “{b}” share the surname “{surname}”",
                        a=a.name,
                        b=b.name,
                        surname=surname,
                    )
                    yield Hint(a.id, b.id, "characters", 0.1, text)
