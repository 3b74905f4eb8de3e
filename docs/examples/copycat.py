"""A program that plays whole games: `zerosum play even-steven --vs "exec:python copycat.py"`.

It plays its opponent's last move back if it can, and the first legal move otherwise.
"""

import json
import sys
from typing import Any


class Copycat:
    """Follows one game after the other."""

    def __init__(self) -> None:
        """Follow no game yet: questions outside a game have no moves before them."""
        self.moves: list[Any] = []

    def begin(self, message: dict[str, Any]) -> None:
        """Begin a game, or take one up after the moves that were played."""
        self.moves = message["played"]
        log(f"Game {message['game']} of {message['games']}: I have seat {message['seat']}.")

    def choose(self, question: dict[str, Any]) -> Any:
        """Choose a legal move; `since` has the moves played since the last question."""
        self.moves += question.get("since", [])
        if "error" in question:
            log(f"My last answer was not taken: {question['error']}")
        elif self.moves and self.moves[-1] in question["moves"]:
            return self.moves[-1]
        return question["moves"][0]


def log(text: str) -> None:
    """Say something to whoever reads standard error: it is not part of the protocol."""
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    """Answer what needs an answer, a line each; a `game` message needs none."""
    copycat = Copycat()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            answer = {"type": "ready", "protocol": 1, "deterministic": True, "games": True}
        elif message["type"] == "question":
            answer = {"id": message["id"], "move": copycat.choose(message)}
        else:
            if message["type"] == "game":
                copycat.begin(message)
            continue
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
