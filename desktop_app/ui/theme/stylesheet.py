"""The style sheet of the application, made from the tokens.

Owns how standard controls look; widgets select a style by the dynamic property `kind` or `role`.
Other colours are only used in paint code that reads the theme.
"""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from string import Template

from .design_tokens import ANSWER_PX, SMALL_PX, TEXT_PX, TITLE_PX, Tokens


def mix(first: str, second: str, share: float) -> str:
    """Return the colour `share` of the way from first to second, both #RRGGBB."""
    pairs = zip(_rgb(first), _rgb(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in pairs)


def _rgb(color: str) -> tuple[int, ...]:
    return tuple(int(color[i : i + 2], 16) for i in (1, 3, 5))


def mix_shades(tokens: Tokens) -> dict[str, str]:
    """Return the colours mixed from tokens; stronger in high contrast."""
    high = tokens.high
    return {
        "hover": mix(tokens.surface, tokens.accent_soft, 0.5),
        "side_hover": mix(tokens.sunken, tokens.text, 0.06),
        "side_on": mix(tokens.sunken, tokens.text, 0.11),
        # of fields and buttons: 3:1 on every background
        "edge": mix(tokens.line, tokens.text2, 0.25 if high else 0.7),
        "rim": mix(tokens.line, tokens.text2, 0.25),  # of menus, tooltips and cards
        "faint": mix(tokens.text2, tokens.bg, 0.25 if high else 0.45),
        # of a filled button that is not available: a pale accent
        "off": tokens.sunken if high else tokens.accent_soft,
        "off_edge": tokens.text2 if high else tokens.accent_soft,
        "pressed": mix(tokens.accent_soft, tokens.accent, 0.1 if high else 0.2),
        "accent_hover": mix(tokens.accent, tokens.text, 0.12),
        "bar": mix(tokens.bg, tokens.text2, 0.65 if high else 0.4),
        # of progress bars: the part that is done stands out from it at 3:1
        "track": mix(tokens.surface, tokens.text2, 0.3) if high else tokens.line,
        # of what is chosen: filled in high contrast, a tint elsewhere
        "chosen": tokens.accent if high else tokens.accent_soft,
        "on_chosen": tokens.on_accent if high else tokens.text,
        "on_chosen2": tokens.on_accent if high else tokens.text2,
        "side_chosen": tokens.accent if high else mix(tokens.sunken, tokens.text, 0.11),
        "page_tab": tokens.accent if high else tokens.bg,  # of documents: one with its page
        "tab_focus": tokens.on_accent if high else tokens.accent,
        "chip_edge": tokens.accent if high else "transparent",
        "quiet_edge": tokens.line if high else "transparent",  # of buttons that are bare text
        "link_line": "underline" if high else "none",
        "surface_edge": tokens.line if high else mix(tokens.line, tokens.text2, 0.25),
        "banner_edge": tokens.accent if high else tokens.accent_soft,
    }


def measure_ring(width: int) -> dict[str, str]:
    """Return the measures of a field with a focus ring; its text stays where it is without one."""
    return {
        "ring": f"{width}px",
        "ring_side": f"{9 - width}px",
        "ring_left": f"{11 - width}px",
        "ring_top": f"{5 - width}px",
        "ring_height": f"{30 - 2 * width}px",
    }


def build_stylesheet(tokens: Tokens, images: dict[str, str], scale: float = 1.0) -> str:
    """Return the style sheet of one look; `images` are files for caret and check mark."""
    colors = {f.name: getattr(tokens, f.name) for f in fields(tokens)}
    grown = max(1.0, scale)
    tick = round(14 * grown)
    sheet = Template(SHEET).substitute(
        **{name: color for name, color in colors.items() if isinstance(color, str)},
        **mix_shades(tokens),
        small=f"{round(SMALL_PX * scale)}px",
        size=f"{round(TEXT_PX * scale)}px",
        answer=f"{round(ANSWER_PX * scale)}px",
        title=f"{round(TITLE_PX * scale)}px",
        veil="#E6" + tokens.bg[1:],
        **measure_ring(3 if tokens.high else 2),
        off_line="dashed" if tokens.high else "solid",
        tab_line="4px" if tokens.high else "2px",
        tab_height="28px" if tokens.high else "30px",
        tick=f"{tick}px",
        tick_in=f"{tick - 2}px",
        dot=f"{tick - 8}px",
        round=f"{tick // 2 + 1}px",
        caret=images.get("caret", ""),
        check=images.get("check", ""),
    )
    if tokens.high:
        sheet += HIGH_SHEET
    return _raise_heights(sheet, round(28 * (grown - 1)))


def _raise_heights(sheet: str, more: int) -> str:
    """Return the sheet with the heights of controls with text raised by so many pixels.

    All by the same amount, because focus rings are part of some heights.
    """

    def raised(found: re.Match[str]) -> str:
        return f"{found[1]}: {int(found[2]) + more}px"

    return re.sub(r"(min-height|max-height): (\d\d)px", raised, sheet)


# Secondary text is nearly as dark as other text in high contrast: weight distinguishes it. It is
# not smaller than in other looks, because who needs contrast does not need smaller letters.
HIGH_SHEET = 'QLabel[role="label"] { font-weight: 600; }'  # not shown
SHEET = (Path(__file__).parent / "stylesheet.qss").read_text("utf-8")
