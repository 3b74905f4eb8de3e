"""A measurement as a report: sentences, tables and bars, all of them from its document."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zerosum.errors import ZerosumError
from zerosum.lab.measure.measurement import (
    AgainstLevel,
    DecisionGroup,
    LeftOut,
    Measurement,
    Thrown,
)
from zerosum.lab.measure.measurement_words import (
    after_moves,
    asked_sentences,
    band_label,
    error_sentence,
    errors_heading,
    faults_sentence,
    percentage,
    scores_title,
    summary,
    withheld,
)
from zerosum.lab.measure.sampling import Figure
from zerosum.players.levels import LEVELS
from zerosum.reports import Bar, Bars, Grid, Piece, Report, Section, Sentence
from zerosum.text import brief

LEFT_OUT: dict[LeftOut, str] = {
    "budget": "The player's own games reach more positions than the budget allows.",
    "cycle": "The game has a cycle with too many positions to be solved.",
}
LOST: dict[Thrown, str] = {
    "win-draw": "win to draw",
    "win-loss": "win to loss",
    "draw-loss": "draw to loss",
}
DIFFICULTY = "By difficulty: the share of legal moves that are right"
POINTS = "1 for a win, ½ for a draw"
MISSING = "–"
# The most errors and faults that are listed; the document has more.
MOST_LISTED = 5
# The parts of a bar, in their order, and what they mean.
RIGHT, MISTAKE, BLUNDER, SCORE = "win-sign", "warn", "alarm", "mark"
KEY = {
    RIGHT: "right",
    MISTAKE: "mistake (half a point)",
    BLUNDER: "blunder (a whole point)",
}


def measurement_report(measured: Measurement, look: Callable[[str], str] | None = None) -> Report:
    """Report a measurement in detail; `look` writes the command that shows a position."""
    sections = [Section("", [summary(measured), *asked_sentences(measured)])]
    if measured.good is not None:
        sections += _decisions(measured)
    sections += _scores(measured)
    if measured.good is not None:
        sections.append(_errors(measured, look))
    if sentence := faults_sentence(measured):
        listed = [
            f"{after_moves(fault.line)}: {fault.message}"
            + (f" ({fault.times:,} times)" if fault.times > 1 else "")
            for fault in measured.listed_faults[:MOST_LISTED]
        ]
        rule = "Each loses the game at that point; in a decision, it counts as wrong."
        sections.append(Section(sentence, [rule, *listed]))
    return Report(f"{brief(measured.player, 60)} plays {measured.title}", sections)


def measurements_report(measured: Sequence[Measurement]) -> Report:
    """Report measurements side by side: one player in several games, or several in each game."""
    groups: dict[str, list[Measurement]] = {}
    for found in measured:
        groups.setdefault(found.title, []).append(found)
    title = ""
    if len(groups) == len(measured):
        title = f"How well {brief(measured[0].player, 60)} plays"
        sections = [Section("", _side_by_side("Game", list(groups), measured))]
    else:
        sections = [
            Section(name, _side_by_side("Player", [brief(m.player, 40) for m in group], group))
            for name, group in groups.items()
        ]
    notes = ["Right decisions keep the result. Regret is what a decision costs, in half points."]
    if any(found.answers == "deterministic" for found in measured):
        notes.append(
            "A player that declares itself deterministic is asked once: exact for its answers."
        )
    if not all(found.exact for found in measured):
        notes.append(
            "Estimates, from a sample or from drawn answers, have 95% confidence intervals."
        )
    return Report(title, [*sections, Section("", notes)])


def measurement_svg(*measurements: Measurement) -> str:
    """Draw measurements, one below the other.

    >>> import zerosum
    >>> from zerosum.lab.measure import measure_player
    >>> drawn = measurement_svg(measure_player(zerosum.game("even-steven"), "medium"))
    >>> "Right in 87.5% of 6 decisions (random play: 50.0%)." in drawn
    True
    """
    from zerosum.pictures.pages import to_svg

    if not measurements:
        raise ZerosumError("There is no measurement to draw.")
    heads = [
        (f"{m.player}: {m.title}", f"{summary(m)} {faults_sentence(m)}".strip())
        for m in measurements
    ]
    if len(measurements) == 1:
        ((title, about),), (one,) = heads, measurements
        return to_svg(Report(title, [Section("", _bars(one)), _errors(one)], about))
    sections: list[Section] = []
    for (title, about), found in zip(heads, measurements, strict=True):
        sections += [Section(title, [about, *_bars(found)]), _errors(found)]
    return to_svg(Report("Players measured", sections))


def _decisions(measured: Measurement) -> list[Section]:
    """Report what was thrown away, and the decisions by difficulty."""
    lost = [
        [LOST[part.what], f"{part.possible:,}", _estimate(part.share), percentage(part.random)]
        for part in measured.thrown
    ]
    bands = [
        [
            band_label(band.above, band.up_to),
            f"{band.decisions:,}",
            _estimate(band.good),
            percentage(band.random),
        ]
        for band in measured.difficulty
    ]
    thrown = Grid(("Thrown away", "Possible in", "Share", "Random play"), lost)
    difficulty = Grid(("Right moves", "Decisions", "Right", "Random play"), bands)
    return [
        Section("What it throws away, as a share of all decisions", [thrown]),
        Section(DIFFICULTY, [difficulty]),
    ]


def _scores(measured: Measurement) -> list[Section]:
    """Report the scores against every level, and against the opponent that knows the player."""
    if measured.left_out is not None:
        return [Section("", [f"Scores: unknown. {LEFT_OUT[measured.left_out]}"])]
    rows = [[score.level, *map(_score, score.figures)] for score in measured.scores or ()]
    if (worst := measured.worst) is not None:
        exact = (f"{score:.3f}" for score in (worst.first, worst.second, worst.overall))
        rows.append(["best response", *exact])
    grid = Grid(("Against", "Moving first", "Moving second", "Both"), rows)
    notes = [] if worst else [withheld(measured)]
    return [Section(f"{scores_title([measured])}: {POINTS}", [grid, *notes])]


def _errors(measured: Measurement, look: Callable[[str], str] | None = None) -> Section:
    """Report the positions in which the player errs first, and how to look at one."""
    heading = errors_heading(measured)
    if not measured.errors:
        return Section("", [f"{heading}."])
    pieces: list[Piece] = [error_sentence(error) for error in measured.errors[:MOST_LISTED]]
    if look is not None:
        line = ",".join(map(str, measured.errors[0].line))
        pieces.append(Sentence(f"Look at one: {look(line)}", "aside"))
    return Section(heading, pieces)


def _side_by_side(head: str, names: Sequence[str], measured: Sequence[Measurement]) -> list[Piece]:
    """Put measurements into tables: their decisions, then their scores."""
    faulty = any(map(faults_sentence, measured))
    columns = (head, "Decisions", "Right", "Random play", "Regret", *["Faults"] * faulty)
    decisions, scores = [], []
    for name, found in zip(names, measured, strict=True):
        random = MISSING if found.random is None else percentage(found.random)
        figures = [_estimate(found.good), random, _estimate(found.regret, _number)]
        faults = [f"{sum(found.faults.values()):,}"] * faulty
        decisions.append([name, f"{found.decisions:,}", *figures, *faults])
        both = [_score(score.figures[-1]) for score in found.scores or ()]
        scores.append([name, *(both or [MISSING] * len(LEVELS))])
    against = (head, *(f"vs {level}" for level in LEVELS))
    title = f"{scores_title(measured)}: {POINTS} (over both seats)"
    return [Grid(columns, decisions), title, Grid(against, scores)]


def _score(score: Figure) -> str:
    """Write a score, with its interval if it is an estimate: short, as three stand in a row."""
    interval = f" ({score.low:.3f}–{score.high:.3f})" if score.low < score.high else ""
    return f"{score.value:.3f}{interval}"


def _number(number: float) -> str:
    """Write a number; one that is not quite 0 is not written as if it were."""
    return "0" if number == 0 else "under 0.001" if number < 0.001 else f"{number:.3f}"


def _estimate(figure: Figure | None, write: Callable[[float], str] = percentage) -> str:
    """Write a figure, with its interval if it is an estimate."""
    if figure is None:
        return MISSING
    if figure.low == figure.high:
        return write(figure.value)
    return f"{write(figure.value)} ({write(figure.low)} to {write(figure.high)})"


def _bars(measured: Measurement) -> list[Bars]:
    """Draw the decisions by difficulty and by the distance from the start, and the scores."""
    bands = [_bar(band_label(band.above, band.up_to), band) for band in measured.difficulty]
    groups = [
        _bar(str(part.first) if part.first == part.last else f"{part.first} to {part.last}", part)
        for part in measured.plies
    ]
    sure = f"95% confidence{' (asked of all)' * measured.sampled}"
    scores = [_score_bar(score) for score in measured.scores or ()]
    found = (
        Bars(DIFFICULTY, bands, key=KEY, mark="random play", interval=sure),
        Bars("By moves from the start", groups),
        Bars(f"{scores_title([measured])} against each level, over both seats", scores),
    )
    return [bars for bars in found if bars.bars]


def _score_bar(score: AgainstLevel) -> Bar:
    """Draw the score against a level, with its interval if it is an estimate."""
    first, second, both = score.figures
    interval = None if both.low == both.high else (both.low, both.high)
    sure = f" (95% confidence: {both.low:.3f} to {both.high:.3f})" if interval else ""
    seats = f"moving first {first.value:.3f}, moving second {second.value:.3f}"
    about, figure = f"{score.level}: {both.value:.3f}{sure}, {seats}.", f"{both.value:.3f}"
    return Bar(score.level, {SCORE: both.value}, figure, about, interval=interval)


def _bar(label: str, group: DecisionGroup) -> Bar:
    """Draw some decisions: the share of right ones, and what the others throw away."""
    good, thrown = group.good, group.thrown
    shares = {
        RIGHT: good.value if good else 0.0,
        MISTAKE: thrown.get("win-draw", 0.0) + thrown.get("draw-loss", 0.0),
        BLUNDER: thrown.get("win-loss", 0.0),
    }
    words = [f"{KEY[kind]} {percentage(share)}" for kind, share in shares.items() if share]
    words.append(f"random play right {percentage(group.random)}")
    whole = group.asked == group.decisions
    asked = "" if whole else f", asked: {group.asked:,}"
    about = f"{label}, decisions: {group.decisions:,}{asked}; {', '.join(words)}."
    if good is None:
        figure = f"{group.decisions:,}, none asked"
    else:
        of = f"of {group.decisions:,}" if whole else f"({group.asked:,} of {group.decisions:,})"
        figure = f"{percentage(good.value)} {of}"
    interval = (good.low, good.high) if good and good.low < good.high else None
    return Bar(label, shares, figure, about, group.random, interval)
