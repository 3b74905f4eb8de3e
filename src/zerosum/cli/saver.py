"""Save a match while it is played, or warn once that it cannot be saved."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from zerosum.cli.config import Settings
from zerosum.errors import Conflict, Unwritable
from zerosum.match import Event, Match
from zerosum.store import Saved, Store


class Saver:
    """Saves every event of a match before it is announced."""

    def __init__(
        self, settings: Settings, store: Store | None = None, saved: Saved | None = None
    ) -> None:
        """Save a new match, or continue one that was saved in a store."""
        self.settings = settings
        self.store = store
        self.saved = saved

    def open(self) -> None:
        """Open the database for a new match; where that fails, nothing is saved."""
        try:
            self.store = self.store or self.settings.store()
        except Unwritable as error:
            warn(self.settings, f"{error}\nYou can play on, but nothing will be saved.")

    def apply(self, match: Match[Any], event: Event) -> Match[Any]:
        """Apply an event to the match, and save it before it is announced."""
        after = match.apply(event)
        self._save(after, event)
        return after

    def _save(self, match: Match[Any], event: Event | None = None) -> None:
        """Write a match, or the latest event in it, to the database."""
        if self.store is None:
            return
        try:
            with uninterrupted():
                if self.saved is None:
                    self.saved = self.store.create(match)
                elif event is not None:
                    self.saved = self.store.append(self.saved, event, match)
        except Conflict as error:
            raise Conflict(
                "This match was continued in another terminal; nothing is lost. "
                f"Resume with: {self._resume()}"
            ) from error
        except Unwritable as error:
            self.store = None
            warn(self.settings, f"{error}\nYou can play on, but nothing more will be saved.")

    def farewell(self, match: Match[Any], saved: str = "Saved.") -> str:
        """Save a match that is left, and return how to resume it."""
        self._save(match)
        if self.store is None or self.saved is None:
            return "This match could not be saved."
        return f"{saved} Resume with: {self._resume()}"

    def _resume(self) -> str:
        """Return the command that resumes the match."""
        assert self.saved is not None  # noqa: S101 (for the type checker)
        return self.settings.match_command("resume", self.saved)


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
