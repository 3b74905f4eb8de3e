"""What a player can do at a table: pure functions from one table to the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from zerosum.errors import MoveError, OptionError
from zerosum.match import Event, Match
from zerosum.protocol import read_move
from zerosum.text import brief, either
from zerosum.web.refusals import Refused, refused_move, sentence
from zerosum.web.tables.table import WANTS, News, Table
from zerosum.web.tables.telling import ending, spoken_move

DECLINED = {
    "undo": "declined to take the move back",
    "draw": "declined the draw",
    "next": "is not ready for the next game",
    "rematch": "declined the rematch",
}


class Action(NamedTuple):
    """A player's request: its kind and what that kind needs; a move as it was typed."""

    kind: str
    move: str | None = None
    offer: str | None = None
    want: str | None = None


class Step(NamedTuple):
    """The result of an action: the table, new journal events, and a table for a rematch."""

    table: Table
    events: tuple[Event, ...] = ()
    new: Table | None = None


def act(table: Table, who: tuple[int, ...], action: Action, now: float, new_id: str = "") -> Step:
    """Carry out a player's action, or refuse it; `who` are the players they move for."""
    if not who:
        raise Refused("no_seat", "You are watching; only the players can do that.")
    step = ACTIONS.get(action.kind)
    if step is None:
        raise Refused("invalid", f"'{brief(action.kind)}' is not an action.", field="action")
    if table.waiting and action.kind != "coach":
        raise Refused("not_now", "The game begins when your opponent joins.")
    return step(table, _actor(table, who), action, now, new_id)


def _actor(table: Table, who: tuple[int, ...]) -> int:
    """Return who acts: on a shared screen, the player to move."""
    return table.match.mover if len(who) > 1 else who[0]


def move(table: Table, player: int, action: Action, now: float, new_id: str) -> Step:
    """Make a move."""
    match = _running(table)
    if match.mover != player:
        raise Refused("not_your_turn", f"It is {match.players[match.mover]}'s turn.")
    if action.move is None:
        raise Refused("invalid", "The move is missing.", field="move")
    game, state = match.game, match.state
    try:
        chosen = read_move(game, state, action.move)
        after = match.play(chosen)
    except MoveError as error:
        raise refused_move(error, game.moves(state)) from error
    return _happened(table, after, (Event("move", chosen),), now, spoken_move(match, chosen))


def undo(table: Table, player: int, action: Action, now: float, new_id: str) -> Step:
    """Take moves back until it is the asker's turn; between people, both must agree."""
    match = _running(table)
    name = match.players[player]
    asked, count = table.offered("undo"), to_undo(table, player)
    if not count:
        raise Refused("not_now", "You have no move to take back in this game.")
    if table.mode == "friend" and asked in (None, player):
        return _offer(table, "undo", player, f"{name} asks to take a move back.")
    events = (Event("undo"),) * count
    for event in events:
        match = match.apply(event)
    what = "A move was" if count == 1 else f"{count} moves were"
    return _happened(table, match, events, now, f"{what} taken back.")


def draw(table: Table, player: int, action: Action, now: float, new_id: str) -> Step:
    """Offer a draw or agree to one; a bot has already been asked."""
    match = _running(table)
    asked = table.offered("draw")
    if table.mode == "friend" and asked in (None, player):
        return _offer(table, "draw", player, f"{match.players[player]} offers a draw.")
    event = Event("agreement")
    return _happened(table, match.apply(event), (event,), now, "Draw by agreement.")


def resign(table: Table, player: int, action: Action, now: float, new_id: str) -> Step:
    """Resign, on either player's turn."""
    match = _running(table)
    event = Event("resignation" if match.mover == player else "concession")
    return _happened(table, match.apply(event), (event,), now, f"{match.players[player]} resigns.")


def decline(table: Table, player: int, action: Action, now: float, new_id: str) -> Step:
    """Decline the opponent's offer, or withdraw one's own."""
    asked = None if action.offer is None else table.offered(action.offer)
    if action.offer is None or asked is None:
        raise Refused("not_now", "This offer is no longer open.")
    name, left = table.match.players[player], _without(table, action.offer)
    text = "withdrew the offer" if asked == player else DECLINED[action.offer]
    return Step(table.after(f"{name} {text}.", offers=left))


def coach(table: Table, player: int, action: Action, now: float, new_id: str) -> Step:
    """Turn the coach on or off; between people, both must want it."""
    if action.want not in WANTS:
        raise Refused("invalid", f"want must be {either(list(WANTS))}.", field="want")
    want = [action.want, action.want]
    if table.mode == "friend":
        want[1 - player] = table.want[1 - player]
    after = replace(table, want=(want[0], want[1]))
    name = table.match.players[player]
    if after.coach_open and action.want != "off":
        text = "The coach is on."
    elif action.want == "off":
        text = f"{name} plays without the coach."
    else:
        text = f"{name} wants the coach. It turns on when you both agree."
    return Step(table.after(text, want=after.want))


def next_game(table: Table, player: int, action: Action, now: float, new_id: str) -> Step:
    """Begin the next game of a series; between people, when both are ready."""
    match = table.match
    if match.round.end is None:
        raise Refused("not_now", "The game is still being played.")
    if match.over:
        raise Refused("not_now", "The match is over; ask for a rematch.")
    if table.mode == "friend" and table.offered("next") in (None, player):
        text = f"{match.players[player]} is ready for the next game."
        return _offer(table, "next", player, text)
    began = match.next_game()
    text, due = f"Game {began.number} begins.", table.deadline(began, now)
    return Step(table.after(text, match=began, offers=(), due=due))


def rematch(table: Table, player: int, action: Action, now: float, new_id: str) -> Step:
    """Begin a rematch with the first move swapped; between people, when both want it."""
    match = table.match
    if not match.over:
        raise Refused("not_now", "The match is still being played.")
    if table.next is not None:
        raise Refused("not_now", "The rematch has already begun.")
    if table.mode == "friend" and table.offered("rematch") in (None, player):
        return _offer(table, "rematch", player, f"{match.players[player]} wants a rematch.")
    return Step(table.after("A rematch begins.", offers=(), next=new_id), (), again(table, new_id))


def again(table: Table, new_id: str) -> Table:
    """Set up the rematch: the same seats, but the other player begins."""
    match = table.match
    tally = list(table.tally)
    if match.champion is not None:
        tally[match.champion] += 1
    fresh = Match.new(
        match.game,
        match.players,
        1 - match.rounds[0].first,
        match.games,
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
    """Take the open seat."""
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
    text, due = f"{match.players[player]} joined.", table.deadline(match, now)
    return Step(table.after(text, match=match, holders=holders, due=due))


def time_out(table: Table, now: float) -> Step:
    """End the game: the player to move is out of time."""
    event = Event("time")
    text = f"Time is up for {table.match.players[table.match.mover]}."
    return _happened(table, table.match.apply(event), (event,), now, text)


def stuck(table: Table, due: float) -> Table:
    """Announce once that a bot cannot move; it tries again at `due`."""
    name = table.match.players[table.match.mover]
    text = f"{name} cannot find a move right now. You can take back your move, or resign."
    if table.news and table.news[-1].text == text:
        return replace(table, change=table.change + 1, due=due)
    return table.after(text, due=due)


def begun(table: Table, now: float) -> Table:
    """Open a new table."""
    match = table.match
    text = (
        "The game begins." if not table.waiting else f"{match.players[0]} is waiting for a friend."
    )
    ply = sum(len(played.moves) for played in match.rounds)
    table = replace(table, ply=ply, change=1, news=(News(1, ply, text),))
    return table if table.waiting else replace(table, due=table.deadline(match, now))


def _happened(
    table: Table, match: Match[Any], events: tuple[Event, ...], now: float, text: str
) -> Step:
    """Return the table after events of the match; open offers lapse."""
    end = match.round.end
    if end is None:
        match.game.moves(match.state)  # if the rules fail, fail before anything is saved
    elif end.by == "rules":
        text = f"{text} {ending(match)}"
    elif end.winner is not None:
        text = f"{text} {match.players[end.winner]} wins."
    ply, due = table.ply + len(events), table.deadline(match, now)
    return Step(table.after(text, match=match, ply=ply, offers=(), due=due), events)


def _running(table: Table) -> Match[Any]:
    """Return the match if a game is in progress."""
    if table.match.round.end is not None:
        raise Refused("not_now", "The game is over.")
    return table.match


def to_undo(table: Table, player: int) -> int:
    """Count the moves to take back until it is the asker's turn again."""
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
    """Record an offer, once."""
    if table.offered(kind) == player:
        raise Refused("not_now", "You have already asked; wait for the answer.")
    return Step(table.after(text, offers=(*table.offers, (kind, player))))


def _without(table: Table, kind: str) -> tuple[tuple[str, int], ...]:
    """Return the offers without those of a kind."""
    return tuple(offer for offer in table.offers if offer[0] != kind)


def _renamed(match: Match[Any], players: tuple[str, str]) -> Match[Any]:
    """Rename the players before the first move."""
    try:
        return Match.new(
            match.game,
            players,
            match.round.first,
            match.games,
            match.clock,
            match.bots,
            match.seed,
        )
    except OptionError as error:
        raise Refused("invalid", sentence(error.message), field="name") from error
