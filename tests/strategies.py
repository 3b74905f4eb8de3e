"""Hypothesis strategies: variants, names and whole matches of every game."""

from typing import Any

from hypothesis import strategies as st

import zerosum
from tests.game_files import EXAMPLES
from zerosum.errors import MatchError
from zerosum.match import LONGEST_NAME, Match
from zerosum.protocol import Game

FILES = {
    name: str(EXAMPLES / name)
    for name in ("last_stick.py", "noughts_and_crosses.py", "nim_with_a_pass.py")
}
starts = st.one_of(st.integers(2, 40), st.integers(2, 10**40))
heaps = st.lists(st.integers(0, 4), min_size=1, max_size=4).filter(any).map(tuple)


@st.composite
def variants(draw: st.DrawFn) -> Game[Any]:
    """Any variant of any game: the five, and examples with draws, strings for moves, a board."""
    name = draw(st.sampled_from((*zerosum.games(), *FILES)))
    options: dict[str, Any] = {}
    if name == "noughts_and_crosses.py":
        pass
    elif name == "nim_with_a_pass.py":
        options = {"heaps": draw(heaps), "passes": draw(st.integers(0, 2))}
    elif name == "digit-battle":
        limit = draw(st.integers(0, 40))
        options = {
            "limit": limit,
            "target": draw(st.integers(0, limit)),
            "lives": draw(st.integers(1, 12)),
            "start": draw(st.integers(-10, limit)),
            "target_reset": draw(st.integers(-10, limit)),
            "limit_reset": draw(st.integers(-10, limit)),
            "limit_penalty": draw(st.integers(0, 5)),
        }
    else:
        options["start"] = draw(starts)
    if name == "even-steven":
        options["subtract_two"] = draw(st.booleans())
    if name == "dual-digits":
        numbers = draw(st.sets(st.integers(1, 50), max_size=6)) | {draw(st.integers(1, 2))}
        options["numbers"] = tuple(numbers)
    return zerosum.game(FILES.get(name, name), **options)


letters = st.characters(categories=["L", "M", "N", "P", "S"])
one_name = st.text(letters, min_size=1, max_size=LONGEST_NAME)
names = st.tuples(one_name, one_name).filter(lambda pair: pair[0].casefold() != pair[1].casefold())


@st.composite
def matches(draw: st.DrawFn, plies: int = 30) -> Match[Any]:
    """A match in any stage, reached by legal events."""
    match = Match.new(
        draw(variants()),
        draw(names),
        draw(st.integers(0, 1)),
        draw(st.integers(1, 3)),
        draw(st.none() | st.floats(0.1, 1000)),
    )
    for _ in range(draw(st.integers(0, plies))):
        if match.round.end is not None:
            if match.over:
                break
            match = match.next_game()
            continue
        what = draw(st.integers(0, 40))
        if what == 0:
            ends = (Match.resign, Match.concede, Match.agree_draw, Match.time_out, Match.endless)
            match = draw(st.sampled_from(ends))(match)
        elif what == 1:
            try:
                match = match.undo()
            except MatchError:
                assert match.ply == 0
        else:
            match = match.play(draw(st.sampled_from(match.game.moves(match.state))))
    return match
