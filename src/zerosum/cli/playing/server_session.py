"""A match at the table of a server, as lines: made from the table's document, not from rules."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import click

from zerosum.cli import is_ctrl_c
from zerosum.cli.config import Settings
from zerosum.cli.console import Console
from zerosum.cli.playing.prompt_commands import OVER, PROMPT_COMMANDS
from zerosum.cli.playing.server_client import (
    LATER,
    MATCHES,
    SOON,
    Follower,
    NoAnswer,
    Server,
    ServerError,
    new_key,
)
from zerosum.cli.playing.session import READY
from zerosum.cli.prompt import INTERVAL, Interrupted, OutOfTime, Prompt, Quit
from zerosum.text import LONG_NUMBER, half_points, runs
from zerosum.web.answers import Advice, Rulebook, Table

T = TypeVar("T")
# More legal moves than these are listed only when asked for.
FEW = 4
AGAIN = "Rematch or quit? [quit]"


class ServerSession:
    """Plays at a table by the lines that are typed, or watches it."""

    def __init__(self, settings: Settings, console: Console, server: Server) -> None:
        """Take a server; a table is created, or opened by its link."""
        self.settings, self.console, self.server = settings, console, server
        self.prompt = Prompt(console)
        self.table: Table
        self._told, self._lost = -1, False
        self._shown: tuple[int, int, bool] | None = None
        self._deadline: float | None = None
        self._follower: Follower | None = None
        self._arrived: SimpleQueue[Table | ServerError] = SimpleQueue()

    @property
    def began(self) -> bool:
        """Whether we are at a table."""
        return self._follower is not None

    @property
    def path(self) -> str:
        """The address of the match in the API."""
        return f"{MATCHES}/{self.table.id}"

    @property
    def where(self) -> str:
        """How to come back."""
        link = f"{self.server.origin}/m/{self.table.id}"
        verb = "Resume" if self.table.you else "Watch again"
        return f"{verb} with: {self.settings.command_line('play', '--server', link)}"

    def create(self, wanted: dict[str, Any]) -> None:
        """Create a match, and show the link for a friend."""
        self._begin(self._changed(MATCHES, wanted))
        if self.table.waiting:
            self.console.paragraph(f"Send this link to your friend: {self.table.link}", "strong")

    def open(self, match: str, name: str) -> None:
        """Open a match: resume it, watch it, or take its open seat if the player wants it."""
        table = self.server.ask(Table, f"{MATCHES}/{match}")
        if "join" not in table.can:
            self._begin(table)
            return
        self.console.line(_summary(table))
        self.console.aside(table.goal)
        answer = ""
        while answer not in ("y", "yes", "n", "no"):
            answer = self.prompt.ask(f"Join {table.players[0].name}? (yes or no): ").lower()
        if answer in ("n", "no"):
            raise Quit
        usual = table.players[1].name
        name = name or self.prompt.ask(f"Your name [{usual}]: ") or usual
        self._begin(self._changed(f"{MATCHES}/{match}/join", {"name": name}), again=True)

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

    def _begin(self, table: Table, again: bool = False) -> None:
        """Sit down at a table, and follow it."""
        if self._follower is not None:
            self._follower.stop()
        self._arrived = SimpleQueue()
        self._follower = Follower(self.server, table.id, self._arrived.put)
        self._follower.start()
        if not again:
            self.console.line(_summary(table))
            self.console.aside(table.goal)
        self._told, self._shown, self.table = table.change, None, table
        for news in table.news[-1:]:
            self._told = news.change - 1
        self._take(table)

    def _is_done(self) -> bool:
        """Whether nothing more can be done at this table; go on to a rematch if there is one."""
        table = self.table
        if table.over and table.next is not None and table.you:
            self._begin(self._answered(lambda: self.server.rematch(table.id)))
            return False
        asks = self.prompt.reader.terminal and "rematch" in table.can
        return table.over and not (asks or any(offer.player in table.you for offer in table.offers))

    def _hear(self) -> None:
        """Take what has arrived; between pipes, wait until there is something to answer."""
        while True:
            patient = not self.prompt.reader.terminal and not self._is_asked()
            try:
                news = self._arrived.get(timeout=INTERVAL if patient else 0.001)
            except Empty:
                if not patient:
                    return
                continue
            if not isinstance(news, ServerError):
                self._take(news)
            elif isinstance(news, NoAnswer):
                self._lose(news)
            elif self.table.over:
                raise Quit
            else:
                raise news

    def _is_asked(self) -> bool:
        """Whether it is our turn to say something."""
        table = self.table
        if table.turn is None and not table.over and "next" in table.can:
            self._act("next")
        return table.over or (table.turn is not None and table.turn.yours)

    def _take(self, table: Table) -> None:
        """Take a table, and tell what is new about it."""
        if self._lost:
            self._lost = False
            self.console.aside("The server answers again.")
        if table.change < self.table.change or table.id != self.table.id:
            return
        self.table = table
        for news in table.news:
            if news.change > self._told:
                self.console.paragraph(news.text, "strong")
        self._told = table.change
        shown = table.ply, table.series.game, table.waiting
        if self._shown == shown:
            return
        self._shown, self._deadline = shown, None
        if table.mode != "bot" or table.turn is None or table.turn.yours:
            self._show()
        if table.clock is not None and table.clock.left is not None and self._has_turn():
            self._deadline = time.monotonic() + table.clock.left

    def _has_turn(self) -> bool:
        """Whether it is our turn."""
        return self.table.turn is not None and self.table.turn.yours

    def _show(self) -> None:
        """Show the position, and the moves if it is our turn and they are few."""
        table = self.table
        if table.waiting or table.turn is None:
            said = table.captions
            if said.title:
                end = "" if said.title.endswith("!") else "."
                self.console.line(f"{said.title}{end} {said.reason}".rstrip())
            if said.title and table.series.games > 1:
                scores = ", ".join(f"{p.name} {half_points(p.score)}" for p in table.players)
                self.console.aside(f"Score after game {table.series.game}: {scores}.")
            return
        self.console.line()
        for line in _position(table):
            self.console.game_text(line)
        if not self._has_turn():
            return
        legal = [choice for choice in table.moves if choice.legal]
        if table.board is None and len(legal) <= FEW and not table.more:
            listed = (f"[{choice.move}] {choice.label or ''}".rstrip() for choice in legal)
            self.console.aside(f"Options: {', '.join(listed)}")
        self._tell_worth()

    def _ask(self) -> str:
        """Ask for whatever comes next."""
        words = (*COMMANDS, *(choice.move for choice in self.table.moves if choice.legal))
        question, arrived = f"{self._question()}: ", self._arrived
        return self.prompt.ask(
            question, self._deadline, lambda: words, urgent=lambda: not arrived.empty()
        )

    def _question(self) -> str:
        """Return what is asked now."""
        table = self.table
        if table.over:
            return AGAIN
        if not table.you:
            return "Watching; 'quit' to stop"
        if table.waiting:
            return "Waiting for your friend"
        if table.turn is None:
            return READY if "next" in table.can else "Waiting for your opponent"
        if table.turn.yours:
            return (table.turn.prompt or "Your move").rstrip(": ")
        return f"Waiting for {table.players[table.turn.player].name}"

    def _answer(self, typed: str) -> None:
        """Do what was typed: a command, or else a move."""
        table, word = self.table, typed.lower()
        if word in COMMANDS:
            COMMANDS[word][0](self)
        elif table.over and not word:
            raise Quit
        elif table.turn is None and "next" in table.can and not word:
            self._act("next")
        elif typed and self._has_turn():
            self._act("move", move=typed)
        elif self._has_turn():
            self.console.problem(f"{_legal(table)} Type 'help' for the commands.")
        elif typed:
            self.console.problem(OVER if table.turn is None else "It is not your turn.")

    def _act(self, action: str, **fields: str) -> None:
        """Act at the table, or say why not."""
        self._do(f"{self.path}/actions", {"ply": self.table.ply, "action": action, **fields})

    def _do(self, path: str, body: dict[str, Any]) -> None:
        """Send what changes the table, or say why it did not."""
        try:
            self._take(self._changed(path, body))
        except ServerError as error:
            if error.table is not None:
                self._take(error.table)
            self.console.problem(str(error))

    def _changed(self, path: str, body: dict[str, Any]) -> Table:
        """Send what changes a table: with the same key, it is carried out once."""
        body = {"key": new_key(), **body}
        return self._answered(lambda: self.server.ask(Table, path, body))

    def _answered(self, ask: Callable[[], T]) -> T:
        """Ask the server until it answers."""
        pause = SOON
        while True:
            try:
                return ask()
            except NoAnswer as error:
                self._lose(error)
            time.sleep(pause)
            pause = min(2 * pause, LATER)

    def _lose(self, error: NoAnswer) -> None:
        """Say once that the server does not answer."""
        if not self._lost:
            self.console.problem(f"{error} Trying again until it does (Ctrl-C stops).")
        self._lost = True

    def _coach(self, told: Callable[[Advice], list[str]]) -> None:
        """Ask the coach, and print what it says, or why it does not."""
        try:
            advice = self._answered(lambda: self.server.advice(self.table))
            self.console.aside(*told(advice))
        except ServerError as error:
            self.console.problem(str(error))

    def _tell_worth(self) -> None:
        """Tell what every move is worth, if the coach is on and it is our turn."""
        if self.table.coach.open and self.table.coach.yours == "on" and self._has_turn():
            self._coach(_worth)

    # What can be typed.

    def help(self) -> None:
        """List what can be typed."""
        self.console.aside(f"{_legal(self.table)} Or type a command:".lstrip())
        self.console.aside(
            *(f"  {name}: {about}" for name, (_, about) in COMMANDS.items() if about)
        )

    def moves(self) -> None:
        """Show what is legal, and why the rest is not."""
        reasons: dict[str, list[int | str]] = {}
        for choice in self.table.moves:
            if choice.legal:
                label = choice.label if choice.label != choice.move else None
                self.console.aside(f"{choice.move}: {label}" if label else choice.move)
            else:
                short = choice.move.isdecimal() and len(choice.move) < LONG_NUMBER
                move = int(choice.move) if short else choice.move
                reasons.setdefault(choice.why or "", []).append(move)
        self.console.aside(*(f"Not {runs(moves)}: {why}" for why, moves in reasons.items()))
        if self.table.more:
            self.console.aside("Not every legal move is listed, but you can type any of them.")

    def rules(self) -> None:
        """Show the rules of the game."""
        path = f"/api/v1/games/{self.table.game.name}/rules"
        try:
            book = self._answered(lambda: self.server.ask(Rulebook, path))
        except ServerError as error:
            self.console.problem(str(error))
            return
        on_screen = self.console == self.settings.out
        with self.settings.paged() if on_screen else nullcontext(self.console) as console:
            console.show(book.text)
        self._show()

    def hint(self) -> None:
        """Name a best move."""
        self._coach(lambda advice: [advice.hint])

    def why(self) -> None:
        """Show who is winning, and why."""
        self._coach(lambda advice: [advice.standing, *advice.why])

    def coach(self) -> None:
        """Switch the coach on or off."""
        self._act("coach", want="off" if self.table.coach.yours == "on" else "on")
        self._tell_worth()

    def resign(self) -> None:
        """Resign; on a terminal, ask first."""
        if self.prompt.reader.terminal and self.table.turn is not None:
            answer = self.prompt.ask("Resign? Your opponent wins this game. (yes or no): ").lower()
            if answer not in ("y", "yes"):
                self.console.aside("The game goes on.")
                return
        self._act("resign")

    def accept(self) -> None:
        """Accept what the opponent offers."""
        self._reply("accept")

    def decline(self) -> None:
        """Decline what the opponent offers, or withdraw an offer or the invitation."""
        if self.table.waiting:
            self._do(f"{self.path}/decline", {})
        else:
            self._reply("decline")

    def _reply(self, action: str) -> None:
        """Reply to the last offer; one's own can only be declined, which withdraws it."""
        you = self.table.you
        theirs = [offer.kind for offer in self.table.offers if offer.player not in you]
        mine = [offer.kind for offer in self.table.offers if action == "decline"]
        if not theirs and not mine:
            self.console.problem("Nothing is offered.")
            return
        self._act(action, offer=(theirs or mine)[-1])

    def save(self) -> None:
        """Say how to come back."""
        self.console.aside(f"The server saves every move at once. {self.where}")

    def quit(self) -> None:
        """Leave the table."""
        raise Quit


Command = Callable[[ServerSession], None]


def _does(action: str) -> Command:
    """Return the command that is an action of the API."""
    return lambda session: session._act(action)


def _about(name: str) -> str:
    """Return what 'help' says about a command of every match."""
    return PROMPT_COMMANDS[name][1]


COMMANDS: dict[str, tuple[Command, str]] = {
    "help": (ServerSession.help, _about("help")),
    "rules": (ServerSession.rules, _about("rules")),
    "moves": (ServerSession.moves, _about("moves")),
    "hint": (ServerSession.hint, _about("hint")),
    "why": (ServerSession.why, _about("why")),
    "coach": (ServerSession.coach, _about("coach")),
    "undo": (_does("undo"), "take back your last move, or ask for it"),
    "draw": (_does("draw"), _about("draw")),
    "resign": (ServerSession.resign, _about("resign")),
    "accept": (ServerSession.accept, "accept what your opponent offers"),
    "decline": (ServerSession.decline, "decline it, or withdraw what you offered"),
    "rematch": (_does("rematch"), "play again, when the match is over"),
    "save": (ServerSession.save, "how to come back; every move is saved at once"),
    "quit": (ServerSession.quit, "stop here; you can come back"),
    "?": (ServerSession.help, ""),
    "exit": (ServerSession.quit, ""),
}


def _summary(table: Table) -> str:
    """Describe who plays what."""
    variant = f" ({table.game.variant})" if table.game.variant else ""
    names = " against ".join(player.name for player in table.players)
    game = f", game {table.series.game} of {table.series.games}" if table.series.games > 1 else ""
    return f"{table.game.title}{variant}: {names}{game}"


def _position(table: Table) -> Iterator[str]:
    """Describe the position: its board, and its numbers."""
    rows = table.board.rows if table.board is not None else []
    cells = [[cell.text.strip() or (cell.moves or ["."])[0] for cell in row] for row in rows]
    width = max((len(cell) for row in cells for cell in row), default=1)
    for row in cells:
        yield " │ ".join(cell.center(width) for cell in row).rstrip()
    for field in table.fields:
        yield f"{field.title}: {field.value}"
    for player in table.players:
        for field in player.fields:
            yield f"{player.name}'s {field.title[:1].lower()}{field.title[1:]}: {field.value}"


def _legal(table: Table) -> str:
    """List the legal moves, if it is our turn."""
    if table.turn is None or not table.turn.yours:
        return ""
    legal = [choice.move for choice in table.moves if choice.legal]
    return f"Legal now: {', '.join(legal)}{' and more' * bool(table.more)}."


def _worth(advice: Advice) -> list[str]:
    """List what the coach says of the position and of every move."""
    return [
        f"Coach: {advice.standing}",
        *(f"  {judged.move}: {judged.word}" for judged in advice.moves),
    ]


def play_at_server(
    settings: Settings,
    server: Server,
    match: str,
    wanted: dict[str, Any],
    as_json: bool,
) -> None:
    """Play at a table of a server: a new one as wanted, or the one with this id."""
    session = ServerSession(settings, settings.err if as_json else settings.out, server)
    code = None
    try:
        if match:
            session.open(match, next(iter(wanted["names"]), ""))
        else:
            session.create(wanted)
        session.run()
    except Quit:
        pass
    except KeyboardInterrupt as error:
        if not is_ctrl_c(error):
            raise
        session.console.write("\n")
        code = 130
    except BaseException as error:
        if session.began:
            error.add_note(session.where)
        raise
    if session.began and not session.table.over:
        settings.err.paragraph(session.where)
    if code is not None:
        raise click.exceptions.Exit(code)
    if as_json and session.began:
        settings.out.line(server.record(session.table.id))
