"""Tests the build options of llama.cpp for a processor: never AMX, fallbacks for all."""

from __future__ import annotations

import pytest

from desktop_app.engine.llm.processor_features import (
    BuildLevel,
    Processor,
    list_build_levels,
    parse_cpuinfo,
    read_processor,
)

V2 = {"sse4_2", "ssse3", "sse4_1", "popcnt"}
V3 = V2 | {"avx", "avx2", "fma", "f16c", "bmi2"}
V4 = V3 | {"avx512f", "avx512cd", "avx512vl", "avx512dq", "avx512bw"}
SAPPHIRE_RAPIDS = V4 | {
    *("avx512vbmi", "avx512_vnni", "avx512_bf16", "avx_vnni"),
    *("amx_tile", "amx_int8", "amx_bf16"),
}


def levels(features: set[str], machine: str = "x86_64") -> list[BuildLevel]:
    return list_build_levels(Processor(machine, "some processor", frozenset(features)))


def names(found: list[BuildLevel]) -> list[str]:
    return [level.key.partition("-")[0] for level in found]


@pytest.mark.parametrize(
    ("features", "expected"),
    [
        (SAPPHIRE_RAPIDS, ["avx512", "avx2", "avx", "sse42", "baseline"]),
        (V4, ["avx512", "avx2", "avx", "sse42", "baseline"]),
        (V3, ["avx2", "avx", "sse42", "baseline"]),
        (V2 | {"avx"}, ["avx", "sse42", "baseline"]),
        (V2, ["sse42", "baseline"]),
        (set(), ["baseline"]),
    ],
)
def test_the_fastest_build_comes_first_and_the_most_compatible_last(features, expected):
    assert names(levels(features)) == expected


def test_amx_is_never_used_and_ggml_never_chooses_by_itself():
    for level in levels(SAPPHIRE_RAPIDS):
        assert "GGML_NATIVE=OFF" in level.definitions
        for option in ("GGML_AMX_TILE", "GGML_AMX_INT8", "GGML_AMX_BF16"):
            assert f"{option}=OFF" in level.definitions


def test_a_level_turns_on_only_what_the_processor_reports():
    best = levels(V4)[0]
    assert "GGML_AVX512=ON" in best.definitions
    assert "GGML_AVX512_VNNI=OFF" in best.definitions
    best = levels(SAPPHIRE_RAPIDS)[0]
    for option in ("GGML_AVX512_VNNI", "GGML_AVX512_VBMI", "GGML_AVX512_BF16"):
        assert f"{option}=ON" in best.definitions


def test_avx512_without_all_its_parts_is_not_used():
    assert names(levels(V3 | {"avx512f"}))[0] == "avx2"


def test_other_options_give_another_key():
    assert levels(V4)[0].key != levels(SAPPHIRE_RAPIDS)[0].key


def test_arm_builds_go_from_matrix_instructions_down_to_plain_armv8():
    found = levels({"asimddp", "asimdhp", "i8mm", "sve", "sme"}, "arm64")
    assert names(found) == ["i8mm", "dotprod", "baseline"]
    assert "GGML_CPU_ARM_ARCH=armv8.2-a+dotprod+fp16+i8mm" in found[0].definitions
    assert not any("sve" in text or "sme" in text for le in found for text in le.definitions)
    assert names(levels(set(), "arm64")) == ["baseline"]


def test_only_features_of_all_cores_count():
    text = (
        "processor : 0\nmodel name : Big\nflags : sse4_2 avx avx2\n\n"
        "processor : 1\nmodel name : Small\nflags : sse4_2 avx\n"
    )
    assert parse_cpuinfo(text) == ("Big", frozenset({"sse4_2", "avx"}))
    assert parse_cpuinfo("") == ("", frozenset())


def test_this_processor_can_be_read():
    here = read_processor()
    assert here.name
    assert list_build_levels(here)
    assert here.fingerprint == read_processor().fingerprint
    assert here.fingerprint != Processor(here.machine, here.name, frozenset({"x"})).fingerprint
