"""Keeps a match while it is played, or says once that it cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from zerosum.match import Event, Match
from zerosum.store import Saved, Store, events_of, new_id
from zerosum.store.base import Unwritable


class Keeper:
    """Stores every event of a match before it is announced."""

    def __init__(
        self,
        store: Store | None,
        warn: Callable[[str], None],
        command: Callable[..., str],
        saved: Saved | None = None,
    ) -> None:
        """Keep a new match, or go on with a saved one; `command` writes a command line."""
        self.store = store
        self.id = saved.id if saved else None
        self._events = saved.events if saved else 0
        self._warn = warn
        self._command = command

    def keep(self, match: Match[Any], event: Event | None = None) -> None:
        """Put a match, or what has just happened in it, on the disk."""
        if self.store is None:
            return
        try:
            with unbroken():
                if self.id is None:
                    self._events = sum(1 for _ in events_of(match))
                    self.id = self.store.create(match, new_id())
                elif event is not None:
                    self.store.append(self.id, self._events, event, match)
                    self._events += 1
        except Unwritable as error:
            self.store = None
            self._warn(f"{error}\nYou can play on, but nothing more will be saved.")

    def farewell(self, match: Match[Any], saved: str = "Saved.") -> str:
        """Save a match that is left, and tell how to resume it."""
        self.keep(match)
        if self.store is None or self.id is None:
            return "This match could not be saved."
        return f"{saved} Resume with: {self._command('resume', self.id)}"


@contextmanager
def unbroken() -> Iterator[None]:
    """Let Ctrl-C wait until what is being written has been written."""
    import signal  # not needed before the first move

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
