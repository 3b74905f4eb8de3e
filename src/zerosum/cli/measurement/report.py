"""Print measurements: one in detail, or several as tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from zerosum.cli.console import Console
from zerosum.lab.measure.sampling import Figure
from zerosum.lab.measure.sentences import (
    DIFFICULTY,
    LEFT_OUT,
    after_moves,
    asked_sentence,
    band_label,
    error_sentence,
    errors_heading,
    faults_sentence,
    percentage,
    scores_title,
    summary,
    withheld,
)
from zerosum.players.levels import LEVELS
from zerosum.text import brief
from zerosum.wording.words import variant_title

if TYPE_CHECKING:
    from zerosum.lab.measure.decisions import Thrown
    from zerosum.lab.measure.measurement import Measurement

# The most errors and faults that are listed; --json has more.
MOST_LISTED = 5
MISSING = "–"
POINTS = "1 for a win, ½ for a draw"
LOST: dict[Thrown, str] = {
    "win-draw": "win to draw",
    "win-loss": "win to loss",
    "draw-loss": "draw to loss",
}


def print_report(out: Console, measured: Sequence[Measurement], look: Callable[[str], str]) -> None:
    """Print the only measurement in detail, or tables of several.

    `look` writes the command that shows the position after some moves.
    """
    if len(measured) == 1:
        _print_one(out, measured[0], look)
        return
    groups: dict[str, list[Measurement]] = {}
    for found in measured:
        groups.setdefault(variant_title(found.game), []).append(found)
    if len(groups) == len(measured):
        out.line(f"How well {brief(measured[0].player, 60)} plays", "strong")
        _print_tables(out, "Game", list(groups), measured)
    else:
        for title, group in groups.items():
            out.line(title, "strong")
            _print_tables(out, "Player", [brief(found.player, 40) for found in group], group)
    out.paragraph(
        "Right decisions keep the result. Regret is what a decision costs, in half points."
    )
    if any(found.answers == "deterministic" for found in measured):
        out.paragraph(
            "A player that declares itself deterministic is asked once: exact for its answers."
        )
    if not all(found.exact for found in measured):
        out.paragraph(
            "Estimates, from a sample or from drawn answers, have 95% confidence intervals."
        )


def _print_tables(
    out: Console, head: str, names: Sequence[str], measured: Sequence[Measurement]
) -> None:
    """Print measurements side by side: their decisions, then their scores."""
    faulty = any(found.faults for found in measured)
    columns = (head, "Decisions", "Right", "Random play", "Regret", *["Faults"] * faulty)
    rows = []
    for name, found in zip(names, measured, strict=True):
        random = MISSING if found.random is None else percentage(found.random)
        figures = [_estimate(found.good), random, _estimate(found.regret, _number)]
        faults = [f"{sum(found.faults.values()):,}"] * faulty
        rows.append([name, f"{found.decisions:,}", *figures, *faults])
    out.table("", columns, rows)
    rows = []
    for name, found in zip(names, measured, strict=True):
        scores = [_score(score.figures[-1]) for score in found.scores or ()]
        rows.append([name, *(scores or [MISSING] * len(LEVELS))])
    out.paragraph(f"{scores_title(measured)}: {POINTS} (over both seats)")
    out.table("", (head, *(f"vs {level}" for level in LEVELS)), rows)
    out.line()


def _print_one(out: Console, found: Measurement, look: Callable[[str], str]) -> None:
    """Print a measurement in detail."""
    out.line(f"{brief(found.player, 60)} plays {variant_title(found.game)}", "strong")
    out.paragraph(summary(found))
    if found.questions:
        out.paragraph(asked_sentence(found))
    if found.good is not None:
        _print_decisions(out, found)
    _print_scores(out, found)
    if found.good is not None:
        _print_errors(out, found, look)
    if found.faults:
        _print_faults(out, found)


def _print_decisions(out: Console, found: Measurement) -> None:
    """Print what was thrown away, and the decisions by difficulty."""
    _heading(out, "What it throws away, as a share of all decisions")
    rows = [
        [LOST[part.what], f"{part.possible:,}", _estimate(part.share), percentage(part.random)]
        for part in found.thrown
    ]
    out.table("", ("Thrown away", "Possible in", "Share", "Random play"), rows)
    _heading(out, DIFFICULTY)
    rows = [
        [
            band_label(above, up_to),
            f"{group.decisions:,}",
            _estimate(group.good),
            percentage(group.random),
        ]
        for above, up_to, group in found.difficulty
    ]
    out.table("", ("Right moves", "Decisions", "Right", "Random play"), rows)


def _print_scores(out: Console, found: Measurement) -> None:
    """Print the scores against every level, and against the opponent that knows the player."""
    if found.left_out is not None:
        out.line()
        out.paragraph(f"Scores: unknown. {LEFT_OUT[found.left_out]}")
    if found.scores is None:
        return
    _heading(out, f"{scores_title([found])}: {POINTS}")
    rows = [[score.level, *map(_score, score.figures)] for score in found.scores]
    if found.worst is not None:
        first, second, _ = found.worst
        exact = map(Figure.exactly, (first, second, (first + second) / 2))
        rows.append(["best response", *map(_score, exact)])
    out.table("", ("Against", "Moving first", "Moving second", "Both"), rows)
    if found.worst is None:
        out.paragraph(withheld(found))


def _print_errors(out: Console, found: Measurement, look: Callable[[str], str]) -> None:
    """Print the positions in which the player errs first, and how to look at one."""
    if not found.errors:
        out.line()
        out.paragraph(f"{errors_heading(found)}.")
        return
    _heading(out, errors_heading(found))
    for error in found.errors[:MOST_LISTED]:
        out.paragraph(error_sentence(found.game, error))
    out.aside(f"Look at one: {look(','.join(map(str, found.errors[0].line)))}")


def _print_faults(out: Console, found: Measurement) -> None:
    """Print how many answers were faulty, and the first of them."""
    _heading(out, faults_sentence(found))
    out.paragraph("Each loses the game at that point; in a decision, it counts as wrong.")
    for fault in found.listed_faults[:MOST_LISTED]:
        often = f" ({fault.times:,} times)" if fault.times > 1 else ""
        out.paragraph(f"{after_moves(fault.line)}: {fault.message}{often}")


def _heading(out: Console, text: str) -> None:
    """Print a heading."""
    out.line()
    out.paragraph(text, "strong")


def _score(score: Figure) -> str:
    """Write a score, with its interval if it is an estimate: short, as three stand in a row."""
    value, low, high = score
    return f"{value:.3f}" if low == high else f"{value:.3f} ({low:.3f}–{high:.3f})"


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
