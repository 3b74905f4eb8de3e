"""Ids of positions, which name game, options and state, and short hashes."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from zerosum.errors import ZerosumError
from zerosum.options import options_of, written
from zerosum.protocol import Game
from zerosum.registry import entry_of, find, is_loaded, is_path, short_path
from zerosum.states import read_state
from zerosum.text import brief

# What stands in an id as it is; everything else is escaped.
PLAIN = "/.,:~ -_"
# The folder of the examples that questions are about.
EXAMPLES = "examples/"
# Digits of a hash: enough to tell any two prompts apart.
DIGITS = 16


class NamedPosition(NamedTuple):
    """What an id names: a variant of a game, and a position."""

    game: Game[Any]
    state: Any


def id_of(game: Game[Any], state: Any, name: str = "") -> str:
    """Return the id of a position: the game, the options that are not at their defaults, the state.

    >>> import zerosum
    >>> game = zerosum.game("dual-digits", start=9)
    >>> id_of(game, game.play(game.initial(), 3))
    'dual-digits?start=9#[6,3,1]'
    """
    changed = "&".join(
        f"{option.name}={quote(written(value), PLAIN)}"
        for option in options_of(game)
        if (value := getattr(game, option.name)) != option.default
    )
    position = json.dumps(state, separators=(",", ":"))
    return f"{quote(name or name_of(game), PLAIN)}{'?' * bool(changed)}{changed}#{position}"


def runs_foreign_rules(text: str) -> bool:
    """Return whether to read an id is to run a file that nobody has named.

    >>> runs_foreign_rules("dual-digits#[6,3,1]"), runs_foreign_rules("./mine.py#[6]")
    (False, True)
    """
    name = unquote(text.partition("#")[0].partition("?")[0])
    ours = os.path.basename(name) == name.removeprefix(EXAMPLES) and example_file(name) != name
    return is_path(name) and not ours and not is_loaded(name)


def read_id(text: str) -> NamedPosition:
    """Return what an id names; the position may still be one that no game can reach.

    >>> read_id("dual-digits?start=9#[6,3,1]")
    NamedPosition(game=DualDigits(start=9, numbers=(1, 2, 3, 4)), \
state=State(number=6, previous=3, player=1))
    """
    head, mark, _ = text.partition("#")
    if not mark:
        raise ZerosumError(f"'{brief(text)}' is not the id of a question.")
    game = read_variant(head)
    return NamedPosition(game, read_position(game, text))


def read_variant(text: str) -> Game[Any]:
    """Return a game with the options that follow its name.

    >>> read_variant("dual-digits?start=9")
    DualDigits(start=9, numbers=(1, 2, 3, 4))
    """
    name, _, listed = text.partition("?")
    given = dict(part.partition("=")[::2] for part in listed.split("&") if part)
    texts = {option: unquote(value) for option, value in given.items()}
    return variant_from(example_file(unquote(name)), texts)


def variant_from(name: str, texts: Mapping[str, str]) -> Game[Any]:
    """Return a game with options that are strings, as on a command line."""
    entry = find(name)
    known = {option.name: option for option in entry.options}
    values = {n: known[n].read(text) if n in known else text for n, text in texts.items()}
    return entry.variant(**values)


def example_file(name: str) -> str:
    """Return the file of an example of ours, which has the same name everywhere; or the name.

    >>> example_file("dual-digits"), example_file("examples/last_stick.py").rpartition("/")[2]
    ('dual-digits', 'last_stick.py')
    """
    if not name.startswith(EXAMPLES):
        return name
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    # In a clone, they are among the documents.
    clone = os.path.join(os.path.dirname(os.path.dirname(package)), "docs")
    paths = (os.path.join(folder, name) for folder in (package, clone))
    return next(filter(os.path.isfile, paths), name)


def example_name(name: str) -> str:
    """Return the name that an example of ours has everywhere; or the name of any other game.

    >>> example_name(example_file("examples/last_stick.py")), example_name("dual-digits")
    ('examples/last_stick.py', 'dual-digits')
    """
    example = EXAMPLES + os.path.basename(name)
    ours = os.path.isfile(name) and os.path.abspath(name) == os.path.abspath(example_file(example))
    return example if ours else name


def read_position(game: Game[Any], text: str) -> Any:
    """Return the position that an id of this game ends with."""
    try:
        return read_state(game, json.loads(text.partition("#")[2]))
    except (ValueError, TypeError, RecursionError) as error:
        raise ZerosumError(f"'{brief(text, 80)}' does not end with a position.") from error


def name_of(game: Game[Any]) -> str:
    """Return the name of a game, or the path of its file."""
    entry = entry_of(game)
    return entry.name if entry.file is None else short_path(entry.file)


def hash_of(text: str) -> str:
    """Return a short digest of a string."""
    return sha256(text.encode(errors="replace")).hexdigest()[:DIGITS]
