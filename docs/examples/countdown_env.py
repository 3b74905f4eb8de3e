"""A Gymnasium environment for two players: count down from ten, by one, two or three."""

from typing import Any

import gymnasium as gym
from gymnasium import spaces


class Countdown(gym.Env[Any, Any]):
    """Subtract 1, 2 or 3 from the number; whoever reaches 0 wins."""

    def __init__(self) -> None:
        self.action_space = spaces.Discrete(3)
        self.observation_space = spaces.Discrete(11)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[int, dict[str, Any]]:
        super().reset(seed=seed)
        self.number = 10
        self.current_player = 1
        self.moves_made = 0
        return self.number, {}

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        if action not in self.valid_moves():
            return self.number, -10, True, False, {}
        self.number -= action + 1
        self.moves_made += 1
        if self.number == 0:
            return self.number, 1, True, False, {"moves": self.moves_made}
        self.current_player = 3 - self.current_player
        return self.number, 0, False, False, {"moves": self.moves_made}

    def valid_moves(self) -> list[int]:
        return [action for action in range(3) if action + 1 <= self.number]

    def render(self) -> str:
        return f"The number is {self.number}. Player {self.current_player} is to move."
