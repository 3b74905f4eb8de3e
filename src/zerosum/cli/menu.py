"""The menu that opens without a command: it fills in `zerosum play` by a few questions."""

from __future__ import annotations

from typing import Any

import click

from zerosum.cli.app import load_command
from zerosum.cli.config import Settings
from zerosum.cli.flags import META, variant
from zerosum.cli.prompt import Prompt, Quit
from zerosum.cli.session import bot_name, summary_of_match
from zerosum.errors import FileNotNamed, ZerosumError
from zerosum.match import NAMES, check_players
from zerosum.options import Option, options_of, written
from zerosum.players.levels import LEVELS
from zerosum.registry import find, games, no_option
from zerosum.store import Saved
from zerosum.text import either
from zerosum.wording.rulebook import summary_of
from zerosum.wording.words import title_of

HELP = (
    "Type an answer, or Enter for the default in brackets; 'quit' to exit. Once a game has begun, "
    "'rules' shows its rules. All commands: "
)
INDENT = " " * 5


class Menu:
    """A few short questions, each answered by Enter."""

    def __init__(self, ctx: click.Context, settings: Settings) -> None:
        """Take the context whose commands are run, and the settings."""
        self.ctx = ctx
        self.settings = settings
        self.console = settings.out
        self.prompt = Prompt(self.console)

    def run(self) -> None:
        """Ask what to play, play it, and offer another game; a match that is left ends it all."""
        self.console.line("Zerosum: games for two.", "strong")
        try:
            while True:
                with self._choose() as chosen:
                    chosen.command.invoke(chosen)
                answer = "?"
                while answer not in ("", "y", "yes", "n", "no"):
                    answer = self._ask("\nAnother game? (yes or no) [yes]: ").lower()
                if answer in ("n", "no"):
                    return
        except Quit:
            return
        except KeyboardInterrupt:
            self.console.line()
            self.ctx.exit(130)

    def _ask(self, question: str) -> str:
        """Ask one question."""
        while True:
            typed = self.prompt.ask(question)
            if typed.lower() in ("quit", "exit", "q"):
                raise Quit
            if typed.lower() not in ("help", "?"):
                return typed
            self.console.aside(HELP + self.settings.command_line("--help"))

    def _choose(self) -> click.Context:
        """Ask which game to play or to resume; return the command, ready to be run."""
        names = self._list_games()
        unfinished = self._unfinished()
        if isinstance(unfinished, Saved):
            summary = summary_of_match(unfinished.match)
            self.console.paragraph(f"  r  Resume {summary}", indent=INDENT)
        elif unfinished:
            self.console.paragraph(f"  -  {unfinished}", indent=INDENT)
        self.console.line()
        while True:
            typed = (
                self._ask("Which game? A number, a name, or a file ('quit' to exit) [1]: ") or "1"
            )
            if typed.lower() in ("r", "resume") and isinstance(unfinished, Saved):
                return self._command("resume", unfinished.id)
            if typed.isdecimal():
                if not 1 <= int(typed[:9]) <= len(names):
                    self.console.problem(f"Choose a number from 1 to {len(names)}.")
                    continue
                typed = names[int(typed) - 1]
            try:
                find(typed).variant()
            except ZerosumError as error:
                self.console.problem(str(error))
                continue
            play = self._command("play", typed)
            self._ask_players(play.params)
            self._ask_options(play)
            self.console.line("\nAt every prompt, type 'help' for more. Have fun!\n", "aside")
            return play

    def _list_games(self) -> list[str]:
        """List the games with their numbers."""
        names: list[str] = []
        self.console.line()
        for name in games():
            try:
                game = find(name).variant()
                line = f"  {len(names) + 1}  {title_of(game)}: {summary_of(game)}"
                self.console.paragraph(line, indent=INDENT)
                names.append(name)
            except ZerosumError as error:
                self.console.paragraph(f"  -  {name}: {error}", "problem", INDENT)
        return names

    def _unfinished(self) -> Saved | str:
        """Find the match that could be resumed; or how, where it needs more than a letter."""
        try:
            store = self.settings.store(write=False)
            id_ = store.latest_open()
            return "" if id_ is None else store.load(id_)
        except FileNotNamed as error:
            words = ("resume", error.id, "--game", error.file or "FILE")
            return f"{error.start} Resume with: {self.settings.command_line(*words)}"
        except ZerosumError:
            return ""  # a new game can be played all the same

    def _command(self, name: str, argument: str) -> click.Context:
        """Prepare a command with all its defaults, as if it had been typed."""
        return load_command(name).make_context(name, ["--", argument], parent=self.ctx)

    def _ask_players(self, params: dict[str, Any]) -> None:
        """Ask who plays: two people, or one against a level of the computer."""
        usual = params["names"] or NAMES
        default = params["watch"] or (usual[0], params["vs"] or usual[1])
        levels = either(list(LEVELS))
        self.console.aside(f"To play against the computer, type a level: {levels}.")
        while True:
            typed = self._ask(
                f"Who plays? Two names separated by a comma, or a level [{', '.join(default)}]: "
            )
            if not typed:
                return
            names = [part.strip() for part in typed.split(",")]
            if len(names) == 1:
                level = typed.lower().removeprefix("vs ")
                names = [usual[0], level] if level in LEVELS else typed.split()
            if len(names) != 2:
                self.console.problem(f"Type two names, such as Ada, Bob, or a level: {levels}.")
                continue
            vs = names[1].lower() if names[1].lower() in LEVELS else None
            players = (names[0], bot_name(vs) if vs else names[1])
            try:
                check_players(players)
            except ZerosumError as error:
                self.console.problem(f"{error}. For example: Ada, Bob")
                continue
            params.update(names=players, vs=vs, watch=None)
            return

    def _ask_options(self, play: click.Context) -> None:
        """Ask for the game's options, one after another, until Enter."""
        entry, flags = play.meta[META]
        declared = options_of(entry.game)
        options = {option.flag: flag for option, flag in zip(declared, flags, strict=True)}
        while options:
            for name, flag in options.items():
                line = f"  {name} {written(play.params[flag.name])}  ({flag.help or 'an option'})"
                self.console.paragraph(line, indent=INDENT)
            other = written(_another(declared[0], play.params[flags[0].name]))
            example = f"{declared[0].flag} {other}"
            typed = self._ask(f"Enter to play, or change an option (such as '{example}'): ")
            if not typed:
                return
            name, _, text = typed.replace("=", " ").partition(" ")
            name = name.lower().lstrip("-").replace("_", "-")
            if name not in options:
                self.console.problem(no_option(entry.name, name, list(options)))
                continue
            try:
                flag = options[name]
                text = text.strip() or ("on" if flag.is_flag else "")
                changed = {**play.params, flag.name: flag.type_cast_value(play, text)}
                variant(play, changed)
                play.params = changed
            except click.UsageError as error:
                self.console.problem(f"{name}: {error.message} Nothing was changed.")


def _another(option: Option, value: Any) -> Any:
    """Return another value of an option, as an example of a change."""
    if option.choices:
        return next((choice for choice in option.choices if choice != value), value)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value - 1 if value == option.most else value + 1
    return value
