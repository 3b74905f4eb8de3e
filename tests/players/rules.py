"""The rules of four of the games, once more, from the rule books alone."""

from __future__ import annotations

from tests.players.naive import Naive, State


def dual_digits(start: int) -> Naive:
    def moves(state: State) -> dict[int, State]:
        left, last, player = state
        return {n: (left - n, n, 1 - player) for n in range(1, 5) if n != last and n <= left}

    def end(state: State) -> int | None:
        return None if moves(state) else 1 - state[-1]

    return Naive((start, 0, 0), moves, end)


def even_steven(start: int) -> Naive:
    def moves(state: State) -> dict[int, State]:
        number, player = state
        found = {1: (number - 1, 1 - player)}
        if number % 2 == 0:
            found[2] = (number // 2, 1 - player)
        return found

    def end(state: State) -> int | None:
        return 1 - state[-1] if state[0] == 0 else None

    return Naive((start, 0), moves, end)


def number_navigator(start: int) -> Naive:
    def moves(state: State) -> dict[int, State]:
        player = state[-1]
        own = state[player]
        made = {1: own - 1}
        if own >= 2:
            made[2] = own - 2
        if own % 2 == 0:
            made[3] = own // 2
        if own < 10:
            made[4] = own + 5
        other = state[1 - player]
        return {
            key: (other, number, 0) if player else (number, other, 1)
            for key, number in made.items()
        }

    def end(state: State) -> int | None:
        return state.index(0) if 0 in state[:2] else None

    return Naive((start, start, 0), moves, end)


def digit_battle(lives: int) -> Naive:
    def moves(state: State) -> dict[int, State]:
        number, *before, player = state
        found = {}
        for digit in range(1, 10):
            made = number + digit if number % 2 == 0 else number - digit
            left = list(before)
            if made < 0:
                left[player] -= 1
            elif made == 15:
                left[1 - player] -= 3
                made = 0
            elif made > 20:
                left[player] -= 2
                made = 10
            found[digit] = (made, *left, 1 - player)
        return found

    def end(state: State) -> int | None:
        _, first, second, _ = state
        if first <= 0:
            return 1
        return 0 if second <= 0 else None

    return Naive((0, lives, lives, 0), moves, end)
