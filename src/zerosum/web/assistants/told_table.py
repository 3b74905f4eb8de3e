"""A table for those who have no page: as a structure, and in a few lines."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Struct

from zerosum.documents import described
from zerosum.errors import MatchError
from zerosum.web.answers import Player, TableView
from zerosum.web.client import ended_text, position_lines

MatchResult = Literal["won", "lost", "draw"]


class LegalMove(Struct, frozen=True):
    """A legal move as it is typed, and what it does."""

    move: str
    does: str


class MatchAnswer(Struct, frozen=True, kw_only=True):
    """A match as it is now."""

    match: Annotated[str, described("names the match: an id, or the link of a table")]
    game: str
    players: tuple[str, str]
    you: Annotated[Player, described("which of the players you are")]
    ply: int
    position: str
    state: Annotated[str, described("the position as JSON, as the rules have it")]
    legal: Annotated[list[str], described("moves of whoever is to move; all, unless more is true")]
    more: Annotated[bool, described("whether more moves are legal than are listed")]
    moves: Annotated[list[LegalMove], described("what the moves do, if they are few")]
    played: list[str]
    said: Annotated[list[str], described("the last two moves in words")]
    your_turn: bool
    waiting: Annotated[bool, described("whether the other seat is still free")]
    offers: Annotated[list[str], described("what the other player offers you")]
    over: bool
    result: Annotated[MatchResult | None, described("for you, at the end")]
    reason: Annotated[str, described("how the game ended; empty before")]
    next: Annotated[str, described("the link of the rematch, if there is one")]


def told_table(table: TableView) -> MatchAnswer:
    """Tell how a match stands, by its table: one of ours, or one of a server.

    Only the latter has an address in its link.
    """
    if not table.you:
        raise MatchError("You have no seat at this table; 'join' takes a free one.")
    remote, names = table.link.startswith("http"), table.captions.names
    seats = zip(names, (player.fields for player in table.players), strict=True)
    me = table.you[0]
    mine, theirs = table.series.score[me], table.series.score[1 - me]
    return MatchAnswer(
        match=table.link if remote else table.id,
        game=table.game.name,
        players=names,
        you=me,
        ply=table.ply,
        position="\n".join(position_lines(table.fields, table.board, seats)),
        state=table.state,
        legal=table.legal,
        more=table.more > 0,
        moves=[LegalMove(shown.move, shown.label or "") for shown in table.moves if shown.legal],
        played=list(table.played),
        said=[move.said for move in table.last[-2:]],
        your_turn=table.turn is not None and table.turn.yours and not table.waiting,
        waiting=table.waiting,
        offers=[offer.text for offer in table.offers if offer.player != me],
        over=table.over,
        result=_result(mine - theirs) if table.over else None,
        reason=ended_text(table) if table.ended else "",
        next=(table.next and f"{table.link.removesuffix(f'/m/{table.id}')}{table.next}") or "",
    )


def text_of_match(found: MatchAnswer) -> str:
    """Say in a few lines what happened, how it stands, and what is legal."""
    lines = [f"Match {found.match}, ply {found.ply}.", *found.said, found.position]
    if found.over:
        lines.append(f"The match is over. {found.reason}")
    elif found.waiting:
        lines.append("Nobody has taken the other seat yet: give a person this link.")
    elif found.reason:
        lines.append(f"This game is over. {found.reason} The next one begins when both are ready.")
    else:
        whose = "Your" if found.your_turn else f"{found.players[1 - found.you]}'s"
        lines.append(f"{whose} move. Legal: {', '.join(found.legal)}{' …' * found.more}")
    return "\n".join([*lines, *found.offers])


def _result(ahead: float) -> MatchResult:
    """Return who has won, by how many points one is ahead."""
    return "draw" if not ahead else "won" if ahead > 0 else "lost"
