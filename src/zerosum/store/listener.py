"""Listens to what other processes change in a PostgreSQL database."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import psycopg

from zerosum.store.database import Callback

CHANNEL = "zerosum"
PROBE_SECONDS = 15.0
# How long it takes at most to notice that the listener is closed.
LISTEN_SECONDS = 0.2
PAUSES = (0.1, 0.2, 0.5, 1.0, 2.0)


class PostgresListener:
    """A thread with a connection of its own, which reconnects after a restart of the server."""

    def __init__(self, connect: Callable[[], psycopg.Connection[Any]], callback: Callback) -> None:
        """Start listening; everything committed from now on is reported."""
        self._open = connect
        self._callback = callback
        self._closing = threading.Event()
        self._db = self._connect()
        self._thread = threading.Thread(target=self._run, name="zerosum-listen", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening; nothing is called back after this returns."""
        self._closing.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _connect(self) -> psycopg.Connection[Any]:
        """Connect, and subscribe to the channel."""
        db = self._open()
        try:
            db.execute(f"listen {CHANNEL}")
        except BaseException:
            db.close()
            raise
        return db

    def _run(self) -> None:
        """Listen until closed, and reconnect whenever the connection is lost."""
        try:
            while not self._closing.is_set():
                try:
                    self._receive()
                except (psycopg.Error, OSError):
                    self._reconnect()
        finally:
            self._db.close()

    def _reconnect(self) -> None:
        """Connect as soon as the server is back."""
        self._db.close()
        for attempt in itertools.count():
            if self._closing.wait(PAUSES[min(attempt, len(PAUSES) - 1)]):
                return
            with suppress(psycopg.Error):
                self._db = self._connect()
                break
        # Changes in the meantime were missed.
        self._callback("", 0)

    def _receive(self) -> None:
        """Report notifications for a while; then make sure that the connection is not dead."""
        limit = time.monotonic() + PROBE_SECONDS
        while time.monotonic() < limit and not self._closing.is_set():
            for notification in self._db.notifies(timeout=min(LISTEN_SECONDS, PROBE_SECONDS)):
                self._report(notification.payload)
        self._db.execute("select 1")

    def _report(self, payload: str) -> None:
        """Call back with one change."""
        id_, _, version = payload.partition(" ")
        if version.isdecimal() and not self._closing.is_set():
            self._callback(id_, int(version))
