"""How well a person plays, by what they decided: too long a computation for the event loop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zerosum.match import Event
from zerosum.pictures.scale_svg import course_svg, scale_svg
from zerosum.players.levels import LEVELS
from zerosum.players.scale import Strength, above, explained, place, placed, strength_of
from zerosum.players.slips import Decision, decisions_of
from zerosum.protocol import Game
from zerosum.text import upper_first
from zerosum.web import answers
from zerosum.web.analysis.referee import Document
from zerosum.web.analysis.solutions import solutions

# The most points of a course over time, and the last decisions that each is about.
MOST_POINTS, WINDOW = 12, 60


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
    elif places and places[0] == places[-1]:
        told = f"{upper_first(places[0])}, with ups and downs."
    elif places:
        told = f"At first {places[0]}, lately {places[-1]}."
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
    if strength.like[-1] in LEVELS[:2]:
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
