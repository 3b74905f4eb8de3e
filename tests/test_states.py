"""States: walks over the rules, and nested values."""

from __future__ import annotations

from zerosum.books.digit_battle.rules import DigitBattle
from zerosum.books.even_steven.rules import EvenSteven, State
from zerosum.states import is_plain, map_leaves, next_states, read_state, walk

GAME = EvenSteven(start=6)


def test_walk_yields_every_state_once_level_by_level() -> None:
    states = list(walk(GAME))
    assert len(states) == len(set(states))
    level = {GAME.initial(): 0}
    for state in states:
        for after in next_states(GAME, state):
            level.setdefault(after, level[state] + 1)
    assert set(states) == set(level)
    assert sorted(states, key=level.__getitem__) == states


def test_walk_stops_at_its_limit_and_expands_all_that_it_yields() -> None:
    expanded: list[State] = []

    def after(state: State) -> list[State]:
        expanded.append(state)
        return next_states(GAME, state)

    states = list(walk(GAME, limit=4, after=after))
    assert expanded == states == list(walk(GAME))[:4]


def test_walk_expands_a_state_only_after_it_was_yielded() -> None:
    def after(state: State) -> list[State]:
        raise AssertionError(state)

    assert next(walk(GAME, after=after)) == GAME.initial()


def test_walk_from_several_roots() -> None:
    roots = State(2, 0), State(2, 1)
    assert set(walk(GAME, *roots)) == {State(n, seat) for n in (0, 1, 2) for seat in (0, 1)}


def test_walk_up_to_symmetry_yields_one_state_of_each_class() -> None:
    game = DigitBattle(lives=1)
    classes = {game.canonical(state) for state in walk(game)}
    states = list(walk(game, key=game.canonical))
    assert len(states) == len(classes) < len(set(walk(game)))
    assert {game.canonical(state) for state in states} == classes


def test_leaves_are_changed_by_name_at_any_depth() -> None:
    nested = (State(3, 0), ("x", (None,)))
    assert map_leaves(lambda name, leaf: leaf, nested) == nested
    assert isinstance(map_leaves(lambda name, leaf: leaf, nested)[0], State)
    names = map_leaves(lambda name, leaf: name, nested)
    assert names == (("[0][0]", "[0][1]"), ("[1][0]", ("[1][1][0]",)))


def test_plain_values_are_integers_texts_none_and_tuples_of_them() -> None:
    assert is_plain((1, ("x", None, ())))
    assert not any(map(is_plain, (True, 1.0, [1], (1, [2]), b"x", State(1, 0))))
    assert is_plain([1, [2]], list, deepest=2)
    assert not is_plain([1, [2]], list, deepest=1)
    assert read_state(GAME, [3, 1]) == State(3, 1)
