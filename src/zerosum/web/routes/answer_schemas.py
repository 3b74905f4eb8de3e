"""The answers of the API, from which OpenAPI describes them; later versions may add keys.

The documents are made where what they show is known, in `tables.view` and `analysis`; a test
holds them against these definitions.
"""

# mypy: disable-error-code="valid-type"
from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType, defstruct
from starlette.responses import Response

from zerosum.coach.puzzles import Grade
from zerosum.coach.verdicts import Verdict
from zerosum.match import Ending
from zerosum.options import OptionKind
from zerosum.players.levels import Level
from zerosum.protocol import Result
from zerosum.web.refusals import STATUS
from zerosum.web.routes.request_schemas import JSON, Offer
from zerosum.web.tables.table import Mode, NewsKind, Want


def answer(document: Any, status: int = 200) -> Response:
    """Answer with a document."""
    return Response(msgspec.json.encode(document), status, media_type=JSON)


def document(name: str, /, **keys: Any) -> Any:
    """Define a document by the types of its keys; those in a tuple may be missing."""
    fields = [
        (key, kind[0] | UnsetType, UNSET) if isinstance(kind, tuple) else (key, kind)
        for key, kind in keys.items()
    ]
    return defstruct(name, fields, forbid_unknown_fields=True, kw_only=True)


Player = Literal[0, 1]
Points = Annotated[float, Meta(ge=0, multiple_of=0.5)]

Field = document("Field", name=str, title=str, value=str, kind=Literal["number", "lives"])
Cell = document("Cell", text=str, moves=list[str])
Board = document("Board", rows=list[list[Cell]])
Mark = document("Mark", text=str, low=int | None, high=int | None, kind=Literal["goal", "cost"])
Target = document("Target", move=str, number=int, step=str)
Line = document(
    "Line",
    name=str,
    title=str,
    player=Player | None,
    value=int,
    low=int,
    high=int,
    marks=list[Mark],
    targets=list[Target],
)
SHOWN = {
    "state": str,
    "position": str,
    "fields": list[Field],
    "player_fields": list[list[Field]],
    "board": Board | None,
    "lines": list[Line],
    "mover": Player,
}

Option = document(
    "Option",
    name=str,
    title=str,
    help=str,
    kind=OptionKind,
    default=str,
    least=int | None,
    most=int | None,
    choices=list[str],
)
Game = document("Game", name=str, title=str, summary=str, options=list[Option])
Games = document("Games", games=list[Game])
Health = document("Health", status=Literal["ok"])
Failing = document("Failing", status=Literal["failing"], problems=list[str])

Variant = document("Variant", name=str, title=str, options=dict[str, str], variant=str)
Seat = document(
    "Seat",
    name=str,
    bot=Level | None,
    program=bool,
    joined=bool,
    seat=Player,
    score=Points,
    tally=int,
    fields=list[Field],
)
Turn = document("Turn", player=Player, yours=bool, text=str, prompt=str)
Effect = document("Effect", name=str, player=Player | None, value=str)
Choice = document(
    "Choice",
    move=str,
    label=str | None,
    button=str,
    legal=bool,
    why=str | None,
    changes=list[Effect],
)
Played = document("Played", ply=int, player=Player, move=str, text=str, said=str)
News = document(
    "News", change=int, ply=int, text=str, kind=NewsKind, player=Player | None, move=int | None
)
Clock = document("Clock", seconds=float, left=float | None)
Series = document("Series", games=int, game=int, score=list[Points])
Ended = document(
    "Ended",
    by=Ending | Literal["declined"],
    winner=Player | None,
    text=str,
    reason=str,
    goal=int | None,
)
Offered = document("Offered", kind=Offer, player=Player, text=str)
Control = document(
    "Control", action=str, text=str, open=bool, href=str | None, primary=bool, offer=(Offer,)
)
Told = document("Told", text=str, answers=list[Control])
# What the page says to this visitor.
Captions = document(
    "Captions",
    turn=str,
    title=str,
    reason=str,
    share=str,
    tags=list[list[str]],
    scores=list[str],
    tools=list[Control],
    onward=list[Control],
    offers=list[Told],
)
Agreed = document("Agreed", want=list[Want], open=bool, yours=Want)
Table = document(
    "Table",
    format=Literal["zerosum-table"],
    version=Literal[1],
    id=str,
    change=int,
    ply=int,
    game=Variant,
    mode=Mode,
    watch=bool,
    you=list[Player],
    watching=bool,
    waiting=bool,
    players=Annotated[list[Seat], Meta(min_length=2, max_length=2)],
    goal=str,
    fields=list[Field],
    board=Board | None,
    lines=list[Line],
    turn=Turn | None,
    moves=list[Choice],
    more=int,
    digits=bool,
    last=list[Played],
    news=list[News],
    clock=Clock | None,
    series=Series,
    ended=Ended | None,
    over=bool,
    reviewable=list[int],
    offers=list[Offered],
    can=list[str],
    coach=Agreed,
    captions=Captions,
    link=str,
    ticket=str,
    next=str | None,
)
# What a list of matches has of each table.
Listed = document(
    "Listed",
    id=str,
    link=str,
    game=Variant,
    mode=Mode,
    you=list[Player],
    players=list[Seat],
    waiting=bool,
    turn=Turn | None,
    ended=Ended | None,
    over=bool,
    can=list[str],
)
Matches = document("Matches", matches=list[Listed], before=str | None)
Person = document("Person", token=str, name=str, bot=bool)
OpenTo = document("OpenTo", name=str, games=list[str])
Bots = document("Bots", bots=list[OpenTo])
Refusal = document(
    "Refusal",
    code=Literal[tuple(STATUS)],
    message=str,
    field=(str,),
    legal=(list[str],),
    ply=(int,),
    retry=(int,),
    state=(Table,),
)
Error = document("Error", error=Refusal)

Unknown = document("Unknown", exact=bool, reason=str)
Value = document("Value", result=Result, plies=int | None, endless=bool | None, glyph=str, text=str)
JUDGED = {"move": str, "word": str, "value": Value | None, "verdict": Verdict | None}
Judged = document("Judged", **JUDGED, chance=str | None)
# A value that is None is unknown; `reason` says why not everything is exact.
STANDING = {"exact": bool, "reason": str, "standing": str, "why": list[str]}
Advice = document(
    "Advice", ply=int, **STANDING, value=Value | None, hint=str, moves=list[Judged], more=int
)
Reviewed = document(
    "Reviewed",
    ply=int,
    **SHOWN,
    over=bool,
    move=str | None,
    label=str | None,
    value=Value | None,
    move_value=Value | None,
    best_value=Value | None,
    verdict=Verdict | None,
    word=str,
    glyph=str,
    best=list[str],
    reason=str,
)
Moment = document("Moment", ply=int, text=str)
SeriesMoment = document("SeriesMoment", game=int, ply=int, text=str)
SeriesGame = document("SeriesGame", game=int, text=str)
SeriesReview = document(
    "SeriesReview",
    accuracy=list[str],
    moments=list[SeriesMoment],
    games=list[SeriesGame],
)
Review = document(
    "Review",
    exact=bool,
    exact_from=int | None,
    reason=str,
    game=int,
    names=list[str],
    svg=str,
    text=list[str],
    turning_point=int | None,
    no_turn=str,
    plies=list[Reviewed],
    decisions=list[list[int]],
    accuracy=list[str],
    moments=list[Moment],
    series=SeriesReview | None,
)
Reached = document(
    "Reached",
    **JUDGED,
    label=str,
    button=str,
    to=str,
)
Position = document(
    "Position",
    **SHOWN,
    **STANDING,
    value=Value | None,
    note=str | None,
    over=str | None,
    moves=list[Reached],
    more=int,
    refused=list[str],
)
# A game whose values are unknown is told all the same.
Unreviewed = document(
    "Unreviewed", exact=bool, reason=str, game=int, names=list[str], plies=list[Reviewed]
)
Theory = document(
    "Theory",
    exact=bool,
    reason=(str,),
    theory=str,
    law=str,
    text=list[str],
    value=Value | None,
)
Candidate = document("Candidate", move=str, label=str, button=str)
Puzzle = document(
    "Puzzle",
    id=str,
    date=str | None,
    game=str,
    title=str,
    options=dict[str, str],
    variant=str,
    goal=str,
    grade=Grade,
    missed=dict[Level, float],
    **SHOWN,
    task=str,
    digits=bool,
    moves=list[Candidate],
    count=int | None,
    left=int | None,
)
Exhausted = document("Exhausted", none=str)
Asked = document("Asked", **SHOWN, moves=list[Candidate])
AnswerStep = document("AnswerStep", move=str, player=Player, text=str, over=bool, shown=Asked)
Answer = document(
    "Answer",
    right=bool,
    solved=bool,
    answer=str | None,
    value=Value,
    text=str,
    why=list[str],
    steps=list[AnswerStep],
)
