"""Reads what this processor can do, and chooses the instructions llama.cpp is compiled for.

ggml's own choice (`-march=native`) includes AMX where the processor reports it; on some virtual
machines AMX then ends the program with SIGILL. So the instructions are listed here, without AMX
and SME, best first and down to the plainest build that runs everywhere.

Standard library only: run.py uses this module before any package is installed.
"""

from __future__ import annotations

import hashlib
import platform
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_X86 = ("x86_64", "amd64", "i386", "i686")
_ARM = ("aarch64", "arm64")
# Windows: IsProcessorFeaturePresent. FMA, F16C and BMI2 have no number of their own; every
# processor with AVX2 that Windows 10 runs on has them, and the trial finds the exception.
_WINDOWS_FEATURES = {
    38: ("sse4_2",),
    39: ("avx",),
    40: ("avx2", "fma", "f16c", "bmi2"),
    43: ("asimddp",),
}
_MAC_ARM_FEATURES = {"FEAT_DotProd": "asimddp", "FEAT_FP16": "asimdhp", "FEAT_I8MM": "i8mm"}

_OFF = (
    *("GGML_SSE42", "GGML_AVX", "GGML_AVX2", "GGML_FMA", "GGML_F16C", "GGML_BMI2"),
    *("GGML_AVX_VNNI", "GGML_AVX512", "GGML_AVX512_VBMI", "GGML_AVX512_VNNI"),
    *("GGML_AVX512_BF16", "GGML_AMX_TILE", "GGML_AMX_INT8", "GGML_AMX_BF16"),
)
_AVX512 = frozenset({"avx512f", "avx512cd", "avx512vl", "avx512dq", "avx512bw"})
_AVX2 = frozenset({"avx", "avx2", "fma", "f16c", "bmi2"})
_SSE42 = frozenset({"sse4_2", "ssse3"})


@dataclass(frozen=True)
class Processor:
    """A processor: its architecture ("x86_64" or "arm64"), its name and its feature flags."""

    machine: str
    name: str
    features: frozenset[str]

    @property
    def fingerprint(self) -> str:
        """Return a short text that differs for processors with other features."""
        parts = [self.machine, self.name, *sorted(self.features)]
        return hashlib.sha256("|".join(parts).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class BuildLevel:
    """One way to compile llama.cpp: a key for file names, words for people, CMake's definitions."""

    key: str
    title: str
    definitions: tuple[str, ...]

    @property
    def cmake_args(self) -> str:
        return " ".join(f"-D{definition}" for definition in self.definitions)


@cache
def read_processor() -> Processor:
    """Return this machine's processor; its features are empty where they can't be read."""
    machine = platform.machine().lower()
    name, features = "", frozenset[str]()
    if sys.platform.startswith("linux"):
        name, features = parse_cpuinfo(_read_text(Path("/proc/cpuinfo")))
    elif sys.platform == "darwin":
        name = _sysctl("machdep.cpu.brand_string")
        features = _read_mac_features(machine)
    elif sys.platform == "win32":
        name, features = platform.processor(), _read_windows_features()
    machine = "x86_64" if machine in _X86 else "arm64" if machine in _ARM else machine
    return Processor(machine, name or platform.processor() or machine, features)


def parse_cpuinfo(text: str) -> tuple[str, frozenset[str]]:
    """Return the processor's name and the features that all its cores have, from /proc/cpuinfo."""
    name = ""
    cores: list[frozenset[str]] = []
    for line in text.splitlines():
        key, _, value = line.partition(":")
        key = key.strip().lower()
        if key == "model name" and not name:
            name = value.strip()
        elif key in ("flags", "features"):
            cores.append(frozenset(value.lower().split()))
    return name, frozenset.intersection(*cores) if cores else frozenset()


def list_build_levels(processor: Processor) -> list[BuildLevel]:
    """Return the builds that this processor should run, the fastest first, the plainest last."""
    if processor.machine == "x86_64":
        return _list_x86_levels(processor.features)
    if processor.machine == "arm64" and sys.platform != "win32":
        return _list_arm_levels(processor.features)
    return [BuildLevel("default", "ggml's default instructions", ())]


def _list_x86_levels(features: frozenset[str]) -> list[BuildLevel]:
    levels = []
    sse42 = ("GGML_SSE42",)
    avx = (*sse42, "GGML_AVX")
    avx2 = (*avx, "GGML_AVX2", "GGML_FMA", "GGML_F16C", "GGML_BMI2")
    if features >= _AVX2 | _AVX512:
        extra = [
            option
            for flags, option in (
                (("avx512vbmi", "avx512_vbmi"), "GGML_AVX512_VBMI"),
                (("avx512_vnni", "avx512vnni"), "GGML_AVX512_VNNI"),
                (("avx512_bf16", "avx512bf16"), "GGML_AVX512_BF16"),
            )
            if features.intersection(flags)
        ]
        levels.append(_build_x86("avx512", "AVX-512", (*avx2, "GGML_AVX512", *extra)))
    if features >= _AVX2:
        extra = ["GGML_AVX_VNNI"] if features & {"avx_vnni", "avxvnni"} else []
        levels.append(_build_x86("avx2", "AVX2", (*avx2, *extra)))
    if "avx" in features:
        levels.append(_build_x86("avx", "AVX", avx))
    if features & _SSE42:
        levels.append(_build_x86("sse42", "SSE 4.2", sse42))
    levels.append(_build_x86("baseline", "plain x86-64", ()))
    return levels


def _build_x86(name: str, title: str, on: tuple[str, ...]) -> BuildLevel:
    wanted = [f"{option}={'ON' if option in on else 'OFF'}" for option in _OFF]
    return _build_level(name, title, ["GGML_NATIVE=OFF", *wanted])


def _list_arm_levels(features: frozenset[str]) -> list[BuildLevel]:
    levels = []
    if "asimddp" in features:
        march = "armv8.2-a+dotprod"
        march += "+fp16" if features & {"asimdhp", "fphp"} else ""
        if "i8mm" in features:
            levels.append(_build_arm("i8mm", "Arm int8 matrix", march + "+i8mm"))
        levels.append(_build_arm("dotprod", "Arm dot product", march))
    levels.append(_build_arm("baseline", "plain Armv8", "armv8-a"))
    return levels


def _build_arm(name: str, title: str, march: str) -> BuildLevel:
    return _build_level(name, title, ["GGML_NATIVE=OFF", f"GGML_CPU_ARM_ARCH={march}"])


def _build_level(name: str, title: str, definitions: list[str]) -> BuildLevel:
    # libmtmd reads pictures (decision 135); of videos it would start another program.
    every = (*definitions, "LLAVA_BUILD=ON", "MTMD_VIDEO=OFF")
    digest = hashlib.sha256(" ".join(every).encode()).hexdigest()[:8]
    return BuildLevel(f"{name}-{digest}", title, every)


def _read_text(path: Path) -> str:
    try:
        return path.read_text("utf-8", errors="replace")
    except OSError:
        return ""


def _sysctl(name: str) -> str:
    try:
        done = subprocess.run(
            ["/usr/sbin/sysctl", "-n", name], capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return done.stdout.strip()


def _read_mac_features(machine: str) -> frozenset[str]:
    if machine in _ARM:
        found = _MAC_ARM_FEATURES.items()
        return frozenset(flag for key, flag in found if _sysctl(f"hw.optional.arm.{key}") == "1")
    names = f"{_sysctl('machdep.cpu.features')} {_sysctl('machdep.cpu.leaf7_features')}"
    # "AVX1.0", "SSE4.2", "AVX512F": brought to the names that Linux uses.
    flags = {name.lower().replace("avx1.0", "avx").replace(".", "_") for name in names.split()}
    return frozenset(flags)


def _read_windows_features() -> frozenset[str]:
    import ctypes

    kernel = ctypes.windll.kernel32  # type: ignore[attr-defined]
    found: set[str] = set()
    for number, flags in _WINDOWS_FEATURES.items():
        if kernel.IsProcessorFeaturePresent(number):
            found.update(flags)
    return frozenset(found)
