"""Save a match while it is played, or warn once that this fails."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from zerosum.cli.config import Settings
from zerosum.errors import StoreError, Unreadable, Unwritable
from zerosum.match import Event, Match
from zerosum.registry import entry_of
from zerosum.store import Saved, Store

SAVED = "Every move announced so far is saved."


class Saver:
    """Saves every event of a match before it is announced."""

    def __init__(
        self,
        settings: Settings,
        store: Store | None = None,
        saved: Saved | None = None,
        coach: bool = False,
    ) -> None:
        """Save a new match, with or without a coach, or continue a saved one."""
        self.settings = settings
        self.store = store
        self.saved = saved
        self.coach = coach
        self._hints: set[tuple[int, int]] = set()  # of a match that is not saved yet

    def open(self) -> None:
        """Open the database for a new match; if that fails, nothing is saved."""
        try:
            self.store = self.store or self.settings.store()
        except Unwritable as error:
            warn(self.settings, f"{error}\nYou can play on, but nothing will be saved.")

    def apply(self, match: Match[Any], event: Event) -> Match[Any]:
        """Apply an event to the match, saved before it is announced."""
        after = match.apply(event)
        if self.store is None:
            return after
        try:
            with uninterrupted():
                if self.saved is not None:
                    self.saved = self.store.append(self.saved, event, after)
                elif event.kind == "move":
                    self.saved = self.store.create(after, coach=self.coach)
                    for hint in self._hints:
                        self.store.save_hint(self.saved.id, *hint)
                    self._tell(after)
        except Unwritable as error:
            self.store = None
            warn(self.settings, f"{error}\nYou can play on, but nothing more will be saved.")
        return after

    def switch_coach(self, coach: bool) -> None:
        """Save whether the match has a coach from now on."""
        self.coach = coach
        if self.store is None or self.saved is None:
            return
        try:
            with uninterrupted():
                self.saved = self.saved._replace(coach=coach)
                self.store.save_about(self.saved)
        except Unwritable as error:
            warn(self.settings, f"{error}\nThe coach will not be remembered.")

    def helped(self, match: Match[Any]) -> None:
        """Save that the coach helped the player to move: the move tells nothing of them."""
        hint = match.number - 1, match.ply
        if self.store is None or self.saved is None:
            self._hints.add(hint)
            return
        try:
            with uninterrupted():
                self.store.save_hint(self.saved.id, *hint)
        except Unwritable as error:
            warn(self.settings, str(error))

    def _tell(self, match: Match[Any]) -> None:
        """Tell whoever watches the rules how to resume."""
        if entry_of(match.game).file is not None:
            from zerosum.cli.supervision import tell

            tell(saved=self.where(match, SAVED))

    def where(self, match: Match[Any], saved: str = "Saved.") -> str:
        """Return how to resume a match, or to review one that is over."""
        if self.store is None:
            return "This match could not be saved."
        further = "review" if match.over else "resume"
        if self.saved is None:
            nothing = f"There is nothing to {further if match.over else 'save'}"
            return f"{nothing}: this match has no move yet."
        try:
            self.store.identify(self.saved.id)
        except (Unreadable, Unwritable):
            pass  # it is unknown whether the match is still there
        except StoreError:
            return f"This match was deleted in another terminal, so there is nothing to {further}."
        command = self.settings.match_command(further, self.saved)
        return f"{saved} {further.capitalize()} with: {command}"


def warn(settings: Settings, text: str) -> None:
    """Print a note on standard error, in its place between the lines of the game."""
    sys.stdout.flush()
    settings.err.line(f"Note: {text}", "problem")


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait until a write is complete."""
    import signal  # not needed before the first move

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
