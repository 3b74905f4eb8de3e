"""What follows from all judgements and pairings: ratings, and the leaderboard."""

from collections import Counter
from collections.abc import Mapping, Sequence

from zerosum.lab.arena.entrants import Entrant
from zerosum.lab.arena.leaderboard import Absence, Leaderboard, Pairing, RankedPlayer
from zerosum.lab.arena.ratings import (
    Meeting,
    fits_of,
    misfit_of,
    ratings_of,
    turned,
)
from zerosum.lab.arena.venues import ArenaSettings, Venue
from zerosum.lab.measure.measuring import versions
from zerosum.lab.measure.sampling import Figure, mean_figure
from zerosum.players.asked import FAULT_KINDS, FaultKind
from zerosum.players.levels import LEVELS


def leaderboard_of(
    venues: Sequence[Venue], entrants: Sequence[Entrant], settings: ArenaSettings
) -> Leaderboard:
    """Rate the players, and put all that is known into a document."""
    pairings = [pairing for venue in venues for pairing in venue.present()]
    meetings = [Meeting(p.player, p.opponent, p.score) for p in pairings]
    ratings = ratings_of(meetings, LEVELS)
    there = {entrant.name for venue in venues for entrant in venue.entrants}
    standings = [
        _standing(entrant, venues, pairings, ratings.rating.get(entrant.name))
        for entrant in entrants
        if entrant.name in there
    ]
    rated = sorted((s for s in standings if s.rating is not None), key=_by_rating)
    fits = fits_of(meetings, [standing.player for standing in rated], ratings)
    # Who never plays has a slip rate alone: then this is the one number that all have.
    standings.sort(key=_by_rating if len(rated) == len(standings) else _by_slips)
    return Leaderboard(
        seed=settings.seed,
        samples=settings.samples,
        budget=settings.budget,
        within=settings.within,
        anchors=ratings.anchors,
        games=tuple(venue.about for venue in venues),
        standings=tuple(standings),
        fits=fits,
        misfit=misfit_of(fits),
        judgements=tuple(j for venue in venues for j in venue.judgements.values()),
        pairings=tuple(pairings),
        absences=tuple(
            Absence(venue.id, name, reason)
            for venue in venues
            for name, reason in venue.absences.items()
        ),
        versions=versions(),
    )


def _standing(
    entrant: Entrant,
    venues: Sequence[Venue],
    pairings: Sequence[Pairing],
    rating: Figure | None,
) -> RankedPlayer:
    """Collect the figures of a player over all games."""
    name = entrant.name
    judged = [venue.judgements[name] for venue in venues if name in venue.judgements]
    scores = [p.score for p in pairings if p.player == name]
    scores += [turned(p.score) for p in pairings if p.opponent == name]
    worst = [j.exploitability for j in judged if j.exploitability is not None]
    faults: Counter[FaultKind] = Counter()
    counts: Mapping[FaultKind, int]
    for counts in (
        *(j.faults for j in judged),
        *(p.faults for p in pairings if p.player == name),
        *(p.opponent_faults for p in pairings if p.opponent == name),
    ):
        faults.update(counts)
    met = {p.game for p in pairings if name in (p.player, p.opponent)}
    return RankedPlayer(
        player=name,
        kind=entrant.kind,
        identity=entrant.identity,
        games=len(met | {j.game for j in judged}),
        rating=rating,
        score=mean_figure(scores),
        right=mean_figure(j.right for j in judged),
        slips=mean_figure(j.slips for j in judged),
        regret=mean_figure(j.regret for j in judged),
        exploitability=sum(worst) / len(worst) if worst else None,
        exploited=len(worst),
        faults={kind: faults[kind] for kind in FAULT_KINDS if faults[kind]},
    )


def _by_rating(standing: RankedPlayer) -> tuple[float, float, str]:
    """Return a key that sorts players: the highest rating first, then the rarest slips."""
    rating = standing.rating
    return (0.0 if rating is None else -rating.value, *_by_slips(standing))


def _by_slips(standing: RankedPlayer) -> tuple[float, str]:
    """Return a key that sorts players: the rarest slips first, and who was not judged last."""
    return (2.0 if standing.slips is None else standing.slips.value, standing.player)
