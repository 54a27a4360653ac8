"""Fetches, cuts and verifies the fonts in `resources/fonts/`.

Inter, Source Serif 4 and the icons (Phosphor) are unmodified copies from version-pinned npm
packages. Two more families are made from parts of a font:

- Noto Sans SC is cut by characters into a common part with two weights and a rare part with one,
  because the whole font in two weights would be 21 MB.
- "Inter for Chinese" is Inter without the punctuation that Chinese text sets wider, such as
  quotation marks and dashes: a Chinese interface draws those in its Chinese font.

No licence reserves a name that these parts use. `resources/fonts/SHA256SUMS` records the hash of
every file. Commands:

    python packaging/fonts.py fetch     download the packages with npm and write the files
    python packaging/fonts.py check     compare the files with SHA256SUMS

`fetch` needs npm and `fonttools==4.68.0` (another version may write other bytes) and refuses a
file whose hash differs from the recorded one. To update a font, change its version below and run
`fetch --record`, which writes SHA256SUMS anew.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "resources" / "fonts"
SUMS = FOLDER / "SHA256SUMS"

# package, version: {file here: file in the package}
SOURCES = {
    ("@expo-google-fonts/inter", "0.4.2"): {
        "inter/OFL.txt": "LICENSE_FONT",
        "inter/Inter-Regular.ttf": "400Regular/Inter_400Regular.ttf",
        "inter/Inter-Italic.ttf": "400Regular_Italic/Inter_400Regular_Italic.ttf",
        "inter/Inter-SemiBold.ttf": "600SemiBold/Inter_600SemiBold.ttf",
        "inter/Inter-Bold.ttf": "700Bold/Inter_700Bold.ttf",
        "inter/InterForChinese-Regular.ttf": "400Regular/Inter_400Regular.ttf",
        "inter/InterForChinese-Italic.ttf": "400Regular_Italic/Inter_400Regular_Italic.ttf",
        "inter/InterForChinese-SemiBold.ttf": "600SemiBold/Inter_600SemiBold.ttf",
        "inter/InterForChinese-Bold.ttf": "700Bold/Inter_700Bold.ttf",
    },
    ("@expo-google-fonts/source-serif-4", "0.4.1"): {
        "source-serif-4/OFL.txt": "LICENSE_FONT",
        "source-serif-4/SourceSerif4-Regular.ttf": "400Regular/SourceSerif4_400Regular.ttf",
        "source-serif-4/SourceSerif4-Italic.ttf": (
            "400Regular_Italic/SourceSerif4_400Regular_Italic.ttf"
        ),
        "source-serif-4/SourceSerif4-SemiBold.ttf": "600SemiBold/SourceSerif4_600SemiBold.ttf",
        "source-serif-4/SourceSerif4-Bold.ttf": "700Bold/SourceSerif4_700Bold.ttf",
    },
    ("@expo-google-fonts/noto-sans-sc", "0.4.3"): {
        "noto-sans-sc/OFL.txt": "LICENSE_FONT",
        "noto-sans-sc/NotoSansSC-Regular.ttf": "400Regular/NotoSansSC_400Regular.ttf",
        "noto-sans-sc/NotoSansSC-Bold.ttf": "700Bold/NotoSansSC_700Bold.ttf",
        "noto-sans-sc/NotoSansSCRare-Regular.ttf": "400Regular/NotoSansSC_400Regular.ttf",
    },
    ("phosphor-icons", "1.4.2"): {
        "phosphor-icons/LICENSE": "LICENSE",
        "phosphor-icons/Phosphor.ttf": "src/fonts/Phosphor.ttf",
        "phosphor-icons/codes.json": "src/unicodesMap.json",
    },
}
# file here: the name of its family, which says what is cut
PARTS = {
    "inter/InterForChinese-Regular.ttf": "Inter for Chinese",
    "inter/InterForChinese-Italic.ttf": "Inter for Chinese",
    "inter/InterForChinese-SemiBold.ttf": "Inter for Chinese",
    "inter/InterForChinese-Bold.ttf": "Inter for Chinese",
    "noto-sans-sc/NotoSansSC-Regular.ttf": "Noto Sans SC",
    "noto-sans-sc/NotoSansSC-Bold.ttf": "Noto Sans SC",
    # a family of its own: text in a weight that it lacks would skip the whole family
    "noto-sans-sc/NotoSansSCRare-Regular.ttf": "Noto Sans SC Rare",
}
ORIGINS = ("Inter", "Noto Sans SC")
FEATURES = ["ccmp", "locl", "kern", "liga", "tnum"]
NAME_IDS = (1, 4, 16)  # family, full name, typographic family
JOINED_IDS = (3, 6)  # unique name, PostScript name
LATIN_RANGES = ((0x20, 0x7E), (0xA0, 0x17F))
LATIN_MARKS = {0x2013, 0x2018, 0x2019}  # ranges of numbers, and apostrophes
WIDE_IN_CHINESE = {0xA7, 0xA8, 0xB0, 0xB1, 0xD7, 0xF7}  # § ¨ ° ± × ÷


def fetch(*, record: bool = False) -> list[str]:
    """Download the packages and write the files; return those refused for their hash."""
    recorded, refused = read_sums(), []
    for (package, version), files in SOURCES.items():
        with tempfile.TemporaryDirectory() as place:
            command = ["npm", "pack", "--silent", f"{package}@{version}"]
            subprocess.run(command, cwd=place, check=True, capture_output=True)
            (archive,) = Path(place).glob("*.tgz")
            with tarfile.open(archive) as packed:
                packed.extractall(place, filter="data")
            for name, source in files.items():
                made = Path(place) / "package" / source
                if name in PARTS:
                    made = cut_font(made, PARTS[name], Path(place) / Path(name).name)
                if not record and hash_file(made) != recorded.get(name):
                    refused.append(name)
                    continue
                (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(made, FOLDER / name)
    if record:
        lines = [f"{hash_file(FOLDER / name)}  {name}\n" for name in expected_files()]
        SUMS.write_text("".join(lines), encoding="utf-8")
    return refused


def cut_font(source: Path, family: str, target: Path) -> Path:
    """Write the characters that belong to a family as a font of that name; return its path."""
    from fontTools import subset

    options = subset.Options()
    options.layout_features = FEATURES
    options.drop_tables += ["BASE", "VORG", "vhea", "vmtx"]  # for vertical text
    options.name_IDs = ["*"]
    options.recalc_timestamp = False
    font = subset.load_font(source, options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=keep_codes(family, set(font.getBestCmap())))
    cutter.subset(font)
    origin = max((name for name in ORIGINS if family.startswith(name)), key=len)
    for record in font["name"].names:
        if record.nameID in NAME_IDS:
            record.string = record.toUnicode().replace(origin, family)
        elif record.nameID in JOINED_IDS:
            record.string = record.toUnicode().replace(join_name(origin), join_name(family))
    font.save(target)
    return target


def join_name(family: str) -> str:
    return "".join(word[0].upper() + word[1:] for word in family.split())


def keep_codes(family: str, codes: set[int]) -> set[int]:
    """Return the codes of a font that belong to a family of `PARTS`."""
    if family.startswith("Inter"):
        latin = {code for low, high in LATIN_RANGES for code in range(low, high + 1)}
        return codes & ((latin | LATIN_MARKS) - WIDE_IN_CHINESE)
    common = common_codes()
    return codes - common if family.endswith("Rare") else codes & common


def common_codes() -> set[int]:
    """Return the characters of GB 2312, of Latin-1, and general punctuation."""
    codes = {*range(0x20, 0x7F), *range(0xA0, 0x100), *range(0x2010, 0x2028)}
    for first in range(0xA1, 0xFF):
        for second in range(0xA1, 0xFF):
            try:
                codes.add(ord(bytes((first, second)).decode("gb2312")))
            except UnicodeDecodeError:
                continue
    return codes


def check() -> list[str]:
    """Return the files that are missing, unexpected, or differ from SHA256SUMS."""
    recorded = read_sums()
    present = {p.relative_to(FOLDER).as_posix() for p in FOLDER.rglob("*") if p.is_file()}
    present.discard(SUMS.name)
    both = present & set(recorded)
    differing = {name for name in both if hash_file(FOLDER / name) != recorded[name]}
    return sorted((present ^ set(recorded)) | (set(expected_files()) ^ set(recorded)) | differing)


def expected_files() -> list[str]:
    return sorted(name for files in SOURCES.values() for name in files)


def read_sums() -> dict[str, str]:
    if not SUMS.exists():
        return {}
    lines = (line.split() for line in SUMS.read_text("utf-8").splitlines())
    return {name: sha256 for sha256, name in lines}


def hash_file(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main(arguments: list[str]) -> int:
    if arguments in (["fetch"], ["fetch", "--record"]):
        wrong = fetch(record="--record" in arguments)
    elif arguments == ["check"]:
        wrong = check()
    else:
        print(__doc__)
        return 2
    for name in wrong:
        print(f"{name}: missing, unexpected, or with another hash", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
