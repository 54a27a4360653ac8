"""The other programs' entity types in terms of ours: LightRAG's, GraphRAG's, and Chinese ones."""

from __future__ import annotations

import re

_OURS = {
    "person": "person people character human individual role 人物 人 角色 人名",
    "place": "place location geo gpe country city region facility address 地点 地名 位置 地理 场所",
    "organisation": "organisation organization org company institution group team government"
    " 组织 机构 组织机构 公司 团体 门派 部门",
    "event": "event action incident activity 事件 活动 战役",
    "object": "object artifact artefact product equipment tool content document work book"
    " naturalobject item vehicle weapon 物品 物体 器物 产品 设备 作品 内容 自然物 人造物",
    "concept": "concept method data technology category topic theory idea metric process field"
    " 概念 方法 数据 技术 类别 术语 理论",
    "other": "other creature animal date time 其他 生物 动物 时间 日期",
}
_KNOWN = {word: ours for ours, words in _OURS.items() for word in words.split()}
_NOISE = re.compile(r"[\s\"'“”_\-]+")


def map_type(given: str) -> str:
    """Return our type for another program's, "" where there is none for it."""
    for part in re.split(r"<SEP>|[,/|;，、]", given):
        if found := _KNOWN.get(_NOISE.sub("", part).casefold()):
            return found
    return ""
