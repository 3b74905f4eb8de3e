"""Games by their names in OpenSpiel, with their options as its parameters."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import pyspiel

from zerosum.bulk import Table
from zerosum.errors import GameError
from zerosum.lab.envs.encoding import Encoding
from zerosum.lab.envs.openspiel.classes import OpenSpielGame
from zerosum.lab.envs.positions import MAX_PLIES
from zerosum.options import Option, check_whole, options_of
from zerosum.protocol import Game
from zerosum.registry import entry_of
from zerosum.wording.words import title_of

MAX_PLIES_PARAMETER = "max_plies"
# OpenSpiel's numbers have 32 bits, and it reads these texts as something else.
NUMBERS = range(-(2**31), 2**31)
OTHERWISE = re.compile(r"[-+.0-9]+|[Tt]rue|[Ff]alse|.*[,=()\n].*", re.DOTALL)


class Registration:
    """A game that OpenSpiel knows by name, with its options as parameters."""

    def __init__(self, game: Game[Any]) -> None:
        """Describe a game to OpenSpiel, and register it."""
        self.entry = entry_of(game)
        self._given: Encoding | None = None  # while a variant is loaded
        types = pyspiel.GameType
        self._type = types(
            short_name=_name(game),
            long_name=title_of(game),
            dynamics=types.Dynamics.SEQUENTIAL,
            chance_mode=types.ChanceMode.DETERMINISTIC,
            information=types.Information.PERFECT_INFORMATION,
            utility=types.Utility.ZERO_SUM,
            reward_model=types.RewardModel.TERMINAL,
            max_num_players=2,
            min_num_players=2,
            provides_information_state_string=True,
            provides_information_state_tensor=True,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification=_specification(game),
        )
        # pyspiel lets go of it when Python has ended, and it must not be the last to do so.
        self._creator = self._load
        pyspiel.register_game(self._type, self._creator)

    def variant(self, game: Game[Any], encoding: Encoding | None, max_plies: int) -> OpenSpielGame:
        """Load a variant by name, as `pyspiel.load_game` does."""
        check_whole(MAX_PLIES_PARAMETER, max_plies, least=1, most=NUMBERS[-1])
        changed = _changed(game)
        self._given = encoding
        try:
            parameters = changed | _limit(max_plies)
            loaded: OpenSpielGame = pyspiel.load_game(self._type.short_name, parameters)
        finally:
            self._given = None
        return loaded

    def _load(self, parameters: dict[str, Any]) -> OpenSpielGame:
        """Make a game from OpenSpiel's parameters."""
        max_plies = parameters[MAX_PLIES_PARAMETER]
        check_whole(MAX_PLIES_PARAMETER, max_plies, least=1)
        options = {
            option.name: _value(option, parameters[option.name])
            for option in options_of(self.entry.game)
            if option.name in parameters
        }
        rules = self.entry.variant(**options)
        changed = _changed(rules)
        encoding = self._given or Encoding.of(rules)
        length = min(max_plies, (encoding.complete and _longest(rules)) or max_plies)
        parameters = changed | _limit(max_plies)
        return OpenSpielGame(self._type, parameters, rules, encoding, length, max_plies)


_registered: dict[str, Registration] = {}


def register(game: Game[Any]) -> Registration:
    """Register a game, unless it is known; a class of the same name replaces an earlier one."""
    name = _name(game)
    if name not in _registered or _registered[name].entry.game is not type(game):
        _registered[name] = Registration(game)
    return _registered[name]


def _name(game: Game[Any]) -> str:
    """Return the name of a game in OpenSpiel, which has games of its own."""
    return f"zerosum_{entry_of(game).name.replace('-', '_')}"


def _specification(game: Game[Any]) -> dict[str, Any]:
    """Return the parameters of a game and their defaults, without those that do not fit."""
    defaults = {option.name: _parameter(option.default) for option in options_of(game)}
    if MAX_PLIES_PARAMETER in defaults:
        reserved = f"In OpenSpiel every game has a parameter {MAX_PLIES_PARAMETER}"
        raise GameError(f"{reserved}; rename the option.")
    fitting = {name: value for name, value in defaults.items() if _fits(value)}
    return {MAX_PLIES_PARAMETER: MAX_PLIES, **fitting}


def _changed(game: Game[Any]) -> dict[str, Any]:
    """Return the parameters of a variant that are not at their defaults."""
    changed = {}
    for option in options_of(game):
        value = getattr(game, option.name)
        if value != option.default:
            parameter = changed[option.name] = _parameter(value)
            if not (_fits(parameter) and _fits(_parameter(option.default))):
                number = isinstance(parameter, int)
                text = "a string without , = ( ) and unlike a number"
                raise option.refusal(f"{'a 32-bit number' if number else text} in OpenSpiel", value)
    return changed


def _limit(max_plies: int) -> dict[str, int]:
    """Return the limit of plies as a parameter, unless it is at its default."""
    return {} if max_plies == MAX_PLIES else {MAX_PLIES_PARAMETER: max_plies}


def _parameter(value: Any) -> Any:
    """Write the value of an option for OpenSpiel, whose lists have semicolons.

    >>> _parameter(7), _parameter((1, 3)), _parameter((3,))
    (7, '1;3', '3;')
    """
    if not isinstance(value, tuple):
        return value
    return ";".join(map(str, value)) + ";" * (len(value) == 1)


def _value(option: Option, parameter: Any) -> Any:
    """Read the value of an option from a parameter; the option itself checks the rest."""
    if option.kind != "numbers":
        return parameter
    try:
        return tuple(int(number) for number in parameter.split(";") if number)
    except ValueError:
        raise option.refusal("numbers with semicolons, such as 1;3", parameter) from None


def _fits(parameter: Any) -> bool:
    """Return whether OpenSpiel can write a parameter into a game's name, and read it again."""
    if isinstance(parameter, int):
        return parameter in NUMBERS
    return not OTHERWISE.fullmatch(parameter)


@lru_cache(maxsize=64)
def _longest(rules: Game[Any]) -> int | None:
    """Return the plies of the longest possible game; None if it can go on forever."""
    table = Table(rules)
    return None if table.plan.largest_cycle else int(table.plan.height[table.start])
