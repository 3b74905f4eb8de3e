"""The system's own Chromium; no browser is ever downloaded."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

# The address bar of a headless window would cost each browser half a second.
UNSEEN = "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup"
# The shell does the same pages with a quarter less work, where it is installed.
NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)


def found() -> str | None:
    """Return the path of Chromium, if it is installed."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def launched() -> Iterator[Browser]:
    """Start it, without a window."""
    # Chromium's sandbox does not work for root, the usual user in containers.
    flags = ["--disable-gpu", UNSEEN, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found(), args=flags)
        try:
            yield browser
        finally:
            browser.close()
