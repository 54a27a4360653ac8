"""What single fields of a model's list mean: tags, types, numbers, names, column titles.

Owns the many words that models use for the same thing. Knows nothing of lines or of JSON.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

MAX_NAME = 80
MAX_DESCRIPTION = 400
MAX_KEYWORD = 40
MAX_KEYWORDS = 5
MAX_STRENGTH = 10.0

_QUOTES = "\"'`“”‘’„«»「」『』《》〈〉″＂＇"
_EDGES = _QUOTES + " \t\r\n*_#|,;，；、。·•\u3000\ufeff\u200b"
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")
_SPACE = re.compile(r"\s+")
_BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">", "（": "）", "【": "】"}

_TAG_WORDS = {
    "entity": "entity entities ent node nodes character characters name names entité entités "
    "entidad entidades entität entitäten 实体 實體 实体列表 實體列表 人物 名称 节点",
    "relation": "relation relations relationship relationships rel edge edges triple triples "
    "relación relaciones beziehung beziehungen relações 关系 關係 关系列表 關係列表 联系 边",
    "claim": "claim claims covariate 声明 主张 断言 聲明",
    "done": "done end complete completed finished fin fertig 完成 完毕 结束 結束",
    "missed": "missed 遗漏 遺漏",
}
TAGS = {word: tag for tag, words in _TAG_WORDS.items() for word in words.split()}

_COLUMN_WORDS = {
    "source": "source src src_id source_entity source_id from subject head entity1 entity_1 "
    "source_name 源实体 源 主体 来源 头实体 实体1 主语 起点",
    "target": "target tgt tgt_id target_entity target_id to object tail entity2 entity_2 "
    "target_name 目标实体 目标 客体 尾实体 实体2 宾语 终点",
    "name": "entity_name name entity id title 名称 名字 姓名 实体 实体名称 實體 名稱 nom nombre",
    "type": "entity_type type category class entity_category 类型 实体类型 类别 類型 tipo typ",
    "description": "description desc relationship_description entity_description summary details "
    "explanation 描述 说明 关系描述 实体描述 說明 简介 descripción beschreibung",
    "keywords": "keywords relationship_keywords keyword relationship relation predicate "
    "relationship_type relation_type label 关键词 关系 關鍵詞 關係 谓语 关系类型",
    "strength": "strength weight relationship_strength score confidence 强度 权重 關係強度 "
    "关系强度 強度 stärke fuerza",
    "tag": "record record_type kind",
}
COLUMNS = {word: role for role, words in _COLUMN_WORDS.items() for word in words.split()}

_TYPE_WORDS = {
    "person": "people human man woman character individual 人 人物 人名 角色 personne persona",
    "place": "location geo gpe geography loc city country building 地点 地方 地名 地點 位置 lieu",
    "organisation": "organization org company institution group 组织 組織 机构 機構 公司 团体 势力",
    "event": "happening incident 事件 活动 战役",
    "object": "artifact artefact item thing product equipment device 物品 物件 物 器物 物体 道具",
    "concept": "idea theory method technology topic 概念 思想 观念 方法 理论 術語 术语",
    "other": "misc unknown 其他 其它 其餘",
}
_TYPES = {word: kind for kind, words in _TYPE_WORDS.items() for word in words.split()}

_NUMBERS = {
    word: float(number)
    for number, words in enumerate(
        (
            "zero|零", "one|一", "two|二|两", "three|三|low|低|弱", "four|四", "five|五|medium|中",
            "six|六", "seven|七", "eight|八|high|strong|高|强", "nine|九", "ten|十|极强",
        )
    )
    for word in words.split("|")
}  # fmt: skip
_NUMBER = re.compile(
    r"(?:(?:strength|weight|score|强度|权重|confidence)\s*[:：=]?\s*)?"
    r"([+-]?\d{1,12}(?:[.,]\d{1,12})?)\s*(%|分|/\s*\d{1,3}|out of \d{1,3})?",
    re.IGNORECASE,
)
_NO_NAMES = (
    "none n/a na null nil unknown unnamed entity_name source_entity target_entity name entity "
    "relation relationship type description nobody 无 未知 未提及 不详 实体 关系 名称 - ..."
)
_EMPTY_NAMES = frozenset(_NO_NAMES.split())


def clean_field(text: object, most: int = MAX_DESCRIPTION) -> str:
    """Return a field without quotes, brackets, markup and control characters, at most so long."""
    plain = str(text)[: most * 4].encode("utf-8", "ignore").decode("utf-8")
    plain = _SPACE.sub(" ", _CONTROL.sub(" ", plain).replace("|", "/")).strip(_EDGES)
    while len(plain) > 1 and _BRACKETS.get(plain[0]) == plain[-1]:
        plain = plain[1:-1].strip(_EDGES)
    for left, right in (("(", ")"), ("（", "）")):  # half of a pair that was cut apart
        if plain.endswith(right) and left not in plain:
            plain = plain[:-1].strip(_EDGES)
        if plain.startswith(left) and right not in plain:
            plain = plain[1:].strip(_EDGES)
    if len(plain) > most:
        cut = plain.rfind(" ", most // 2, most)
        plain = plain[: cut if cut > 0 else most].strip(_EDGES)
    return plain


def clean_name(text: object) -> str:
    """Return a name as it may stand in a list, "" for what can't be one."""
    name = clean_field(text, 2 * MAX_NAME)
    if len(name) > MAX_NAME or name.casefold() in _EMPTY_NAMES:
        return ""
    return name if any(char.isalnum() for char in name) else ""


def clean_keywords(text: object) -> tuple[str, ...]:
    words = text if isinstance(text, list | tuple) else re.split(r"[,，、;；/|]", str(text)[:600])
    kept: dict[str, None] = {}
    for word in words:
        cleaned = clean_field(word, MAX_KEYWORD)
        if cleaned and len(kept) < MAX_KEYWORDS:
            kept.setdefault(cleaned)
    return tuple(kept)


def find_tag(text: str) -> str:
    """Return "entity", "relation", "claim", "done", "missed", or "" for anything else."""
    return TAGS.get(clean_field(text, 40).strip(":：<>|/ ").casefold(), "")


def find_column(text: object) -> str:
    key = _SPACE.sub("_", clean_field(text, 40).strip(":： ").casefold())
    return COLUMNS.get(key, "")


def find_type(text: object, types: Sequence[str]) -> str:
    """Return the type of the list that a field means, "" if it means none."""
    plain = clean_field(text, 60).strip(":：. ").casefold()
    by_key = {kind.casefold(): kind for kind in types}
    for part in (plain, *re.split(r"[/,(（、;\s]", plain)):
        for key in (part, part.rstrip("s")):
            found = by_key.get(key) or by_key.get(_TYPES.get(key, key))
            if key and found:
                return found
    return ""


def read_strength(text: object) -> float | None:
    """Return a number from 0 to 10, in digits or in words; None if the field is no number."""
    if isinstance(text, bool) or text is None:
        return None
    if isinstance(text, int | float):
        try:
            return _clip(float(text))
        except OverflowError:
            return MAX_STRENGTH
    plain = clean_field(text, 40).rstrip(".。)）#").strip().casefold()
    if plain in _NUMBERS:
        return _NUMBERS[plain]
    match = _NUMBER.fullmatch(plain)
    if match is None:
        return None
    value = float(match[1].replace(",", "."))
    if match[2] == "%":
        value /= 10.0
    return _clip(value)


def _clip(value: float) -> float | None:
    return min(MAX_STRENGTH, max(0.0, value)) if math.isfinite(value) else None
