"""A leaderboard as a report, made from its document alone."""

from zerosum.lab.arena.leaderboard import Leaderboard, PairFit
from zerosum.lab.measure.comparison_report import signed, slip_scale
from zerosum.lab.measure.measurement_report import (
    CONFIDENCE,
    MISSING,
    estimated,
    fault_kinds,
    percentage,
    slip_place,
)
from zerosum.pictures.matrix_svg import matrix_svg, two_digits
from zerosum.players.levels import LEVELS
from zerosum.reports import Bar, Bars, Grid, Picture, Piece, Report, Section, Sentence
from zerosum.text import brief, counted, short

# The key of the section about who did not take part.
ABSENT = "absent"
PERFECT = LEVELS[-1]
# The most characters of a name beside a bar.
LABEL = 20
# The most residuals, upsets and cycles that are listed.
MOST_LISTED = 5
# A smaller residual is none: three digits are shown.
SMALLEST_RESIDUAL = 0.0005
COLUMNS = ("Player", "Rating", "Slip rate", "Right", f"vs {PERFECT}", "Exploitability", "Faults")


def leaderboard_report(board: Leaderboard, tables: bool = True) -> Report:
    """Report a leaderboard; without tables, who beats whom is a picture alone."""
    return Report(
        title_of_board(board),
        [
            Section("", [summary(board), _standings(board), *map(str, _notes(board))]),
            _who_beats_whom(board, tables),
            _misfit(board),
            *_absences(board),
        ],
    )


def leaderboard_svg(board: Leaderboard) -> str:
    """Draw a leaderboard: slip rates, scores, and who beats whom."""
    from zerosum.pictures.reports import to_svg

    pieces: list[Piece] = [summary(board), *_pictures(board)]
    sections = [Section("", pieces), _who_beats_whom(board, tables=False)]
    return to_svg(Report(title_of_board(board), sections))


def leaderboard_page(board: Leaderboard, command: str) -> str:
    """Write a leaderboard as a page with pictures."""
    from zerosum.pictures.reports import to_html

    report = leaderboard_report(board, tables=False)
    first, *others = report.sections
    first = first._replace(pieces=[*first.pieces, *_pictures(board)])
    return to_html(report._replace(sections=[first, *others]), command)


def title_of_board(board: Leaderboard) -> str:
    """Name the game of a leaderboard; several are counted."""
    if len(board.games) == 1:
        return f"Leaderboard of {board.games[0].title}"
    return f"Leaderboard of {counted(len(board.games), 'game')}"


def summary(board: Leaderboard) -> str:
    """Say how many players there are, over what, and what is exact."""
    players = counted(len(board.standings), "player")
    decisions = sum(game.decisions or 0 for game in board.games)
    over = f", {counted(decisions, 'decision')}" if decisions else ""
    in_games = f" in {counted(len(board.games), 'game')}" if len(board.games) > 1 else ""
    if board.exact:
        return f"{players}{over}{in_games}; every pairing is exact."
    exact = sum(pairing.exact for pairing in board.pairings)
    how = f"{counted(board.played, 'game')} were played"
    if exact:
        pairings = counted(len(board.pairings), "pairing")
        how = f"{exact:,} of {pairings} are exact; for the others, {how}"
    return f"{players}{over}{in_games}; {how}."


def _standings(board: Leaderboard) -> Grid:
    """List the players, the best first."""
    scores = _scores(board)
    rows = [
        [
            brief(standing.player),
            estimated(standing.rating, _points, " to "),
            estimated(standing.slips),
            estimated(standing.right, percentage),
            MISSING if score is None else f"{score:.3f}",
            MISSING if standing.exploitability is None else f"{standing.exploitability:.3f}",
            fault_kinds(standing.faults) or "0",
        ]
        for standing in board.standings
        for score in [scores.get((standing.player, PERFECT))]
    ]
    return Grid(COLUMNS, rows, figures=True)


def _points(rating: float) -> str:
    """Write a rating."""
    return f"{round(rating)}".replace("-", "−")


def _notes(board: Leaderboard) -> list[str]:
    """Say what the figures are."""
    notes = [
        "Rating: 400 points are odds of ten to one"
        + (
            f"; {board.anchors[0]} has 0, and no other player moves the levels."
            if board.anchors
            else "; the mean is 0."
        )
    ]
    if any(standing.rating is None for standing in board.standings):
        notes.append("Sorted by slip rate, because some players only answer questions.")
    if len(board.games) > 1:
        notes.append(
            "All figures are means over the games, each counting equally: the slip rate too, which "
            "zerosum measure estimates from all decisions together."
        )
    if any(standing.rating and standing.rating.interval for standing in board.standings):
        notes.append("Ranges are 95% confidence intervals.")
    partial = [s for s in board.standings if s.games < len(board.games)]
    if partial and len(board.games) > 1:  # with one, it is said below who did not take part
        listed = short(
            ", ".join(f"{brief(s.player)} in {s.games:,}" for s in partial[:MOST_LISTED])
        )
        notes.append(f"Some players are in fewer than {len(board.games):,} games: {listed}.")
    return notes


def _pictures(board: Leaderboard) -> list[Piece]:
    """Draw slip rates on one scale, and scores."""
    # Random play is judged too; it can be compared with those who are in all the games.
    random = [s.right.value for s in board.standings if s.player == LEVELS[0] and s.right]
    whole = random[0] if random else None
    slips = [
        (brief(s.player, LABEL), s.slips, slip_place(s.slips, s.right, known))
        for s in board.standings
        if s.slips is not None
        for known in [whole if s.games == len(board.games) else None]
    ]
    scores = [
        Bar(
            brief(s.player, LABEL),
            {"mark": s.score.value},
            f"{s.score.value:.3f}",
            f"{s.player}: {s.score.value:.3f} points a game, against all others",
            interval=s.score.interval,
        )
        for s in board.standings
        if s.score is not None
    ]
    bars = Bars("Mean score against all others", scores, interval=CONFIDENCE, half=True, drawn=True)
    return [*([slip_scale(slips)] if slips else []), *([bars] if scores else [])]


def _who_beats_whom(board: Leaderboard, tables: bool) -> Section:
    """Show the score of everybody against everybody."""
    scores = _scores(board)
    names = [s.player for s in board.standings if any(s.player in pair for pair in scores)]
    title = "Who beats whom"
    if not names:
        return Section(title, ["There are no pairings: answers to questions cannot play."])
    if not tables:
        about = "Score of the player on the left, over both seats"
        return Section(title, [Picture(title, lambda: matrix_svg(about, names, scores))])
    rows = [
        [
            brief(name),
            *(
                two_digits(scores[name, other]) if (name, other) in scores else MISSING
                for other in names
            ),
        ]
        for name in names
    ]
    spoken = [
        f"{brief(name)} scores "
        + ", ".join(
            f"{scores[name, other]:.3f} against {brief(other)}"
            for other in names
            if (name, other) in scores
        )
        + "."
        for name in names
    ]
    about = "The score of the player on the left, over both seats: 1 for a win, ½ for a draw."
    return Section(
        title, [about, Grid(("", *map(brief, names)), rows, figures=True, spoken=spoken)]
    )


def _misfit(board: Leaderboard) -> Section:
    """Say what the ratings cannot."""
    title, misfit = "What the ratings do not say", board.misfit
    if misfit is None:
        return Section(title, ["There are no ratings."])
    share = percentage(misfit.unexplained)
    pieces: list[Piece] = [
        f"One number for each player explains all but {share} of who beats whom "
        "(of the squared distances of scores from ½)."
    ]
    largest = sorted(board.fits, key=lambda fit: -abs(fit.residual))[:MOST_LISTED]
    rows = [_residual(fit) for fit in largest if abs(fit.residual) > SMALLEST_RESIDUAL]
    pieces += [Grid(("Largest residuals", "Score", "By rating", "Residual"), rows, True)] * bool(
        rows
    )
    pieces += [
        f"{brief(upset.player)} beats {brief(upset.opponent)}, rated higher: it scores "
        f"{estimated(upset.score, '{:.3f}'.format)}."
        for upset in misfit.upsets[:MOST_LISTED]
    ] or ["Nobody beats a higher-rated player."]
    pieces += [
        f"{brief(one)} beats {brief(two)}, who beats {brief(three)}, who beats {brief(one)}."
        for one, two, three in misfit.cycles[:MOST_LISTED]
    ]
    return Section(title, pieces)


def _residual(fit: PairFit) -> tuple[str, str, str, str]:
    """Put a score beside what the ratings say."""
    names = f"{brief(fit.player)} against {brief(fit.opponent)}"
    return names, f"{fit.score.value:.3f}", f"{fit.expected:.3f}", signed(fit.residual)


def _absences(board: Leaderboard) -> list[Section]:
    """Say who did not take part, and why."""
    listed = [Sentence(f"- {said}") for said in absence_sentences(board)]
    return [Section("Who did not take part", listed, ABSENT)] if listed else []


def absence_sentences(board: Leaderboard) -> list[str]:
    """Say in which games each player did not take part, once for each reason."""
    titles = {game.id: game.title for game in board.games}
    games: dict[tuple[str, str], list[str]] = {}
    for absence in board.absences:
        games.setdefault((absence.player, absence.reason), []).append(titles[absence.game])
    return [
        f"{brief(player)}, in {counted(len(found), 'game')} "
        f"({short(', '.join(found[:MOST_LISTED]))}{', …' * (len(found) > MOST_LISTED)}): {reason}"
        for (player, reason), found in games.items()
    ]


def _scores(board: Leaderboard) -> dict[tuple[str, str], float]:
    """Return every player's score against every other one over all games."""
    scores = {(fit.player, fit.opponent): fit.score.value for fit in board.fits}
    return scores | {(two, one): 1 - score for (one, two), score in scores.items()}
