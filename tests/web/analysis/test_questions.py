"""Answers agree with the library: advice, moves, reviews, for any variant."""

import json
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import zerosum
from tests.figures import strange_numbers
from tests.game_files import NOUGHTS, PASS, STICK
from tests.solutions import solved
from tests.strategies import matches
from tests.web.pools import ask_here, solving, told, value_told
from zerosum.coach.advice import Coach
from zerosum.coach.review import key_moments, review
from zerosum.coach.verdicts import BAD, judge
from zerosum.match import Match
from zerosum.options import option_values
from zerosum.players.levels import LEVELS, LevelBot, accepts_draw, seed_at
from zerosum.players.searching import EFFORTS, Effort
from zerosum.protocol import Game, Value
from zerosum.record import to_record
from zerosum.registry import entry_of
from zerosum.solver.solution import Solution
from zerosum.text import percent
from zerosum.web.analysis import judging, questions
from zerosum.web.analysis.solutions import TooHard, solutions
from zerosum.web.refusals import Refused
from zerosum.wording.words import MOST_LISTED, spoken, title_of, words_of

POSITIONS = 20_000
FILES = {"last-stick": STICK, "noughts-and-crosses": NOUGHTS, "nim-with-a-pass": PASS}
GAMES = (*zerosum.games(), *FILES)
# The sentences of advice about its own numbers.
SAID = ("title", "because", "counts", "compared", "standing")
# Those of a review.
TOLD = ("reason", "no_turn", "opening", "turned", "accuracy", "moments")


@pytest.fixture(autouse=True, scope="module")
def known_games() -> Iterator[None]:
    """A process that knows games of a user's own, and may not solve or search much."""
    with pytest.MonkeyPatch.context() as patch, solving(FILES, POSITIONS):
        patch.setitem(EFFORTS, "hard", Effort(500, 4))
        yield


def variant(name: str) -> Game[Any]:
    return zerosum.game(FILES.get(name, name))


def named(game: Game[Any]) -> dict[str, Any]:
    """Name a variant as the server does."""
    return {"game": entry_of(game).name, "options": option_values(game)}


def solution_of(game: Game[Any]) -> Solution[Any]:
    """Return what the answers rest on."""
    return solutions().coach(game).solution


def sound(document: Any) -> None:
    """Check that a document survives JSON, and that browsers can hold its numbers."""

    def held(digits: str) -> int:
        assert abs(int(digits)) < 2**53
        return int(digits)

    assert json.loads(json.dumps(document), parse_int=held) == document


@given(matches())
@settings(max_examples=settings().max_examples // 4)
def test_advice_agrees_with_the_solution(match: Match[Any]) -> None:
    game, state = match.game, match.state
    advice = ask_here("advice", **named(game), state=list(state))
    sound(advice)
    known = {name: part for name, part in advice.items() if name not in SAID}
    assert strange_numbers(" ".join(advice[name] for name in SAID), [known, *state]) == []
    solution = solution_of(game)
    if not solution.is_whole:
        assert advice["exact"] is solution.is_exact(state)
        assert bool(advice["reason"]) is not advice["exact"]
        assert [move["value"] is None for move in advice["moves"]] == [
            value is None for value in [*solution.known_moves(state).values()][:MOST_LISTED]
        ]
        return
    assert advice["exact"] is True
    assert advice["value"] == value_told(solution.value(state))
    judged = judge(solution, state)
    assert len(advice["moves"]) + advice["more"] == len(judged)
    assert len(advice["moves"]) <= MOST_LISTED
    coach = Coach(solution, typed=False)
    chances = {move: percent(chance) for move, chance in coach.chances(state).items()}
    told = len(set(chances.values())) > 1
    for shown, (move, (value, verdict, word)) in zip(advice["moves"], judged.items(), strict=False):
        assert shown == {
            "move": str(move),
            "value": value and value_told(value),
            "verdict": verdict,
            "word": word,
            "chance": chances[move] if told else None,
        }
        assert verdict != "best" or move in solution.best(state)
    assert f"{advice['title']} {advice['compared']}".rstrip() == coach.hint(state)
    if game.outcome(state) is None:
        assert advice["line"][0]["move"] in map(str, solution.best(state))
        assert [advice["standing"], *advice["why"]] == coach.why(state)


@given(matches())
@settings(max_examples=settings().max_examples // 4)
def test_review_agrees_with_the_library(match: Match[Any]) -> None:
    game, index, played = match.game, match.number - 1, match.round
    document = told(questions.review, json.loads(json.dumps(to_record(match))), index)
    sound(document)
    assert document["names"] == list(match.names_of(played))
    assert [ply["ply"] for ply in document["plies"]] == list(range(len(played.moves) + 1))
    for judgement, state, move in zip(
        document["plies"], played.states, [*map(str, played.moves), None], strict=True
    ):
        assert judgement["state"] == json.dumps(state, separators=(",", ":"))
        assert judgement["move"] == move
        assert judgement["mover"] == state.player
        words = words_of(game).fields(state)
        assert fields_of(judgement) == {(f.name, f.seat): str(f.value) for f in words}
    solution = solution_of(game)
    judged = review(solution, played)
    begin = len(played.states) if judged.exact_from is None else judged.exact_from - 1
    assert [ply["value"] for ply in document["plies"]] == [
        value and value_told(value, exact=ply >= begin) for ply, value in enumerate(judged.history)
    ]
    assert document["exact_from"] == judged.exact_from
    if not solution.is_whole:
        assert bool(document["reason"]) is not document["exact"]
        return
    known = {name: part for name, part in document.items() if name not in (*TOLD, "svg", "text")}
    said = " ".join(str(document[name]) for name in TOLD)
    shares = [right / every for right, every in document["decisions"] if every]
    assert strange_numbers(said, known, shares) == []
    labels = [ply["verdict"] for ply in document["plies"]]
    assert labels == [*(move.verdict for move in judged.moves), None]
    for ply in (ply for ply in document["plies"] if ply["verdict"] in BAD):
        # It is one and the same move everywhere.
        assert f"Better: {ply['buttons'][ply['best'][0]]}." in ply["reason"]
        at, moves = ply["ply"], (ply["move"], *ply["best"])
        does = {
            str(move): words_of(game).button(played.states[at], move)
            for move in game.moves(played.states[at])
        }
        assert ply["buttons"] == {move: does[move] for move in moves}
        # For the player who moves, as the values of the moves are.
        assert ply["best_value"] == value_told(solution.value(played.states[ply["ply"]]))
    assert document["turning_point"] == judged.turning_point
    assert document["decisions"] == [list(judged.decisions(seat)) for seat in (0, 1)]
    moments = [(moment["ply"], bool(moment["text"])) for moment in document["moments"]]
    assert moments == [(move.ply, True) for _, move in key_moments([judged])]
    values = [ply["move_value"] for ply in document["plies"]]
    assert values == [*(move.value and value_told(move.value) for move in judged.moves), None]
    assert all(ply["reason"] for ply in document["plies"][:-1])
    assert document["svg"].count("data-ply=") == len(played.states)
    assert bool(document["turned"]) == (judged.turning_point is not None)


def test_what_was_searched_for_a_review_is_not_searched_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = zerosum.game("digit-battle", lives=40)  # too large for a table here
    match = Match.new(game, ("Ada", "Bob"))
    for move in (9, 3, 7, 1):
        match = match.play(move)
    record = to_record(match.resign())
    asked, play = [], type(game).play

    def counted(game: Any, state: Any, move: Any) -> Any:
        asked.append(move)
        return play(game, state, move)

    monkeypatch.setattr(type(game), "play", counted)
    first = told(questions.review, record, 0)
    searched = len(asked)
    assert told(questions.review, record, 0) == first
    assert len(asked) - searched < searched / 10


@given(matches(), st.sampled_from(LEVELS), st.integers(0, 10**6))
@settings(max_examples=settings().max_examples // 4)
def test_bot_plays_as_in_the_terminal(match: Match[Any], level: str, seed: int) -> None:
    assume(match.round.end is None)
    match = replace(match, seed=seed)
    game, state = match.game, match.state
    asked = {**named(game), "level": level, "state": list(state)}
    known = Solution(game) if level == "random" else solutions().bots(game, level)
    if level == "perfect" and not known.is_exact(state):
        for what in ("prepare", "agrees"):
            with pytest.raises(Refused, match="The strongest level is hard") as refused:
                ask_here(what, **asked)
            assert refused.value.code == "too_hard"
        return
    bot = LevelBot(level, game, Random(seed_at(match)), known)
    assert ask_here("bot_move", **asked, seed_text=seed_at(match)) == str(bot.move(state))
    assert ask_here("agrees", **asked) == accepts_draw(known, level, state)
    assert ask_here("prepare", **asked)


@pytest.mark.parametrize("name", GAMES)
def test_every_question_works_for_every_game(name: str) -> None:
    game = variant(name)
    options = option_values(game)
    about: dict[str, Any] = {"game": name, "options": options}
    advice = ask_here("advice", **about, state=game.initial())
    assert advice["exact"] is True
    assert [choice["move"] for choice in advice["moves"]] == [*map(str, game.moves(game.initial()))]
    theory = ask_here("theory", **about)
    sound(theory)
    assert theory["text"][0].startswith(f"{title_of(game)}: ")
    assert (theory["theory"] or theory["law"]) == Coach(solved(game)).statement
    position = ask_here("position", **about)
    assert position == ask_here("position", **about, at=json.loads(position["state"]))


def test_huge_length_is_text_only() -> None:
    about: dict[str, Any] = {"game": "dual-digits", "options": {"start": 10**30}}
    value = ask_here("advice", **about, state=[10**30, 0, 0])["value"]
    assert value["plies"] is None
    assert value["text"] == spoken(Value("loss", 4 * 10**29))


def test_review_of_a_series_counts_the_decisions_of_each_player() -> None:
    match = Match.new(zerosum.game("even-steven"), ("Ada", "Bob"), games=3)
    assert told(questions.review, to_record(match.play(1)), 0)["series"]["games"] == []
    for move in (1, 2, 1, 2, 1, 1, 1):  # Bob divides 6 by 2
        match = match.play(move)
    match = match.next_game()
    for move in (1, 2, 1, 1, 1, 2, 1, 1):  # Ada, who is second now, does not
        match = match.play(move)
    found = told(questions.review, to_record(match.next_game()), 0)["series"]
    assert found["accuracy"] == [
        "Ada got both decisions right.",
        "Bob missed the only decision.",
    ]
    assert [(moment["game"], moment["ply"]) for moment in found["moments"]] == [(0, 4)]
    assert "Bob played ÷2 → " in found["moments"][0]["text"]
    assert found["games"] == [
        {"game": number, "text": "Ada won: the number is exactly zero."} for number in (0, 1)
    ]


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ((0, 0, 0), "All along like perfect."),
        ((0, 9, 9), "At first like perfect, lately like random."),
        ((0, 9, 0), "Like perfect, with ups and downs."),
    ],
)
def test_all_along_is_said_only_of_a_place_that_never_changed(
    wrong: tuple[int, ...], text: str
) -> None:
    games = [[(n >= errors, 1, 10) for n in range(10)] for errors in wrong for _ in range(12)]
    found = judging.own_strength([("even-steven", "Even-Steven", made) for made in games])
    assert found.course_text == text


def test_review_has_a_maximum_length() -> None:
    match = Match.new(zerosum.game("digit-battle"))
    for _ in range(6):
        match = match.play(1)
    record = to_record(match)
    record["rounds"][0]["moves"] *= 400
    with pytest.raises(TooHard, match="too long to review"):
        told(questions.review, record, 0)


def fields_of(shown: Any) -> dict[tuple[str, int | None], str]:
    """Return the values in a document of a state, by name and seat."""
    listed: dict[int | None, Any] = {
        None: shown["fields"],
        **dict(enumerate(shown["player_fields"])),
    }
    return {(f["name"], seat): f["value"] for seat, fields in listed.items() for f in fields}
