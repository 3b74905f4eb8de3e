"""The browser: pages, moves by POST, news by server-sent events."""
