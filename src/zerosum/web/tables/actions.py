"""What a player can do at a table: pure functions from one table to the next."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import lru_cache, reduce
from typing import Annotated, Any, NamedTuple

from msgspec import Meta
from msgspec.structs import replace

from zerosum.errors import OptionError
from zerosum.match import Event, Match, check_players
from zerosum.players.autoplay import NOTICED_REPEATS, REPEATS, is_endless, repeats, repetition
from zerosum.web.analysis.referee import PLAYERS, MoveResult, play
from zerosum.web.answers import NewsKind, OfferKind, Want
from zerosum.web.refusals import Refused, sentence
from zerosum.web.tables.table import (
    LAST_MOVES,
    LiveTable,
    News,
    addressed,
    deadline,
    misleads,
    played_move,
)

DECLINED = "The invitation was declined."
# Players are told when a position has come up this often, not every time.
WARNED = (NOTICED_REPEATS, REPEATS - 1)
Typed = Annotated[
    int | str,
    Meta(description="text or a whole number, as a player types it", examples=["1", "b2"]),
]
Reason = tuple[str, str]  # the code and the sentence of a refusal


class Action(NamedTuple):
    """A player's request: its kind and what that kind needs; a move as it was typed."""

    kind: str
    move: str | None = None
    offer: str | None = None
    want: Want | None = None
    # What the rules say about the move, if they were asked in another process.
    played: MoveResult | None = None


class Transition(NamedTuple):
    """The result of an action: the table, new journal events, and a table for a rematch."""

    table: LiveTable
    events: tuple[Event, ...] = ()
    new: LiveTable | None = None


class Turn(NamedTuple):
    """A player who acts at a table; a rematch would have the id `new_id`."""

    table: LiveTable
    player: int
    action: Action
    now: float
    new_id: str = ""

    @property
    def name(self) -> str:
        """The player's place in a sentence."""
        return PLAYERS[self.player]


def act(
    table: LiveTable, who: tuple[int, ...], action: Action, now: float, new_id: str = ""
) -> Transition:
    """Carry out a player's action, or refuse it; `who` are the players they move for."""
    if action.played is None:  # else it was checked before its rules were asked
        check(table, who, action)
    player = table.match.mover if len(who) > 1 else who[0]
    declared = ACTIONS[action.kind]
    effect = declared.effect if declared.agreement is None else offer
    return effect(Turn(table, player, action, now, new_id))


def check(table: LiveTable, who: tuple[int, ...], action: Action) -> None:
    """Refuse what a player cannot do now, but for what the rules say about a move."""
    reason = objection(situation(table, who), action.kind, action.offer)
    if reason is not None:
        raise Refused(*reason)


class Situation(NamedTuple):
    """What decides what a visitor can do at a table: they move for `who`."""

    who: tuple[int, ...]
    called: tuple[str, str]
    mover: int
    mode: str
    declined: bool
    waiting: bool
    over: bool  # the game
    finished: bool  # the match
    rematched: bool
    public: bool
    undoable: bool
    offers: tuple[tuple[str, int], ...]
    asker: int | None = None  # who offers what is to be done


def situation(table: LiveTable, who: tuple[int, ...]) -> Situation:
    """Return what decides what a visitor can do."""
    match = table.match
    return Situation(
        who=who,
        called=table.called(who),
        mover=match.mover,
        mode=table.mode,
        declined=table.declined,
        waiting=table.waiting,
        over=match.round.end is not None,
        finished=match.over,
        rematched=table.next is not None,
        public=table.watch or table.public,
        undoable=bool(who) and to_undo(table, who[0]) > 0,
        offers=table.offers,
    )


@lru_cache(maxsize=4096)
def possible(now: Situation) -> tuple[str, ...]:
    """List the actions open to a visitor."""
    can = [kind for kind in ACTIONS if objection(now, kind) is None]
    for kind, _ in now.offers:
        answers = ("accept", "decline")
        can += [answer for answer in answers if objection(now, answer, kind) is None]
    return tuple(can)


def objection(now: Situation, kind: str, offer: str | None = None) -> Reason | None:
    """Return the code and the sentence with which an action is refused, if it is."""
    declared = ACTIONS[kind]
    if not now.who:
        return "no_seat", "You are watching; only the players can do that."
    if now.declined:
        return "not_now", DECLINED
    if now.waiting and not declared.early:
        return "not_now", "The game begins when your opponent joins."
    for known, player in now.offers:
        if known == (offer or kind):
            now = now._replace(asker=player)
    for check in declared.checks:
        if check.fails(now):
            text = check.text.format(mover=PLAYERS[now.mover], asker=PLAYERS[now.asker or 0])
            return check.code, addressed(text, now.called)
    if declared.agreement is not None and now.asker in now.who:
        return "not_now", "You have already asked; wait for the answer."
    return None


def move(turn: Turn) -> Transition:
    """Make a move."""
    table, match, action = turn.table, turn.table.match, turn.action
    played = action.played or play(match.game, match.state, action.move or "")
    after = match.played(played.move, played.state, played.outcome)
    text, events = f"{turn.name}{played.label.told}", [Event("move", played.move)]
    if is_endless(after):
        after = after.endless()
        events.append(Event("endless"))
    changes = {
        "match": after,
        "played": (*table.played, str(played.move)),
        "last": (*table.last[1 - LAST_MOVES :], played_move(after, match.ply, played.label)),
        "scene": played.scene,
        "move": after.ply,
    }
    step = _happened(turn, "move", text, *events, **changes)
    warned = table.mode == "bot" and after.round.end is None and repeats(after) in WARNED
    warning = repetition(after) if warned else ""
    return step._replace(table=step.table.with_news("repetition", warning)) if warning else step


def resign(turn: Turn) -> Transition:
    """Resign, on either player's turn."""
    mine = turn.table.match.mover == turn.player
    event = Event("resignation" if mine else "concession")
    return _happened(turn, "resign", f"{turn.name} resigns.", event)


def coach(turn: Turn) -> Transition:
    """Turn the coach on or off; between people, both must want it."""
    table, player = turn.table, turn.player
    want: Want = turn.action.want or "off"
    others = table.want[1 - player] if table.mode == "friend" else want
    wants = (others, want) if player else (want, others)
    if want == "off":
        text = f"{turn.name} turned the coach off."
    elif replace(table, want=wants).coach_open:
        text = "The coach is on."
    else:
        text = f"{turn.name} wants the coach. It turns on when you both agree."
    return Transition(table.after("coach", player, text, want=wants))


def undo(turn: Turn) -> Transition:
    """Take moves back until it is the asker's turn."""
    count = to_undo(turn.table, turn.player)
    text = "A move was taken back." if count == 1 else f"{count} moves were taken back."
    return _happened(turn, "undo", text, *[Event("undo")] * count)


def draw(turn: Turn) -> Transition:
    """Agree to a draw."""
    return _happened(turn, "draw", "Draw by agreement.", Event("agreement"))


def next_game(turn: Turn) -> Transition:
    """Begin the next game of a series."""
    match = turn.table.match.next_game()
    text, due = f"Game {match.number} begins.", deadline(match, turn.now)
    return Transition(turn.table.after("next", turn.player, text, match=match, offers=(), due=due))


def rematch(turn: Turn) -> Transition:
    """Begin a rematch: the same seats, but the other player begins."""
    table, match = turn.table, turn.table.match
    first, seed = 1 - match.rounds[0].first, None if match.seed is None else match.seed + 1
    terms = (match.players, first, match.games, match.clock, match.bots, seed)
    again = Match.new(match.game, *terms, initial=match.rounds[0].states[0])
    ada, bob = table.tally
    tally = (ada + (match.champion == 0), bob + (match.champion == 1))
    want: tuple[Want, Want] = ("off", "off") if table.mode == "friend" else table.want
    seats = (table.mode, table.holders, table.watch, want)
    new = LiveTable(*seats, id=turn.new_id, match=again, tally=tally, owner=table.owner)
    new = replace(new, programs=table.programs)
    changes: dict[str, Any] = {"offers": (), "next": new.id}
    return Transition(table.after("rematch", turn.player, "A rematch begins.", **changes), (), new)


def publish(turn: Turn) -> Transition:
    """Let anyone with the link see a finished match; its rematch stays private."""
    return Transition(
        turn.table.after("publish", turn.player, "This match is public now.", public=True)
    )


def asking(player: int, kind: str) -> str:
    """Say what somebody offers the other player.

    >>> asking(0, "draw")
    '{0} offers a draw.'
    """
    return f"{PLAYERS[player]} {AGREEMENTS[kind].asked}."


def offer(turn: Turn) -> Transition:
    """Offer something; it happens if the other player has, or need not be asked."""
    table, player, kind = turn.table, turn.player, turn.action.kind
    if table.mode != "friend" or table.offered(kind) is not None:
        return ACTIONS[kind].effect(turn)
    text, offers = asking(player, kind), (*table.offers, (kind, player))
    return Transition(table.after("offer", player, text, offers=offers))


def accept(turn: Turn) -> Transition:
    """Accept the opponent's offer."""
    return ACTIONS[turn.action.offer or ""].effect(turn)


def decline(turn: Turn) -> Transition:
    """Decline the opponent's offer, or withdraw one's own."""
    table, kind = turn.table, turn.action.offer or ""
    left = tuple(offer for offer in table.offers if offer[0] != kind)
    mine = table.offered(kind) == turn.player
    what = "withdrew the offer" if mine else AGREEMENTS[kind].declined
    return Transition(table.after("decline", turn.player, f"{turn.name} {what}.", offers=left))


class Check(NamedTuple):
    """When an action is refused, and what is said then."""

    fails: Callable[[Situation], bool]
    text: str
    code: str = "not_now"


class Agreement(NamedTuple):
    """The sentences about what needs both players, and the button that agrees."""

    asked: str
    mine: str
    declined: str
    yes: str


class DeclaredAction(NamedTuple):
    """A kind of action: what it does in words, its effect, when it is refused, and what it needs.

    The parser of requests, their description, and what is open to a visitor come from here.
    """

    about: str
    effect: Callable[[Turn], Transition]
    checks: tuple[Check, ...] = ()
    agreement: Agreement | None = None
    early: bool = False  # also before the opponent has joined
    fields: dict[str, Any] = {}  # noqa: RUF012


OVER = Check(lambda now: now.over, "The game is over.")
CLOSED = "That offer is no longer open."
ACTIONS = {
    "move": DeclaredAction(
        "Make a move.",
        move,
        (
            OVER,
            Check(lambda now: now.mover not in now.who, "It is {mover}'s turn.", "not_your_turn"),
        ),
        fields={"move": Typed},
    ),
    "undo": DeclaredAction(
        "Take one's last move back, or ask for it.",
        undo,
        (
            OVER,
            Check(lambda now: not now.undoable, "You have no move to take back in this game."),
            # Both have asked at the same time, each for a move of their own.
            Check(
                lambda now: now.asker not in (None, *now.who),
                "{asker} asked first. Accept or decline that.",
            ),
        ),
        Agreement(
            "asks to take a move back",
            "You asked to take a move back.",
            "declined to take the move back",
            "Agree",
        ),
    ),
    "draw": DeclaredAction(
        "Offer a draw.",
        draw,
        (OVER,),
        Agreement("offers a draw", "You offered a draw.", "declined the draw", "Accept"),
    ),
    "next": DeclaredAction(
        "Start the next game of the match.",
        next_game,
        (
            Check(lambda now: not now.over, "The game is still being played."),
            Check(lambda now: now.finished, "The match is over; ask for a rematch."),
        ),
        Agreement(
            "is ready for the next game",
            "You are ready for the next game.",
            "is not ready for the next game",
            "Next game",
        ),
    ),
    "rematch": DeclaredAction(
        "Offer a rematch.",
        rematch,
        (
            Check(lambda now: not now.finished, "The match is still being played."),
            Check(lambda now: now.rematched, "The rematch has already begun."),
        ),
        Agreement(
            "wants a rematch", "You asked for a rematch.", "declined the rematch", "Play again"
        ),
    ),
    "resign": DeclaredAction("Resign the game.", resign, (OVER,)),
    "accept": DeclaredAction(
        "Accept an offer.",
        accept,
        (Check(lambda now: now.asker in (None, *now.who), CLOSED),),
        fields={"offer": OfferKind},
    ),
    "decline": DeclaredAction(
        "Decline an offer, or withdraw one's own.",
        decline,
        (Check(lambda now: now.asker is None, CLOSED),),
        fields={"offer": OfferKind},
    ),
    "coach": DeclaredAction("Turn the coach on or off.", coach, early=True, fields={"want": Want}),
    "publish": DeclaredAction(
        "Let anyone with the link see a finished match.",
        publish,
        (
            Check(
                lambda now: now.mode == "friend" or not now.finished,
                "Only a finished game against the computer or on one screen can be made public.",
            ),
            Check(lambda now: now.public, "This match is already public."),
        ),
    ),
}
AGREEMENTS = {kind: made.agreement for kind, made in ACTIONS.items() if made.agreement}


def no_seat(table: LiveTable, digest: str | None) -> str | None:
    """Return why the holder of a token cannot take the open seat, if so."""
    if table.players_of(digest):
        return "You already have a seat in this match."
    if table.declined:
        return DECLINED
    if not table.waiting:
        return "Both seats are taken; you can watch."
    if table.to not in ("", digest):
        return f"The other seat is reserved for {table.match.players[1]}."
    return None


def join(
    table: LiveTable, digest: str, name: str | None, now: float, program: bool = False
) -> Transition:
    """Take the open seat, the second one; a bot of somebody else's says that it is one."""
    reason = no_seat(table, digest)
    if reason is not None:
        raise Refused("seat_taken", reason)
    ada, bob = table.match.players
    players = (ada, bob if name is None else name)
    try:
        if misleads(players[1]):
            raise OptionError("names", "this name is reserved")
        check_players(players)
    except OptionError as error:
        raise Refused("invalid", sentence(error.message), field="name") from error
    match = dataclasses.replace(table.match, players=players)
    holders = (*table.holders, (digest, (1,)))
    text, due = f"{PLAYERS[1]} joined.", deadline(match, now)
    changes: dict[str, Any] = {"match": match, "holders": holders, "due": due}
    if program and 1 not in table.programs:
        changes["programs"] = (*table.programs, 1)
    return Transition(table.after("join", 1, text, **changes))


def decline_seat(table: LiveTable, digest: str | None) -> Transition | None:
    """Decline an invitation, or withdraw one's own: the match ends without a game."""
    if table.declined:
        return None
    if not table.waiting:
        raise Refused("not_now", "The game has already begun.")
    mine, (host, guest) = table.players_of(digest), PLAYERS
    reason = no_seat(table, digest)
    if reason is not None and not mine:
        raise Refused("seat_taken", reason)
    text = f"{guest} declined the challenge." if table.to else DECLINED
    if mine:
        text = f"{host} withdrew the invitation."
    return Transition(table.after("decline", mine[0] if mine else 1, text, declined=True))


def time_out(table: LiveTable, now: float) -> Transition:
    """End the game: the player to move is out of time."""
    turn = Turn(table, table.match.mover, Action("time"), now)
    return _happened(turn, "time", f"Time is up for {turn.name}.", Event("time"))


def stuck(table: LiveTable, due: float, why: str = "cannot find a move right now") -> Transition:
    """Announce once that a bot cannot move; it tries again at `due`."""
    if table.news and table.news[-1].kind == "stuck":
        return Transition(replace(table, change=table.change + 1, due=due))
    bot = table.match.mover
    again = "It will try again; you can also take back your move, or resign."
    text = f"{PLAYERS[bot]} {why}. {again}"
    return Transition(table.after("stuck", bot, text, due=due))


def begun(table: LiveTable, now: float) -> LiveTable:
    """Open a new table."""
    match = table.match
    text, due = "The game begins.", deadline(match, now)
    if table.waiting:
        host, guest = PLAYERS
        text, due = f"{host} is waiting for a friend.", None
        if table.to:
            text = f"{host} challenges {guest}."
    ply = sum(len(played.moves) for played in match.rounds)
    # A table may come with the reason why the computer begins.
    news = table.news[-1]._replace(change=1, ply=ply) if table.news else News(1, ply, text)
    return replace(table, ply=ply, change=1, news=(news,), due=due)


def to_undo(table: LiveTable, player: int) -> int:
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


def _happened(turn: Turn, kind: NewsKind, text: str, *events: Event, **changes: Any) -> Transition:
    """Return the table after events of its match; open offers lapse."""
    table = turn.table
    match = changes.pop("match", None) or reduce(Match.apply, events, table.match)
    changes |= {"match": match, "ply": table.ply + len(events), "offers": ()}
    changes["due"] = deadline(match, turn.now)
    return Transition(table.after(kind, turn.player, text, **changes), events)
