"""A program that `zerosum measure --exec "python engine.py"` can ask; it plays the last legal move.

Every line on standard input is a JSON object, answered by one line on standard output.
"""

import json
import sys
from typing import Any


def choose(state: dict[str, Any], moves: list[Any]) -> Any:
    """Choose one of the legal moves: put your own player here."""
    return moves[-1]


if __name__ == "__main__":
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            answer = {"type": "ready", "protocol": 1, "deterministic": True}
        else:
            answer = {"id": message["id"], "move": choose(message["state"], message["moves"])}
        print(json.dumps(answer), flush=True)
