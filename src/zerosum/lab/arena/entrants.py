"""Who takes part: levels, functions, programs, policies and answers, each by its word."""

import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

import zerosum
from zerosum.errors import ZerosumError
from zerosum.lab.arena.leaderboard import EntrantKind
from zerosum.lab.models.answers import read_answers
from zerosum.players.asked import PlayerFailed, UnknownPlayer, check_player, digest
from zerosum.players.engines import EXEC, is_program, player_of
from zerosum.players.levels import LEVELS
from zerosum.players.programs import USUAL_LIMITS, ProgramLimits, ProgramPlayer
from zerosum.protocol import Game, Move
from zerosum.text import brief

# How the names of files end: with a policy, and with answers or logs.
POLICY, ANSWERS = ".npy", (".jsonl", ".eval")
# The most characters of a name.
LONGEST_NAME = 40


class Entrant(NamedTuple):
    """A player of the arena: its name on the leaderboard, and what makes it play.

    `word` is a level, a function in a file by its whole path, a program or a file. A `player`
    is anything that `measure_player` takes, and plays only if its chances are known; answers to
    questions never play.
    """

    name: str
    kind: EntrantKind
    word: str
    identity: str
    player: Any = None

    @property
    def asked(self) -> bool:
        """Whether it runs in a process of its own, and can be asked anything."""
        return self.kind in ("function", "program")


def entrant_of(word: str, game: Game[Any], seed: int = 0) -> Entrant:
    """Find a player by its word, which may begin with a name: Ada=./mine.py:choose.

    >>> game = zerosum.game("dual-digits")
    >>> entrant_of("hard", game).kind, entrant_of("Deep=exec:my-engine --fast", game)[:3]
    ('level', ('Deep', 'program', 'exec:my-engine --fast'))
    """
    name, plain = named(word)
    if plain != word:
        name = check_name(name)
    if plain in LEVELS:
        return Entrant(name or plain, "level", plain, f"{plain} {zerosum.__version__}")
    if is_program(plain):
        player = player_of(game, plain, seed=seed)
        return Entrant(name or brief(player.name, LONGEST_NAME), "program", plain, player.identity)
    if plain.endswith(POLICY):
        return _policy_in(plain, name)
    if is_answers(plain):
        file = read_answers(plain)
        shown = name or brief(os.path.basename(file.name), LONGEST_NAME)
        return Entrant(shown, "answers", plain, digest(file.answers), file)
    path, _, function = check_player(plain).rpartition(":")
    whole = f"{os.path.abspath(os.path.expanduser(path))}:{function}"
    identity = player_of(game, whole, seed=seed).identity
    return Entrant(name or brief(plain, LONGEST_NAME), "function", whole, identity)


def is_answers(word: str) -> bool:
    """Return whether a word names a file of answers, or a log."""
    return word.endswith(ANSWERS) and not is_program(word)


def named(word: str) -> tuple[str, str]:
    """Split a player's word into its name, which may be empty, and the rest.

    >>> named("Ada=./mine.py:choose"), named("exec:engine --depth=3"), named("./a=b.py:choose")
    (('Ada', './mine.py:choose'), ('', 'exec:engine --depth=3'), ('', './a=b.py:choose'))
    """
    name, mark, rest = word.partition("=")
    if not mark or os.sep in name or name.startswith(EXEC) or "?" in name:
        return "", word
    return name, rest


def check_name(name: str) -> str:
    """Return a player's name; refuse one that could not be shown."""
    if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
        raise UnknownPlayer(
            f"'{brief(name)}' cannot be a player's name: it needs 1 to {LONGEST_NAME} characters "
            "that can be printed."
        )
    return name.strip()


def entrants_of(
    players: Sequence[str] | Mapping[str, Any], game: Game[Any], seed: int = 0
) -> list[Entrant]:
    """Find all players; each takes part once, and no two have the same name."""
    found = []
    if isinstance(players, Mapping):
        for name, player in players.items():
            word = f"{name}={player}" if isinstance(player, str) else ""
            other = Entrant(check_name(name), "policy", "", "", player)
            found.append(entrant_of(word, game, seed) if word else other)
    else:
        found = [entrant_of(word, game, seed) for word in players]
    names: dict[str, Entrant] = {}
    for entrant in found:
        if entrant.name in LEVELS and (entrant.kind, entrant.word) != ("level", entrant.name):
            raise ZerosumError(f"Only the level itself can be called {entrant.name}.")
        if names.setdefault(entrant.name, entrant)[:4] != entrant[:4]:
            raise ZerosumError(
                f"Two players are called {brief(entrant.name)}; name one, as in "
                f"Other={brief(entrant.word, 80)}."
            )
    return list(names.values())


def asked_player(
    entrant: Entrant,
    game: Game[Any],
    actions: Sequence[Move] = (),
    seconds: float | None = None,
    seed: int = 0,
) -> ProgramPlayer:
    """Return a function or a program as a player of a variant; use it with `with`.

    On another machine, the files may be other ones: that is refused.
    """
    limits = USUAL_LIMITS if seconds is None else ProgramLimits(seconds, seconds)
    player = player_of(game, entrant.word, actions, limits, seed)
    if player.identity != entrant.identity:
        raise PlayerFailed(
            f"{entrant.name} is different here: its files have changed, or another machine has "
            "other ones at the same path."
        )
    player.name = entrant.name
    return player


def _policy_in(path: str, name: str) -> Entrant:
    """Read the chance of every edge of a table from a file of NumPy; nothing in it is run."""
    try:
        with open(os.path.expanduser(path), "rb") as file:
            chances = np.lib.format.read_array(file, allow_pickle=False)
    except Exception as error:  # whatever is in the file
        reason = getattr(error, "strerror", None) or "it is not an array of numbers"
        raise UnknownPlayer(f"{brief(path, 200)} cannot be read: {reason}.") from error
    shown = name or brief(os.path.basename(path), LONGEST_NAME)
    return Entrant(shown, "policy", path, digest(chances.tobytes()), chances)
