"""Listens to what other processes change in a PostgreSQL database."""

from __future__ import annotations

import itertools
import selectors
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import psycopg

from zerosum.store.database import Callback

CHANNEL = "zerosum"
PROBE_SECONDS = 15.0
PAUSES = (0.1, 0.2, 0.5, 1.0, 2.0)


class PostgresListener:
    """A thread with a connection of its own, which reconnects after a restart of the server."""

    def __init__(self, connect: Callable[[], psycopg.Connection[Any]], callback: Callback) -> None:
        """Start listening; everything committed from now on is reported."""
        self._open = connect
        self._callback = callback
        self._wake, self._woken = socket.socketpair()
        self._closing = threading.Event()
        try:
            self._db = self._connect()
        except BaseException:
            self._close_sockets()
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

    def _close_sockets(self) -> None:
        """Close the pair of sockets that wakes the thread."""
        self._wake.close()
        self._woken.close()

    def _connect(self) -> psycopg.Connection[Any]:
        """Connect, and subscribe to the channel."""
        db = self._open()
        try:
            # Notifications that arrive with the result of a query are reported like the rest.
            db.add_notify_handler(lambda notification: self._report(notification.payload))
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
            self._close_sockets()

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
        """Report notifications until the connection is lost or the listener is closed."""
        connection = self._db.pgconn
        with selectors.DefaultSelector() as selector:
            selector.register(connection.socket, selectors.EVENT_READ)
            selector.register(self._woken, selectors.EVENT_READ)
            while not self._closing.is_set():
                if not selector.select(PROBE_SECONDS):
                    self._db.execute("select 1")  # or a dead connection would only seem quiet
                    continue
                connection.consume_input()
                while notification := connection.notifies():
                    self._report(notification.extra.decode())

    def _report(self, payload: str) -> None:
        """Call back with one change."""
        id_, _, version = payload.partition(" ")
        if version.isdecimal() and not self._closing.is_set():
            self._callback(id_, int(version))
