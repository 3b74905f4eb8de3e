"""A model of a match between two people, with which the server is compared."""

from dataclasses import dataclass, field
from typing import Any

import zerosum
from zerosum.match import Event, Match
from zerosum.web.answers import Mode
from zerosum.web.tables.actions import begun
from zerosum.web.tables.table import LiveTable

ID, NEXT = "a" * 26, "b" * 26
OFFERS = ("undo", "draw", "next", "rematch")
SEATS: dict[str, tuple[tuple[int, ...], ...]] = {
    "friend": ((0,), (1,)),
    "bot": ((0,),),
    "here": ((0, 1),),
}


def table_at(
    mode: Mode = "friend",
    game: Any = None,
    games: int = 1,
    clock: float | None = None,
    first: int = 0,
    full: bool = True,
) -> LiveTable:
    """A new table of a mode; the seats are held by tokens named after their players."""
    bots = (None, "random" if mode == "bot" else None)
    made = game or zerosum.game("even-steven", start=15)
    match = Match.new(made, ("Ada", "Bob"), first, games, clock, bots, 7)
    taken = SEATS[mode] if full else SEATS[mode][:1]
    holders = tuple(("".join(map(str, players)), players) for players in taken)
    return begun(LiveTable(mode, holders, True, id=ID, match=match), 1000.0)


@dataclass
class Model:
    """What two people at a match may do, in terms of the match alone."""

    match: Match[Any]
    change: int = 1
    journal: list[Event] = field(default_factory=list)
    offers: dict[str, int] = field(default_factory=dict)
    want: list[str] = field(default_factory=lambda: ["off", "off"])
    joined: bool = False
    next: bool = False
    accepting: bool = False

    @property
    def running(self) -> bool:
        return self.joined and self.match.round.end is None

    @property
    def coach_open(self) -> bool:
        return self.match.over or "off" not in self.want

    def ask(self, player: int, action: str, arg: Any) -> str | None:
        """Do something for a player; return None, or the code of the refusal."""
        if not self.joined and action != "coach":
            return "not_now"
        refusal: str | None = getattr(self, f"ask_{action}")(player, arg)
        self.change += refusal is None
        return refusal

    def happen(self, *events: Event) -> str | None:
        for event in events:
            self.match = self.match.apply(event)
        self.journal += events
        self.offers = {}
        return None

    def offer(self, kind: str, player: int) -> str | None:
        """Offer, or agree: "agreed" is for the caller to act upon."""
        if kind not in self.offers:
            self.offers[kind] = player
            return None
        return "not_now" if self.offers[kind] == player else "agreed"

    def ask_move(self, player: int, move: Any) -> str | None:
        if not self.running:
            return "not_now"
        if self.match.mover != player:
            return "not_your_turn"
        if move not in self.match.game.moves(self.match.state):
            return "illegal_move"
        return self.happen(Event("move", move))

    def ask_undo(self, player: int, arg: None) -> str | None:
        asker, before, count = self.offers.get("undo", player), self.match, 0
        if not self.running:
            return "not_now"
        while before.ply and (count == 0 or before.mover != asker):
            before, count = before.undo(), count + 1
        if not count or before.mover != asker:
            return "not_now"
        if not self.accepting:  # two who ask at the same time have not agreed
            return "not_now" if self.offer("undo", player) else None
        return self.happen(*[Event("undo")] * count)

    def ask_draw(self, player: int, arg: None) -> str | None:
        said = self.offer("draw", player) if self.running else "not_now"
        return self.happen(Event("agreement")) if said == "agreed" else said

    def ask_resign(self, player: int, arg: None) -> str | None:
        if not self.running:
            return "not_now"
        mine = self.match.mover == player
        return self.happen(Event("resignation" if mine else "concession"))

    def ask_accept(self, player: int, kind: str) -> str | None:
        if self.offers.get(kind) != 1 - player:
            return "not_now"
        self.accepting = True
        try:
            refusal: str | None = getattr(self, f"ask_{kind}")(player, None)
        finally:
            self.accepting = False
        return refusal

    def ask_decline(self, player: int, kind: str) -> str | None:
        return None if self.offers.pop(kind, None) is not None else "not_now"

    def ask_coach(self, player: int, want: str) -> str | None:
        self.want[player] = want
        return None

    def ask_next(self, player: int, arg: None) -> str | None:
        if self.match.round.end is None or self.match.over:
            return "not_now"
        said = self.offer("next", player)
        if said == "agreed":
            self.match, self.offers, said = self.match.next_game(), {}, None
        return said

    def ask_rematch(self, player: int, arg: None) -> str | None:
        if not self.match.over or self.next:
            return "not_now"
        said = self.offer("rematch", player)
        if said == "agreed":
            self.next, self.offers, said = True, {}, None
        return said
