"""An environment that can be put into any of its states, asked and moved on."""

from __future__ import annotations

import sys
from collections import namedtuple
from contextlib import suppress
from functools import partial
from io import StringIO
from keyword import iskeyword
from marshal import dumps, loads
from threading import RLock
from typing import Any, NoReturn

import numpy as np

from zerosum.errors import GameError
from zerosum.lab.adapters import Notice
from zerosum.lab.adapters.running import (
    NOWHERE,
    PENALTY,
    Answer,
    Unusable,
    legal_moves,
    quiet,
    read_answer,
    seeded,
)
from zerosum.lab.adapters.snapshots import (
    UNSET,
    Codec,
    Plain,
    Unencodable,
    changed_name,
)
from zerosum.registry.loading import blame
from zerosum.text import brief

LONGEST_PICTURE = 4_000
SEATS = ("first", "second")
GENERATORS = (1, 2)
NUMBERS = (int, float)
SCALARS = {bool, float, int, str, type(None)}
CONTAINERS = {frozenset, list, set, tuple}
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
        turn: str | None,
        seats: tuple[Plain, Plain] | None,
        fixed: frozenset[str],
        chance: bool,
        notices: dict[str, Notice],
    ) -> None:
        """Take an environment after reset, how its attributes are written, and what counts.

        Attributes that are `fixed` never change, as far as is known.
        """
        self.env, self.codecs, self.turn, self.chance = env, codecs, turn, chance
        self.names = tuple(name for name in names if name != turn)
        self.notices = notices
        self.attributes: dict[str, Any] = vars(env)
        self._title = type(env).__name__
        self._lock = RLock()
        self._space = getattr(env, "action_space", None)
        fields = (*_field_names(self.names), "player", "end")
        self._state: Any = namedtuple("State", fields)  # type: ignore[misc]
        self._encoders = [(name, codecs[name].encode) for name in self.names]
        self._seats = {} if seats is None else {seats[0]: 0, seats[1]: 1}
        self._turns = [codecs[turn].decode(plain) for plain in seats or ()] if turn else []
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
        self._step, self._valid_moves = env.step, env.valid_moves
        self._write_turn: Any = codecs[turn].encode if turn else None
        self.first = self._encode(self.attributes, 1, None)

    @property
    def actions(self) -> range | None:
        """The actions of the environment's action space; None if that is not a range."""
        size: Any = getattr(self._space, "n", None)
        first: Any = getattr(self._space, "start", 0)
        with suppress(TypeError):  # not one number each, as in MultiDiscrete
            return range(first, first + size)
        return None

    # The rules

    def moves(self, state: Any) -> tuple[int, ...]:
        """List the legal moves in ascending order."""
        listed = self._listed
        if listed[0] is state:
            return listed[1]
        if state.end is not None:
            return ()
        with self._lock:
            self.put(state)
            answer = self._ask(state, None)
            try:
                moves, oddity = legal_moves(answer, self._space)
            except Unusable as error:
                self.refuse(error.code, str(error), state, None)
            if oddity:
                self.note(*oddity, state, None)
            if not moves:
                message = "There is no legal move, but the game has not ended."
                self.note("stuck", message, state, None)
            if self.chance:
                self._check_moves(state, moves)
            self._listed = state, moves
            return moves

    def play(self, state: Any, move: int) -> Any:
        """Return the state after a legal move."""
        with self._lock:
            if not self.chance:
                return self._play(state, move)
            made = []
            for seed in GENERATORS:
                with seeded(seed, self.env):
                    made.append(self._play(state, move))
            if made[0] != made[1]:
                message = f"The same move leads to different positions, by chance; {NO_VALUE}"
                self.refuse("not-deterministic", message, state, move)
            return made[0]

    def _check_moves(self, state: Any, moves: tuple[int, ...]) -> None:
        """Refuse legal moves that depend on chance."""
        for seed in GENERATORS:
            self.put(state)
            with seeded(seed, self.env):
                answer = self._ask(state, None)
            if legal_moves(answer, self._space)[0] != moves:
                message = f"The legal moves depend on chance; {NO_VALUE}"
                self.refuse("not-deterministic", message, state, None)

    def _play(self, state: Any, move: int) -> Any:
        """Put the environment into a state, make a move, and read what follows."""
        self.put(state)
        raw = self._ask(state, move)
        end, mover = None, state[-2]
        try:
            # Most often there is no reward and no end.
            if not (
                type(raw) is tuple
                and len(raw) == 5
                and raw[2] is raw[3] is False
                and type(raw[1]) in NUMBERS
                and raw[1] == 0
            ):
                end = self._end(state, move, read_answer(raw))
            after = self._encode(self.attributes, mover, end)
        except Unusable as error:
            self.refuse(error.code, str(error), state, move)
        if end is None and after[-2] == mover:
            message = "After the move it is the same player's turn again."
            self.note("same-player-again", message, state, move)
        return after

    def _end(self, state: Any, move: int, answer: Answer) -> str | None:
        """Name the end of a game by who moved last and what that brought; None if it goes on."""
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
        """Make an illegal move and return whether it is accepted; learn how it is punished."""
        with self._lock:
            self.put(state)
            try:
                with quiet(), seeded(GENERATORS[0], self.env):
                    answer = read_answer(self.env.step(move))
                after = self._encode(self.attributes, state.player, None)
            except (Exception, SystemExit):
                return False  # an illegal move need not be answered
            if learn and answer.reward < -1:
                self._penalties.add(answer.reward)
            accepted = answer.reward >= 0 and not answer.ended and after != state
            if accepted:
                message = "The move is not legal, but the environment accepts it."
                self.note("illegal-move-accepted", message, state, move)
            return accepted

    def shows(self, env: Any, state: Any, move: int, answer: Answer, after: Any) -> bool:
        """Return whether an environment that made a move is in the state found after it."""
        end = self._end(state, move, answer)
        try:
            return bool(self._encode(vars(env), state.player, end) == after)
        except Unusable:
            return False

    def changed(self) -> str:
        """Name something that is in no state and should be as it was, but is not; or nothing."""
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
            text = answer if isinstance(answer, str) else printed.getvalue()
            return text[:LONGEST_PICTURE].strip("\n")

    # States

    def _encode(self, attributes: dict[str, Any], mover: int, end: str | None) -> Any:
        """Read the state that an environment with these attributes is in after a move."""
        try:
            values = [
                encode(attributes[name]) if name in attributes else UNSET
                for name, encode in self._encoders
            ]
            seat = self._seats.get(self._write_turn(attributes[self.turn])) if self.turn else None
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
        """Put the environment into a state; no mutable value is shared with any other."""
        if state is not self._at:
            self._unpack(state)
        attributes = self.attributes
        attributes.update(loads(self._written))  # noqa: S302 (our own bytes; a copy was slower)
        for name, make in self._made:
            attributes[name] = make()
        if self._turns:
            attributes[self.turn or ""] = self._turns[state[-2]]
        if len(attributes) != self._size:
            for name in set(attributes) - self._present:
                del attributes[name]

    def _unpack(self, state: Any) -> None:
        """Read the attributes from a state: as bytes if Python can write them, else one by one."""
        simple: dict[str, Any] = {}
        missing, self._made = set(), []
        held = dict(zip(self.names, state, strict=False))
        for name, plain in (self._rest | held).items():
            codec = self.codecs[name]
            if plain == UNSET:
                missing.add(name)
                continue
            value = codec.decode(plain)
            if _is_simple(value):
                simple[name] = value
            else:
                copy = value.copy if type(value) is np.ndarray else partial(codec.decode, plain)
                self._made.append((name, copy))
        self._present = self._known - missing
        self._size = len(self._present)
        self._written, self._at = dumps(simple), state

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
        made = "" if move is None else f" move {move}"
        where = f" ({made.strip()} at {brief(state, 80)})" if made else f" (at {brief(state, 80)})"
        raise GameError(f"{self._title}: {message.rstrip('.')}{where}.")


def _is_simple(value: Any) -> bool:
    """Return whether Python can write a value as bytes and read it back with the same type."""
    kind = type(value)
    if kind is dict:
        return all(map(_is_simple, value)) and all(map(_is_simple, value.values()))
    return kind in SCALARS or (kind in CONTAINERS and all(map(_is_simple, value)))


def _field_names(attributes: tuple[str, ...]) -> list[str]:
    """Turn the names of attributes into those of the fields of a state."""
    fields: list[str] = []
    for attribute in attributes:
        name = attribute.lstrip("_") or "value"
        while name in (*fields, "player", "end") or iskeyword(name):
            name += "_"
        fields.append(name if name.isidentifier() else f"field_{len(fields)}")
    return fields
