"""What a player can do at a table: pure steps from one table to the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from zerosum.game import IllegalMove, OptionError, brief, either
from zerosum.match import Event, Match
from zerosum.web.errors import Refused
from zerosum.web.table import WANTS, News, Table
from zerosum.web.telling import ending, spoken_move

MOST_NAMED = 12


class Action(NamedTuple):
    """What a player asks for: a kind, and what that kind needs."""

    kind: str
    move: int | None = None
    offer: str | None = None
    want: str | None = None


class Step(NamedTuple):
    """What an action led to: the table, what the journal gets, and a new table for a rematch."""

    table: Table
    events: tuple[Event, ...] = ()
    new: Table | None = None


def act(table: Table, who: tuple[int, ...], action: Action, now: float, new_id: str = "") -> Step:
    """Do what a player asks for, or refuse it; `who` are the players that they move for."""
    if not who:
        raise Refused("no_seat", "You are watching: only who holds a seat can do that.")
    step = ACTIONS.get(action.kind)
    if step is None:
        raise Refused("invalid", f"There is no action '{brief(action.kind)}'.", field="action")
    if table.waiting and action.kind != "coach":
        raise Refused("not_now", "The other seat is still open: the game begins when it is taken.")
    return step(table, _actor(table, who), action, now, new_id)


def _actor(table: Table, who: tuple[int, ...]) -> int:
    """Tell who acts: at one screen it is the player to move."""
    return table.match.mover if len(who) > 1 else who[0]


def move(table: Table, player: int, action: Action, now: float, new_id: str) -> Step:
    """Make a move."""
    match = _running(table)
    if match.mover != player:
        raise Refused("not_your_turn", f"It is {match.players[match.mover]}'s turn.")
    if action.move is None:
        raise Refused("invalid", "A move needs its number.", field="move")
    event = Event("move", action.move)
    try:
        after = match.play(action.move)
        text = spoken_move(match, action.move)
    except IllegalMove as error:
        raise Refused("illegal_move", str(error), legal=_legal(match)) from error
    return _happened(table, after, (event,), now, text)


def undo(table: Table, player: int, action: Action, now: float, new_id: str) -> Step:
    """Take moves back until it is the turn of who asked; between people by agreement."""
    match = _running(table)
    name = match.players[player]
    asked, count = table.offered("undo"), to_undo(table, player)
    if not count:
        raise Refused("not_now", "There is no move of yours to take back in this game.")
    if table.mode == "friend" and asked in (None, player):
        return _offer(table, "undo", player, f"{name} asks to take a move back.")
    events = (Event("undo"),) * count
    for event in events:
        match = match.apply(event)
    what = "A move is" if count == 1 else f"{count} moves are"
    return _happened(table, match, events, now, f"{what} taken back.")


def draw(table: Table, player: int, action: Action, now: float, new_id: str) -> Step:
    """Offer to call the game off, or agree to it; a program has been asked before this."""
    match = _running(table)
    asked = table.offered("draw")
    if table.mode == "friend" and asked in (None, player):
        return _offer(table, "draw", player, f"{match.players[player]} offers to call it off.")
    event = Event("agreement")
    return _happened(table, match.apply(event), (event,), now, "The game is called off.")


def resign(table: Table, player: int, action: Action, now: float, new_id: str) -> Step:
    """Give the game up, whoever is to move."""
    match = _running(table)
    event = Event("resignation" if match.mover == player else "concession")
    return _happened(table, match.apply(event), (event,), now, f"{match.players[player]} resigns.")


def decline(table: Table, player: int, action: Action, now: float, new_id: str) -> Step:
    """Decline an offer of the other player, or take back one's own."""
    asked = None if action.offer is None else table.offered(action.offer)
    if action.offer is None or asked is None:
        raise Refused("not_now", "There is no such offer any more.")
    name, left = table.match.players[player], _without(table, action.offer)
    text = f"{name} takes the offer back." if asked == player else f"{name} declines."
    return Step(table.after(text, offers=left))


def coach(table: Table, player: int, action: Action, now: float, new_id: str) -> Step:
    """Say whether one wants the coach; between people it needs both."""
    if action.want not in WANTS:
        raise Refused("invalid", f"want is one of {either(list(WANTS))}.", field="want")
    want = [action.want, action.want]
    if table.mode == "friend":
        want[1 - player] = table.want[1 - player]
    after = replace(table, want=(want[0], want[1]))
    name = table.match.players[player]
    if after.coach_open and action.want != "off":
        text = "The coach is there."
    elif action.want == "off":
        text = f"{name} plays without the coach."
    else:
        text = f"{name} would like the coach. It comes when both want it."
    return Step(table.after(text, want=after.want))


def next_game(table: Table, player: int, action: Action, now: float, new_id: str) -> Step:
    """Begin the next game of a series; between people when both are ready."""
    match = table.match
    if match.round.end is None:
        raise Refused("not_now", "The game is still being played.")
    if match.over:
        raise Refused("not_now", "The match is over; a rematch is another one.")
    if table.mode == "friend" and table.offered("next") in (None, player):
        text = f"{match.players[player]} is ready for the next game."
        return _offer(table, "next", player, text)
    began = match.next_game()
    text, due = f"Game {len(began.rounds)} begins.", table.deadline(began, now)
    return Step(table.after(text, match=began, offers=(), due=due))


def rematch(table: Table, player: int, action: Action, now: float, new_id: str) -> Step:
    """Play another match with the first move exchanged; between people when both want it."""
    match = table.match
    if not match.over:
        raise Refused("not_now", "The match is still being played.")
    if table.next is not None:
        raise Refused("not_now", "There is a rematch already.")
    if table.mode == "friend" and table.offered("rematch") in (None, player):
        return _offer(table, "rematch", player, f"{match.players[player]} would like a rematch.")
    return Step(table.after("A rematch begins.", offers=(), next=new_id), (), again(table, new_id))


def again(table: Table, new_id: str) -> Table:
    """Set up the rematch: the same people in the same seats, and the other one begins."""
    match = table.match
    tally = list(table.tally)
    if match.champion is not None:
        tally[match.champion] += 1
    fresh = Match.new(
        match.game,
        match.players,
        1 - match.rounds[0].first,
        match.length,
        match.clock,
        match.bots,
        None if match.seed is None else match.seed + 1,
    )
    want = ("off", "off") if table.mode == "friend" else table.want
    made = Table(new_id, fresh, table.mode, table.holders, table.watch, want)
    return replace(made, tally=(tally[0], tally[1]))


ACTIONS: dict[str, Callable[[Table, int, Action, float, str], Step]] = {
    "move": move,
    "undo": undo,
    "draw": draw,
    "resign": resign,
    "decline": decline,
    "coach": coach,
    "next": next_game,
    "rematch": rematch,
}


def join(table: Table, digest: str, name: str | None, now: float) -> Step:
    """Take the seat that is open."""
    if not table.waiting:
        raise Refused("seat_taken", "Both seats are taken; you can watch.")
    player = table.joined.index(False)
    match = table.match
    if name is not None:
        players = [*match.players]
        players[player] = name
        match = _renamed(match, (players[0], players[1]))
    elif match.players[0].casefold() == match.players[1].casefold():
        match = _renamed(match, ("Player 1", "Player 2"))
    holders = (*table.holders, (digest, (player,)))
    text, due = f"{match.players[player]} joins.", table.deadline(match, now)
    return Step(table.after(text, match=match, holders=holders, due=due))


def time_out(table: Table, now: float) -> Step:
    """Let the player to move lose on time."""
    event = Event("time")
    text = f"Time is up for {table.match.players[table.match.mover]}."
    return _happened(table, table.match.apply(event), (event,), now, text)


def stuck(table: Table, due: float) -> Table:
    """Tell those who wait, once, that a program finds no move; and when it tries again."""
    name = table.match.players[table.match.mover]
    text = f"{name} cannot find a move just now. You can take your move back, or resign."
    if table.news and table.news[-1].text == text:
        return replace(table, change=table.change + 1, due=due)
    return table.after(text, due=due)


def begun(table: Table, now: float) -> Table:
    """Open a table that has just been set up."""
    match = table.match
    text = "The game begins." if not table.waiting else f"{match.players[0]} waits for a friend."
    ply = sum(len(played.moves) for played in match.rounds)
    table = replace(table, ply=ply, change=1, news=(News(1, ply, text),))
    return table if table.waiting else replace(table, due=table.deadline(match, now))


def _happened(table: Table, match: Match, events: tuple[Event, ...], now: float, text: str) -> Step:
    """Give the table after events of the match; offers are about the position before."""
    end = match.round.end
    if end is None:
        match.game.moves(match.state)  # rules that fail here would fail for everybody afterwards
    elif end.winner is not None:
        wins = ending(match) if end.by == "rules" else f"{match.players[end.winner]} wins."
        text = f"{text} {wins}"
    ply, due = table.ply + len(events), table.deadline(match, now)
    return Step(table.after(text, match=match, ply=ply, offers=(), due=due), events)


def _running(table: Table) -> Match:
    """Give the match, if a game is being played in it."""
    if table.match.round.end is not None:
        raise Refused("not_now", "The game is over.")
    return table.match


def to_undo(table: Table, player: int) -> int:
    """Count the moves to take back until who asks, or who asked before, has their choice again."""
    match = table.match
    if table.mode == "here":
        return min(1, match.ply)
    asked, played = table.offered("undo"), match.round
    player = player if asked is None else asked
    for count in range(1, match.ply + 1):
        if played.player(played.states[-1 - count].player) == player:
            return count
    return 0


def _offer(table: Table, kind: str, player: int, text: str) -> Step:
    """Put an offer down, once."""
    if table.offered(kind) == player:
        raise Refused("not_now", "You have asked already; the other player has to answer.")
    return Step(table.after(text, offers=(*table.offers, (kind, player))))


def _without(table: Table, kind: str) -> tuple[tuple[str, int], ...]:
    """Give the offers without those of a kind."""
    return tuple(one for one in table.offers if one[0] != kind)


def _renamed(match: Match, players: tuple[str, str]) -> Match:
    """Give the players other names before the first move."""
    try:
        return Match.new(
            match.game,
            players,
            match.rounds[0].first,
            match.length,
            match.clock,
            match.bots,
            match.seed,
        )
    except OptionError as error:
        raise Refused("invalid", f"{error.message.capitalize()}.", field="name") from error


def _legal(match: Match) -> list[str]:
    """Name some legal moves."""
    return [str(one) for one in match.game.moves(match.state)[:MOST_NAMED]]
