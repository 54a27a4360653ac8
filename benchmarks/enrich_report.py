"""What `enrich` prints for people to read: our figures, and LightRAG's beside them."""

from __future__ import annotations

from typing import Any


def print_own(model: str, f: dict[str, Any]) -> None:
    print(
        f"Inkgraph, {model}: {f['chars']:,} characters in {f['seconds']} s,"
        f" {f['chars_per_s']} characters/s\n"
        f"  {f['entities']} entities, {f['relations']} relations"
        f" ({f['stated_relations']} with words of the model's); before:"
        f" {f['instant_entities']} and {f['instant_relations']} in {f['instant_s']} s\n"
        f"  the quote holds both names: {f['evidence_holds_both']} of all relations,"
        f" {f['stated_evidence_holds_both']} of the model's\n"
        f"  {f['prompt_tokens']:,} prompt and {f['written_tokens']:,} written tokens; bare"
        f" llama.cpp: {f['bare_s']} s (prompts {f['bare_prompt_tokens_per_s']}, lines"
        f" {f['bare_written_tokens_per_s']}, mixed {f['bare_mixed_tokens_per_s']} tokens/s),"
        f" efficiency {f['efficiency']}\n"
        f"  {f['failed_passages']} of {f['passages'] + f['failed_passages']} passages failed"
    )


def print_both(n_chars: int, own: dict[str, Any], peer: dict[str, Any]) -> None:
    print(f"\nThe same {n_chars:,} characters:")
    if "failed" in peer:
        print(f"LightRAG gave {peer['failed']}.")
        return
    print(f"{'':24}{'Inkgraph':>12}{'LightRAG ' + peer['lightrag']:>18}")
    for label, key in (
        ("characters/s", "chars_per_s"),
        ("seconds", "seconds"),
        ("entities", "entities"),
        ("relations", "relations"),
        ("quote holds both names", "evidence_holds_both"),
    ):
        print(f"{label:24}{own[key]!s:>12}{peer[key]!s:>18}")
    when = "kept from" if peer["kept"] else "measured"
    print(
        f"LightRAG's figures: {when} {peer['measured_at']}; finished: {peer['finished']}, document"
        f" {', '.join(peer['documents'])}; {peer['calls']} calls, {peer['n_written']:,} tokens"
        f" written, in its answers {peer['entities_in_answers']} different entities and"
        f" {peer['relations_in_answers']} relations."
    )
