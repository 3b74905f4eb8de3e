"""The edge: sockets, connections, one middleware, limits and the log."""
