"""A game as an environment of PettingZoo: two agents, and the rules say whose turn it is."""

from typing import Any

from gymnasium.spaces import Discrete, Space
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from zerosum.lab.envs.encoding import MAX_PLIES, Encoding, encoding_of
from zerosum.lab.envs.episode import Episode
from zerosum.lab.envs.gymnasium_env import check_render_mode, observation_space
from zerosum.protocol import Game, check_is_game
from zerosum.registry import entry_of
from zerosum.wording.texts import describe

AGENTS = ("player_0", "player_1")


def aec_env(
    game: Game[Any],
    *,
    values: bool = False,
    mask_in_observation: bool = True,
    max_plies: int = MAX_PLIES,
    encoding: Encoding | None = None,
    one_hot: bool = True,
    planes: bool | None = None,
    render_mode: str | None = None,
) -> AECEnv:
    """Return a game as a PettingZoo environment.

    An observation has the vector of the position and the mask of the legal moves; without
    `mask_in_observation` it is the vector alone. `values` adds the exact value of the position
    and the regret of an agent's last move to its info. An illegal move loses. After `max_plies` a
    game is truncated.
    `encoding` numbers the moves of a game that is too large to find them all.

    >>> import zerosum
    >>> env = aec_env(zerosum.game("even-steven", start=6), values=True)
    >>> env.reset()
    >>> observation, reward, termination, truncation, info = env.last()
    >>> observation["observation"], observation["action_mask"], info["value"]
    (array([0., 0., 0., 0., 0., 0., 1., 1., 0.], dtype=float32), array([1, 1], dtype=int8), 1)
    >>> env.step(1)
    >>> env.agent_selection, env.infos["player_0"]["regret"]
    ('player_1', 2)
    """
    check_render_mode(render_mode)
    check_is_game(game)
    episode = Episode(encoding_of(game, encoding, one_hot, planes), max_plies, values)
    env = TurnsEnv(episode, mask_in_observation, render_mode)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(env))


class TurnsEnv(AECEnv):  # type: ignore[misc]
    """A game for two agents; `position` is the state of the game."""

    def __init__(self, episode: Episode, with_mask: bool, render_mode: str | None) -> None:
        """Take a game that has not begun, and what aec_env has checked."""
        super().__init__()
        self.encoding = episode.encoding
        self.game = episode.encoding.game
        self.metadata = {
            "name": f"{entry_of(self.game).name.replace('-', '_')}_v0",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self._episode = episode
        self._with_mask = with_mask
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        # Each agent has spaces of its own, with seeds of their own.
        self.action_spaces = {agent: Discrete(len(self.encoding.actions)) for agent in AGENTS}
        self.observation_spaces = {
            agent: observation_space(self.encoding, with_mask) for agent in AGENTS
        }

    @property
    def position(self) -> Any:
        """The state of the game."""
        return self._episode.now.state

    def observation_space(self, agent: str) -> Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Return the space of an agent's actions: the numbers of the moves."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game, or one in options["state"]; nothing is left to chance or to `seed`."""
        self._episode.restart(options)
        self.agents = list(AGENTS)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self._tell()

    def observe(self, agent: str) -> Any:
        """Return what an agent sees: the position, and its legal moves if it is its turn."""
        return self._episode.observation(AGENTS.index(agent), self._with_mask)

    def step(self, action: Any) -> None:
        """Make the move of the agent whose turn it is; an illegal one ends the game."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self._episode.play(action)
        self._tell()
        self._accumulate_rewards()

    def _tell(self) -> None:
        """Tell the agents whose turn it is, and how the game has ended if it has."""
        end = self._episode.end
        endless = end is not None and end.early == "endless"
        self.agent_selection = AGENTS[self._episode.now.player]
        self.rewards = dict(zip(AGENTS, end.scores if end else (0, 0), strict=True))
        self.terminations = dict.fromkeys(AGENTS, end is not None and not endless)
        self.truncations = dict.fromkeys(AGENTS, endless)
        self.infos = {agent: self._info(seat) for seat, agent in enumerate(AGENTS)}

    def _info(self, seat: int) -> dict[str, Any]:
        """Return what else an agent is told."""
        episode = self._episode
        info: dict[str, Any] = {} if self._with_mask else {"action_mask": episode.mask(seat)}
        end = episode.end
        if end and end.early == "illegal" and episode.now.player == seat:
            info["reason"] = end.reason
        if episode.values:
            info["value"], info["plies"] = episode.worth(seat)
            info["regret"] = episode.regrets[seat]
        return info

    def render(self) -> str | None:
        """Return the position in the words of the game, in the mode 'ansi'."""
        if self.render_mode is None:
            return None
        return describe(self.game, self.position)
