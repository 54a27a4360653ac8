"""Words that books use where people ask in plain ones: "how did he die" meets "breathed his last".

A question's kind is read off its words; the words of the answer's kind are added before the
question is compared with a book's sentences. No model, no names; general to stories.
"""

from __future__ import annotations

import re

_KINDS: tuple[tuple[str, str], ...] = (
    # Chinese
    (
        r"怎么死|如何死|死因|之死|去世|结局|下场|(?<![打杀害])死的",
        "圆寂 坐化 病死 自尽 阵亡 身亡 气绝 临终",
    ),
    (r"打死|杀死|杀了|害死|杀害", "一拳 一刀 打死 杀死 结果了性命 死在地上 没了气"),
    (r"帮助|帮过|救了|救过|资助|相助|恩人|接济", "收留 搭救 赠银 书信 相助 留住 赍发 报仇"),
    (r"什么关系|何关系|关系", "兄弟 结义 父子 夫妻 师徒 同乡 故人 仇人 亲戚"),
    (r"是谁|什么人|何人|来历|出身|身份", "姓 名唤 表字 绰号 人氏 乃是 原是 祖贯 排行"),
    (r"妻子|丈夫|娶|嫁|成亲|结婚|夫妻", "成亲 娶 嫁 浑家 夫人 娘子 丈夫 招赘"),
    (r"绰号|外号|别名|又叫|诨名", "人称 绰号 诨名 唤做 江湖上 都叫"),
    (r"为什么|为何|原因|缘故", "因为 因此 只因 所以 缘故 为此"),
    (r"住在|哪里人|什么地方|在哪", "住在 人氏 来到 庄上 城中 家住"),
    (r"兵器|武器|使用什么", "使 手持 一条 一口 刀 枪 禅杖 兵器"),
    (r"喜欢|爱上|爱慕|爱情", "相爱 倾心 爱慕 中意 心上"),
    # English
    (r"\b(die|dies|died|death|dead|fate|end up)\b", "died killed buried drowned last breath grave"),
    (r"\b(kill|kills|killed|murder\w*|slay|slain)\b", "struck stabbed shot blow dead body blood"),
    (r"\b(help|helps|helped|save[sd]?|rescue\w*)\b", "gave money saved sheltered rescued kindness"),
    (r"\b(who is|who was|who are|who were)\b", "was a, named, son of, daughter of, partner, clerk"),
    (r"\b(related|relation\w*|connected)\b", "brother sister father friend partner enemy servant"),
    (r"\b(marry|marri\w+|wife|husband|wedding)\b", "married bride husband wife engaged wedding"),
    (r"\b(nickname|alias|called|known as)\b", "called known by the name of nickname real name"),
    (r"\b(why|reason)\b", "because for this reason therefore in order to"),
    (r"\b(where)\b", "lived at, house, town, street, came to, place"),
    (r"\b(born|birth|childhood)\b", "born child infancy parents native of"),
    (r"\b(think|thinks|feel|feels|opinion|loves?|hates?)\b", "thought felt loved hated liked"),
)
_COMPILED = tuple((re.compile(pattern, re.IGNORECASE), words) for pattern, words in _KINDS)
MAX_KINDS = 2


_WHO = re.compile(r"\bwho('s| is| was| are| were)\b|是谁|是什么人|是何人|什么来历", re.IGNORECASE)


def asks_who(question: str) -> bool:
    """Say whether a question asks who somebody is."""
    return bool(_WHO.search(question))


def expand_question(question: str) -> str:
    """Return the question with the words its answer may be told in, "" if nothing is known."""
    found = [words for pattern, words in _COMPILED if pattern.search(question)]
    return f"{question} {' '.join(found[:MAX_KINDS])}" if found else ""
