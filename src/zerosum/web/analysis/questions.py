"""The questions a solver process answers, each with a document; moves are strings.

They are asked with the name and the options of a game, and a state as JSON has it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec

from zerosum.coach.advice import Coach
from zerosum.coach.phrases import LINE
from zerosum.coach.review import (
    MARKS,
    accuracies,
    accuracy,
    describe_moment,
    exactness,
    key_moments,
    no_turn,
    reason,
    total_decisions,
    turned,
)
from zerosum.coach.review import review as reviewed
from zerosum.coach.verdicts import judge
from zerosum.errors import TooLarge
from zerosum.match import Match, Round
from zerosum.pictures.chart import Chart
from zerosum.pictures.chart_svg import page_chart
from zerosum.pictures.chart_text import chart_text
from zerosum.players import levels
from zerosum.players.levels import accepts_draw, check_level, choose_move, levels_at
from zerosum.protocol import Game, Move, Result
from zerosum.record import from_record
from zerosum.solver.solution import Solution
from zerosum.text import percent, short
from zerosum.web import answers
from zerosum.web.analysis import cards, judging, positions, puzzles, referee, stand_ins
from zerosum.web.analysis.referee import Document
from zerosum.web.analysis.solutions import TooHard, solutions
from zerosum.wording.words import MOST_LISTED, ending, title_of, words_of

Kind = Literal["match", "player", "page", "rules", "replay", "load"]
MOST_PLIES = 2000
OPENINGS: dict[Result, str] = {
    "win": "whoever begins wins",
    "loss": "whoever begins loses",
    "draw": "nobody wins",
}
MOST_BEST = 12


def advice(game: Game[Any], state: Any) -> answers.Advice:
    """Return what a position is worth, what to play, and why, as far as it is known."""
    try:
        coach = solutions().coach(game)
        standing = positions.standing_of(coach, state)
        judged = list(judge(coach.solution, state).items())
        title, compared = coach.advised(state), coach.comparison(state)
        line, because, expected = _line(coach, state)
    except (TooHard, TooLarge) as error:
        return answers.Advice(reason=str(error), title=str(error))
    chances = {move: percent(chance) for move, chance in coach.chances(state).items()}
    if len(set(chances.values())) == 1:
        chances = {}  # they tell nothing apart
    exact = standing["exact"]
    return answers.Advice(
        **standing,
        title=title,
        because=because or standing["standing"],
        expected=expected,
        counts=coach.counts(state),
        compared=compared,
        line=puzzles.steps_of(coach, state, line),
        moves=[
            answers.MoveAdvice(**positions.judged_of(move, found, exact), chance=chances.get(move))
            for move, found in judged[:MOST_LISTED]
        ],
        more=len(judged[MOST_LISTED:]),
    )


def _line(coach: Coach[Any], state: Any) -> tuple[list[Move], str, float | None]:
    """Return a line of play from a position, one reason for its first move, and the score expected.

    There is an expectation only if no move is known to be best.
    """
    if coach.game.outcome(state) is not None:
        return [], "", None
    if not coach.solution.is_exact(state):
        if known := coach.solution.best(state):
            return list(known[:1]), "", None
        return coach.expected_line(state), coach.expectation(state), coach.expected(state)
    move = coach.best(state)
    after = coach.game.play(state, move)
    return [move, *coach.solution.line(after, LINE - 1)], coach.reason(state), None


def offered(game: Game[Any]) -> Document:
    """Return the levels that can play a variant, how each plays, and whether it has a solution."""
    solution, state = solutions().coach(game).solution, game.initial()
    known = solutions().bots(game, "hard").is_whole
    found = {level: levels.describe_level(level, known) for level in levels_at(solution, state)}
    return {"exact": solution.is_whole, "levels": found}


def prepare(game: Game[Any], level: str, state: Any) -> bool:
    """Find out what a level needs to know, so that it fails before the game and not during it."""
    levels.prepare(_known_to(game, level), level, state)
    return True


def bot_move(game: Game[Any], level: str, state: Any, seed_text: str) -> str:
    """Choose a move for a level; the seed is that of `seed_at`."""
    return str(choose_move(_known_to(game, level), level, state, seed_text))


def agrees(game: Game[Any], level: str, state: Any) -> bool:
    """Return whether the bot, which is not to move, accepts a draw."""
    return accepts_draw(_known_to(game, level), level, state)


def _known_to(game: Game[Any], level: str) -> Solution[Any]:
    """Return what a level plays by; random needs to know nothing."""
    if check_level(level) == "random":
        return Solution(game)
    return solutions().bots(game, level)


def review(record: Document, game: int) -> answers.GameReview:
    """Review one game of a match, as far as its values are known."""
    match = from_record(record, solutions().entry(record["game"]).game)
    played = match.rounds[game]
    if len(played.moves) > MOST_PLIES:
        raise TooHard(f"A game of more than {MOST_PLIES:,} moves is too long to review.")
    names = match.names_of(played)
    plies = _positions(match, played)
    found = answers.GameReview(game=game, names=list(names), plies=plies)
    try:
        coach = solutions().coach(match.game)
        judged = reviewed(coach.solution, played)
    except (TooHard, TooLarge) as error:
        found.reason = str(error)
        return found
    begin = judged.exact_from or len(plies) + 1
    for ply, value in zip(plies, judged.history, strict=True):
        ply.value = value and positions.value_of(value, exact=ply.ply + 1 >= begin)
    for ply, move in zip(plies, judged.moves, strict=False):
        # If nothing is known about a move, its value says so.
        ply.verdict, ply.word = move.verdict, move.word if move.value or move.verdict else ""
        after = move.ply + 1 >= begin
        ply.move_value = move.value and positions.value_of(move.value, exact=after)
        ply.best_value = move.before and positions.value_of(move.before, move.ply >= begin)
        ply.glyph = MARKS.get(move.verdict, "")
        # The first is the one that the reason names.
        state = played.states[move.ply - 1]
        named = (coach.best(state),) if move.best and not move.kept else ()
        best = list(dict.fromkeys((*named, *move.best)))[:MOST_BEST]
        ply.best = list(map(str, best))
        ply.buttons |= {str(move): coach.words.button(state, move) for move in best}
        ply.reason = reason(coach, names, played, move)
    chart = Chart.reviewed(
        coach.words, names, played, judged, f"{title_of(match.game)}: the values"
    )
    found.exact, found.exact_from = judged.exact_from == 1, judged.exact_from
    found.reason, found.no_turn = exactness(judged), no_turn(names, played, judged)
    found.svg = page_chart(chart)
    begun = judged.history[0]
    found.opening = f"With best play, {OPENINGS[begun.result]}." if begun else ""
    found.text = chart_text(chart, plain=True).split("\n")
    found.turning_point = judged.turning_point
    if found.turning_point:
        found.turned = turned(coach, played, judged.moves[found.turning_point - 1])
    found.decisions = [list(judged.decisions(seat)) for seat in (0, 1)]
    found.accuracy = accuracies(names, judged)
    found.moments = [
        answers.Moment(game, move.ply, describe_moment(coach, names, played, judged, move)[0])
        for _, move in key_moments([judged])
    ]
    found.series = _series(match, coach) if match.games > 1 else None
    return found


def _series(match: Match[Any], coach: Coach[Any]) -> answers.SeriesReview | None:
    """Review all finished games of a match together, unless that would take too long."""
    games = [(n, played) for n, played in enumerate(match.rounds) if played.end and played.moves]
    solution = coach.solution
    if not solution.is_whole or sum(len(played.moves) for _, played in games) > MOST_PLIES:
        return None
    judged = [reviewed(solution, played) for _, played in games]
    rounds = [played for _, played in games]
    totals = total_decisions(zip(rounds, judged, strict=True))
    moments = []
    for index, move in key_moments(judged):
        number, played = games[index]
        text, *_ = describe_moment(coach, match.names_of(played), played, judged[index], move)
        moments.append(answers.Moment(number, move.ply, text))
    return answers.SeriesReview(
        [accuracy(name, *counts) for name, counts in zip(match.players, totals, strict=True)],
        moments,
        [answers.SeriesGame(number, ending(match, played)) for number, played in games],
    )


def _positions(match: Match[Any], played: Round[Any]) -> list[answers.Reviewed]:
    """Return every position of a game, with the move played there."""
    words, names = words_of(match.game), match.names_of(played)
    moves: list[Move | None] = [*played.moves, None]
    return [
        answers.Reviewed(
            ply=ply,
            **positions.shown(words, state, names),
            over=match.game.outcome(state) is not None,
            move=None if move is None else str(move),
            label=None if move is None else short(words.label(state, move)),
            buttons={} if move is None else {str(move): words.button(state, move)},
        )
        for ply, (state, move) in enumerate(zip(played.states, moves, strict=True))
    ]


# The questions by what waits for the answer, the most urgent first: a match, a player, or someone
# who only looks. Questions about rules alone have a process of their own.
KINDS: dict[Kind, tuple[Callable[..., Any], ...]] = {
    "match": (bot_move, agrees, prepare, cards.first_seat),
    "player": (advice, puzzles.answer, offered),
    "page": (
        *(positions.map_svg, positions.position, positions.theory, review, cards.game_lesson),
        *(puzzles.puzzle, puzzles.puzzle_named, puzzles.puzzle_of_the_day),
        *(judging.decided, judging.own_strength),
    ),
    "rules": (
        cards.card,
        referee.first_position,
        referee.look_and_label,
        referee.play_and_look,
        referee.question,
    ),
    "replay": (referee.replay,),
    "load": (stand_ins.about, stand_ins.load),
}
QUESTIONS = {question.__name__: question for kind in KINDS.values() for question in kind}
KIND_OF = {question.__name__: kind for kind, questions in KINDS.items() for question in questions}


def games_of(arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the games that a question is about.

    >>> games_of({"id": "last-stick-a1b2"}), games_of({"record": {"game": "nim"}, "game": 0})
    (('last-stick',), ('nim',))
    """
    if isinstance(arguments.get("games"), list):
        return tuple(arguments["games"])
    about = arguments.get("record", arguments)
    name = about["game"] if "game" in about else str(about.get("id", "")).rpartition("-")[0]
    return (name,) if name else ()


def subjects_of(what: str, arguments: Mapping[str, Any]) -> tuple[bytes, ...]:
    """Return what is refused for a while if its answers take too long, and the rules it needs.

    One question about the rules of a variant stands for all of them.
    """
    about = arguments.get("record", arguments)
    variant = [games_of(arguments), about.get("options"), about.get("name")]
    own = "rules" if KIND_OF[what] in ("rules", "replay") else what
    return tuple(msgspec.json.encode([kind, variant], order="sorted") for kind in (own, "rules"))
