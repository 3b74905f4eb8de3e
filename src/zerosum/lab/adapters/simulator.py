"""An environment that can be put into any state, asked and moved on."""

import sys
from collections import namedtuple
from collections.abc import Callable
from io import StringIO
from keyword import iskeyword
from pickle import dumps, loads
from threading import RLock
from typing import Any, NoReturn, TypeVar

import numpy as np

from zerosum.errors import GameError
from zerosum.lab.adapters import Notice
from zerosum.lab.adapters.running import (
    NOTHING,
    NOWHERE,
    PENALTY,
    Answer,
    Unusable,
    actions_of,
    legal_moves,
    quiet,
    read_answer,
    seeded,
)
from zerosum.lab.adapters.snapshots import UNSET, Codec, Plain, Unencodable, changed_name
from zerosum.registry.loading import blame
from zerosum.text import brief

T = TypeVar("T")
SEATS = ("first", "second")
UNCHANGING = (int, str, bool, float, type(None))
GENERATORS = (1, 2)
NO_VALUE = "a game of chance has no exact value here."


class Simulator:
    """Rules over states, run by one environment.

    `names` are the attributes in a state; `seats` has the values of the attribute that says whose
    turn it is. All other attributes are put back to what they were after reset.
    """

    def __init__(
        self,
        env: Any,
        codecs: dict[str, Codec],
        names: tuple[str, ...],
        turn: str,
        seats: tuple[Plain, ...],
        fixed: frozenset[str],
        chance: bool,
        notices: dict[str, Notice],
    ) -> None:
        """Take an environment after reset, how its attributes are written, and what counts.

        Attributes that are `fixed` never change, as far as is known.
        """
        self.env = env
        self.codecs = codecs
        self.turn = turn
        self.chance = chance
        self.names = tuple(name for name in names if name != turn)
        self.notices = notices
        self.attributes: dict[str, Any] = vars(env)
        self._title = type(env).__name__
        self._lock = RLock()
        self.actions = actions_of(env)
        fields = (*_field_names(self.names), "player", "end")
        self._state: Any = namedtuple("State", fields)  # type: ignore[misc]
        self._encoders = [(name, codecs[name].encode) for name in self.names]
        self._seats = {plain: seat for seat, plain in enumerate(seats)}
        self._turns = [codecs[turn].decode(plain) for plain in seats]
        self._fixed_values = {name: codecs[name].encode(self.attributes[name]) for name in fixed}
        self.shared: dict[str, Plain] = {}
        # What is not in a state is put back before every move.
        rest = self.attributes.keys() & codecs.keys() - {*self.names, turn} - fixed
        self._rest = {name: codecs[name].encode(self.attributes[name]) for name in rest}
        self._known = {*self.attributes, *self.names}
        self._penalties = {float(PENALTY)}
        self._at: Any = None
        self._size = -1
        self._listed: tuple[Any, tuple[int, ...]] = (None, ())
        self._step = env.step
        self._valid_moves = env.valid_moves
        self._write_turn: Any = codecs[turn].encode if turn else None
        self.first = self._encode(1, None)

    # The rules

    def moves(self, state: Any) -> tuple[int, ...]:
        """List the legal moves in ascending order."""
        listed = self._listed
        if listed[0] is state:
            return listed[1]
        if state.end is not None:
            return ()
        with self._lock:
            moves = self._certain(self._moves, state) if self.chance else self._moves(state)
            self._listed = state, moves
            return moves

    def play(self, state: Any, move: int) -> Any:
        """Return the state after a legal move."""
        with self._lock:
            if self.chance:
                return self._certain(self._play, state, move)
            return self._play(state, move)

    def _certain(self, ask: Callable[..., T], state: Any, *move: int) -> T:
        """Ask for moves or for what follows one, twice; refuse what depends on chance."""
        answers = []
        for seed in GENERATORS:
            with seeded(seed, self.env):
                answers.append(ask(state, *move))
        if answers[0] != answers[1]:
            same = "The same move leads to different positions, by chance"
            message = f"{same if move else 'The legal moves depend on chance'}; {NO_VALUE}"
            self.refuse("not-deterministic", message, state, *move)
        return answers[0]

    def _moves(self, state: Any) -> tuple[int, ...]:
        """Put the environment into a state, and ask for the legal moves."""
        self.put(state)
        answer = self._ask(state, None)
        try:
            moves, oddity = legal_moves(answer, self.actions)
        except Unusable as error:
            self.refuse(error.code, str(error), state)
        if oddity:
            self.note(*oddity, state)
        if not moves:
            self.note("stuck", "There is no legal move, but the game has not ended.", state)
        return moves

    def _play(self, state: Any, move: int) -> Any:
        """Put the environment into a state, make a move, and read what follows."""
        self.put(state)
        answer, mover = self._ask(state, move), state[-2]
        try:
            end = self._end(state, move, read_answer(answer))
            after = self._encode(mover, end)
        except Unusable as error:
            self.refuse(error.code, str(error), state, move)
        if end is None and after[-2] == mover:
            message = "After the move it is the same player's turn again."
            self.note("same-player-again", message, state, move)
        return after

    def _end(self, state: Any, move: int, answer: Answer) -> str | None:
        """Name the end of a game by who moved last and what that brought; None if it goes on."""
        if answer is NOTHING:
            return None
        mover, reward = SEATS[state.player], answer.reward
        if answer.oddity:
            self.note(*answer.oddity, state, move)
        if not answer.ended:
            return None
        if reward in self._penalties:
            message = f"The move is legal, but is answered like an illegal one: {reward:g}."
            self.note("legal-move-refused", message, state, move)
            return f"{mover} refused"
        if reward:
            return f"{mover} won" if reward > 0 else f"{mover} lost"
        return "cut off" if answer.truncated else "draw"

    def probe(self, state: Any, move: int, learn: bool = False) -> bool:
        """Make an illegal move; return whether it is accepted, and learn its punishment."""
        with self._lock:
            self.put(state)
            try:
                with quiet(), seeded(GENERATORS[0], self.env):
                    answer = read_answer(self.env.step(move))
                after = self._encode(state.player, None)
            except (Exception, SystemExit):
                return False  # an illegal move need not be answered
            if learn and answer.reward < -1:
                self._penalties.add(answer.reward)
            accepted = answer.reward >= 0 and not answer.ended and after != state
            if accepted:
                message = "The move is not legal, but the environment accepts it."
                self.note("illegal-move-accepted", message, state, move)
            return accepted

    def after(self, state: Any, move: int, answer: Answer, values: dict[str, Plain]) -> Any:
        """Return the state after another environment's move, with these attributes."""
        seat = self._seats.get(values.get(self.turn), 1 - state.player)
        held = [values.get(name, UNSET) for name in self.names]
        return self._state(*held, seat, self._end(state, move, answer))

    def changed(self) -> str:
        """Name something in no state that is not as it was; or nothing."""
        for name, plain in self._fixed_values.items():
            if self.codecs[name].encode(self.attributes.get(name)) != plain:
                return name
        return changed_name(self.env, self.shared)

    def picture(self, state: Any) -> str:
        """Return the text that render returns or prints; nothing if it has none."""
        render = getattr(self.env, "render", None)
        if render is None:
            return ""
        with self._lock:
            self.put(state)
            printed = StringIO()
            try:
                with quiet(printed), seeded(GENERATORS[0], self.env):
                    answer = render()
            except (Exception, SystemExit):
                return ""
            return (answer if isinstance(answer, str) else printed.getvalue()).strip("\n")

    # States

    def _encode(self, mover: int, end: str | None) -> Any:
        """Read the state that the environment is in after a move."""
        attributes = self.attributes
        try:
            values = [
                encode(attributes[name]) if name in attributes else UNSET
                for name, encode in self._encoders
            ]
            seat = None
            if self.turn:
                seat = self._seats.get(self._write_turn(attributes[self.turn]))
        except (KeyError, Unencodable, RecursionError) as error:
            message = "An attribute became something that no state can hold."
            raise Unusable("hidden-state", message) from error
        if len(attributes) != self._size and not self._known.issuperset(attributes):
            extra = ", ".join(sorted(map(str, set(attributes) - self._known)))
            raise Unusable("hidden-state", f"The environment has a new attribute: {brief(extra)}.")
        if seat is None:
            if self.turn and end is None:
                value = brief(attributes.get(self.turn), 40)
                raise Unusable("bad-player", f"{self.turn} has a third value, {value}.")
            seat = 1 - mover
        values.append(seat)
        values.append(end)
        return tuple.__new__(self._state, values)

    def put(self, state: Any) -> None:
        """Put the environment into a state; no mutable value is shared."""
        if state is not self._at:
            self._unpack(state)
        attributes = self.attributes
        attributes.update(self._values)
        if self._copied:
            attributes.update(loads(self._copied))  # noqa: S301 (our own bytes; faster than a copy)
        for name, board in self._boards.items():
            attributes[name] = board.copy()
        if self._turns:
            attributes[self.turn] = self._turns[state[-2]]
        if len(attributes) != self._size:
            for name in set(attributes) - self._present:
                del attributes[name]

    def _unpack(self, state: Any) -> None:
        """Read the attributes from a state, to be copied quickly before every move."""
        values: dict[str, Any] = {}
        copied: dict[str, Any] = {}
        boards: dict[str, Any] = {}
        missing = set()
        for name, plain in (*self._rest.items(), *zip(self.names, state, strict=False)):
            if plain == UNSET:
                missing.add(name)
                continue
            value = self.codecs[name].decode(plain)
            # Arrays copy themselves faster than they are pickled; constants are shared.
            kind = type(value)
            held = boards if kind is np.ndarray else values if kind in UNCHANGING else copied
            held[name] = value
        self._present = self._known - missing
        self._size = len(self._present)
        self._values = values
        self._boards = boards
        self._at = state
        self._copied = dumps(copied) if copied else b""

    # What is odd

    def _ask(self, state: Any, move: int | None) -> Any:
        """Make a move, or ask for the legal ones; nothing is printed, and no error is allowed."""
        stdout, stderr = sys.stdout, sys.stderr
        sys.stdout = sys.stderr = NOWHERE
        try:
            return self._valid_moves() if move is None else self._step(move)
        except (Exception, SystemExit) as error:
            self.refuse("crash", f"The environment fails: {blame(error)}.", state, move)
        finally:
            sys.stdout, sys.stderr = stdout, stderr

    def note(self, code: str, message: str, state: Any = None, move: int | None = None) -> None:
        """Remember the first notice of a kind."""
        if code not in self.notices:
            self.notices[code] = Notice(message, state, move)

    def refuse(self, code: str, message: str, state: Any, move: int | None = None) -> NoReturn:
        """Remember why there is no sure answer, and say so."""
        self.note(code, message, state, move)
        made = "" if move is None else f"move {move} "
        raise GameError(f"{self._title}: {message.rstrip('.')} ({made}at {brief(state, 80)}).")


def _field_names(attributes: tuple[str, ...]) -> list[str]:
    """Turn the names of attributes into those of the fields of a state."""
    fields: list[str] = []
    for attribute in attributes:
        name = attribute.lstrip("_") or "value"
        while name in (*fields, "player", "end") or iskeyword(name):
            name += "_"
        fields.append(name if name.isidentifier() else f"field_{len(fields)}")
    return fields
