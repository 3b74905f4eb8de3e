"""What a player can do at a table: pure functions from one table to the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from zerosum.errors import MoveError, OptionError
from zerosum.match import NAMES, Event, Match, check_players
from zerosum.text import brief, either, short
from zerosum.web.analysis.rules import Played, play
from zerosum.web.refusals import Refused, refused_move, sentence
from zerosum.web.tables.table import LAST, WANTS, News, NewsKind, Table, played_move

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
    # What the rules say of the move, where they were asked in another process.
    played: Played | None = None


class Step(NamedTuple):
    """The result of an action: the table, new journal events, and a table for a rematch."""

    table: Table
    events: tuple[Event, ...] = ()
    new: Table | None = None


def act(table: Table, who: tuple[int, ...], action: Action, now: float, new_id: str = "") -> Step:
    """Carry out a player's action, or refuse it; `who` are the players they move for."""
    player = actor(table, who, action)
    return ACTIONS[action.kind](table, player, action, now, new_id)


def actor(table: Table, who: tuple[int, ...], action: Action) -> int:
    """Return who acts, or refuse it: on a shared screen, the player to move."""
    if not who:
        raise Refused("no_seat", "You are watching; only the players can do that.")
    if action.kind not in ACTIONS:
        raise Refused("invalid", f"'{brief(action.kind)}' is not an action.", field="action")
    if table.waiting and action.kind != "coach":
        raise Refused("not_now", "The game begins when your opponent joins.")
    match = table.match
    player = match.mover if len(who) > 1 else who[0]
    if action.kind == "move":
        _running(table)
        if match.mover != player:
            raise Refused("not_your_turn", f"It is {match.players[match.mover]}'s turn.")
        if action.move is None:
            raise Refused("invalid", "The move is missing.", field="move")
    return player


def move(table: Table, player: int, action: Action, now: float, new_id: str) -> Step:
    """Make a move."""
    match, played = table.match, action.played
    if played is None:
        game, state = match.game, match.state
        try:
            played = play(game, state, action.move or "")
        except MoveError as error:
            raise refused_move(error, game.moves(state)) from error
    after = match.played(played.move, played.state, played.outcome)
    text = short(f"{match.players[player]} plays {played.label.named}.")
    last = (*table.last[1 - LAST :], played_move(after, match.ply, played.label))
    shown = {"last": last, "position": played.position}
    events = (Event("move", played.move),)
    return _happened(table, after, events, now, "move", player, text, **shown)


def undo(table: Table, player: int, action: Action, now: float, new_id: str) -> Step:
    """Take moves back until it is the asker's turn; between people, both must agree."""
    match = _running(table)
    name = match.players[player]
    asked, count = table.offered("undo"), to_undo(table, player)
    if not count:
        raise Refused("not_now", "You have no move to take back in this game.")
    if asked == 1 - player and action.kind == "undo":
        # Both have asked at the same time, each for a move of their own.
        raise Refused("not_now", f"{match.players[asked]} asked first. Accept or decline that.")
    if not _agreed(table, "undo", player, action):
        return _offer(table, "undo", player, f"{name} asks to take a move back.")
    events = (Event("undo"),) * count
    for event in events:
        match = match.apply(event)
    what = "A move was" if count == 1 else f"{count} moves were"
    return _happened(table, match, events, now, "undo", player, f"{what} taken back.")


def draw(table: Table, player: int, action: Action, now: float, new_id: str) -> Step:
    """Offer a draw or agree to one; a bot has already been asked."""
    match = _running(table)
    if not _agreed(table, "draw", player, action):
        return _offer(table, "draw", player, f"{match.players[player]} offers a draw.")
    event, text = Event("agreement"), "Draw by agreement."
    return _happened(table, match.apply(event), (event,), now, "draw", player, text)


def resign(table: Table, player: int, action: Action, now: float, new_id: str) -> Step:
    """Resign, on either player's turn."""
    match = _running(table)
    event = Event("resignation" if match.mover == player else "concession")
    text = f"{match.players[player]} resigns."
    return _happened(table, match.apply(event), (event,), now, "resign", player, text)


def accept(table: Table, player: int, action: Action, now: float, new_id: str) -> Step:
    """Accept the opponent's offer."""
    if action.offer is None or table.offered(action.offer) != 1 - player:
        raise Refused("not_now", "This offer is no longer open.")
    return ACTIONS[action.offer](table, player, action, now, new_id)


def decline(table: Table, player: int, action: Action, now: float, new_id: str) -> Step:
    """Decline the opponent's offer, or withdraw one's own."""
    asked = None if action.offer is None else table.offered(action.offer)
    if action.offer is None or asked is None:
        raise Refused("not_now", "This offer is no longer open.")
    name, left = table.match.players[player], _without(table, action.offer)
    text = "withdrew the offer" if asked == player else DECLINED[action.offer]
    return Step(table.after("decline", player, f"{name} {text}.", offers=left))


def coach(table: Table, player: int, action: Action, now: float, new_id: str) -> Step:
    """Turn the coach on or off; between people, both must want it."""
    if action.want not in WANTS:
        raise Refused("invalid", f"want must be {either(list(WANTS))}.", field="want")
    want: list[str] = [action.want, action.want]
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
    return Step(table.after("coach", player, text, want=after.want))


def next_game(table: Table, player: int, action: Action, now: float, new_id: str) -> Step:
    """Begin the next game of a series; between people, when both are ready."""
    match = table.match
    if match.round.end is None:
        raise Refused("not_now", "The game is still being played.")
    if match.over:
        raise Refused("not_now", "The match is over; ask for a rematch.")
    if not _agreed(table, "next", player, action):
        text = f"{match.players[player]} is ready for the next game."
        return _offer(table, "next", player, text)
    began = match.next_game()
    text, due = f"Game {began.number} begins.", table.deadline(began, now)
    return Step(table.after("next", player, text, match=began, offers=(), due=due))


def rematch(table: Table, player: int, action: Action, now: float, new_id: str) -> Step:
    """Begin a rematch with the first move swapped; between people, when both want it."""
    match = table.match
    if not match.over:
        raise Refused("not_now", "The match is still being played.")
    if table.next is not None:
        raise Refused("not_now", "The rematch has already begun.")
    if not _agreed(table, "rematch", player, action):
        return _offer(table, "rematch", player, f"{match.players[player]} wants a rematch.")
    after = table.after("rematch", player, "A rematch begins.", offers=(), next=new_id)
    return Step(after, (), again(table, new_id))


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
    return replace(made, tally=(tally[0], tally[1]), owner=table.owner)


ACTIONS: dict[str, Callable[[Table, int, Action, float, str], Step]] = {
    "move": move,
    "undo": undo,
    "draw": draw,
    "resign": resign,
    "accept": accept,
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
        names = [*match.players]
        names[player] = name
        match = _renamed(match, (names[0], names[1]))
    elif match.players[0].casefold() == match.players[1].casefold():
        match = _renamed(match, NAMES)
    holders = (*table.holders, (digest, (player,)))
    text, due = f"{match.players[player]} joined.", table.deadline(match, now)
    return Step(table.after("join", player, text, match=match, holders=holders, due=due))


def time_out(table: Table, now: float) -> Step:
    """End the game: the player to move is out of time."""
    match, event = table.match, Event("time")
    text = f"Time is up for {match.players[match.mover]}."
    return _happened(table, match.apply(event), (event,), now, "time", match.mover, text)


def stuck(table: Table, due: float) -> Step:
    """Announce once that a bot cannot move; it tries again at `due`."""
    if table.news and table.news[-1].kind == "stuck":
        return Step(replace(table, change=table.change + 1, due=due))
    bot = table.match.mover
    text = (
        f"{table.match.players[bot]} cannot find a move right now. "
        "You can take back your move, or resign."
    )
    return Step(table.after("stuck", bot, text, due=due))


def begun(table: Table, now: float) -> Table:
    """Open a new table."""
    match = table.match
    text = (
        "The game begins." if not table.waiting else f"{match.players[0]} is waiting for a friend."
    )
    ply = sum(len(played.moves) for played in match.rounds)
    table = replace(table, ply=ply, change=1, news=(News(1, ply, text),))
    return table if table.waiting else replace(table, due=table.deadline(match, now))


def ending(match: Match[Any]) -> str:
    """Describe how a game ended."""
    end = match.round.end
    if end is None:
        return ""
    if end.by == "agreement":
        return "Draw by agreement."
    if end.winner is None:
        return f"Draw: {end.reason}."
    return f"{match.players[end.winner]} wins: {end.reason}."


def _happened(
    table: Table,
    match: Match[Any],
    events: tuple[Event, ...],
    now: float,
    kind: NewsKind,
    player: int,
    text: str,
    **shown: Any,
) -> Step:
    """Return the table after events of the match; open offers lapse."""
    end = match.round.end
    if end is not None and end.by == "rules":
        text = f"{text} {ending(match)}"
    elif end is not None and end.winner is not None:
        text = f"{text} {match.players[end.winner]} wins."
    changes = {"match": match, "ply": table.ply + len(events), "offers": ()}
    at, due = match.ply if kind == "move" else None, table.deadline(match, now)
    return Step(table.after(kind, player, text, at, due=due, **changes, **shown), events)


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


def _agreed(table: Table, kind: str, player: int, action: Action) -> bool:
    """Return whether a player is the second to want something; alone, one is enough."""
    return table.mode != "friend" or action.kind == "accept" or table.offered(kind) == 1 - player


def _offer(table: Table, kind: str, player: int, text: str) -> Step:
    """Record an offer, once."""
    if table.offered(kind) == player:
        raise Refused("not_now", "You have already asked; wait for the answer.")
    return Step(table.after("offer", player, text, offers=(*table.offers, (kind, player))))


def _without(table: Table, kind: str) -> tuple[tuple[str, int], ...]:
    """Return the offers without those of a kind."""
    return tuple(offer for offer in table.offers if offer[0] != kind)


def _renamed(match: Match[Any], players: tuple[str, str]) -> Match[Any]:
    """Rename the players before the first move."""
    try:
        check_players(players)
    except OptionError as error:
        raise Refused("invalid", sentence(error.message), field="name") from error
    return replace(match, players=players)
