"""Phrases that say outright how two names are tied: “Bob's wife Mary”, “袁绍之弟袁术”.

They are rare in English novels and common in Chinese ones, and hardly ever wrong, so that they
settle what a small model only guesses. Owns the words and the word order, nothing else.
"""

from __future__ import annotations

import re

_EN = {
    "family": (
        r"(?:father|mother|sons?|daughters?|child|children|brothers?|sisters?|wife|husband|uncle|"
        r"aunt|nephew|niece|cousin|parents?|widow|grand(?:father|mother|son|daughter)|"
        r"(?:father|mother|brother|sister|son|daughter)-in-law)"
    ),
    "work": (
        r"(?:clerk|servant|master|mistress|employer|partner|teacher|tutor|pupil|apprentice|maid|"
        r"butler|housekeeper|secretary|coachman|governess|lieutenant|steward|assistant|landlord|"
        r"agent|colleague)"
    ),
    "friend": r"(?:friends?|companion|lover|sweetheart|fiancée?|betrothed|comrade|ally)",
    "enemy": r"(?:enem(?:y|ies)|rival|murderer|killer|foe)",
}
_ZH = {
    "family": (
        r"(?:父亲?|母亲?|爹|娘|妻子?|浑家|夫人|老婆|丈夫|儿子|女儿|之子|之女|兄弟|哥哥|弟弟|姐姐|妹妹|"
        r"叔叔|舅舅|侄儿?|外甥|女婿|嫂嫂|祖父|祖母|孙儿|[之亲]?弟|[之亲]?兄|婶)"
    ),
    "work": (
        r"(?:师父|徒弟|弟子|庄客|小厮|丫鬟|丫头|伴当|部将|手下|奴才|随从|主人|门生|副将|管家|心腹)"
    ),
    "friend": r"(?:朋友|好友|结义兄弟|结拜兄弟|相好|故人|旧友)",
    "enemy": r"(?:仇人|对头|仇家)",
}
# {a} and {b} are the names, {word} the words of a kind.
_FORMS_EN = (
    r"{a}['’]s (?:[\w-]+ ){{0,2}}{word},? {b}\b",
    r"\b{b}, (?:the )?(?:[\w-]+ ){{0,2}}{word} (?:of|to) {a}\b",
    r"\b{b}, {a}['’]s (?:[\w-]+ ){{0,2}}{word}(?<!s)\b",  # plurals begin the next of a list
    r"{a},? (?:and|with) (?:his|her|their) (?:[\w-]+ ){{0,2}}{word},? {b}\b",
    r"{b} (?:is|was) {a}['’]s (?:[\w-]+ ){{0,2}}{word}\b",
    r"{b} (?:is|was) (?:the |an? )(?:[\w-]+ ){{0,2}}{word} (?:of|to) {a}\b",
    r"{a} and {b},? (?:who )?(?:are|were|had been) (?:[\w-]+ ){{0,2}}{word}\b",
)
_FORMS_ZH = (
    r"{a}(?:的|之)?{word}[，、]?(?:名?[唤叫]做?)?{b}",
    r"{b}，?(?:乃|是|系|乃是|便是)?{a}(?:的|之){word}",
    r"{b}(?:乃|是|系|乃是|便是){a}{word}",
)


def find_told_kind(text: str, source: str, target: str, language: str) -> str | None:
    """Return the kind that a phrase of the text gives the two names, None if there is no such."""
    words, forms = (_ZH, _FORMS_ZH) if language == "zh" else (_EN, _FORMS_EN)
    for kind, word in words.items():
        if not re.search(word, text, re.IGNORECASE):
            continue
        for a, b in ((source, target), (target, source)):
            for form in forms:
                pattern = form.format(a=re.escape(a), b=re.escape(b), word=word)
                if re.search(pattern, text, re.IGNORECASE):
                    return kind
    return None
