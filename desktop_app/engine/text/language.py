"""Language detection, by script and by the most frequent words of each language.

Owns the lists of frequent characters and words, which the detection of encodings uses too.
"""

from __future__ import annotations

import re
from collections import Counter

from ..scripts import HAN, HAN_COMPATIBILITY, HAN_RARE

_SIMPLIFIED = (
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之"
    "年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样"
    "理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将"
    "两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信"
    "表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔"
    "更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指许统区"
    "保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住"
    "告类求据程北边死张该交规万取望觉术领共确传师观清今切院让识候带导争运吃拿酒官府宋江吴兄弟"
    "哥叫只见两个不曾喝杀入城寨庄贾玉曹操兵刘备众若便"
)
_TRADITIONAL = (
    "這個們來為國說時要會對於著過發後裡種經麼學現當沒動還進樣開從實軍無與長機關點業將兩間問應"
    "戰頭體見產話給門兒東聲員論處義幾認條氣題爾別變總電數報務場計資統區隊決馬書則聽達強難權記"
    "類據邊張該規萬覺術領傳師觀讓識帶導爭運劉備眾殺寶賈吳喫罷卻那裏甚請錢銀樓雲龍歸養親歡輕聞"
    "讀寫"
)
FREQUENT_HAN = frozenset(_SIMPLIFIED + _TRADITIONAL)
FREQUENT_HANGUL = frozenset(
    "이다는을의에가고를은한로하지도사기어나자대서인리그해있시아정것수들일스으라부전"
    "제보게과여주만장상구와유성원때면적안우조공신동국생무던않없"
)

# Each line: a language code, then the most common words of that language.
_FUNCTION_WORD_LINES = """
en: the of and to in that was he his it with is for as had you not be her on at by which
en: have from this but all they she were my are me one their so an or him we who there
de: der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es
de: an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über ich
fr: de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il
fr: sont avec son les aux cette elle nous vous mais ou je était être
es: de la que el en y a los se del las un por con no una su para es al lo como más pero sus
es: le ya o este sí porque esta entre cuando muy sin sobre
it: di e il la che in un a per è una sono con non si da del le della i dei nel alla più come
it: gli al lo anche ma questo era ha
pt: de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao
pt: ele das tem à seu sua ou ser
nl: de van het een en in is dat op te zijn met voor niet aan er om ook als dan maar bij uit
nl: door naar heeft hij ik wordt werd deze
sv: och i att det som en på är av för med till den har de inte om ett han men var jag sig
sv: från vi så kan när
da: og i at det er en til af på for med der den som de ikke har et om han men var jeg sig
da: fra vi så blev efter
no: og i det er på som en til å av for med at ikke den har de om et han men var jeg seg fra
no: vi så ble etter
fi: ja on ei että se hän oli joka mutta kun niin ovat tai myös kuin sen sitä minä ole olla
pl: w i na z się do nie że to jest o jak a od po za przez co ale był dla tym by tak jego
cs: a se v na je že s z do o to i ve k jako by byl po za ale od jeho pro jsem jsou které
tr: bir ve bu da de için ile o çok ne gibi daha olarak olan var ama sonra kadar her ki
la: et in est non ad ut cum quod qui sed si quae ex ab hoc per etiam aut esse enim sunt nec
id: yang dan di dengan untuk tidak dari ini dalam akan pada itu juga saya ke karena tersebut
vi: và của là có không một trong cho được người với các đã những này để khi đến về như
hu: a az és hogy nem is egy ez azt van volt meg csak de mint már vagy kell még ha
ro: de și în a la cu nu o pe care este din un pentru ce mai să că se au fi sunt dar
"""
FUNCTION_WORDS: dict[str, frozenset[str]] = {}
for _line in _FUNCTION_WORD_LINES.strip().splitlines():
    _code, _, _words = _line.partition(":")
    FUNCTION_WORDS[_code] = FUNCTION_WORDS.get(_code, frozenset()) | frozenset(_words.split())

_SLICES = 6
_SLICE_CHARS = 3_000
_SCRIPTS = {
    "kana": re.compile("[\u3041-\u30fa\u31f0-\u31ff]"),
    "han": re.compile(f"[{HAN}{HAN_COMPATIBILITY}{HAN_RARE}]"),
    "ko": re.compile("[\uac00-\ud7af\u1100-\u11ff]"),
    "cyrillic": re.compile("[\u0400-\u04ff]"),
    "el": re.compile("[\u0370-\u03ff\u1f00-\u1fff]"),
    "arabic": re.compile("[\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff]"),
    "he": re.compile("[\u0590-\u05ff]"),
    "th": re.compile("[\u0e00-\u0e7f]"),
    "hi": re.compile("[\u0900-\u097f]"),
    "latin": re.compile("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]"),
}
_LETTERS = re.compile(r"[^\W\d_]+")


def detect_language(text: str) -> str:
    """Return the ISO 639-1 code of the main language of a text, "und" if it is unknown."""
    sample = _sample_text(text)
    counts = {name: len(pattern.findall(sample)) for name, pattern in _SCRIPTS.items()}
    # One Chinese character carries about as much text as four letters.
    east = 4 * (counts["han"] + counts["kana"])
    weights = {"ko": 3 * counts["ko"], "east": east}
    weights |= {n: c for n, c in counts.items() if n not in ("han", "kana", "ko")}
    script, weight = max(weights.items(), key=lambda item: item[1])
    if not weight:
        return "und"
    if script == "east":
        return "ja" if counts["kana"] * 12 > counts["han"] else "zh"
    if script == "cyrillic":
        if re.search("[іїєґІЇЄҐ]", sample):
            return "be" if re.search("[ўЎ]", sample) else "uk"
        if re.search("[ыэЫЭ]", sample):
            return "ru"
        if re.search("[ћђљњџјЋЂЉЊЏЈ]", sample):
            return "mk" if re.search("[ѓќѕЃЌЅ]", sample) else "sr"
        return "bg" if sample.count("ъ") * 100 > len(sample) else "ru"
    if script == "arabic":
        return "fa" if len(re.findall("[پچژگ]", sample)) * 60 > weight else "ar"
    return _latin_language(sample) if script == "latin" else script


def _sample_text(text: str) -> str:
    if len(text) <= _SLICES * _SLICE_CHARS:
        return text
    step = (len(text) - _SLICE_CHARS) // (_SLICES - 1)
    return "\n".join(text[i * step : i * step + _SLICE_CHARS] for i in range(_SLICES))


def _latin_language(sample: str) -> str:
    words = Counter(_LETTERS.findall(sample.lower()))
    total = sum(words.values())
    scores = {
        code: sum(words[word] for word in known) / (8 + total)
        for code, known in FUNCTION_WORDS.items()
    }
    best = max(scores, key=lambda code: scores[code])
    n_known = sum(1 for word in FUNCTION_WORDS[best] if words[word] and len(word) > 1)
    return best if scores[best] >= 0.1 and n_known >= 3 else "und"
