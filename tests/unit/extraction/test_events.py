"""Events that sentences state, and what is left out: denied, supposed, expected, or not plain."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from desktop_app.engine.extraction.instant import InstantExtractor
from desktop_app.engine.extraction.rules.chinese_events import find_chinese_events
from desktop_app.engine.extraction.rules.english_events import find_english_events
from desktop_app.engine.extraction.spans import LocatedName
from desktop_app.engine.model import ChunkSpan, ClaimedEvent
from desktop_app.engine.text.chunking import split_sentences

TYPES = {"London": "place", "荆州": "place", "Rome": "place"}


def locate(text: str, names: list[str]) -> list[LocatedName]:
    found = []
    for name in names:
        at = text.find(name)
        while at >= 0:
            found.append(LocatedName(at, at + len(name), name, TYPES.get(name, "person")))
            at = text.find(name, at + 1)
    return sorted(found, key=lambda name: name.start)


def describe(text: str, names: list[str], events: list[ClaimedEvent]) -> list[str]:
    """Return each event as "kind: actors -> patients @places"."""
    by_start = {name.start: name.name for name in locate(text, names)}

    def join(starts: tuple[int, ...]) -> str:
        return "+".join(by_start[start] for start in starts)

    return [f"{e.kind}: {join(e.actors)} -> {join(e.patients)} @{join(e.places)}" for e in events]


ENGLISH = ["Orlick", "Joe", "Mr. Wopsle", "Clara", "Tom", "London", "Rome"]


def read_english(text: str) -> list[str]:
    return describe(text, ENGLISH, find_english_events(text, (0, len(text)), locate(text, ENGLISH)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mr. Wopsle died at Rome.", "dies: Mr. Wopsle ->  @Rome"),
        ("Old Orlick was dead.", "dies: Orlick ->  @"),
        ("Orlick had cruelly murdered Joe.", "kills: Orlick -> Joe @"),
        ("In the night Joe was killed by Orlick.", "kills: Orlick -> Joe @"),
        ("Joe had been put to death.", "kills:  -> Joe @"),
        ("Tom, who had killed Joe in London, wept.", "kills: Tom -> Joe @London"),
        ("Clara and Joe were married.", "marries: Clara+Joe ->  @"),
        ("Clara was married to Joe.", "marries: Clara -> Joe @"),
        ("He took Joe prisoner.", "captures:  -> Joe @"),
        ("Joe was born in London.", "born:  -> Joe @London"),
        ("Orlick attacked him.", "fights: Orlick ->  @"),
        ("Joe returned with a letter.", "arrives: Joe ->  @"),
        ("Tom betrayed himself.", "betrays: Tom -> Tom @"),
        ("Joe left London.", "departs: Joe ->  @London"),
        ("Tom and Clara arrived.", "arrives: Tom+Clara ->  @"),
        ("He met Mr. Wopsle and Clara there.", "meets:  -> Mr. Wopsle+Clara @"),
        ("She gave Joe a guinea.", "gives:  -> Joe @"),
        ("Clara handed the letter to Tom.", "gives: Clara -> Tom @"),
        ("“No,” she whispered to Tom.", "tells:  -> Tom @"),
        ("He shook hands with Tom and Joe departed.", "departs: Joe ->  @"),
        ("Joe took his hat, nodded and departed.", "departs: Joe ->  @"),
        ("When Joe came down, he met Clara.", "meets: Joe -> Clara @"),
        ("Clara wept because she had betrayed Tom.", "betrays: Clara -> Tom @"),
        ("Joe did not come; Orlick fled.", "departs: Orlick ->  @"),
    ],
)
def test_a_plain_english_sentence_states_one_event(text: str, expected: str) -> None:
    assert read_english(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "Joe never died.",
        "Joe saw him when he departed.",
        "Joe nodded when she departed.",
        "Joe called and Tom nodded, and departed.",
        "Joe hadn't killed Orlick.",
        "Orlick would have killed Joe.",
        "If Orlick killed Joe, nobody knew.",
        "Orlick wanted to kill Joe.",
        "Orlick will depart.",
        "Has Orlick killed Joe?",
        "He dreamed that Joe was killed.",
        "The brother of Joe died.",
        "Joe's sister died.",
        "Orlick killed Joe's dog.",
        "Orlick killed her brother.",
        "Clara gave Tom a look.",
        "“Good evening,” Joe returned.",
        "Clara met his eye.",
        "Nothing happens when Joe arrives.",
        "The captured Joe.",
        "Joe returned very short replies.",
        "There was a boy of Joe, who had been arrested.",
        "Joe was left with me.",
        "The hat that Joe left on the chair.",
    ],
)
def test_english_sentences_that_state_no_event_have_none(text: str) -> None:
    assert read_english(text) == []


CHINESE = ["关羽", "华雄", "曹操", "刘备", "荆州", "张飞"]


def read_chinese(words: str) -> list[str]:
    """Read a sentence whose words are separated by spaces, as the tagger would separate them."""
    text, borders = "", bytearray(len(words) + 1)
    for word in words.split(" "):
        borders[len(text)] = 1
        text += word
    borders[len(text)] = 1
    found = find_chinese_events(text, (0, len(text)), locate(text, CHINESE), borders)
    return describe(text, CHINESE, found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("关羽 遂 斩 了 华雄 。", "kills: 关羽 -> 华雄 @"),
        ("华雄 被 关羽 一刀 斩 了 。", "kills: 关羽 -> 华雄 @"),
        ("华雄 为 关羽 所 杀 。", "kills: 关羽 -> 华雄 @"),
        ("关羽 将 华雄 斩 于 马下 。", "kills: 关羽 -> 华雄 @"),
        ("次日 ， 曹操 病死 。", "dies: 曹操 ->  @"),
        ("张飞 、 关羽 一齐 战死 。", "dies: 张飞+关羽 ->  @"),
        ("张飞 与 曹操 交战 。", "fights: 张飞 -> 曹操 @"),
        ("曹操 封 刘备 为 大将 。", "appointed: 曹操 -> 刘备 @"),
        ("曹操 谓 刘备 曰 ： 善 。", "tells: 曹操 -> 刘备 @"),
        ("刘备 来到 荆州 。", "arrives: 刘备 ->  @荆州"),
        ("张飞 受伤 。", "wounds:  -> 张飞 @"),
        ("张飞 引 军 来到 荆州 。", "arrives: 张飞 ->  @荆州"),
        ("张飞 杀 之 。", "kills: 张飞 ->  @"),
        ("张飞 大怒 ， 挺 枪 直取 华雄 。", "fights: 张飞 -> 华雄 @"),
        ("华雄 措手不及 ， 被 关羽 一刀 斩 了 。", "kills: 关羽 -> 华雄 @"),
        ("曹操 大叫 一声 ， 气绝 身亡 。", "dies: 曹操 ->  @"),
        ("关羽 备言 前事 。", "recounts: 关羽 ->  @"),
        ("关羽 将 上项 事 细说一遍 。", "recounts: 关羽 ->  @"),
        ("张飞 把 杀 了 贼兵 的 事 ， 说了一遍 。", "recounts: 张飞 ->  @"),
    ],
)
def test_a_plain_chinese_sentence_states_one_event(text: str, expected: str) -> None:
    assert read_chinese(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "关羽 未 斩 华雄 。",
        "关羽 欲 杀 华雄 。",
        "若 关羽 杀 华雄 ， 吾 必 喜 。",
        "曹操 令 张飞 杀 华雄 。",
        "关羽 来 杀 华雄 。",
        "关羽 杀 华雄 否 ？",
        "“ 杀 了 华雄 ， 我 便 归 。 ”",
        "关羽 杀 华雄 之 弟 。",
        "关羽 夫人 病死 。",
        "关羽 闻言 大怒 。",
        "关羽 死罪 。",
        "关羽 令 人 去 ， 身亡 。",
        "关羽 大怒 ， 众 将 身亡 。",
        "关羽 大怒 。 身亡 。",
        "张飞 斧 劈 死 。",
        "去 见 张飞 具言 来意 。",
        "一一 对 张飞 诉说 。",
        "关羽 未 备言 前事 。",
        '曹操 曰 ： " 你 去 ， 杀 华雄 。 "',
    ],
)
def test_chinese_sentences_that_state_no_event_have_none(text: str) -> None:
    assert read_chinese(text) == []


def extract(text: str, language: str) -> Iterator[ClaimedEvent]:
    chunks = [ChunkSpan(0, 0, len(text), 0)]
    for one in InstantExtractor(split_sentences).extract(text, chunks, language):
        yield from one.events


@pytest.mark.parametrize(
    ("text", "language", "kind", "actor", "patient"),
    [
        (
            "Edmund Harrow lived in Bristol. Edmund Harrow married Clara Weller in April.\n",
            "en", "marries", "Edmund Harrow", "Clara Weller",
        ),
        ("云长见华雄来。关云长斩了华雄。云长回营，云长下马。", "zh", "kills", "云长", "华雄"),
        ("雲長見華雄來。關雲長斬了華雄。雲長回營，雲長下馬。", "zh", "kills", "雲長", "華雄"),
    ],
)  # fmt: skip
def test_events_are_found_with_the_names_of_the_real_taggers(
    text: str, language: str, kind: str, actor: str, patient: str
) -> None:
    [event] = [event for event in extract(text, language) if event.kind == kind]
    assert text[event.actors[0] :].startswith((actor, f"关{actor}", f"關{actor}"))
    assert text[event.patients[0] :].startswith(patient)
    assert text[event.start : event.end].rstrip()[-1] in ".。"


def test_a_text_in_another_language_has_no_events() -> None:
    assert list(extract("Edmund Harrow est mort. Edmund Harrow a tué Clara Weller.\n", "fr")) == []
