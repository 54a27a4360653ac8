"""Kinds of questions, recognised by patterns, for query expansion and ranking in books.

Books often answer a question in other words than the question uses: "how did he die" is answered
by "breathed his last". The kind of a question gives the words that such answers use, whether the
answer is early or late in a book, and whether many passages answer it together. No model is used.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LATE, EARLY = 1.0, -1.0


@dataclass(frozen=True, slots=True)
class _Kind:
    pattern: re.Pattern[str]
    words: str
    position: float = 0.0
    is_life_story: bool = False


def _kind(pattern: str, words: str, position: float = 0.0, *, is_life_story: bool = False) -> _Kind:
    return _Kind(re.compile(pattern, re.IGNORECASE), words, position, is_life_story)


_KINDS: tuple[_Kind, ...] = (
    # Chinese
    _kind(
        r"怎么死|怎样死|如何死|死因|之死|去世|结局|下场|(?<![打杀害])死的|死在哪|最[后终]怎",
        "圆寂 坐化 病死 自尽 阵亡 身亡 气绝 临终 身死 中毒 亡故",
        LATE,
    ),
    _kind(
        r"打死|杀死|杀了|害死|杀害|杀过|打败|战胜",
        "一拳 一刀 打死 杀死 结果了性命 死在地上 没了气",
    ),
    _kind(
        r"帮助|帮过|帮了|救了|救过|资助|相助|恩人|接济|收留",
        "投奔 收留 搭救 赠银 盘缠 书信 相助 留住 赍发 庄上 报仇 救了 恩人 厚待",
    ),
    _kind(r"什么关系|何关系|关系", "兄弟 结义 父子 夫妻 师徒 同乡 故人 仇人 亲戚"),
    _kind(
        r"是谁|什么人|何人|来历|出身|身份",
        "姓 名唤 表字 绰号 人氏 乃是 原是 祖贯 排行",
    ),
    _kind(r"妻子|丈夫|娶|嫁|成亲|结婚|夫妻", "成亲 娶 嫁 浑家 夫人 娘子 丈夫 招赘"),
    _kind(r"绰号|外号|别名|又叫|诨名", "人称 绰号 诨名 唤做 江湖上 都叫"),
    _kind(r"为什么|为何|原因|缘故", "因为 因此 只因 所以 缘故 为此"),
    _kind(r"住在|哪里人|什么地方|在哪", "住在 人氏 来到 庄上 城中 家住"),
    _kind(r"兵器|武器|使用什么", "使 手持 一条 一口 刀 枪 禅杖 兵器"),
    _kind(r"喜欢|爱上|爱慕|爱情", "相爱 倾心 爱慕 中意 心上"),
    _kind(
        r"事迹|经历|一生|生平|做过(什么|哪些)|干过(什么|哪些)|故事",
        "大闹 杀 打 救 火烧 刺配 上山 火并 归 亡",
        is_life_story=True,
    ),
    # English
    _kind(
        r"\b(die|dies|died|death|dead|fate|end up|became of|become of|last days)\b",
        "died killed buried drowned last breath grave",
        LATE,
    ),
    _kind(
        r"\b(kill|kills|killed|murder\w*|slay|slain|slew)\b",
        "struck stabbed shot blow dead body blood",
    ),
    _kind(
        r"\b(help|helps|helped|save[sd]?|rescue\w*)\b",
        "gave money saved sheltered rescued kindness",
    ),
    _kind(
        r"\b(who is|who was|who are|who were)\b",
        "was a, named, son of, daughter of, partner, clerk",
    ),
    _kind(
        r"\b(related|relation\w*|connected)\b",
        "brother sister father friend partner enemy servant",
    ),
    _kind(
        r"\b(marry|marri\w+|wife|husband|wedding)\b",
        "married bride husband wife engaged wedding",
    ),
    _kind(
        r"\b(nickname|alias|called|known as)\b",
        "called known by the name of nickname real name",
    ),
    _kind(r"\b(why|reason)\b", "because for this reason therefore in order to"),
    _kind(r"\b(where)\b", "lived at, house, town, street, came to, place"),
    _kind(r"\b(born|birth|childhood)\b", "born child infancy parents native of", EARLY),
    _kind(
        r"\b(think|thinks|feel|feels|opinion|loves?|hates?)\b",
        "thought felt loved hated liked",
    ),
)
MAX_KINDS = 2

_WHO = re.compile(r"\bwho('s| is| was| are| were)\b|是谁|是什么人|是何人|什么来历", re.IGNORECASE)
_LATE = re.compile(
    r"最[后终]|结尾|末尾|后来怎|\b(at|in|by) the end\b|\bfinally\b|\beventually\b|\bends?\b|"
    r"\blast\b(?! (name|night|week|year))",
    re.IGNORECASE,
)
_EARLY = re.compile(
    r"最初|起初|开头|开始时|第一次|首次|初次|\b(at|in) the (beginning|start)\b|"
    r"\bfirst (meet|met|appear\w*|see|saw|time|encounter\w*)\b|\bfirst\b.*\bmeet\b|\boriginally\b",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"哪些|事迹|经历|一生|生平|列举|分别|多少次|几次|都有谁|有谁|做过什么|干过什么|"
    r"(过|了)(谁|哪)|(?<!是)谁们|"
    r"\bdeeds\b|\badventures\b|\bachievements\b|\bexploits\b|\bhappen(s|ed)? to\b|"
    r"\bwhom (did|does|has|do)\b|\bwho (did|does|has|do) .+\b(help|save|kill|rescue|marry|meet|"
    r"fight|love)\w*\b|\blist\b|\bname (all|the)\b|\ball (the|of|his|her|their)\b|"
    r"\b(which|what) (people|characters|persons|events|places|things|friends|enemies)\b|"
    r"\bthroughout\b|\bover the course\b|\bsum(marise|marize|mary)\b|"
    r"\b(life|story|journey) of\b|\bhow many times\b|\brole (of|does|did)\b",
    re.IGNORECASE,
)


def asks_who(question: str) -> bool:
    """Return whether a question asks who a person is."""
    return bool(_WHO.search(question))


def expected_position(question: str) -> float:
    """Return `LATE` or `EARLY` if the answer is expected there in a book, else 0."""
    if _LATE.search(question):
        return LATE
    if _EARLY.search(question):
        return EARLY
    return next((k.position for k in _find_kinds(question) if k.position), 0.0)


def asks_for_list(question: str) -> bool:
    """Return whether many passages together answer a question, not a single one."""
    return bool(_LIST.search(question))


def asks_for_life_story(question: str) -> bool:
    """Return whether a question asks for all that a person did, without naming a kind of event."""
    return asks_for_list(question) and all(kind.is_life_story for kind in _find_kinds(question))


def answer_words(question: str) -> str:
    """Return words that answers to questions of this kind use, "" if the kind is unknown."""
    return " ".join(kind.words for kind in _find_kinds(question))


def expand_question(question: str) -> str:
    """Return the question with the words of likely answers, "" if the kind is unknown."""
    words = answer_words(question)
    return f"{question} {words}" if words else ""


def _find_kinds(question: str) -> list[_Kind]:
    return [kind for kind in _KINDS if kind.pattern.search(question)][:MAX_KINDS]
