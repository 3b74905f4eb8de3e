"""What a player can do at a table: pure functions from one table to the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from typing import Any, NamedTuple

from zerosum.errors import OptionError
from zerosum.match import NAMES, Event, Match, check_players
from zerosum.text import short
from zerosum.web.analysis.rules import Played, play
from zerosum.web.refusals import Refused, sentence
from zerosum.web.tables.table import LAST, News, NewsKind, Table, played_move

# What is said of those who ask for something that needs both players, and who decline it.
OFFERS = {
    "undo": ("asks to take a move back", "declined to take the move back"),
    "draw": ("offers a draw", "declined the draw"),
    "next": ("is ready for the next game", "is not ready for the next game"),
    "rematch": ("wants a rematch", "declined the rematch"),
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


class Turn(NamedTuple):
    """A player who acts at a table; a rematch would have the id `new_id`."""

    table: Table
    player: int
    action: Action
    now: float
    new_id: str = ""

    @property
    def name(self) -> str:
        """The name of the player."""
        return self.table.match.players[self.player]


def act(table: Table, who: tuple[int, ...], action: Action, now: float, new_id: str = "") -> Step:
    """Carry out a player's action, or refuse it; `who` are the players they move for."""
    return ACTIONS[action.kind](Turn(table, actor(table, who, action), action, now, new_id))


def actor(table: Table, who: tuple[int, ...], action: Action) -> int:
    """Return who acts, or refuse it: on a shared screen, the player to move."""
    if not who:
        raise Refused("no_seat", "You are watching; only the players can do that.")
    if table.waiting and action.kind != "coach":
        raise Refused("not_now", "The game begins when your opponent joins.")
    match = table.match
    if match.round.end is not None and action.kind in ("move", "undo", "draw", "resign"):
        raise Refused("not_now", "The game is over.")
    player = match.mover if len(who) > 1 else who[0]
    if action.kind == "move" and match.mover != player:
        raise Refused("not_your_turn", f"It is {match.players[match.mover]}'s turn.")
    return player


def move(turn: Turn) -> Step:
    """Make a move."""
    table, match, action = turn.table, turn.table.match, turn.action
    played = action.played or play(match.game, match.state, action.move or "")
    after = match.played(played.move, played.state, played.outcome)
    text = short(f"{turn.name} plays {played.label.named}.")
    changes = {
        "match": after,
        "last": (*table.last[1 - LAST :], played_move(after, match.ply, played.label)),
        "position": played.position,
        "move": after.ply,
    }
    return _happened(turn, "move", text, Event("move", played.move), **changes)


def undo(turn: Turn) -> Step:
    """Take moves back until it is the asker's turn; between people, both must agree."""
    table, other = turn.table, 1 - turn.player
    count = to_undo(table, turn.player)
    if not count:
        raise Refused("not_now", "You have no move to take back in this game.")
    if turn.action.kind == "undo" and table.offered("undo") == other:
        # Both have asked at the same time, each for a move of their own.
        first = table.match.players[other]
        raise Refused("not_now", f"{first} asked first. Accept or decline that.")
    text = "A move was taken back." if count == 1 else f"{count} moves were taken back."
    return _offer(turn, "undo") or _happened(turn, "undo", text, *[Event("undo")] * count)


def draw(turn: Turn) -> Step:
    """Offer a draw or agree to one; a bot has already been asked."""
    text, event = "Draw by agreement.", Event("agreement")
    return _offer(turn, "draw") or _happened(turn, "draw", text, event)


def resign(turn: Turn) -> Step:
    """Resign, on either player's turn."""
    mine = turn.table.match.mover == turn.player
    event = Event("resignation" if mine else "concession")
    return _happened(turn, "resign", f"{turn.name} resigns.", event)


def accept(turn: Turn) -> Step:
    """Accept the opponent's offer."""
    kind = turn.action.offer or ""
    if turn.table.offered(kind) != 1 - turn.player:
        raise Refused("not_now", "This offer is no longer open.")
    return ACTIONS[kind](turn)


def decline(turn: Turn) -> Step:
    """Decline the opponent's offer, or withdraw one's own."""
    table, kind = turn.table, turn.action.offer or ""
    asked = table.offered(kind)
    if asked is None:
        raise Refused("not_now", "This offer is no longer open.")
    left = tuple(offer for offer in table.offers if offer[0] != kind)
    what = "withdrew the offer" if asked == turn.player else OFFERS[kind][1]
    return Step(table.after("decline", turn.player, f"{turn.name} {what}.", offers=left))


def coach(turn: Turn) -> Step:
    """Turn the coach on or off; between people, both must want it."""
    table, player, want = turn.table, turn.player, turn.action.want or "off"
    others = table.want[1 - player] if table.mode == "friend" else want
    wants = (others, want) if player else (want, others)
    if want == "off":
        text = f"{turn.name} plays without the coach."
    elif replace(table, want=wants).coach_open:
        text = "The coach is on."
    else:
        text = f"{turn.name} wants the coach. It turns on when you both agree."
    return Step(table.after("coach", player, text, want=wants))


def next_game(turn: Turn) -> Step:
    """Begin the next game of a series; between people, when both are ready."""
    table, match = turn.table, turn.table.match
    if match.round.end is None:
        raise Refused("not_now", "The game is still being played.")
    if match.over:
        raise Refused("not_now", "The match is over; ask for a rematch.")
    if (offer := _offer(turn, "next")) is not None:
        return offer
    began = match.next_game()
    text, due = f"Game {began.number} begins.", table.deadline(began, turn.now)
    return Step(table.after("next", turn.player, text, match=began, offers=(), due=due))


def rematch(turn: Turn) -> Step:
    """Begin a rematch with the first move swapped; between people, when both want it."""
    table = turn.table
    if not table.match.over:
        raise Refused("not_now", "The match is still being played.")
    if table.next is not None:
        raise Refused("not_now", "The rematch has already begun.")
    changes: dict[str, Any] = {"offers": (), "next": turn.new_id}
    after = table.after("rematch", turn.player, "A rematch begins.", **changes)
    return _offer(turn, "rematch") or Step(after, (), again(table, turn.new_id))


def again(table: Table, new_id: str) -> Table:
    """Set up the rematch: the same seats, but the other player begins."""
    match, want = table.match, ("off", "off") if table.mode == "friend" else table.want
    first, seed = 1 - match.rounds[0].first, None if match.seed is None else match.seed + 1
    terms = (match.players, first, match.games, match.clock, match.bots, seed)
    fresh = Match.new(match.game, *terms, initial=match.rounds[0].states[0])
    ada, bob = table.tally
    tally = (ada + (match.champion == 0), bob + (match.champion == 1))
    seats = (table.mode, table.holders, table.watch)
    return Table(new_id, fresh, *seats, want, tally=tally, owner=table.owner)


ACTIONS: dict[str, Callable[[Turn], Step]] = {
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
    if table.players_of(digest):
        raise Refused("seat_taken", "You already have a seat in this match.")
    if not table.waiting:
        raise Refused("seat_taken", "Both seats are taken; you can watch.")
    match, player = table.match, table.joined.index(False)
    ada, bob = match.players
    if name is not None:
        ada, bob = (ada, name) if player else (name, bob)
    elif ada.casefold() == bob.casefold():
        ada, bob = NAMES
    try:
        check_players((ada, bob))
    except OptionError as error:
        raise Refused("invalid", sentence(error.message), field="name") from error
    match = replace(match, players=(ada, bob))
    holders = (*table.holders, (digest, (player,)))
    text, due = f"{match.players[player]} joined.", table.deadline(match, now)
    return Step(table.after("join", player, text, match=match, holders=holders, due=due))


def time_out(table: Table, now: float) -> Step:
    """End the game: the player to move is out of time."""
    turn = Turn(table, table.match.mover, Action("time"), now)
    return _happened(turn, "time", f"Time is up for {turn.name}.", Event("time"))


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
    text, due = "The game begins.", table.deadline(match, now)
    if table.waiting:
        text, due = f"{match.players[0]} is waiting for a friend.", None
    ply = sum(len(played.moves) for played in match.rounds)
    return replace(table, ply=ply, change=1, news=(News(1, ply, text),), due=due)


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


def _happened(turn: Turn, kind: NewsKind, text: str, *events: Event, **changes: Any) -> Step:
    """Return the table after events of its match; open offers lapse."""
    table = turn.table
    match = changes.pop("match", None) or reduce(Match.apply, events, table.match)
    end = match.round.end
    if end is not None and end.by == "rules":
        text = f"{text} {ending(match)}"
    elif end is not None and end.winner is not None:
        text = f"{text} {match.players[end.winner]} wins."
    changes |= {"match": match, "ply": table.ply + len(events), "offers": ()}
    changes["due"] = table.deadline(match, turn.now)
    return Step(table.after(kind, turn.player, text, **changes), events)


def _offer(turn: Turn, kind: str) -> Step | None:
    """Offer something, once; nothing if the other player has, or need not be asked."""
    table, player = turn.table, turn.player
    asked = table.offered(kind)
    if table.mode != "friend" or asked == 1 - player:
        return None
    if asked == player:
        raise Refused("not_now", "You have already asked; wait for the answer.")
    text, offers = f"{turn.name} {OFFERS[kind][0]}.", (*table.offers, (kind, player))
    return Step(table.after("offer", player, text, offers=offers))
