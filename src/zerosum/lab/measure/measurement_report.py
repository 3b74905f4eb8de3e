"""A measurement as a report: sentences, tables and bars, all of them from its document."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from zerosum.lab.measure.measurement import (
    AgainstLevel,
    DecisionGroup,
    ErrorsIn,
    FirstError,
    LeftOut,
    Measurement,
    MoveChance,
    Thrown,
)
from zerosum.lab.measure.sampling import Figure
from zerosum.players.asked import FaultKind
from zerosum.players.levels import Level
from zerosum.players.scale import among, levels_near
from zerosum.protocol import Move
from zerosum.reports import Bar, Bars, Grid, Piece, Report, Section, Sentence
from zerosum.text import EQUAL, brief, counted, either, percent, short

LEFT_OUT: dict[LeftOut, str] = {
    "budget": "The player's own games reach more positions than the budget allows.",
    "answers": "The answers do not cover all positions of the player's own games.",
    "size": "The game is too large for a table in memory.",
    "cycle": "The game has a cycle with too many positions to be solved.",
}
FAULTS: dict[FaultKind, str] = {
    "illegal": "an illegal answer",
    "unreadable": "an unreadable answer",
    "cut-off": "an answer cut off at its length limit",
    "refused": "a refusal",
    "late": "no answer in time",
    "crash": "a crash",
}
# The same after the number of answers.
AFTER: dict[FaultKind, str] = {
    "illegal": "illegal",
    "unreadable": "unreadable",
    "cut-off": "cut off",
    "refused": "refused",
    "late": "late",
    "crash": "lost in a crash",
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
PER_GAME = "What its errors throw away in a game, in half points"
COUNTED = (
    "A win turned into a loss counts as two, a win turned into a draw or a draw turned into a loss "
    "as one; these are averages over all games."
)
# The level whose games are named in a sentence.
TYPICAL: Level = "medium"
POINTS = "1 for a win, ½ for a draw"
CONFIDENCE = "95% confidence"
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
    asked, spent = asked_sentences(measured), spent_sentences(measured)
    sections = [Section("", [summary(measured), *slip_sentences(measured), *asked, *spent])]
    if measured.good is not None:
        sections += _decisions(measured)
    sections += _scores(measured)
    if measured.good is not None:
        sections.append(_errors(measured, look))
    if kinds := fault_kinds(measured.faults):
        listed = [
            f"{after_moves(fault.line)}: {fault.message}"
            + (f" (the first of {fault.times:,} such answers)" if fault.times > 1 else "")
            for fault in measured.listed_faults[:MOST_LISTED]
        ]
        rule = "Each loses the game at that point; in a decision, it counts as wrong."
        sections.append(Section(f"Faulty answers: {kinds}.", [rule, *listed]))
    return Report(f"{brief(measured.player, 60)} plays {measured.title}", sections)


def summary(measured: Measurement) -> str:
    """Say how good the decisions are, beside those of random play.

    >>> import zerosum
    >>> from zerosum.lab.measure import measure_player
    >>> summary(measure_player(zerosum.game("dual-digits"), "medium"))
    'Right in 85.8% of 103 decisions (random play: 43.0%).'
    """
    if measured.all_faulty:
        return f"Every answer was faulty. The first: {measured.listed_faults[0].message}"
    if measured.good is None or measured.random is None:
        if measured.left_out == "size":
            return "No move in the positions that were drawn can throw away a result."
        return "No move in this game can throw away a result."
    value = percentage(measured.good.value)
    decisions = counted(measured.decisions, "decision")
    if measured.positions is None:
        decisions = f"{decisions} in random games"
    elif measured.left_out == "size":
        decisions = f"{decisions} drawn from {counted(measured.positions, 'position')}"
    right = f"of {decisions} (random play: {percentage(measured.random)})."
    if measured.exact:
        these = " Exact for these answers." * (measured.answers == "deterministic")
        return f"Right in {value} {right}{these}"
    every = "each" if measured.answers == "drawn" else "these decisions"
    answers = f"a sample of {measured.asked:,}" if measured.sampled else every
    if measured.answers == "drawn":
        answers = f"{counted(measured.samples, 'answer')} to {answers}"
    low = percentage(measured.good.low)
    high = percentage(measured.good.high)
    return (
        f"Right in about {value} {right} Estimated from {answers}; "
        f"95% confidence interval: {low} to {high}."
    )


def slip_sentences(measured: Measurement) -> list[str]:
    """Place the player on the scale of the levels, if the game has decisions.

    >>> import zerosum
    >>> from zerosum.lab.measure import measure_player
    >>> slip_sentences(measure_player(zerosum.game("dual-digits"), "medium"))
    ['Slip rate: 25.0%, like medium.']
    """
    if (slips := measured.slips) is None:
        return []
    like = slip_place(slips, measured.good, measured.random)
    if slips.low == slips.high:
        return [f"Slip rate: {percentage(slips.value)}, {like}."]
    low, high = percentage(slips.low), percentage(slips.high)
    about = f"about {percentage(slips.value)} (95% confidence interval: {low} to {high})"
    return [f"Slip rate: {about}, {like}."]


def slip_place(slips: Figure, right: Figure | None, random: float | None) -> str:
    """Say which levels a slip rate is like; no rate is so high that it is worse than random.

    >>> always, rarely = Figure(1.0, 1.0, 1.0), Figure(0.28, 0.28, 0.28)
    >>> slip_place(always, rarely, 0.43), slip_place(always, rarely, 0.28)
    ('worse than random', 'like random')
    """
    if slips.value > 1 - EQUAL and right is not None and right.high < (random or 0.0) - EQUAL:
        return "worse than random"
    return among(levels_near(slips.value))


def spent_sentences(measured: Measurement) -> list[str]:
    """Say what the answers took, as far as it is known."""
    if (spent := measured.spent) is None:
        return []
    parts = [
        "" if spent.tokens is None else counted(spent.tokens, "token"),
        "" if spent.seconds is None else f"{spent.seconds:,.1f} s",
        "" if spent.cost is None else f"a cost of {spent.cost:,.2f}",
    ]
    return [f"All answers together: {', '.join(filter(None, parts))}."]


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
            _change(part.what),
            f"{part.possible:,}",
            estimated(part.share),
            percentage(part.random),
        ]
        for part in measured.thrown
    ]
    bands = [(band_label(band.above, band.up_to), band) for band in measured.difficulty]
    rows = [
        [label, f"{band.decisions:,}", estimated(band.good), percentage(band.random)]
        for label, band in bands
    ]
    groups = [
        (str(part.first) if part.first == part.last else f"{part.first} to {part.last}", part)
        for part in measured.plies
    ]
    sure = f"{CONFIDENCE}{' (asked of all)' * measured.sampled}"
    by_band = [_bar(label, band) for label, band in bands]
    by_ply = [_bar(label, group) for label, group in groups]
    difficulty: list[Piece] = [
        Grid(("Right moves", "Decisions", "Right", "Random play"), rows, figures=True),
        Bars("Right decisions", by_band, key=KEY, mark="random play", interval=sure, drawn=True),
        Bars("By moves from the start", by_ply, drawn=True),
    ]
    thrown = Grid(("Thrown away", "Possible in", "Share", "Random play"), lost, figures=True)
    return [
        Section("What it throws away, as a share of all decisions", [thrown]),
        Section("By difficulty: the share of legal moves that are right", difficulty),
    ]


def _change(what: Thrown) -> str:
    """Name what a move does to the result."""
    return what.replace("-", " to ")


def _bar(label: str, group: DecisionGroup) -> Bar:
    """Draw some decisions: the share of right ones, and what the others throw away."""
    good, thrown = group.good, group.thrown
    shares = {
        RIGHT: good.value if good else 0.0,
        MISTAKE: thrown.get("win-draw", 0.0) + thrown.get("draw-loss", 0.0),
        BLUNDER: thrown.get("win-loss", 0.0),
    }
    words = [f"right {percentage(good.value)}"] if good and good.value else []
    words += [f"{_change(what)} {percentage(share)}" for what, share in thrown.items() if share]
    words.append(f"random play right {percentage(group.random)}")
    whole = group.asked == group.decisions
    asked = "" if whole else f", asked: {group.asked:,}"
    about = f"{label}, decisions: {group.decisions:,}{asked}; {', '.join(words)}."
    if good is None:
        figure = f"{group.decisions:,}, none asked"
    else:
        of = f"of {group.decisions:,}" if whole else f"({group.asked:,} of {group.decisions:,})"
        figure = f"{percentage(good.value)} {of}"
    return Bar(label, shares, figure, about, group.random, good.interval if good else None)


def band_label(above: float, up_to: float) -> str:
    """Name a difficulty by the share of right moves; that of a decision is never 100%.

    >>> band_label(0, 0.25), band_label(0.25, 0.5), band_label(0.75, 1)
    ('up to 25%', '25% to 50%', 'over 75%')
    """
    if up_to == 1:
        return f"over {above:.0%}"
    return f"{above:.0%} to {up_to:.0%}" if above else f"up to {up_to:.0%}"


def _scores(measured: Measurement) -> list[Section]:
    """Report the scores against every level, and what errors cost there."""
    if measured.left_out is not None:
        return [Section("", [f"Scores: unknown. {LEFT_OUT[measured.left_out]}"])]
    scores = measured.scores or ()
    rows = [
        [score.level, *(estimated(figure, SCORE_FORMAT) for figure in score.figures)]
        for score in scores
    ]
    if (worst := measured.worst) is not None:
        exact = map(SCORE_FORMAT, (worst.first, worst.second, worst.overall))
        rows.append(["best response", *exact])
    pieces: list[Piece] = [
        Grid(("Against", "Moving first", "Moving second", "Both"), rows, figures=True),
        *([] if worst else [WITHHELD]),
        Bars("Against each level, over both seats", [*map(_score_bar, scores)], drawn=True),
    ]
    costs = [
        [score.level, *(estimated(regret, SCORE_FORMAT) for regret in score.regrets)]
        for score in scores
    ]
    return [
        Section(f"{scores_title([measured])}: {POINTS}", pieces),
        Section(
            PER_GAME,
            [
                *_cost_sentences(scores),
                Grid(("Against", "Moving first", "Moving second", "Both"), costs, figures=True),
            ],
        ),
    ]


def _cost_sentences(scores: Iterable[AgainstLevel]) -> list[str]:
    """Say what errors cost in a game against one level, and what half points are."""
    found = [score.regret for score in scores if score.level == TYPICAL and score.regret]
    costs = [estimated(regret, SCORE_FORMAT) for regret in found]
    return [
        COUNTED,
        *(f"In a game against {TYPICAL}, its errors cost {c} half points." for c in costs),
    ]


def _score_bar(score: AgainstLevel) -> Bar:
    """Draw the score against a level, with its interval if it is an estimate."""
    first, second, both = score.figures
    seats = f"moving first {first.value:.3f}, moving second {second.value:.3f}"
    figure = f"{both.value:.3f}"
    about = f"{score.level}: {figure}{confidence(both, SCORE_FORMAT)}, {seats}."
    return Bar(score.level, {SCORE: both.value}, figure, about, interval=both.interval)


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
    if look is not None and (moves := measured.errors[0].line) is not None:
        line = ",".join(map(str, moves))
        pieces.append(Sentence(f"Look at one: {look(line)}", "aside"))
    return Section(heading, pieces)


def errors_heading(measured: Measurement) -> str:
    """Say where the errors that are listed were found, or that there are none."""
    if not measured.errors:
        if measured.exact:
            return "No errors"
        return "No errors in these answers"
    if measured.errors[0].line is None:
        return "Errors"
    return ERRORS_IN[measured.errors_in]


def error_sentence(error: FirstError) -> str:
    """Say where an error is, what is played there, and what would be right."""
    where = after_moves(error.line)
    if error.line != () and error.position:
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


def after_moves(line: Sequence[Move] | None) -> str:
    """Say where a line from the start leads; a long one is named by its last moves.

    >>> after_moves((3, 1, "pass")), after_moves(()), after_moves(range(1, 15))
    ('After 3, 1, pass', 'At the start', 'After … 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14')
    """
    if line is None:
        return "In a position that was asked about"
    listed = ", ".join(map(brief, line[-MOST_MOVES:]))
    if line:
        return f"After {'… ' * (len(line) > MOST_MOVES)}{listed}"
    return "At the start"


def fault_kinds(faults: Mapping[FaultKind, int]) -> str:
    """List kinds of faults, the most frequent first.

    >>> fault_kinds({"late": 1, "illegal": 20, "crash": 0})
    '20 illegal, 1 late'
    """
    often = sorted(faults.items(), key=lambda fault: -fault[1])
    return ", ".join(f"{count:,} {AFTER[kind]}" for kind, count in often if count)


def estimated(
    figure: Figure | None, write: Callable[[float], str] = percentage, between: str = "–"
) -> str:
    """Write a figure, with its interval if it is an estimate.

    >>> estimated(Figure(0.25, 0.2, 0.3)), estimated(Figure(1.0, 1.0, 1.0)), estimated(None)
    ('25.0% (20.0%–30.0%)', '100%', '–')
    """
    if figure is None:
        return MISSING
    if figure.interval is None:
        return write(figure.value)
    return f"{write(figure.value)} ({write(figure.low)}{between}{write(figure.high)})"


def confidence(figure: Figure, write: Callable[[float], str] = percentage) -> str:
    """Write the interval of an estimate, to follow the figure; '' if it is exact.

    >>> confidence(Figure(0.25, 0.2, 0.3))
    ' (95% confidence: 20.0% to 30.0%)'
    """
    if figure.interval is None:
        return ""
    return f" ({CONFIDENCE}: {write(figure.low)} to {write(figure.high)})"
