"""The menu that `zerosum` opens on a terminal: which game, who plays, options, go."""

from __future__ import annotations

import sys
from typing import Any

from zerosum.cli.flags import chosen_options
from zerosum.cli.look import Look
from zerosum.cli.play import (
    LEVELS,
    NOBODY,
    Bots,
    computer,
    drive,
    go_on,
    levels,
    new_keeper,
    seed_for,
    standing,
)
from zerosum.cli.reader import Reader
from zerosum.cli.settings import Settings
from zerosum.errors import UnreadableMove, ZerosumError
from zerosum.match import NAMES, Match, check_players
from zerosum.options import Option, options_of, written
from zerosum.protocol import Game
from zerosum.registry import Entry, find, games, no_option
from zerosum.store import Saved, open_store
from zerosum.text import read_whole
from zerosum.wording import summary_of, title_of

HELP = (
    "Type an answer, or Enter for the default in brackets; 'quit' to exit. Once a game has begun, "
    "'rules' shows its rules. All commands: zerosum --help"
)


class Done(Exception):
    """The menu was left."""


def menu(settings: Settings) -> int:
    """Ask what to play, and play it, until nothing more is wanted."""
    return Menu(settings).run()


class Menu:
    """Four short questions, each answered by Enter."""

    def __init__(self, settings: Settings) -> None:
        """Sit down."""
        self.settings = settings
        self.look: Look = settings.out
        self.reader = Reader.stdin()

    def run(self) -> int:
        """Go through the questions, play, and offer another game."""
        self.look.say("Zerosum: games for two.", "strong")
        try:
            while True:
                chosen = self._game()
                code = self._go_on(chosen) if isinstance(chosen, str) else self._play(chosen)
                if code or not self._yes("\nAnother game? (yes or no) [yes]: "):
                    return code
        except Done:
            return 0
        except KeyboardInterrupt:
            self.look.say()
            return 130

    def _play(self, entry: Entry) -> int:
        """Ask the rest about a new match, and play it."""
        players, bots = self._players()
        variant = self._variant(entry)
        wish = self.settings.config.get("play", {})
        games, clock, seed = wish.get("games", 1), wish.get("clock"), wish.get("seed")
        match = Match.new(variant, players, 0, games, clock, bots, seed_for(bots, seed))
        self.look.say("\nAt every prompt, type 'help' for more. Have fun!\n", "aside")
        return self._left(*drive(self.settings, match, new_keeper(self.settings)))

    def _go_on(self, match_id: str) -> int:
        """Resume a match that was left."""
        store = open_store(self.settings.path)
        return self._left(*go_on(self.settings, store, store.load(match_id)))

    def _left(self, code: int, match: Match[Any]) -> int:
        """Leave the menu too, if a match was left before its end."""
        if not code and not match.over:
            raise Done
        return code

    def _unfinished(self) -> Saved | None:
        """Find the match that could be resumed."""
        try:
            store = open_store(self.settings.path, write=False)
            wanted = store.latest_open()
            return None if wanted is None else store.load(wanted)
        except ZerosumError:
            return None  # a new game can be played all the same

    def _ask(self, prompt: str) -> str:
        """Ask one question."""
        self.look.write(prompt)
        self.look.stream.flush()
        line = self.reader.readline()
        if line is None:
            self.look.say()
            raise Done
        typed = line.strip()
        if typed.lower() in ("quit", "exit", "q"):
            raise Done
        if typed.lower() in ("help", "?"):
            self.look.remark(HELP)
            return self._ask(prompt)
        return typed

    def _game(self) -> Entry | str:
        """Ask which game, or whether to resume a match."""
        names = games()
        entries = []
        self.look.say()
        for name in names:
            try:
                entry = find(name)
                entries.append(entry)
                title = title_of(entry.variant())
                self.look.remark(
                    f"  {len(entries)}  {title}: {summary_of(entry.variant())}", "", " " * 5
                )
            except ZerosumError as error:
                self.look.remark(f"  -  {name}: {error}", "problem", " " * 5)
        unfinished = self._unfinished()
        if unfinished is not None:
            self.look.remark(f"  r  Resume {standing(unfinished.match)}", "", " " * 5)
        self.look.say()
        while True:
            typed = self._ask("Which game? A number, a name, or a file ('quit' to exit) [1]: ")
            if not typed:
                return entries[0]
            if typed.lower() in ("r", "resume") and unfinished is not None:
                return unfinished.id
            if typed.isdecimal():
                if 1 <= int(typed[:9]) <= len(entries):
                    return entries[int(typed) - 1]
                self.look.say(f"The games have the numbers 1 to {len(entries)}.", "problem")
                continue
            try:
                found = find(typed)
                found.variant()
                return found
            except ZerosumError as error:
                self.look.remark(str(error), "problem")

    def _players(self) -> tuple[tuple[str, str], Bots]:
        """Ask who plays: two people, or one against a level of the computer."""
        usual = tuple(self.settings.config.get("play", {}).get("names", NAMES))
        self.look.remark(f"To play against the computer, type a level: {LEVELS}.")
        while True:
            typed = self._ask(
                f"Who plays? Two names with a comma, or a level [{', '.join(usual)}]: "
            )
            level = typed.lower().removeprefix("vs ")
            if level in levels():
                return (usual[0], computer(level)), (None, level)
            names = [part.strip() for part in typed.split(",")] if typed else list(usual)
            if len(names) == 1:
                names = typed.split()
            if len(names) == 2 and names[1].lower() in levels():
                return (names[0], computer(names[1].lower())), (None, names[1].lower())
            if len(names) != 2:
                self.look.remark("Two names are needed, for example: Ada, Bob", "problem")
                continue
            try:
                check_players((names[0], names[1]))
                return (names[0], names[1]), NOBODY
            except ZerosumError as error:
                self.look.remark(f"{error}. For example: Ada, Bob", "problem")

    def _variant(self, entry: Entry) -> Game[Any]:
        """Ask for options, one after another, until Enter."""
        chosen: dict[str, Any] = dict(chosen_options(self.settings, entry))
        options = {option.name.replace("_", "-"): option for option in options_of(entry.game)}
        if not options:
            return entry.variant()
        while True:
            variant = entry.variant(**chosen)
            for name, option in options.items():
                value = written(getattr(variant, option.name))
                self.look.remark(f"  {name} {value}  ({option.about or 'an option'})", "", " " * 4)
            first = next(iter(options.values()))
            shown = f"{first.name.replace('_', '-')} {written(first.default)}"
            typed = self._ask(f"Enter to play, or change an option (such as '{shown}'): ")
            if not typed:
                return variant
            name, _, text = typed.replace("=", " ").partition(" ")
            name = name.lower().lstrip("-").replace("_", "-")
            if name not in options:
                self.look.remark(no_option(entry.name, name, list(options)), "problem")
                continue
            try:
                value = _value(options[name], text.strip())
                entry.variant(**{**chosen, options[name].name: value})
                chosen[options[name].name] = value
            except ZerosumError as error:
                self.look.remark(f"{str(error).rstrip('.')}. Nothing was changed.", "problem")

    def _yes(self, question: str) -> bool:
        """Ask a question that Enter answers with yes."""
        sys.stdout.flush()
        return self._ask(question).lower() in ("", "y", "yes")


def _value(option: Option, text: str) -> Any:
    """Read an option's value as it was typed."""
    for choice in option.choices:
        if written(choice).casefold() == text.casefold():
            return choice
    if option.kind == "flag":
        if text.lower() in ("", "on", "yes", "true", "1"):
            return True
        if text.lower() in ("off", "no", "false", "0"):
            return False
        raise UnreadableMove("Type on or off.")
    if option.kind == "number":
        return read_whole(text)
    if option.kind == "numbers":
        return tuple(read_whole(part) for part in text.replace(",", " ").split())
    return text
