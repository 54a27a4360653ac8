"""Texts that can't be what a page says are recognised, and those of any language stay."""

from __future__ import annotations

import random

import pytest

from desktop_app.engine.text.text_layers import is_unreadable

SENTENCES = {
    "en": "The ferry leaves at dawn and nobody waits for it on the pier but the old woman, who has"
    " carried her basket of bread to the strength of the harbour wall for thirty-eight years.",
    "pl": "Szczęście przychodzi do tych, którzy czekają wystarczająco długo; chrząszcz brzmi w"
    " trzcinie w Szczebrzeszynie, a wszystkie źdźbła drżą na wietrze przy wschodzie słońca.",
    "cs": "Strč prst skrz krk, řekl starý převozník a zmlkl, protože čtvrtek byl smutný den a řeka"
    " byla plná vody; vlk zmrzl a srnec zvlhl, jak vypráví stará česká pohádka z vesnice.",
    "vi": "Con đò rời bến lúc bình minh và không ai đợi nó trên bến tàu ngoài bà cụ, người đã mang"
    " giỏ bánh mì đến bức tường bến cảng trong ba mươi tám năm qua mà không hề than vãn.",
    "de": "Der Schiffsjunge schrieb am Silvesterabend eine Geschichte, die niemand verstand; die"
    " Angstschweißperlen auf seiner Stirn verrieten ihn, und der Kapitän schwieg bedächtig.",
    "ru": "Паром уходит на рассвете, и никто не ждёт его на пристани, кроме старой женщины.",
    "zh": "那日，柳三娘对沈砚说道：先生可认得陆青山？沈砚笑道：陆青山是我的同窗。",
    "ar": "تغادر العبارة عند الفجر ولا ينتظرها أحد على الرصيف إلا المرأة العجوز",
}


@pytest.mark.parametrize("language", SENTENCES)
def test_texts_of_every_language_are_readable(language: str):
    assert not is_unreadable(SENTENCES[language] * 3)


def test_numbers_formulas_and_short_texts_are_readable():
    assert not is_unreadable("12 34.5 67% 1,200 (88) 1998 2001 " * 20)
    assert not is_unreadable("xkcd qwrtz f(x) = dx/dt")
    assert not is_unreadable("")


@pytest.mark.parametrize("shift", [3, 13, 29])
def test_letters_that_stand_for_others_are_unreadable(shift: int):
    """A font whose table is missing shows glyph numbers: every letter is another one."""
    text = (SENTENCES["en"] + " ") * 2
    wrong = "".join(c if c == " " else chr((ord(c) + shift - 33) % 94 + 33) for c in text)
    if shift == 13:  # also letters only
        wrong = text.translate(
            str.maketrans("abcdefghijklmnopqrstuvwxyz", "bcdfghjklmnpqrstvwxzbcdfgh")
        )
    assert is_unreadable(wrong)


@pytest.mark.parametrize("bad", ["\ufffd", "\ue012", "\x07"])
def test_characters_without_a_meaning_are_unreadable(bad: str):
    assert is_unreadable("word " + bad * 3)
    assert not is_unreadable("a few good words and one " + bad)


MODERN = (
    "中国有句古话：独学而无友，则孤陋而寡闻。本章说明怎样把一篇文章里的人物、地点和时间找出来，"
    "并且把它们之间的关系画成一张图。读者只要打开一本书，程序就会先分出段落，再在每一段里找名字。"
    "如果两个名字常常出现在同一句话里，它们就用一条线连起来；线越粗，说明它们一起出现的次数越多。"
    "这种方法不需要语言模型，在普通的电脑上几秒钟就能完成，所以很适合没有网络的地方使用。"
)
CLASSICAL = (
    "话说天下大势，分久必合，合久必分。周末七国分争，并入于秦。及秦灭之后，楚、汉分争，又并入于汉。"
    "汉朝自高祖斩白蛇而起义，一统天下，后来光武中兴，传至献帝，遂分为三国。推其致乱之由，殆始于桓、灵二帝。"
    "桓帝禁锢善类，崇信宦官。及桓帝崩，灵帝即位，大将军窦武、太傅陈蕃共相辅佐。时有宦官曹节等弄权，"
    "窦武、陈蕃谋诛之，机事不密，反为所害，中涓自此愈横。建宁二年四月望日，帝御温德殿。方升座，"
    "殿角狂风骤起，只见一条大青蛇，从梁上飞将下来，蟠于椅上。"
)
TRADITIONAL = (
    "錦瑟無端五十弦，一弦一柱思華年。莊生曉夢迷蝴蝶，望帝春心託杜鵑。滄海月明珠有淚，藍田日暖玉生煙。"
    "此情可待成追憶，只是當時已惘然。相見時難別亦難，東風無力百花殘。春蠶到死絲方盡，蠟炬成灰淚始乾。"
    "曉鏡但愁雲鬢改，夜吟應覺月光寒。蓬山此去無多路，青鳥殷勤為探看。昨夜星辰昨夜風，畫樓西畔桂堂東。"
    "身無彩鳳雙飛翼，心有靈犀一點通。隔座送鉤春酒暖，分曹射覆蠟燈紅。嗟余聽鼓應官去，走馬蘭臺類轉蓬。"
)
JAPANESE = (
    "吾輩は猫である。名前はまだ無い。どこで生れたか頓と見当がつかぬ。何でも薄暗いじめじめした所で"
    "ニャーニャー泣いていた事だけは記憶している。吾輩はここで始めて人間というものを見た。"
) * 6
NAMES = (
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛"
    "奚范彭郎鲁韦昌马苗凤花方俞任袁柳酆鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于时傅皮卞齐康伍余元"
    "卜顾孟平黄和穆萧尹姚邵湛汪祁毛禹狄米贝明臧计伏成戴谈宋茅庞熊纪舒屈项祝董梁杜阮蓝闵席季麻强贾路"
    "娄危江童颜郭梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞万支柯昝管卢莫经房裘缪干解应宗丁宣贲邓郁单杭洪包"
)
ELEMENTS = (
    "氢氦锂铍硼碳氮氧氟氖钠镁铝硅磷硫氯氩钾钙钪钛钒铬锰铁钴镍铜锌镓锗砷硒溴氪铷锶钇锆铌钼锝钌铑钯银"
    "镉铟锡锑碲碘氙铯钡镧铈镨钕钷钐铕钆铽镝钬铒铥镱镥铪钽钨铼锇铱铂金汞铊铅铋钋砹氡钫镭锕钍镤铀镎钚镅"
)
TEXTS = {
    "modern": MODERN, "classical": CLASSICAL, "traditional": TRADITIONAL * 2, "japanese": JAPANESE,
    "surnames": NAMES, "elements": ELEMENTS,
}  # fmt: skip


@pytest.mark.parametrize("kind", TEXTS)
def test_chinese_and_japanese_texts_of_every_kind_are_readable(kind: str):
    text = TEXTS[kind]
    assert not is_unreadable(text)
    assert not is_unreadable("\n".join(f"{char} | {n}" for n, char in enumerate(text)))


def test_chinese_characters_at_random_are_unreadable():
    drawn = random.Random(1)
    text = "".join(chr(drawn.randrange(0x4E00, 0xA000)) for _ in range(800))
    assert is_unreadable(text)
    assert is_unreadable("，".join(text[i : i + 9] for i in range(0, 800, 9)))
    assert not is_unreadable(text[:40])  # a few may be a table of rare characters


@pytest.mark.parametrize("kind", ["modern", "classical", "traditional"])
@pytest.mark.parametrize(
    ("encoding", "read_as"),
    [("utf-8", "gb18030"), ("gb18030", "big5"), ("gb18030", "latin-1"), ("gb18030", "cp1252")],
)
def test_a_chinese_text_in_a_wrong_encoding_is_unreadable(kind: str, encoding: str, read_as: str):
    text = (TEXTS[kind] * 3).encode(encoding).decode(read_as, "ignore")
    assert is_unreadable(text)
