"""The questions a solver process answers, each with a document; moves are strings.

They are asked with the name and the options of a game, and a state as JSON has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

import msgspec

from zerosum.coach.advice import LINE, Coach
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
from zerosum.match import Event, Match, Round
from zerosum.pictures.chart import Chart
from zerosum.pictures.chart_svg import page_chart
from zerosum.pictures.chart_text import chart_text
from zerosum.pictures.scale_svg import course_svg, scale_svg
from zerosum.players import levels
from zerosum.players.levels import accepts_draw, check_level, choose_move, levels_at
from zerosum.players.scale import Strength, above, explained, place, placed, strength_of
from zerosum.players.slips import Decision, decisions_of
from zerosum.protocol import Game, Move, Result
from zerosum.record import from_record
from zerosum.solver.solution import Solution
from zerosum.text import percent, short
from zerosum.web import answers
from zerosum.web.analysis import cards, positions, puzzles, referee, stand_ins
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
# The most points of a course over time, and the last decisions that each is about.
MOST_POINTS, WINDOW = 12, 60


def advice(game: Game[Any], state: Any) -> answers.Advice | answers.NothingKnown:
    """Return what a position is worth, what to play, and why, as far as it is known."""
    try:
        coach = solutions().coach(game)
        standing = positions.standing_of(coach, state)
        judged = list(judge(coach.solution, state).items())
        hint, title = coach.hint(state), coach.advised(state)
        line, because = _line(coach, state)
    except (TooHard, TooLarge) as error:
        return answers.NothingKnown(exact=False, reason=str(error))
    chances = {move: percent(chance) for move, chance in coach.chances(state).items()}
    if len(set(chances.values())) == 1:
        chances = {}  # they tell nothing apart
    exact = standing["exact"]
    return answers.Advice(
        **standing,
        title=title,
        because=because or standing["standing"],
        counts=coach.counts(state),
        hint=hint,
        line=puzzles.steps_of(coach, state, line),
        moves=[
            answers.MoveAdvice(**positions.judged_of(move, found, exact), chance=chances.get(move))
            for move, found in judged[:MOST_LISTED]
        ],
        more=len(judged[MOST_LISTED:]),
    )


def _line(coach: Coach[Any], state: Any) -> tuple[list[Move], str]:
    """Return a line of play from a position, and one reason for its first move, if there is one."""
    if coach.game.outcome(state) is not None:
        return [], ""
    if not coach.solution.is_exact(state):
        known = coach.solution.best(state)
        return (
            (list(known[:1]), "")
            if known
            else (coach.expected_line(state), coach.expectation(state))
        )
    move = coach.best(state)
    after = coach.game.play(state, move)
    return [move, *coach.solution.line(after, LINE - 1)], coach.reason(state)


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
    found.svg = page_chart(chart, top=int(names[1] == "You"))
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


def decided(
    game: Game[Any], first: int, games: int, events: list[Any], hints: list[Any]
) -> list[Any] | None:
    """Return what both players decided in the finished games of a match; None if it is too large.

    `hints` says where the coach helped.
    """
    solution = solutions().coach(game).solution
    if not solution.is_whole:
        return None
    journal = [Event(kind, move) for kind, move in events]
    return list(decisions_of(solution, first, games, journal, set(map(tuple, hints))))


def own_strength(played: list[Any]) -> answers.OwnStrength:
    """Place a person on the scale by what they decided in some games, the first one first.

    Of each there are the name and the title of the game, and the decisions, null if unjudged.
    """
    known = [
        (name, [Decision(*made) for made in each]) for name, _, each in played if each is not None
    ]
    games = []
    for name, title in {name: title for name, title, _ in played}.items():
        own = [each for other, each in known if other == name]
        unjudged = sum(other == name for other, _, _ in played) - len(own)
        standing = _placed(own, title)
        if not own:
            why = "it is too large, or its rules no longer work"
            text = f"Your moves in {title} cannot be judged: {why}."
            standing |= {"text": text, "about": ""}
        more = {"game": name, "title": title, "unjudged": unjudged}
        todo = _suggestion(name, standing["strength"]) if own else None
        games.append(answers.OwnGame(**standing, **more, next=todo))
    every = [each for _, each in known]
    course = list(_course(every))
    places = list(map(place, course)) if len(course) > 1 else []
    told = ""
    if len(set(places)) == 1:
        told = f"All along {places[0]}."
    elif places:
        lately = "and now again" if places[0] == places[-1] else f"lately {places[-1]}"
        told = f"At first {places[0]}, {lately}."
    together, drawn = answers.Placed(**_placed(every)), course_svg(course)
    return answers.OwnStrength(together, games, course, told, drawn)


def _placed(games: list[list[Decision]], title: str = "") -> Document:
    """Place a person by their decisions in some games."""
    strength = strength_of([made for game in games for made in game], len(games))
    told = {"text": placed(strength, game=title), "about": explained(strength)}
    return {"strength": strength, "place": place(strength), "svg": scale_svg(strength), **told}


def _suggestion(game: str, strength: Strength) -> answers.Suggestion:
    """Return the one thing to do next in a game: play more, learn it, or beat the next level."""
    level = above(strength)
    if level is None:
        return answers.Suggestion("Play again", f"/new/{game}")
    if strength.like[-1] in levels.LEVELS[:2]:
        return answers.Suggestion("Take the lesson", f"/learn/{game}")
    if strength.like == [level]:
        return answers.Suggestion("Solve puzzles", f"/puzzles?game={game}")
    return answers.Suggestion(f"Play against {level}", f"/new/{game}?mode=bot&level={level}")


def _course(games: list[list[Decision]]) -> Iterator[Strength]:
    """Place a person at a few points, each by the last decisions before it, where that is known."""
    ends = sorted({-(-len(games) * part // MOST_POINTS) for part in range(1, MOST_POINTS + 1)})
    for end in ends:
        begin, seen = end, 0
        while begin and seen < WINDOW:
            begin -= 1
            seen += len(games[begin])
        lately = [made for game in games[begin:end] for made in game]
        strength = strength_of(lately, end - begin)
        if strength.like:
            yield strength


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
        *(decided, own_strength),
    ),
    "rules": (cards.card, referee.first_position, referee.look_and_label, referee.play_and_look),
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
