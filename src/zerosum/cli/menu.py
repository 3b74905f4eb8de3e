"""The menu that opens without a command: it asks questions for `zerosum play`."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from itertools import islice
from typing import Any

import click

from zerosum.cli import Unsupervised
from zerosum.cli.commands import load_command
from zerosum.cli.config import Settings
from zerosum.cli.console import problems_told
from zerosum.cli.flags import META, variant
from zerosum.cli.playing.match_setup import (
    AUTO,
    COMPUTER,
    MINE,
    bot_name,
    called,
    new_match,
    summary_of_match,
    to_you,
)
from zerosum.cli.playing.prompt import Prompt, Quit, meant, suggestion
from zerosum.cli.playing.prompt_commands import FROM_MENU, PROMPT_COMMANDS
from zerosum.errors import FileNotNamed, ZerosumError
from zerosum.match import NAMES, Match, check_players, is_engine
from zerosum.options import written
from zerosum.players.levels import LEVELS
from zerosum.protocol import Game
from zerosum.registry import find, games, no_option
from zerosum.text import against, brief, closest, either
from zerosum.wording.texts import rulebook_of, summary_of
from zerosum.wording.words import title_of

HELP = (
    "Type an answer, or Enter for the default in brackets; 'back' for the question before, "
    "'rules' for the rules of the game you chose, 'quit' to exit. All commands: "
)
WORDS = ("help", "rules", "back", "quit")
LEVEL = "medium"
# What can be typed for the letters of the menu.
LETTERS = {"resume": "r", "puzzle": "p", "puzzles": "p", "learn": "l", "lesson": "l", "review": "v"}
# How many matches are searched for one that can be reviewed.
MOST_SEARCHED = 50
# The flags of `zerosum play` offered beside the game's own options.
MATCH_OPTIONS = {
    "first": "who moves first: 1, 2 or random",
    "games": "number of games in the match",
    "clock": "seconds for each turn, or off",
    "coach": "shows what every move is worth",
}
AUTO_HELP = "who moves first: me, computer, random, or auto for a game that you can win"


class _Back(Exception):
    """The question before is to be asked again."""


class Menu:
    """A few short questions, each answered by Enter."""

    def __init__(self, ctx: click.Context, settings: Settings, first: str = "") -> None:
        """Take the context for commands, the settings, and perhaps the first answer."""
        self.ctx = ctx
        self._first = first
        self.settings = settings
        self.console = settings.out
        self.prompt = Prompt(self.console)
        self._game: Game[Any] | None = None
        ctx.meta[FROM_MENU] = True

    def run(self) -> None:
        """Ask what to do, and do it, until the player quits."""
        self._check_settings()
        if not self._first:
            self.console.line("Zerosum: games for two.", "strong")
        try:
            while True:
                with self._choose() as chosen, problems_told(self.console):
                    chosen.command.invoke(chosen)
        except Quit:
            return

    def _check_settings(self) -> None:
        """Refuse a wrong value of the configuration or the environment at once."""
        for name in games():
            try:
                find(name).variant()
            except ZerosumError:
                continue  # the list of games shows it
            planned_match(self._command("play", name))

    def _ask(self, question: str, answers: Collection[str]) -> str:
        """Ask one question; the commands of every prompt work here too."""
        while True:
            typed = self.prompt.ask(question, words=lambda: (*answers, "back", *PROMPT_COMMANDS))
            # A level, or a command's letter, may begin like one of our words.
            word = meant(typed, WORDS, is_move=lambda typed: typed.lower() in answers)
            if word == "quit":
                raise Quit
            if word == "back":
                raise _Back
            if word == "help":
                self.console.aside(HELP + self.settings.command_line("--help"))
            elif word == "rules" and self._game is not None:
                with self.settings.paged() as console:
                    console.show(rulebook_of(self._game))
                self.console.line()
            elif word or (typed.lower() in PROMPT_COMMANDS and typed.split()[0] not in answers):
                choose = "" if self._game else " Choose a game first."
                self.console.problem(f"No game has begun yet.{choose}")
            elif typed.isalpha() and closest(typed, (*answers, *WORDS)) in WORDS:
                self.console.problem(suggestion(typed, WORDS))
            else:
                return typed

    def _choose(self) -> click.Context:
        """Ask what to do; return the command, ready to be run."""
        names: list[str] = []
        commands: dict[str, tuple[str, ...]] = {}
        while True:
            self._game = None
            with problems_told(self.console):
                typed, self._first = self._first, ""
                if not typed and not names:
                    names, commands = self._list_games(), self._list_commands()
                    self.console.line()
                try:
                    typed = typed or self._ask(
                        "Which game? A number, a name, or a file ('quit' to exit) [1]: ",
                        (*names, *LETTERS, *LETTERS.values()),
                    )
                except _Back:
                    raise ZerosumError("This is the first question; 'quit' to exit.") from None
                with suppress(_Back):
                    letter = LETTERS.get(typed.lower(), typed.lower())
                    if letter == "l":
                        typed = self._ask("Learn which game? A number or a name [1]: ", names)
                        return self._command("learn", self._named(typed or "1", names))
                    if letter in commands:
                        return self._command(*commands[letter])
                    return self._prepare(self._named(typed or "1", names))

    def _named(self, typed: str, names: list[str]) -> str:
        """Return the game typed by its number, its name or its file, or refuse it."""
        if typed.lower() in (*LETTERS, *LETTERS.values()):
            raise ZerosumError("There is no such match yet.")
        if typed.isdecimal():
            if not 1 <= int(typed[:9]) <= len(names):
                raise ZerosumError(f"Choose a number from 1 to {len(names)}.")
            return names[int(typed) - 1]
        try:
            find(typed).variant()
        except Unsupervised:
            raise Unsupervised(typed) from None
        return typed

    def _prepare(self, name: str) -> click.Context:
        """Ask who plays a game, and for its options; return the command, ready to be run."""
        play = self._command("play", name)
        self._game = variant(play, play.params)
        while True:
            self._ask_players(self._game, play.params)
            try:
                self._ask_options(play)
                break
            except _Back:
                pass
        self.console.line("\nAt every prompt, type 'help' for more. Have fun!\n", "aside")
        return play

    def _list_games(self) -> list[str]:
        """List the games with their numbers."""
        names: list[str] = []
        self.console.line()
        for name in games():
            try:
                game = find(name).variant()
                about = f"{title_of(game)}: {summary_of(game)}"
                self._item(str(len(names) + 1), about)
                names.append(name)
            except ZerosumError as error:
                self._item("-", f"{name}: {error}", "problem")
        return names

    def _list_commands(self) -> dict[str, tuple[str, ...]]:
        """List what else can be done, each with its letter; return the command lines by letter."""
        commands = {"p": ("puzzle",), **self._unfinished()}
        self._item("l", "Learn a game, step by step.")
        self._item("p", "Puzzles: find the one good move.")
        with suppress(ZerosumError):  # a new game can be played all the same
            matches = self.settings.store(write=False).matches(most=MOST_SEARCHED, reviewable=True)
            over = (match for match in matches if match.over and match.game in games())
            for match in islice(over, 1):
                commands["v"] = ("review", match.id)
                title = title_of(find(match.game).variant())
                players = against(called(match.players))
                self._item("v", to_you(f"Review the latest match: {title}, {players}."))
        return commands

    def _unfinished(self) -> dict[str, tuple[str, ...]]:
        """List the match that can be resumed, if any; return its command line."""
        try:
            store = self.settings.store(write=False)
            if id_ := store.latest(unfinished=True):
                saved = store.load(id_)
                summary = summary_of_match(saved.match)
                if any(map(is_engine, saved.match.bots)):  # which only the command line starts
                    command = self.settings.match_command("resume", saved)
                    self._item("-", f"{summary} Resume with: {command}")
                    return {}
                self._item("r", f"Resume {summary}")
                return {"r": ("resume", id_)}
        except FileNotNamed as error:
            words = ("resume", error.id, "--game", error.file or "FILE")
            self._item("-", f"{error.start} Resume with: {self.settings.command_line(*words)}")
        except ZerosumError:
            pass  # a new game can be played all the same
        return {}

    def _item(self, letter: str, text: str, style: str = "") -> None:
        """Print an item of the menu."""
        self.console.paragraph(f"  {letter}  {text}", style)

    def _command(self, name: str, *arguments: str) -> click.Context:
        """Prepare a command with all its defaults, as if typed."""
        return load_command(name).make_context(name, ["--", *arguments], parent=self.ctx)

    def _ask_players(self, game: Game[Any], params: dict[str, Any]) -> None:
        """Ask who plays: one person against a level, or two people."""
        from zerosum.cli.playing.analysis import Analysis

        usual = params["names"] or NAMES
        level = params["vs"] or (None if params["names"] else LEVEL)
        me = called((usual[0], COMPUTER))[0] if level else usual[0]
        default = params["watch"] or (me, level or usual[1])
        offered = Analysis.of(self.settings, game).levels()
        levels = either(list(offered))
        self.console.aside(
            f"Type a level of the computer ({levels}), or two names, such as Ada, Bob."
        )
        for name, about in offered.items():
            if about:
                self.console.paragraph(f"  {name}: {about}")
        while True:
            typed = self._ask(f"Who plays? [{', '.join(default)}]: ", LEVELS)
            if not typed:
                if not params["watch"]:
                    params["vs"] = level
                return
            names = [part.strip() for part in typed.split(",")]
            if len(names) == 1:
                bot = typed.lower().removeprefix("vs ")
                names = [usual[0], bot] if bot in LEVELS else typed.split()
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
        """Ask for the options of the game and the match, one after another, until Enter."""
        entry, flags = play.meta[META]
        own = {param.name: param for param in play.command.params}
        options = {flag.opts[0].lstrip("-"): flag for flag in flags}
        options.update((name, own[name]) for name in MATCH_OPTIONS)
        for name, flag in options.items():
            self.console.paragraph(_shown(play.params, name, flag))
        while True:
            typed = self._ask("Enter to play, or change an option (such as 'games 3'): ", options)
            if not typed:
                return
            name, _, text = typed.replace("=", " ").partition(" ")
            name = name.lower().lstrip("-").replace("_", "-")
            if name not in options:
                told = no_option(entry.name, name, list(options))
                self.console.problem(f"{brief(name)}: {told}{'' if told[-1] == '?' else '.'}")
                continue
            try:
                value = _read(play, name, options[name], text.strip())
                changed = {**play.params, options[name].name: value}
                planned_match(play, changed)
                play.params = changed
                self.console.paragraph(_shown(changed, name, options[name]))
            except click.UsageError as error:
                self.console.problem(f"{name}: {error.message} Nothing was changed.")


def _shown(params: dict[str, Any], name: str, flag: click.Option) -> str:
    """Write the value of an option, and what it is for."""
    value, about = params[str(flag.name)], MATCH_OPTIONS.get(name) or flag.help or "an option"
    shown = "off" if value is None else written(value)
    if name == "clock" and value is not None:
        shown = f"{value:g}"
    elif name == "first" and params["vs"] is not None:
        shown, about = {one: name for name, one in MINE.items()}.get(shown, shown), AUTO_HELP
    elif name == "first" and value == AUTO:
        shown = "1"
    return f"  {name} {shown}  ({about})"


def _read(play: click.Context, name: str, flag: click.Option, text: str) -> Any:
    """Read the value of an option as it is typed."""
    if name == "clock" and text.lower() in ("off", "none", "no"):
        return None
    if name == "first":
        first, second = (name.lower() for name in planned_match(play).players)
        text = {first: "1", second: "2"}.get(text.lower(), text)
    return flag.type_cast_value(play, text or ("on" if flag.is_flag else ""))


def planned_match(play: click.Context, params: dict[str, Any] | None = None) -> Match[Any]:
    """Make the match that `zerosum play` would begin, or name what is wrong with it."""
    params = params or play.params
    return new_match(play, variant(play, params), params)
