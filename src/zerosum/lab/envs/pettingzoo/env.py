"""The PettingZoo environment: the agents are the two seats, and the rules say whose turn it is."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import logger
from gymnasium.spaces import Discrete, Space
from pettingzoo import AECEnv

from zerosum.lab.envs.encoding import Encoding
from zerosum.lab.envs.gymnasium.environment import illegal_move, observation_space
from zerosum.lab.envs.positions import ExactValues, check_start
from zerosum.protocol import Game, Move
from zerosum.registry import entry_of
from zerosum.wording.texts import describe

AGENTS = ("player_0", "player_1")


class TurnsEnv(AECEnv):  # type: ignore[misc]
    """A game for two agents; `position` is the state of the game."""

    def __init__(
        self,
        game: Game[Any],
        values: bool,
        mask_in_observation: bool,
        max_plies: int,
        encoding: Encoding | None,
        render_mode: str | None,
    ) -> None:
        """Take the arguments of `aec_env`."""
        super().__init__()
        self.game = game
        self._exact = ExactValues(game) if values else None
        self.encoding = encoding = encoding or Encoding.of(game)
        check_start(game)
        self.max_plies = max_plies
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{entry_of(game).name.replace('-', '_')}_v0",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self._mask_in_observation = mask_in_observation
        self.possible_agents = list(AGENTS)
        # Each agent has spaces of its own, with seeds of their own.
        self.action_spaces = {agent: Discrete(len(encoding.actions)) for agent in AGENTS}
        self.observation_spaces = {
            agent: observation_space(encoding, mask_in_observation) for agent in AGENTS
        }

    def observation_space(self, agent: str) -> Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Return the space of an agent's actions: the numbers of the moves."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game; nothing in it is left to chance, so `seed` changes nothing."""
        self.position = self.game.initial()
        self.plies = 0
        self.agents = list(AGENTS)
        self.agent_selection = AGENTS[self.position.player]
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._regrets = dict.fromkeys(AGENTS, 0)
        self._illegal: str | None = None  # why the last move was illegal
        self.infos = {agent: self._info(agent) for agent in AGENTS}

    def observe(self, agent: str) -> Any:
        """Return what an agent sees: the position, and its legal moves if it is its turn."""
        vector = self.encoding.vector(self.position)
        if not self._mask_in_observation:
            return vector
        return {"observation": vector, "action_mask": self._mask(agent)}

    def _mask(self, agent: str) -> Any:
        """Return the mask of an agent's legal moves: none if it is not its turn, or at the end."""
        over = self.terminations[agent] or self.truncations[agent]
        if AGENTS[self.position.player] == agent and not over:
            return self.encoding.mask(self.position)
        return np.zeros(len(self.encoding.actions), np.int8)

    def _info(self, agent: str) -> dict[str, Any]:
        """Return what else an agent is told."""
        info = {} if self._mask_in_observation else {"action_mask": self._mask(agent)}
        turn = AGENTS[self.position.player] == agent
        if self._illegal and turn:
            info["reason"] = self._illegal
        if self._exact:
            value, plies = self._exact.value(self.position), self._exact.plies(self.position)
            info["value"] = value if turn else -value
            info["plies"] = plies
            if self._illegal:
                info["value"], info["plies"] = self.rewards[agent], 0
            info["regret"] = self._regrets[agent]
        return info

    def step(self, action: Any) -> None:
        """Make the move of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        move = self.encoding.actions[action]
        if self.game.is_legal(self.position, move):
            self._play(agent, move)
        else:
            self._lose(agent, move)
        self._accumulate_rewards()
        self.infos = {agent: self._info(agent) for agent in AGENTS}
        self.agent_selection = AGENTS[self.position.player]

    def _play(self, agent: str, move: Move) -> None:
        """Make a legal move, and notice the end of the game, by its rules or by its length."""
        if self._exact:
            self._regrets[agent] = self._exact.regret(self.position, move)
        self.position = self.game.play(self.position, move)
        self.plies += 1
        outcome = self.game.outcome(self.position)
        if outcome is None:
            self.truncations = dict.fromkeys(AGENTS, self.plies == self.max_plies)
            return
        self.terminations = dict.fromkeys(AGENTS, True)
        if outcome.winner is not None:
            self.rewards = {AGENTS[outcome.winner]: 1, AGENTS[1 - outcome.winner]: -1}

    def _lose(self, agent: str, move: Move) -> None:
        """End the game by an illegal move; only the agent who chose it loses."""
        if self._exact:
            self._regrets[agent] = self._exact.value(self.position) + 1
        self.terminations = dict.fromkeys(AGENTS, True)
        self.rewards = {**dict.fromkeys(AGENTS, 0), agent: -1}
        self._illegal = illegal_move(self.game, self.position, move)

    def render(self) -> str | None:
        """Return the position in the words of the game."""
        if self.render_mode is None:
            logger.warn("Nothing is rendered without a render mode; choose render_mode='ansi'.")
            return None
        return describe(self.game, self.position)

    def close(self) -> None:
        """Release nothing."""
