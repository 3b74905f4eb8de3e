"""The colours of every game can be told apart from what is behind them."""

import math
import re
from importlib.resources import files

import pytest

from zerosum.registry import BUILT_IN

STATIC = files("zerosum.web") / "static"


def luminance(colour: str) -> float:
    """The luminance of a colour, by its red, green and blue, or by lightness, chroma and hue."""
    if colour.startswith("#"):
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        ]
    else:
        light, chroma, hue = map(float, re.findall(r"[\d.]+", colour))
        a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
        long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
        medium = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
        short = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
        linear = [
            4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
            -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
            -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
        ]
    red, green, blue = (min(1.0, max(0.0, part)) for part in linear)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(ink: str, ground: str) -> float:
    lighter, darker = sorted((luminance(ink), luminance(ground)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


TEXT_ON = [
    *((ink, ground) for ink in ("ink", "soft", "accent") for ground in ("ground", "surface")),
    *((ink, "sunken") for ink in ("ink", "soft")),
    *((f"on-{ground}", ground) for ground in ("accent", "tint", "win", "loss", "draw")),
    ("good", "good-tint"),
    ("ink", "tint"),
    ("bad", "surface"),
    ("bad", "bad-tint"),
    ("on-accent", "accent-strong"),
    ("accent-strong", "surface"),
]


@pytest.mark.parametrize("look", [0, 1], ids=["light", "dark"])
def test_colours_of_every_game_have_enough_contrast(look: int) -> None:
    css = (STATIC / "css" / "base.css").read_text(encoding="utf-8")
    colour = r"(#[0-9a-f]{6}|oklch\([\d.]+ [\d.]+ var\(--hue\)\))"
    found = re.findall(rf"--([\w-]+): light-dark\({colour}, {colour}\);", css)
    hues = re.findall(r"--hue: (\d+);", css)
    assert len(set(hues)) == len(BUILT_IN)
    for hue in hues:
        colours = {name: pair[look].replace("var(--hue)", hue) for name, *pair in found}
        for text, ground in TEXT_ON:
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground, hue)
        assert contrast(colours["edge"], colours["surface"]) >= 3
