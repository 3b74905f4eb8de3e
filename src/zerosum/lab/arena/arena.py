"""Players against each other: exactly if their chances are known, otherwise in enough games."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec

from zerosum.bulk.table import Table
from zerosum.errors import TooLarge, ZerosumError
from zerosum.lab.arena.entrants import Entrant, entrants_of
from zerosum.lab.arena.errands import (
    ArenaRow,
    Task,
    judgement_of,
    packed,
    unpacked,
)
from zerosum.lab.arena.exact import KnownPlayer, exact_ends
from zerosum.lab.arena.leaderboard import Leaderboard
from zerosum.lab.arena.standings import leaderboard_of
from zerosum.lab.arena.venues import LOOKS, ArenaSettings, Contest, Errand, Venue
from zerosum.lab.audit.processes import many_games
from zerosum.lab.audit.processes.game_files import AuditJob, jobs_for
from zerosum.lab.audit.processes.one_game import PREPARE_FREELY, Stop, run_in_process
from zerosum.lab.ids import name_of
from zerosum.lab.journal import Journal
from zerosum.lab.measure.measuring import measured_answers
from zerosum.lab.measure.sampling import Figure
from zerosum.lab.models.marking import marked
from zerosum.limits import ARENA, Limits
from zerosum.options import option_values
from zerosum.players.levels import LEVELS
from zerosum.protocol import Game
from zerosum.text import brief
from zerosum.wording.words import title_of

WORKED = "zerosum.lab.arena.errands:worked"
USUAL = ArenaSettings()


class Arena:
    """Some players in some games; what is in the journal is not played again.

    >>> import zerosum
    >>> board = Arena([zerosum.game("dual-digits")], ["hard"]).run()
    >>> [(standing.player, round(standing.rating.value)) for standing in board.standings]
    [('perfect', 565), ('hard', 426), ('medium', 315), ('easy', 180), ('random', 0)]
    """

    def __init__(
        self,
        games: Iterable[Game[Any]],
        players: Sequence[str] | Mapping[str, Any],
        settings: ArenaSettings = USUAL,
        *,
        seconds: float | None = None,
        progress: Callable[[str], None] = lambda said: None,
    ) -> None:
        """Take the games and the players; make the tables of the games, within some seconds each.

        Players are words, or values by name. All levels take part in a game with a table.
        """
        self._settings, self._progress = settings, progress
        variants = list(dict.fromkeys(games))
        if not variants:
            raise ZerosumError("An arena needs a game.")
        found = entrants_of(players, variants[0], settings.seed)
        levels = entrants_of(LEVELS, variants[0])
        every = {entrant.name: entrant for entrant in (*levels, *found)}
        self._entrants = list(every.values())
        self.venues: list[Venue] = []
        for game in variants:
            progress(f"solving {title_of(game)} …")
            venue = Venue(game, Limits(settings.positions, seconds))
            self.venues.append(venue)
            venue.admit(self._entrants if venue.table is not None else found)
            if len(venue.entrants) < 2:
                raise ZerosumError(
                    f"Name a second player: {title_of(game)} has no table, so that the levels "
                    "play only if they are named."
                )

    def take(self, earlier: Leaderboard) -> None:
        """Take over what an earlier leaderboard says about the same games and players."""
        mine = self._settings
        theirs = earlier.seed, earlier.samples, earlier.budget
        if theirs != (mine.seed, mine.samples, mine.budget):
            budget = "" if earlier.budget is None else f" --budget {earlier.budget}"
            raise ZerosumError(
                "That leaderboard was made with other settings; to add to it, use --seed "
                f"{earlier.seed} --samples {earlier.samples}{budget}."
            )
        identities = {entrant.name: entrant.identity for entrant in self._entrants}
        same = {
            standing.player
            for standing in earlier.standings
            if standing.identity and standing.identity == identities.get(standing.player)
        }
        games = {game.id: game for game in earlier.games}
        for venue in self.venues:
            if games.get(venue.id) != venue.about:
                continue
            for judged in earlier.judgements:
                if judged.game == venue.id and judged.player in same:
                    venue.judgements[judged.player] = judged
            for pairing in earlier.pairings:
                names = (pairing.player, pairing.opponent)
                if pairing.game == venue.id and same.issuperset(names) and mine.holds(pairing):
                    venue.pairings[names] = pairing

    def run(
        self,
        executor: Executor | None = None,
        journal: Journal | None = None,
        answers: str = "",
        fresh: bool = False,
    ) -> Leaderboard:
        """Judge everybody, play what has to be played, and rate; here, or on an executor.

        `answers` is a folder in which those of a player that is being judged are kept; a fresh
        run does not use those that are there.
        """
        self._executor, self._journal = executor, journal
        self._work = partial(work_in_process, answers=answers, fresh=fresh)
        self._judge()
        for venue in self.venues:
            if venue.table is not None:
                self._pair_exactly(venue, venue.table)
        self._play()
        return leaderboard_of(self.venues, self._entrants, self._settings)

    def _judge(self) -> None:
        """Measure everybody in the games with a table, and learn whose chances are known."""
        errands = []
        for venue in self.venues:
            if venue.table is None:
                continue
            needed = {entrant.name for pair in venue.missing() for entrant in pair}
            for entrant in venue.entrants:
                if entrant.name in venue.judgements and entrant.name not in needed:
                    continue
                if entrant.asked:
                    errands.append(Errand(venue, (entrant,)))
                else:
                    self._progress(f"judging {entrant.name}, {title_of(venue.game)}")
                    self._judge_here(venue, venue.table, entrant)
        for errand, row in zip(errands, self._rows(errands, "players judged"), strict=True):
            venue, name = errand.venue, errand.players[0].name
            if row.judgement is None:
                venue.absences[name] = row.failed
                continue
            venue.judgements[name] = row.judgement
            if row.known is not None:
                venue.known[name] = KnownPlayer(*map(unpacked, row.known))

    def _judge_here(self, venue: Venue, table: Table[Any], entrant: Entrant) -> None:
        """Judge a player that needs no process of its own."""
        if entrant.kind == "answers":
            if not entrant.player.about(venue.game):
                return
            measured, known = marked(table, entrant.player), None
        else:
            player = entrant.word if entrant.kind == "level" else entrant.player
            how = self._settings
            measured = measured_answers(table, player, how.samples, how.budget, how.seed)
            known = KnownPlayer.of(measured)
        judged = judgement_of(venue.id, entrant.name, measured.measurement)
        venue.judgements[entrant.name] = judged
        if known is not None:
            venue.known[entrant.name] = known

    def _pair_exactly(self, venue: Venue, table: Table[Any]) -> None:
        """Pair all whose chances are known."""
        missing = [
            pair for pair in venue.missing() if all(entrant.name in venue.known for entrant in pair)
        ]
        if not missing:
            return
        names = sorted({entrant.name for pair in missing for entrant in pair})
        self._progress(f"pairing {len(names)} players, {title_of(venue.game)} …")
        try:
            ends = exact_ends(table, [venue.known[name] for name in names])
        except TooLarge:  # a cycle: the games are played
            return
        for pair in missing:
            one, other = (names.index(entrant.name) for entrant in pair)
            both = ends[one, other]
            mean = (both[0].points + both[1].points) / 2
            venue.pair(pair, True, both, Figure(mean, mean, mean))

    def _play(self) -> None:
        """Play the other pairings, until their intervals are narrow enough."""
        contests = [Contest(venue, pair) for venue in self.venues for pair in venue.missing()]
        for contest in contests:
            contest.check()
        begin = 0
        for part in LOOKS:
            end = self._settings.most_games // part
            contests = [contest for contest in contests if not contest.off]
            owned = [
                (contest, errand) for contest in contests for errand in contest.errands(begin, end)
            ]
            rows = self._rows([errand for _, errand in owned], "rounds of games played")
            for (contest, _), row in zip(owned, rows, strict=True):
                contest.add(row)
            for contest in contests:
                if not contest.off:
                    score, enough = contest.score, part == LOOKS[-1]
                    if enough or self._settings.is_narrow(score):
                        contest.off = True
                        contest.venue.pair(contest.pair, False, contest.ends, score, contest.faults)
            begin = end

    def _rows(self, errands: Sequence[Errand], done: str) -> list[ArenaRow]:
        """Run errands in processes, here or elsewhere; return what became of each, in order."""
        if not errands:
            return []
        if self._executor is None:
            raise ZerosumError("Players that have to be asked, or to play, need an executor.")
        jobs = [self._job(errand) for errand in errands]

        def report(rows: Sequence[ArenaRow]) -> None:
            self._progress(f"{len(rows):,} of {len(jobs):,} {done}")

        return many_games.run_jobs(
            ArenaRow,
            self._work,
            jobs,
            self._executor,
            self._journal,
            report,
            lambda row: row.lasting,
        )

    def _job(self, errand: Errand) -> AuditJob:
        """Make the job of an errand: it has all that the row depends on."""
        limits = ARENA._replace(positions=self._settings.positions)
        (job,) = jobs_for([name_of(errand.venue.game)], limits)
        text = msgspec.json.encode(self._task(errand)).decode()
        name = errand.venue.id
        return job._replace(name=name, arguments=(name, job.file, text))

    def _task(self, errand: Errand) -> Task:
        """Say what a process does."""
        venue, settings = errand.venue, self._settings
        players = []
        for entrant in errand.players:
            known, policy = venue.known.get(entrant.name), None
            # A faulty answer is given by the player itself; a level's policy is made there.
            if known is not None and entrant.kind != "level" and not known.faulty.any():
                policy = packed(known.chances)
            players.append(entrant._replace(player=policy))
        return Task(
            options=option_values(venue.game),
            folder=os.getcwd(),
            players=tuple(players),
            seed=settings.seed,
            samples=settings.samples,
            budget=settings.budget,
            seconds=settings.seconds,
            table=venue.table is not None,
            begin=errand.begin,
            end=errand.end,
        )


def work_in_process(job: AuditJob, answers: str = "", fresh: bool = False) -> ArenaRow:
    """Do a task in a process of its own; broken rules are an error."""
    saved = os.path.join(answers, f"{many_games.key_of(job)}.journal") if answers else ""
    if fresh:
        _remove(saved)
    asked = job._replace(arguments=(*job.arguments, saved))
    last: ArenaRow | Stop = run_in_process(
        asked, WORKED, ArenaRow | Stop, PREPARE_FREELY, ARENA.seconds
    )[-1]
    if isinstance(last, Stop):
        raise ZerosumError(f"{brief(job.name, 80)}: {last.message}")
    if last.lasting:
        _remove(saved)
    return last


def _remove(path: str) -> None:
    """Remove a file, if it is there."""
    with suppress(OSError):
        os.unlink(path)
