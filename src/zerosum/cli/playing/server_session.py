"""A match at the table of a server: what is typed is sent, what arrives is shown."""

from __future__ import annotations

import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any, TypeVar

import click

from zerosum.cli.config import Settings
from zerosum.cli.console import Console
from zerosum.cli.playing import server_lines
from zerosum.cli.playing.prompt import (
    INTERVAL,
    Interrupted,
    OutOfTime,
    Prompt,
    Quit,
    meant,
    suggestion,
)
from zerosum.cli.playing.prompt_commands import OFFER_DRAW, PROMPT_COMMANDS, RESIGN
from zerosum.cli.playing.server_lines import has_turn
from zerosum.web.answers import Advice, NewsItem, Rulebook, TableView
from zerosum.web.client import (
    MATCHES,
    NoAnswer,
    ServerClient,
    ServerError,
    ended_text,
    follow,
    patiently,
)

T = TypeVar("T")


class ServerSession:
    """Plays at a table by the lines that are typed, or watches it."""

    def __init__(self, settings: Settings, console: Console, server: ServerClient) -> None:
        """Take a server; a table is created, or opened by its link."""
        self.settings, self.console, self.server = settings, console, server
        self.prompt = Prompt(console)
        self.table: TableView
        self.began = False
        self._lost = False
        self._deadline: float | None = None
        self._arrived: SimpleQueue[TableView | ServerError] = SimpleQueue()
        self._left = Event()

    @property
    def path(self) -> str:
        """The match in the API."""
        return f"{MATCHES}/{self.table.id}"

    @property
    def where(self) -> str:
        """How to come back."""
        link = f"{self.server.origin}/m/{self.table.id}"
        verb = "Resume" if self.table.you else "Come back"
        return f"{verb} with: {self.settings.command_line('play', '--server', link)}"

    def create(self, wanted: dict[str, Any]) -> None:
        """Create a match, and show the link for a friend."""
        self._begin(self._changed(MATCHES, wanted))
        if self.table.waiting:
            self.console.paragraph(f"Send this link to your friend: {self.table.link}", "strong")

    def open(self, match: str) -> None:
        """Open a match: to resume it, to watch it, or to take its open seat."""
        self._begin(self.server.ask(TableView, f"{MATCHES}/{match}"))

    def run(self) -> None:
        """Play until the match is over, and its rematches; Quit or Ctrl-C ends it sooner."""
        while True:
            self._hear()
            if self._is_done():
                return
            try:
                self._answer(self._ask())
            except Interrupted:
                pass
            except OutOfTime:
                self._deadline = None  # the server says when the time is up
                self.console.line()
            except ServerError as error:
                if error.table is not None:
                    self._take(error.table)
                self.console.problem(str(error))

    def _begin(self, table: TableView) -> None:
        """Sit down at a table, and follow it."""
        self._left.set()
        self._arrived, self._left = SimpleQueue(), Event()
        followed = (self.server, table.id, self._arrived.put, self._left)
        Thread(target=follow, args=followed, daemon=True).start()
        self.console.line(server_lines.summary(table))
        self.console.aside(table.goal)
        self.began, self.table = True, table
        self._tell(table.news[-1:] if "join" not in table.can else [])

    def _is_done(self) -> bool:
        """Return whether nothing is left to do here; go to the rematch if there is one."""
        table = self.table
        if table.over and table.next is not None and table.you:
            path = MATCHES + table.next.removeprefix("/m")
            self._begin(self._answered(lambda: self.server.ask(TableView, path)))
            return False
        asks = self.prompt.reader.terminal and "rematch" in table.can
        return table.over and not (asks or any(offer.player in table.you for offer in table.offers))

    def _hear(self) -> None:
        """Take what has arrived; between pipes, wait until there is something to answer."""
        while True:
            table = self.table
            invited = not {"join", "next"}.isdisjoint(table.can)
            asked = table.over or invited or has_turn(table)
            waits = not asked and not self.prompt.reader.terminal
            try:
                news = self._arrived.get(timeout=INTERVAL if waits else 0.001)
            except Empty:
                if not waits:
                    return
                continue
            if not isinstance(news, ServerError):
                self._take(news)
            elif isinstance(news, NoAnswer):
                self._lose(news)
            elif table.over:
                raise Quit
            else:
                raise news

    def _take(self, table: TableView) -> None:
        """Take a table, and say what is new about it."""
        if self._lost:
            self._lost = False
            self.console.aside("The server answers again.")
        if table.change < self.table.change or table.id != self.table.id:
            return
        before, self.table = self.table, table
        news = [event for event in table.news if event.change > before.change]
        moment = server_lines.moment
        self._tell(news, shown=moment(table) == moment(before))

    def _tell(self, news: list[NewsItem], shown: bool = False) -> None:
        """Say what is new, and show the position unless it is shown already."""
        for event in news:
            self.console.paragraph(event.text, "strong")
        if shown:
            return
        table, self._deadline = self.table, None
        if table.mode != "bot" or table.turn is None or has_turn(table):
            self._show()
        left = None if table.clock is None else table.clock.left
        if left is not None and has_turn(table):
            self._deadline = time.monotonic() + left

    def _show(self) -> None:
        """Show the position, and the moves if it is our turn and they are few."""
        table = self.table
        if table.ended is not None:
            self.console.line(ended_text(table))
            if table.series.games > 1:
                self.console.aside(server_lines.score(table))
        elif table.turn is not None and not table.waiting:
            self.console.line()
            for line in server_lines.position(table):
                self.console.game_text(line)
            if options := server_lines.options(table):
                self.console.aside(options)
            self._tell_worth()

    def _ask(self) -> str:
        """Ask for whatever comes next; between pipes, the next game begins by itself."""
        if "next" in self.table.can and not self.prompt.reader.terminal:
            return ""
        words = (*COMMANDS, *self.table.legal)
        question = f"{server_lines.question(self.table)}: "
        arrived = self._arrived
        return self.prompt.ask(
            question, self._deadline, lambda: words, urgent=lambda: not arrived.empty()
        )

    def _answer(self, typed: str) -> None:
        """Do what was typed: a command, or else a move."""
        table = self.table
        # What is typed at 'Join' is a name, unless it is a whole command.
        moves = {typed} if "join" in table.can else {choice.move for choice in table.moves}
        answers = ("rematch",) if table.over else ()
        if word := meant(typed, COMMANDS, answers, {*moves, *table.legal}.__contains__):
            COMMANDS[word](self)
        elif typed.lower() in PROMPT_COMMANDS:
            self.console.problem(f"'{typed.lower()}' works only in a match at this keyboard.")
        elif "join" in table.can:
            name = typed or table.players[1].name
            self._begin(self._changed(f"{self.path}/join", {"name": name}))
        elif table.over and not typed:
            raise Quit
        elif "next" in table.can and not typed:
            self.act("next")
        elif (told := suggestion(typed, COMMANDS)) and typed not in moves:
            self.console.problem(told)
        elif typed:
            self.act("move", move=typed)
        elif legal := server_lines.legal_now(table):
            self.console.problem(f"{legal} Type 'help' for the commands.")

    def act(self, action: str, **fields: str) -> None:
        """Act at the table."""
        about = {"ply": self.table.ply, "action": action, **fields}
        self._take(self._changed(f"{self.path}/actions", about))

    def _changed(self, path: str, body: dict[str, Any]) -> TableView:
        """Send what changes a table."""
        return self.server.change(path, body, self._lose)

    def _answered(self, ask: Callable[[], T]) -> T:
        """Ask the server until it answers."""
        return patiently(ask, self._lose)

    def _lose(self, error: NoAnswer) -> None:
        """Say once that the server does not answer."""
        if not self._lost:
            self.console.problem(f"{error} Trying again until it does (Ctrl-C stops).")
        self._lost = True

    def _advice(self) -> Advice:
        """Ask the coach about the position."""
        return self._answered(lambda: self.server.advice(self.table))

    def _tell_worth(self) -> None:
        """Show what every move is worth, if the coach is on and it is our turn."""
        coach = self.table.coach
        if not (coach.open and coach.yours == "on" and has_turn(self.table)):
            return
        try:
            advice = self._advice()
        except ServerError as error:
            self.console.problem(str(error))
            return
        reason = advice.why[: len(advice.why) - 1]  # the last is an example
        worth = server_lines.worth(self.table, advice, self.console.plain)
        self.console.advice(advice.standing, *reason, *worth)

    # What can be typed.

    def help(self) -> None:
        """List what can be typed."""
        legal = server_lines.legal_now(self.table)
        either = f"{legal} Or type" if legal else "Type"
        self.console.aside(f"{either} a command, or its beginning:")
        self.console.aside(*(f"  {name}: {HELP[name]}" for name in COMMANDS if HELP[name]))

    def moves(self) -> None:
        """Show what is legal, and why the rest is not."""
        self.console.aside(*server_lines.moves(self.table))

    def rules(self) -> None:
        """Show the rules of the game."""
        path = f"/api/v1/games/{self.table.game.name}/rules"
        book = self._answered(lambda: self.server.ask(Rulebook, path))
        with self.settings.paged(self.console) as console:
            console.show(book.text)
        self._show()

    def hint(self) -> None:
        """Name a good move."""
        self.console.aside(server_lines.hint(self.table, self._advice()))

    def why(self) -> None:
        """Show who is winning, and why."""
        advice = self._advice()
        self.console.aside(advice.standing, *advice.why)

    def coach(self) -> None:
        """Switch the coach on or off."""
        self.switch_coach("off" if self.table.coach.yours == "on" else "on")

    def switch_coach(self, want: str) -> None:
        """Say whether we want the coach."""
        self.act("coach", want=want)
        self._tell_worth()

    def resign(self) -> None:
        """Resign; on a terminal, ask first."""
        if self.table.turn is None or self._confirmed(RESIGN, "resign"):
            self.act("resign")

    def draw(self) -> None:
        """Offer a draw; a computer may accept at once, so on a terminal, ask first."""
        over = self.table.turn is None
        if over or self.table.mode != "bot" or self._confirmed(OFFER_DRAW, "draw"):
            self.act("draw")

    def _confirmed(self, question: str, command: str) -> bool:
        """Ask on a terminal whether to do what would end the game."""
        if not self.prompt.reader.terminal or self.prompt.confirm(question, command):
            return True
        self.console.aside("The game goes on.")
        return False

    def decline(self) -> None:
        """Decline what the opponent offers, or withdraw an offer or the invitation."""
        if self.table.waiting:
            self._take(self._changed(f"{self.path}/decline", {}))
        else:
            self.reply("decline")

    def reply(self, action: str) -> None:
        """Reply to the last offer; without one, declining withdraws our own."""
        offers = sorted(self.table.offers, key=lambda offer: offer.player not in self.table.you)
        if offers:
            self.act(action, offer=offers[-1].kind)
        else:
            self.console.problem("Nothing is offered.")

    def quit(self) -> None:
        """Leave the table."""
        raise Quit


Command = Callable[[ServerSession], None]


COMMANDS: dict[str, Command] = {
    "help": ServerSession.help,
    "rules": ServerSession.rules,
    "moves": ServerSession.moves,
    "hint": ServerSession.hint,
    "why": ServerSession.why,
    "coach": ServerSession.coach,
    "undo": lambda session: session.act("undo"),
    "draw": ServerSession.draw,
    "resign": ServerSession.resign,
    "accept": lambda session: session.reply("accept"),
    "decline": ServerSession.decline,
    "rematch": lambda session: session.act("rematch"),
    "save": lambda session: session.console.aside(session.where),
    "quit": ServerSession.quit,
    "coach on": lambda session: session.switch_coach("on"),
    "coach off": lambda session: session.switch_coach("off"),
}
# What 'help' says about them, if it is not what it says in every match.
HELP = {name: about for name, (_, about) in PROMPT_COMMANDS.items()} | {
    "undo": "take back your last move, or ask for it",
    "accept": "accept what your opponent offers",
    "decline": "decline it, or withdraw what you offered",
    "rematch": "play again, when the match is over",
    "save": "how to come back; every move is saved at once",
    "quit": "stop here; you can come back",
}


def play_at_server(
    settings: Settings, server: ServerClient, match: str, wanted: dict[str, Any], as_json: bool
) -> None:
    """Play at a table of a server: a new one as wanted, or the one with this id."""
    session = ServerSession(settings, settings.err if as_json else settings.out, server)
    try:
        if match:
            session.open(match)
        else:
            session.create(wanted)
        session.run()
    except Quit:
        pass
    except KeyboardInterrupt as error:
        session.console.write("\n")
        raise click.exceptions.Exit(130) from error
    finally:
        if session.began and not session.table.over:
            settings.err.paragraph(session.where)
    if as_json and session.began:
        settings.out.line(server.record(session.table.id))
