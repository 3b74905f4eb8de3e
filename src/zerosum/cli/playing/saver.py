"""Save a match while it is played, or warn once that it cannot be saved."""

from __future__ import annotations

import sys
from typing import Any

from zerosum.cli.config import Settings
from zerosum.errors import Conflict, StoreError, Unreadable, Unwritable
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
        """Save a new match, with or without a coach, or continue one that was saved in a store."""
        self.settings = settings
        self.store = store
        self.saved = saved
        self.coach = coach

    def open(self) -> None:
        """Open the database for a new match; if that fails, nothing is saved."""
        try:
            self.store = self.store or self.settings.store()
        except Unwritable as error:
            warn(self.settings, f"{error}\nYou can play on, but nothing will be saved.")

    def apply(self, match: Match[Any], event: Event) -> Match[Any]:
        """Apply an event to the match, and save it before it is announced.

        A match is saved with the first move of a person, or of a program where only these play.
        """
        after = match.apply(event)
        if self.store is None:
            return after
        try:
            if self.saved is not None:
                self.saved = self.store.append(self.saved, event, after)
            elif event.kind == "move" and _is_kept(match):
                self.saved = self.store.create(after, coach=self.coach)
                self._tell(after)
        except Unwritable as error:
            self.store = None
            warn(self.settings, f"{error}\nYou can play on, but nothing more will be saved.")
        except Conflict:
            raise
        except StoreError:
            self.saved = None  # such as a match that was deleted meanwhile
            raise
        return after

    def reload(self, match: Match[Any]) -> Match[Any]:
        """Load the match again, after it was continued elsewhere."""
        assert self.store is not None  # noqa: S101 (otherwise there is nothing to load)
        assert self.saved is not None  # noqa: S101
        self.saved = self.store.load(self.saved.id, entry_of(match.game).file)
        return self.saved.match

    def switch_coach(self, coach: bool) -> None:
        """Save whether the match has a coach from now on."""
        self.coach = coach
        if self.store is None or self.saved is None:
            return
        try:
            self.store.save_coach(self.saved, coach)
            self.saved = self.saved._replace(coach=coach)
        except Unwritable as error:
            warn(self.settings, f"{error}\nThe coach will not be remembered.")

    def _tell(self, match: Match[Any]) -> None:
        """Tell whoever watches over somebody else's rules how to resume."""
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
            return f"{nothing}: this match has no move of yours."
        if _is_gone(self.store, self.saved.id):
            return f"Match {self.saved.id} was deleted, so there is nothing to {further}."
        command = self.settings.match_command(further, self.saved)
        return f"{saved} {further.capitalize()} with: {command}"


def _is_kept(match: Match[Any]) -> bool:
    """Return whether a move in a match is worth keeping: a person's, or any between programs."""
    return match.bots[match.mover] is None or None not in match.bots


def _is_gone(store: Store, id_: str) -> bool:
    """Return whether a match was deleted in another terminal."""
    try:
        store.identify(id_)
    except (Unreadable, Unwritable):
        return False  # which is unknown then
    except StoreError:
        return True
    return False


def warn(settings: Settings, text: str) -> None:
    """Print a note on standard error, in its place between the lines of the game."""
    sys.stdout.flush()
    settings.err.line(f"Note: {text}", "problem")
