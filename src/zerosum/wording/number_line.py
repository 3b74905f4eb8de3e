"""A number line as the board of a game: where moves lead, what is marked."""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from zerosum.protocol import Game, Move, refusal
from zerosum.states import sample_states
from zerosum.text import signed
from zerosum.wording.hooks import LARGEST, Mark, Step

if TYPE_CHECKING:
    from zerosum.wording.words import Words

# What does not fit on a line: large numbers, long steps, and too many moves.
FURTHEST, MOST_TARGETS = 60, 30
# A server finds out about every new variant between two requests.
MOST_SAMPLED = 150
SHORT_LABEL = 20
# A number at which the player who moved there always wins, or always loses.
ENDS: tuple[tuple[bool, str, Literal["goal", "cost"]], ...] = (
    (True, "goal", "goal"),
    (False, "loses", "cost"),
)


class Target(NamedTuple):
    """Where a move leads on a line; `reason` is the rule against it, if any."""

    move: Move
    number: int
    step: str
    note: str
    reason: str | None


class NumberLine(NamedTuple):
    """A number of a position on a line from `low` to `high`, with its moves.

    `seat` is the owner of the number, None if both share it.
    """

    name: str
    title: str
    seat: int | None
    value: int
    low: int
    high: int
    marks: tuple[Mark, ...]
    targets: tuple[Target, ...]


def number_lines(words: "Words[Any]", state: Any) -> tuple[NumberLine, ...]:
    """Return a position's number line, or both of a race; () if it has none.

    In a race, only the line of the player to move has targets.

    >>> import zerosum
    >>> from zerosum.wording.words import words_of
    >>> game = zerosum.game("even-steven", start=14)
    >>> (line,) = number_lines(words_of(game), game.initial())
    >>> line.value, line.low, line.high, [mark.text for mark in line.marks]
    (14, 0, 14, ['goal'])
    >>> [(target.move, target.number, target.step) for target in line.targets]
    [(1, 13, '−1'), (2, 7, '÷2')]
    """
    numbers = words.numbers
    values = [getattr(state, name) for name, _, _ in numbers.lines]
    if not numbers.extent or not all(type(v) is int and abs(v) <= LARGEST for v in values):
        return ()
    targets = _targets(words, state, numbers)
    reach = [target.number for target in targets]
    if not _fits(numbers.of(state, state.player), reach):
        return ()
    low = min(numbers.extent[0], *reach, *values)
    high = max(numbers.extent[-1], *reach, *values)
    return tuple(
        NumberLine(
            *(name, title, seat, getattr(state, name), low, high, numbers.marks),
            targets if seat in (None, state.player) else (),
        )
        for name, title, seat in numbers.lines
    )


def derived_step(words: "Words[Any]", state: Any, move: Move) -> Step:
    """Describe a move by the number that it changes, or else by itself."""
    text = str(move)
    if words.board(state) is not None:
        return Step(words.place(state, move))
    after = words.game.play(state, move)
    pairs = [(getattr(state, name), getattr(after, name)) for name in words.numbers.names]
    changes = [(old, new) for old, new in pairs if old != new]
    # A field that was a number in all samples may still be a string in another.
    if len(changes) == 1 and set(map(type, changes[0])) == {int}:
        old, new = changes[0]
        return Step(text if isinstance(move, str) else signed(new - old), new)
    label = text if isinstance(move, str) else words.label(state, move)
    return Step(label if label.isprintable() and len(label) <= SHORT_LABEL else text)


class Numbers:
    """What a variant's moves do to its numbers, in sampled positions."""

    def __init__(self, words: "Words[Any]") -> None:
        """Take the words of the variant."""
        self.words = words
        self.game = words.game

    @cached_property
    def sampled(self) -> list[tuple[Any, Move, Any]]:
        """Some positions with their moves, and those after them, each once."""
        game = self.game
        return [
            (state, move, game.play(state, move))
            for state in islice(dict.fromkeys(sample_states(game)), MOST_SAMPLED)
            for move in game.moves(state)[: MOST_TARGETS + 1]
        ]

    @cached_property
    def made(self) -> list[Step]:
        """What the sampled moves do, in the same order."""
        return [self.words.step(state, move) for state, move, _ in self.sampled]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The fields that moves change by various amounts, rather than count turns or remember."""
        first = self.game.initial()
        seats = {
            field.name: field.seat
            for field in self.words.fields(first)
            if field.kind == "number"
            and type(field.value) is int
            and getattr(first, field.name, None) == field.value
        }
        if not seats or self.words.board(first) is not None:
            return ()
        differences: dict[str, list[int]] = {name: [] for name in seats}
        results: dict[str, dict[Move, set[int]]] = {name: {} for name in seats}
        for state, move, after in self.sampled:
            # If a tuple changes as well, a number does not tell enough.
            if any(old != new for old, new in zip(state, after, strict=True) if type(old) is tuple):
                return ()
            for name, seat in list(seats.items()):
                number = getattr(after, name)
                if type(number) is not int:
                    del seats[name], differences[name]
                elif seat in (None, state.player):
                    differences[name].append(number - getattr(state, name))
                    results[name].setdefault(move, set()).add(number)
        often = [name for name, found in differences.items() if 2 * found.count(0) < len(found)]
        counted = [
            name
            for name in often
            if len(set(differences[name])) > 1
            and any(len(numbers) > 1 for numbers in results[name].values())
        ]
        return tuple(counted or often)

    @cached_property
    def lines(self) -> tuple[tuple[str, str, int | None], ...]:
        """The name, title and seat of each number with a line: shared, or one a seat."""
        fields = [
            (field.name, field.title, field.seat)
            for field in self.words.fields(self.game.initial())
            if field.name in self.names
        ]
        if [seat for _, _, seat in fields] in ([None], [0, 1]):
            return tuple(fields)
        return ()

    def of(self, state: Any, player: int) -> int:
        """Return the number of a player, or the one that both share."""
        number: int = getattr(state, self.lines[player % len(self.lines)][0])
        return number

    @cached_property
    def steps(self) -> dict[Move, tuple[str, int]]:
        """The text and difference of every move whose own never vary."""
        found: dict[Move, set[tuple[str, int]]] = {}
        for (state, move, _), (text, number, _) in zip(self.sampled, self.made, strict=True):
            if number is not None:
                step = (text, number - self.of(state, state.player))
                found.setdefault(move, set()).add(step)
        return {move: next(iter(steps)) for move, steps in found.items() if len(steps) == 1}

    @cached_property
    def extent(self) -> range:
        """The numbers worth showing; none if the game fits no line."""
        most = max(Counter(state for state, _, _ in self.sampled).values(), default=0)
        if not self.lines or most > MOST_TARGETS:
            return range(0)
        numbers: list[int] = []
        costs = [mark for mark in self.marks if mark.kind == "cost"]
        for (state, _, after), (_, number, _) in zip(self.sampled, self.made, strict=True):
            value = self.of(state, state.player)
            reach = () if number is None else (number,)
            # A line is for moves that change one's own or the shared number.
            other = 1 - state.player
            changed = len(self.lines) > 1 and self.of(state, other) != self.of(after, other)
            if changed or not _fits(value, reach):
                return range(0)
            # From within a costly zone, moves lead further out than is worth showing.
            if not any(covers(mark, value) for mark in costs):
                numbers += [value, *reach]
        numbers += [end for mark in self.marks for end in mark[1:3] if end is not None]
        numbers.append(self.of(self.game.initial(), 0))
        return range(min(numbers), max(numbers) + 1)

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """What the game marks on its line."""
        return tuple(self.words.marks())

    @cached_property
    def ends(self) -> tuple[Mark, ...]:
        """The number at which the mover always wins, and the one at which they always lose."""
        if not self.lines:
            return ()
        goes_on: set[int] = set()
        ends: dict[bool, set[int]] = {True: set(), False: set()}
        for state, _, after in self.sampled:
            goes_on.update(getattr(state, name) for name, _, _ in self.lines)
            outcome = self.game.outcome(after)
            if outcome is not None and outcome.winner is not None:
                ends[outcome.winner == state.player].add(self.of(after, state.player))
        marks = []
        for won, text, kind in ENDS:
            if len(ends[won]) == 1 and ends[won].isdisjoint(goes_on | ends[not won]):
                (number,) = ends[won]
                marks.append(Mark(text, number, number, kind))
        return tuple(marks)


def _targets(words: "Words[Any]", state: Any, numbers: Numbers) -> tuple[Target, ...]:
    """List where a position's moves lead, and forbidden ones that would stay in range."""
    game, targets = words.game, []
    legal, value = game.moves(state), numbers.of(state, state.player)
    for move in legal[:MOST_TARGETS]:
        text, number, note = words.step(state, move)
        if number is not None:
            targets.append(Target(move, number, text, note, None))
    for move in words.keys() if legal else ():
        text, difference = numbers.steps.get(move, ("", 0))
        if move not in legal and text and value + difference in numbers.extent:
            why = refusal(game, state, move)
            targets.append(Target(move, value + difference, text, "", why))
    return tuple(targets)


def covers(mark: Mark, number: int) -> bool:
    """Return whether a number lies in a marked range."""
    above = mark.low is None or number >= mark.low
    return above and (mark.high is None or number <= mark.high)


def _fits(value: int, reach: Sequence[int]) -> bool:
    """Return whether a number, and those within reach, fit on a line."""
    return abs(value) <= LARGEST and all(abs(number - value) <= FURTHEST for number in reach)


@lru_cache(maxsize=256)
def numbers_of(game: Game[Any], kind: Any) -> Numbers:
    """Return a variant's numbers by its words' class, found once."""
    return Numbers(kind(game))
