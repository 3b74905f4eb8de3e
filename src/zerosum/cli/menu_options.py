"""The options that the menu offers: those of the game, and those of the match."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import click

from zerosum.cli.console import Console
from zerosum.cli.flags import META, variant
from zerosum.cli.playing.match_setup import AUTO, new_match
from zerosum.match import Match
from zerosum.options import Option, options_of, written
from zerosum.registry import no_option

Ask = Callable[[str, Iterable[str]], str]
# The flags of `zerosum play` that are offered beside the game's own options.
MATCH_OPTIONS = {
    "first": "who moves first: 1, 2 or random",
    "games": "number of games in the match",
    "clock": "seconds for each turn, or off",
    "coach": "shows what every move is worth",
}
AUTO_HELP = "who moves first: me, computer, random, or auto for a game that you can win"
INDENT = " " * 5


def ask_options(console: Console, ask: Ask, play: click.Context) -> None:
    """Ask for the options of the game and the match, one after another, until Enter."""
    entry, flags = play.meta[META]
    own = {param.name: param for param in play.command.params}
    options = {flag.opts[0].lstrip("-"): flag for flag in flags}
    options.update((name, own[name]) for name in MATCH_OPTIONS)
    declared = options_of(entry.game)
    example = "games 3"
    if declared:
        other = written(_another(declared[0], play.params[flags[0].name]))
        example = f"{flags[0].opts[0].lstrip('-')} {other}"
    while True:
        for name, flag in options.items():
            console.paragraph(_shown(play.params, name, flag), indent=INDENT)
        question = f"Enter to play, or change an option (such as '{example}'): "
        typed = ask(question, options)
        if not typed:
            return
        name, _, text = typed.replace("=", " ").partition(" ")
        name = name.lower().lstrip("-").replace("_", "-")
        if name not in options:
            console.problem(no_option(entry.name, name, list(options)))
            continue
        try:
            value = _read(play, name, options[name], text.strip())
            changed = {**play.params, options[name].name: value}
            planned_match(play, changed)
            play.params = changed
        except click.UsageError as error:
            console.problem(f"{name}: {error.message} Nothing was changed.")


def _shown(params: dict[str, Any], name: str, flag: click.Option) -> str:
    """Write the value of an option, and what it is for."""
    value, about = params[str(flag.name)], MATCH_OPTIONS.get(name) or flag.help or "an option"
    shown = "off" if value is None else written(value)
    if name == "clock" and value is not None:
        shown = f"{value:g}"
    elif name == "first" and params["vs"] is not None:
        shown, about = {"1": "me", "2": "computer"}.get(shown, shown), AUTO_HELP
    elif name == "first" and value == AUTO:
        shown = "1"
    return f"  {name} {shown}  ({about})"


def _read(play: click.Context, name: str, flag: click.Option, text: str) -> Any:
    """Read the value of an option as it is typed."""
    if name == "clock" and text.lower() in ("off", "none", "no"):
        return None
    if name == "first":
        first, second = (name.lower() for name in planned_match(play).players)
        people = {"me": "1", first: "1", "computer": "2", second: "2"}
        text = people.get(text.lower(), text)
    return flag.type_cast_value(play, text or ("on" if flag.is_flag else ""))


def planned_match(play: click.Context, params: dict[str, Any] | None = None) -> Match[Any]:
    """Make the match that a prepared `zerosum play` would begin, or name what is wrong with it."""
    params = params or play.params
    settings = (params[name] for name in ("first", "games", "clock", "vs", "watch", "seed"))
    return new_match(play, variant(play, params), params["names"], *settings)


def _another(option: Option, value: Any) -> Any:
    """Return another value of an option, as an example of a change."""
    if option.choices:
        return next((choice for choice in option.choices if choice != value), value)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value - 1 if value == option.most else value + 1
    return value
