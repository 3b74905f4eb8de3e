"""Hears what other processes have changed in a PostgreSQL database."""

from __future__ import annotations

import itertools
import selectors
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import psycopg

from zerosum.store.connection import CHANNEL, connect

PROBE_SECONDS = 15.0
PAUSES = (0.1, 0.2, 0.5, 1.0, 2.0)


class Listener:
    """A thread with a connection of its own, which outlives the server's restarts."""

    def __init__(self, settings: dict[str, Any], callback: Callable[[str, int], None]) -> None:
        """Begin to listen; what is committed from now on is heard."""
        self._settings = settings
        self._callback = callback
        self._wake, self._woken = socket.socketpair()
        self._closing = threading.Event()
        try:
            self._db = self._connect()
        except BaseException:
            self._hang_up()
            raise
        self._thread = threading.Thread(target=self._run, name="zerosum-listen", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening; nothing is called back after this returns."""
        if not self._closing.is_set():
            self._closing.set()
            with suppress(OSError):  # the thread has ended already
                self._wake.send(b"x")
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _hang_up(self) -> None:
        """Close what the thread is woken with."""
        self._wake.close()
        self._woken.close()

    def _connect(self) -> psycopg.Connection[Any]:
        """Connect, and ask to be told."""
        db = connect(self._settings)
        try:
            # What comes along with an answer is passed on like the rest.
            db.add_notify_handler(lambda notice: self._pass_on(notice.payload))
            db.execute(f"listen {CHANNEL}")
        except BaseException:
            db.close()
            raise
        return db

    def _run(self) -> None:
        """Listen until the end, and again after every loss."""
        try:
            while not self._closing.is_set():
                try:
                    self._hear()
                except (psycopg.Error, OSError):
                    self._come_back()
        finally:
            self._db.close()
            self._hang_up()

    def _come_back(self) -> None:
        """Connect again, as soon as the server is there."""
        self._db.close()
        for attempt in itertools.count():
            if self._closing.wait(PAUSES[min(attempt, len(PAUSES) - 1)]):
                return
            with suppress(psycopg.Error):
                self._db = self._connect()
                break
        # Whatever happened in between was not heard.
        self._callback("", 0)

    def _hear(self) -> None:
        """Pass on what comes, until the connection or the listener ends."""
        line = self._db.pgconn
        with selectors.DefaultSelector() as selector:
            selector.register(line.socket, selectors.EVENT_READ)
            selector.register(self._woken, selectors.EVENT_READ)
            while not self._closing.is_set():
                if not selector.select(PROBE_SECONDS):
                    self._db.execute("select 1")  # or a line that was cut would seem to be quiet
                    continue
                line.consume_input()
                while notice := line.notifies():
                    self._pass_on(notice.extra.decode())

    def _pass_on(self, payload: str) -> None:
        """Tell of one change."""
        id_, _, version = payload.partition(" ")
        if version.isdecimal() and not self._closing.is_set():
            self._callback(id_, int(version))
