"""Games for OpenSpiel: registered with pyspiel, and loaded from there by name."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import numpy as np
import pyspiel

from zerosum.errors import GameError
from zerosum.lab.envs.encoding import MAX_PLIES, Encoding, encoding_of
from zerosum.lab.envs.episode import EpisodeEnd, end_of, illegal_move
from zerosum.options import Option, check_whole, options_of
from zerosum.protocol import Game, Move, check_is_game
from zerosum.registry import BUILT_IN, entry_of
from zerosum.registry import game as built_in
from zerosum.wording.words import title_of

# OpenSpiel wants finite numbers of 32 bits.
MOST = float(np.finfo(np.float32).max)
NUMBERS = range(-(2**31), 2**31)
# It reads these strings as something else.
OTHERWISE = re.compile(r"[-+.0-9]+|[Tt]rue|[Ff]alse|.*[,=()\n].*", re.DOTALL)
FITTING = "a 32-bit number, or a string without , = ( ) and unlike a number, in OpenSpiel"
# The games that are registered, by name: their classes, and what OpenSpiel knows about them.
_registered: dict[str, tuple[type[Game[Any]], Any]] = {}


def openspiel_game(
    game: Game[Any],
    *,
    encoding: Encoding | None = None,
    max_plies: int = MAX_PLIES,
    one_hot: bool = True,
    planes: bool | None = None,
) -> OpenSpielGame:
    """Register a game with OpenSpiel, and the built-in ones too; return this variant of it.

    Its options are OpenSpiel's parameters. A game that is not over after `max_plies` is a draw.
    `encoding` numbers the moves of a game that is too large to find them all.

    >>> import pyspiel, zerosum
    >>> game = openspiel_game(zerosum.game("even-steven", start=6))
    >>> print(game)
    zerosum_even_steven(start=6)
    >>> state = game.new_initial_state()
    >>> [state.action_to_string(action) for action in state.legal_actions()]
    ['1', '2']
    >>> print(pyspiel.load_game("zerosum_dual_digits(start=9,numbers=1;3)").new_initial_state())
    State(number=9, previous=0, player=0)
    """
    check_is_game(game)
    for name in BUILT_IN:
        _register(built_in(name))
    game_type = _register(game)
    return OpenSpielGame(game_type, game, max_plies, encoding_of(game, encoding, one_hot, planes))


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """A variant of a game: `rules` are its rules, `encoding` numbers its moves."""

    def __init__(
        self, game_type: Any, rules: Game[Any], max_plies: int, encoding: Encoding | None = None
    ) -> None:
        """Take OpenSpiel's type, the rules, and the most plies of a game from any position."""
        check_whole("max_plies", max_plies, least=1, most=NUMBERS[-1])
        parameters = _changed(rules)
        if max_plies != MAX_PLIES:
            parameters["max_plies"] = max_plies
        self.rules, self.max_plies = rules, max_plies
        self.encoding = encoding = encoding or Encoding.of(rules)
        self.initial = rules.initial()
        self.position_kind = type(rules.initial())
        info = pyspiel.GameInfo(
            num_distinct_actions=len(encoding.actions),
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=max_plies,
        )
        super().__init__(game_type, info, parameters)

    def new_initial_state(self, state: Any = None) -> OpenSpielState:
        """Return the start, or the position with the fields that `to_dict` of a state has."""
        if state is None:
            return OpenSpielState(self, self.initial)
        fields = state.to_dict() if isinstance(state, pyspiel.StateStruct) else state
        return OpenSpielState(self, self.encoding.position(fields))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle so that another process, which has not registered the game, can load it."""
        load = partial(openspiel_game, encoding=self.encoding, max_plies=self.max_plies)
        return load, (self.rules,)

    def move_of(self, action: int) -> Move:
        """Return the move with a number."""
        if not 0 <= action < len(self.encoding.actions):
            raise pyspiel.SpielError(f"Actions are numbers below {len(self.encoding.actions)}.")
        return self.encoding.actions[action]

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return an observer of the kind that OpenSpiel asks for."""
        # If it asks for none, pyspiel passes its parameters instead, an empty dictionary.
        return Observer(self.encoding, iig_obs_type or None)


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A position of a game; pyspiel keeps the history, and copies and saves the attributes."""

    def __init__(self, game: OpenSpielGame, position: Any) -> None:
        """Take the game and the position."""
        super().__init__(game)
        # A plain tuple is copied sooner, and can be saved wherever the class of states is from.
        self._fields = tuple(position)
        self._end = end_of(game.rules, position)

    @property
    def position(self) -> Any:
        """The state of the game, as its rules know it."""
        return self.get_game().position_kind(*self._fields)

    def current_player(self) -> int:
        """Return the seat to move, or that the game is over."""
        return int(pyspiel.PlayerId.TERMINAL if self._end else self.position.player)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self._end is not None

    def returns(self) -> list[float]:
        """Return the score of each seat: 1 for a win, -1 for a loss, else 0."""
        return list(self._end.scores if self._end else (0.0, 0.0))

    def _legal_actions(self, player: int) -> list[int]:
        """List the numbers of the legal moves, in rising order."""
        game = self.get_game()
        return sorted(map(game.encoding.number_of, game.rules.moves(self.position)))

    def _apply_action(self, action: int) -> None:
        """Make a move; an illegal one is an error, as it is in the games of OpenSpiel."""
        game, position = self.get_game(), self.position
        rules, move = game.rules, game.move_of(action)
        if self._end:
            raise pyspiel.SpielError("The game is over.")
        if not rules.is_legal(position, move):
            raise pyspiel.SpielError(illegal_move(rules, position, move))
        after = rules.play(position, move)
        self._fields = tuple(after)
        self._end = end_of(rules, after)
        if self.move_number() + 1 == game.max_plies:
            self._end = self._end or EpisodeEnd((0, 0), "too many moves", "endless")

    def _action_to_string(self, player: int, action: int) -> str:
        """Return the move as a player types it."""
        return str(self.get_game().move_of(action))

    def __str__(self) -> str:
        """Write the position, and that it is a draw if the rules do not say so."""
        cut = self._end and self._end.early
        return f"{self.position}{' (draw: too many moves)' if cut else ''}"

    def _to_struct(self) -> dict[str, Any]:
        """Return the fields of the position."""
        fields: dict[str, Any] = self.position._asdict()
        return fields

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle with the game."""
        return self.get_game().deserialize_state, (self.serialize(),)


class Observer:
    """Writes a position into `tensor`; nothing in it is hidden from either player."""

    def __init__(self, encoding: Encoding, kind: Any) -> None:
        """Take the encoding, and what OpenSpiel wants to see."""
        self._encoding = encoding
        self._public = kind is None or kind.public_info
        self._recall = kind is not None and kind.perfect_recall
        self.tensor = np.zeros(encoding.layout.shape, np.float32) if self._public else None
        self.dict = {"observation": self.tensor} if self._public else {}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Write a state into the array."""
        if self.tensor is not None:
            self.tensor[:] = np.clip(self._encoding.vector(state.position), -MOST, MOST)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return the history if all of it matters, else the position."""
        if not self._public:
            return ""
        return str(state.history_str() if self._recall else state)


def _register(game: Game[Any]) -> Any:
    """Register a game, unless it is known; a class of the same name replaces an earlier one."""
    name = f"zerosum_{entry_of(game).name.replace('-', '_')}"
    if name in _registered and _registered[name][0] is type(game):
        return _registered[name][1]
    types = pyspiel.GameType
    game_type = types(
        short_name=name,
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
    entry = entry_of(game)

    def load(parameters: dict[str, Any]) -> OpenSpielGame:
        """Make a variant from OpenSpiel's parameters."""
        options = {
            option.name: _value(option, parameters[option.name])
            for option in options_of(entry.game)
            if option.name in parameters
        }
        return OpenSpielGame(game_type, entry.variant(**options), parameters["max_plies"])

    # pyspiel lets go of the function when Python has ended, and must not be the last to do so.
    vars(load)["itself"] = load
    pyspiel.register_game(game_type, load)
    _registered[name] = type(game), game_type
    return game_type


def _specification(game: Game[Any]) -> dict[str, Any]:
    """Return the parameters of a game and their defaults, without those that do not fit."""
    defaults = {option.name: _parameter(option.default) for option in options_of(game)}
    if "max_plies" in defaults:
        raise GameError("In OpenSpiel every game has a parameter max_plies; rename the option.")
    fitting = {name: value for name, value in defaults.items() if value is not None}
    return {"max_plies": MAX_PLIES, **fitting}


def _changed(game: Game[Any]) -> dict[str, Any]:
    """Return the parameters of a variant that are not at their defaults."""
    changed = {}
    for option in options_of(game):
        value = getattr(game, option.name)
        if value != option.default:
            changed[option.name] = _parameter(value)
            if None in (changed[option.name], _parameter(option.default)):
                raise option.refusal(FITTING, value)
    return changed


def _parameter(value: Any) -> Any:
    """Write the value of an option for OpenSpiel, whose lists have semicolons; None if it cannot.

    >>> _parameter(7), _parameter((1, 3)), _parameter((3,)), _parameter("a=b")
    (7, '1;3', '3;', None)
    """
    if isinstance(value, tuple):
        value = ";".join(map(str, value)) + ";" * (len(value) == 1)
    fits = value in NUMBERS if isinstance(value, int) else not OTHERWISE.fullmatch(value)
    return value if fits else None


def _value(option: Option, parameter: Any) -> Any:
    """Read the value of an option from a parameter; the option itself checks the rest."""
    if option.kind != "numbers":
        return parameter
    try:
        return tuple(int(number) for number in parameter.split(";") if number)
    except ValueError:
        raise option.refusal("numbers with semicolons, such as 1;3", parameter) from None
