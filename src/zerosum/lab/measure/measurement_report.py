"""A measurement as a report: sentences, tables and bars, all of them from its document."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from zerosum.errors import ZerosumError
from zerosum.lab.measure.measurement import (
    AgainstLevel,
    DecisionGroup,
    ErrorsIn,
    FirstError,
    LeftOut,
    Measurement,
    MoveChance,
)
from zerosum.lab.measure.players import FaultKind
from zerosum.lab.measure.sampling import Figure
from zerosum.players.levels import LEVELS
from zerosum.protocol import Move
from zerosum.reports import Bar, Bars, Grid, Piece, Report, Section, Sentence
from zerosum.text import brief, counted, either, percent, short

LEFT_OUT: dict[LeftOut, str] = {
    "budget": "The player's own games reach more positions than the budget allows.",
    "cycle": "The game has a cycle with too many positions to be solved.",
}
FAULTS: dict[FaultKind, str] = {
    "illegal": "an illegal answer",
    "unreadable": "an unreadable answer",
    "missing": "no answer",
}
ERRORS_IN: dict[ErrorsIn, str] = {
    "own-games": "Where it errs first",
    "elsewhere": "No errors in its own games; the closest elsewhere",
    "asked": "Errors closest to the start",
}
WITHHELD = (
    "Exploitability is withheld: a best response to drawn answers would also exploit their noise, "
    "so it would come out too high. To get it, let the player answer with the chances of its "
    "moves, or be deterministic and declare it."
)
POINTS = "1 for a win, ½ for a draw"
MISSING = "–"
SCORE_FORMAT = "{:.3f}".format
percentage = partial(percent, decimals=1)
# The most errors and faults that are listed; the document has more.
MOST_LISTED = 5
# The most moves of a line, and of what is right, that are written out.
MOST_MOVES = 12
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
    sections.append(_scores(measured))
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
    reports = [*map(measurement_report, measurements)]
    if len(reports) == 1:
        return to_svg(reports[0])
    sections: list[Section] = []
    for report in reports:
        first, *others = report.sections
        sections += [Section(report.title, first.pieces), *others]
    return to_svg(Report("Players measured", sections))


def summary(measured: Measurement) -> str:
    """Say how good the decisions are, beside those of random play.

    >>> import zerosum
    >>> from zerosum.lab.measure import measure_player
    >>> summary(measure_player(zerosum.game("dual-digits"), "medium"))
    'Right in 85.8% of 103 decisions (random play: 43.0%).'
    """
    if measured.replies and sum(measured.faults.values()) == measured.replies:
        return f"Every answer was faulty. The first: {measured.listed_faults[0].message}"
    if measured.good is None or measured.random is None:
        return "No move in this game can throw away a result."
    value = percentage(measured.good.value)
    decisions = counted(measured.decisions, "decision")
    right = f"of {decisions} (random play: {percentage(measured.random)})."
    if measured.exact:
        these = " Exact for these answers." * (measured.answers == "deterministic")
        return f"Right in {value} {right}{these}"
    answers = f"a sample of {measured.asked:,}" if measured.sampled else "each"
    if measured.answers == "drawn":
        answers = f"{counted(measured.samples, 'answer')} to {answers}"
    low = percentage(measured.good.low)
    high = percentage(measured.good.high)
    return (
        f"Right in about {value} {right} Estimated from {answers}; "
        f"95% confidence interval: {low} to {high}."
    )


def asked_sentences(measured: Measurement) -> list[str]:
    """Say how many positions the player was asked about, how often, and why; a level was not."""
    asked = f"It was asked about {counted(measured.questions, 'position')}"
    if not measured.questions:
        return []
    if measured.answers == "chances":
        return [f"{asked}."]
    if measured.answers == "deterministic":
        return [f"{asked}, once each: it declares that it is deterministic."]
    times = "once" if measured.samples == 1 else f"{measured.samples:,} times"
    found = measured.contradiction
    if found is None:
        return [f"{asked}, {times} each: it may draw its moves."]
    return [
        f"{asked}, {times} each. It declares that it is deterministic, but contradicts itself. "
        f"{after_moves(found.line)}, it answered {_moves(found.first)}, then "
        f"{_moves(found.second)}."
    ]


def _moves(answer: Sequence[MoveChance]) -> str:
    """List the moves of an answer."""
    if answer:
        return either([brief(part.move) for part in answer])
    return "nothing legal"


def _decisions(measured: Measurement) -> list[Section]:
    """Report what was thrown away, and the decisions by difficulty and distance."""
    lost = [
        [
            part.what.replace("-", " to "),
            f"{part.possible:,}",
            _estimate(part.share),
            percentage(part.random),
        ]
        for part in measured.thrown
    ]
    bands = [(band_label(band.above, band.up_to), band) for band in measured.difficulty]
    rows = [
        [label, f"{band.decisions:,}", _estimate(band.good), percentage(band.random)]
        for label, band in bands
    ]
    groups = [
        (str(part.first) if part.first == part.last else f"{part.first} to {part.last}", part)
        for part in measured.plies
    ]
    sure = f"95% confidence{' (asked of all)' * measured.sampled}"
    by_band = [_bar(label, band) for label, band in bands]
    by_ply = [_bar(label, group) for label, group in groups]
    difficulty: list[Piece] = [
        Grid(("Right moves", "Decisions", "Right", "Random play"), rows),
        Bars("Right decisions", by_band, key=KEY, mark="random play", interval=sure, drawn=True),
        Bars("By moves from the start", by_ply, drawn=True),
    ]
    thrown = Grid(("Thrown away", "Possible in", "Share", "Random play"), lost)
    return [
        Section("What it throws away, as a share of all decisions", [thrown]),
        Section("By difficulty: the share of legal moves that are right", difficulty),
    ]


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


def band_label(above: float, up_to: float) -> str:
    """Name a difficulty by the share of right moves; that of a decision is never 100%.

    >>> band_label(0, 0.25), band_label(0.25, 0.5), band_label(0.75, 1)
    ('up to 25%', '25% to 50%', 'over 75%')
    """
    if up_to == 1:
        return f"over {above:.0%}"
    return f"{above:.0%} to {up_to:.0%}" if above else f"up to {up_to:.0%}"


def _scores(measured: Measurement) -> Section:
    """Report the scores against every level, and against the opponent that knows the player."""
    if measured.left_out is not None:
        return Section("", [f"Scores: unknown. {LEFT_OUT[measured.left_out]}"])
    scores = measured.scores or ()
    rows = [
        [score.level, *(_estimate(figure, SCORE_FORMAT) for figure in score.figures)]
        for score in scores
    ]
    if (worst := measured.worst) is not None:
        exact = map(SCORE_FORMAT, (worst.first, worst.second, worst.overall))
        rows.append(["best response", *exact])
    pieces: list[Piece] = [
        Grid(("Against", "Moving first", "Moving second", "Both"), rows),
        *([] if worst else [WITHHELD]),
        Bars("Against each level, over both seats", [*map(_score_bar, scores)], drawn=True),
    ]
    return Section(f"{scores_title([measured])}: {POINTS}", pieces)


def _score_bar(score: AgainstLevel) -> Bar:
    """Draw the score against a level, with its interval if it is an estimate."""
    first, second, both = score.figures
    interval = None if both.low == both.high else (both.low, both.high)
    sure = f" (95% confidence: {both.low:.3f} to {both.high:.3f})" if interval else ""
    seats = f"moving first {first.value:.3f}, moving second {second.value:.3f}"
    figure = f"{both.value:.3f}"
    about = f"{score.level}: {figure}{sure}, {seats}."
    return Bar(score.level, {SCORE: both.value}, figure, about, interval=interval)


def scores_title(measured: Iterable[Measurement]) -> str:
    """Say what the scores are: exact, exact for the answers that were given, or estimated."""
    bases = {found.answers for found in measured}
    if "drawn" in bases:
        return "Estimated score" if len(bases) == 1 else "Score"
    if "deterministic" in bases:
        return "Exact score for these answers"
    return "Exact score"


def _errors(measured: Measurement, look: Callable[[str], str] | None) -> Section:
    """Report the positions in which the player errs first, and how to look at one."""
    heading = errors_heading(measured)
    if not measured.errors:
        return Section("", [f"{heading}."])
    pieces: list[Piece] = [error_sentence(error) for error in measured.errors[:MOST_LISTED]]
    if look is not None:
        line = ",".join(map(str, measured.errors[0].line))
        pieces.append(Sentence(f"Look at one: {look(line)}", "aside"))
    return Section(heading, pieces)


def errors_heading(measured: Measurement) -> str:
    """Say where the errors that are listed were found, or that there are none."""
    if not measured.errors:
        if measured.exact:
            return "No errors"
        return "No errors in these answers"
    return ERRORS_IN[measured.errors_in]


def error_sentence(error: FirstError) -> str:
    """Say where an error is, what is played there, and what would be right."""
    where = after_moves(error.line)
    if error.line and error.position:
        where = f"{where} ({error.position})"
    right = short(either([*map(brief, error.right[:MOST_MOVES])]))
    if error.fault is not None:
        what = FAULTS[error.fault]
    elif error.samples is not None:
        what = f"wrong in {error.wrong:,} of {counted(error.samples, 'answer')}"
    elif len(error.plays) == 1:
        what = f"plays {brief(error.plays[0].move)}"
    else:
        what = f"wrong {percentage(1 - error.good)} of the time"
    return f"{where}: {what}; right: {right}."


def after_moves(line: Sequence[Move]) -> str:
    """Say where a line from the start leads; a long one is named by its last moves.

    >>> after_moves((3, 1, "pass")), after_moves(()), after_moves(range(1, 15))
    ('After 3, 1, pass', 'At the start', 'After … 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14')
    """
    listed = ", ".join(map(brief, line[-MOST_MOVES:]))
    if line:
        return f"After {'… ' * (len(line) > MOST_MOVES)}{listed}"
    return "At the start"


def faults_sentence(measured: Measurement) -> str:
    """Count the faulty answers by their kinds, if there are any."""
    often = sorted(measured.faults.items(), key=lambda fault: -fault[1])
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in often if count)
    return f"Faulty answers: {kinds}." if kinds else ""


def _side_by_side(head: str, names: Sequence[str], measured: Sequence[Measurement]) -> list[Piece]:
    """Put measurements into tables: their decisions, then their scores."""
    faulty = any(map(faults_sentence, measured))
    columns = (head, "Decisions", "Right", "Random play", "Regret", *["Faults"] * faulty)
    decisions, scores = [], []
    for name, found in zip(names, measured, strict=True):
        random = MISSING if found.random is None else percentage(found.random)
        figures = [_estimate(found.good), random, _estimate(found.regret, "{:.3g}".format)]
        faults = [f"{sum(found.faults.values()):,}"] * faulty
        decisions.append([name, f"{found.decisions:,}", *figures, *faults])
        both = [_estimate(score.figures[-1], SCORE_FORMAT) for score in found.scores or ()]
        scores.append([name, *(both or [MISSING] * len(LEVELS))])
    against = (head, *(f"vs {level}" for level in LEVELS))
    title = f"{scores_title(measured)}: {POINTS} (over both seats)"
    return [Grid(columns, decisions), title, Grid(against, scores)]


def _estimate(figure: Figure | None, write: Callable[[float], str] = percentage) -> str:
    """Write a figure, with its interval if it is an estimate."""
    if figure is None:
        return MISSING
    if figure.low == figure.high:
        return write(figure.value)
    return f"{write(figure.value)} ({write(figure.low)}–{write(figure.high)})"
