"""Several measurements as a report: on one scale, game by game, and by paired differences."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from zerosum.lab.measure.measurement import (
    ComparedPlayer,
    Comparison,
    Measurement,
    Measurements,
    PairedDifference,
    shown_player,
)
from zerosum.lab.measure.measurement_report import (
    CONFIDENCE,
    LEFT_OUT,
    MISSING,
    POINTS,
    RIGHT,
    SCORE_FORMAT,
    confidence,
    estimated,
    fault_kinds,
    measurement_report,
    percentage,
    scores_title,
    slip_place,
)
from zerosum.lab.measure.sampling import Figure
from zerosum.players.levels import LEVELS, SLIPS
from zerosum.players.scale import along
from zerosum.reports import Bar, Bars, Grid, Piece, Place, Places, Report, Section
from zerosum.text import brief, counted, lower_first, printable

SLIP_SCALE = "Slip rate: from random play to perfect play"
DIFFERENCES = "Differences in the share of right decisions"
FIGURES = ("Slip rate", "Right", "Regret")
# The most games that are reported one by one.
MOST_GAMES = 5
# The most characters of a player's name, and beside a difference in a picture.
LONGEST, SHORTER = 40, 12


def measurements_report(document: Measurements, look: Callable[[str], str] | None = None) -> Report:
    """Report measurements together: one player in several games, or several players.

    A single one is reported in detail; `look` writes the command that shows a position.
    """
    measured, compared = document.measurements, document.comparison
    if len(measured) == 1:
        return measurement_report(measured[0], look)
    by_game: dict[tuple[str, str], list[Measurement]] = {}
    for found in measured:
        by_game.setdefault((found.title, str(found.options)), []).append(found)
    groups = [*by_game.values()]
    if len(groups) == len(measured) and len({found.player for found in measured}) == 1:
        title = f"How well {brief(measured[0].player, 60)} plays"
        return Report(title, [*_by_game(measured, compared), _notes(document)])
    title = "Players compared"
    sections = []
    if compared is not None:
        if len(compared.games) == len(groups) == 1:
            title = f"{compared.games[0]}: players compared"
        sections.append(_overall(compared))
        if compared.pairs:
            sections.append(_pairs(compared))
    met = compared.games if compared is not None else ()
    if len(groups) > MOST_GAMES:
        sections.append(_games(groups, met))
    elif len(groups) > 1 or compared is None:
        for group in groups:
            sections += _game(group, group[0].title not in met)
    else:
        rows = zip(_names(measured), measured, strict=True)
        best_first = sorted(rows, key=lambda row: _slips_and_errors(row[1]))
        sections += _scores("", "Player", *zip(*best_first, strict=True))
    return Report(title, [*sections, _notes(document)])


def _slips_and_errors(found: Measurement) -> tuple[float, float]:
    """Return a key that sorts measurements: the fewest slips first."""
    if found.slips is None or found.good is None:
        return 1.0, 0.0
    return found.slips.value, -found.good.value


def measurement_svg(measured: Measurement | Measurements) -> str:
    """Draw a measurement in detail, or several compared.

    >>> import zerosum
    >>> from zerosum.lab.measure import measure_player
    >>> drawn = measurement_svg(measure_player(zerosum.game("even-steven"), "medium"))
    >>> "Right in 87.5% of 6 decisions (random play: 50.0%)." in drawn
    True
    """
    from zerosum.pictures.reports import to_svg

    if isinstance(measured, Measurements):
        return to_svg(measurements_report(measured))
    return to_svg(measurement_report(measured))


def slip_scale(players: Iterable[tuple[str, Figure, str]]) -> Places:
    """Put players with their slip rates, and what they are like, on the scale of the levels.

    >>> ada = ("Ada", Figure(0.25, 0.2, 0.3), "like medium")
    >>> scale = slip_scale([ada, ("Bob", Figure(1.0, 1.0, 1.0), "like random")])
    >>> [place.at for place in scale.places]
    [0.5, 0.0]
    >>> scale.places[0].about
    'Ada: slip rate 25.0% (95% confidence: 20.0% to 30.0%), like medium.'
    """
    ticks: dict[str, float] = {level: along(SLIPS[level]) for level in LEVELS}
    return Places(SLIP_SCALE, ticks, [_slip_place(*player) for player in players], CONFIDENCE)


def _slip_place(name: str, slips: Figure, like: str) -> Place:
    """Put a player on the scale; its interval is turned around, as more slips are further left."""
    value = percentage(slips.value)
    interval = (along(slips.high), along(slips.low)) if slips.interval else None
    about = f"{name}: slip rate {value}{confidence(slips)}, {like}."
    return Place(name, along(slips.value), value, about, interval)


def _overall(compared: Comparison) -> Section:
    """Report the players over all games: the best first."""
    names = [brief(player.player, LONGEST) for player in compared.players]
    title = "" if len(compared.games) == 1 else "Over all games"
    pieces: list[Piece] = [
        *_about(compared),
        _players(names, compared.players),
        *_drawn(names, compared.players, [compared.random] * len(names)),
        *_faults("of", names, compared.players),
    ]
    return Section(title, pieces)


def _about(compared: Comparison) -> list[str]:
    """Say how many decisions there are, what random play makes of them, and what is a mean."""
    decisions = counted(compared.decisions, "decision")
    regret = SCORE_FORMAT(compared.random_regret)
    random = f"random play gets {percentage(compared.random)} right, with a regret of {regret}"
    if len(compared.games) == 1:
        return [f"{decisions}; {random}."]
    return [
        f"{decisions} in {counted(len(compared.games), 'game')}; {random}.",
        "Right decisions and regret are means over the games, each game counting equally.",
        "The slip rate is estimated from all decisions together.",
    ]


def _figures(found: ComparedPlayer | Measurement) -> list[str]:
    """Write what a row says about decisions."""
    return [estimated(found.slips), estimated(found.right), estimated(found.regret, SCORE_FORMAT)]


def _players(names: Sequence[str], found: Sequence[ComparedPlayer | Measurement]) -> Grid:
    """List players with their figures."""
    rows = [[name, *_figures(player)] for name, player in zip(names, found, strict=True)]
    return Grid(("Player", *FIGURES), rows, figures=True)


def _share(name: str, right: Figure, random: float | None) -> Bar:
    """Draw a share of right decisions, with its interval if it is an estimate."""
    value = percentage(right.value)
    about = f"{name}: right {value}{confidence(right)}."
    return Bar(name, {RIGHT: right.value}, value, about, random, right.interval)


def _pairs(compared: Comparison) -> Section:
    """Report the differences of every two players."""
    partly = any(pair.decisions < compared.decisions for pair in compared.pairs)
    columns = ("Players", *["Decisions of both"] * partly, "Right", "Regret")
    rows = [
        [
            _pair(pair),
            *[f"{pair.decisions:,}"] * partly,
            estimated(pair.right, signed_share, " to "),
            estimated(pair.regret, signed, " to "),
        ]
        for pair in compared.pairs
    ]
    said = "The first player's share of right decisions, and regret, minus the second's."
    if not all(player.exact for player in compared.players):
        said += " An interval that contains zero leaves open who decides better."
    pieces: list[Piece] = [said, Grid(columns, rows, figures=True)]
    if drawn := _difference_scale(compared.pairs):
        pieces.append(drawn)
    return Section("Differences on the same decisions", pieces)


def _pair(pair: PairedDifference) -> str:
    """Name two players whose figures are subtracted."""
    return f"{brief(pair.player, LONGEST)} − {brief(pair.other, LONGEST)}"


def _briefly(pair: PairedDifference) -> str:
    """Name them where there is little room: without folders."""
    names = [name.rpartition("/")[2].replace(".py:", ":") for name in (pair.player, pair.other)]
    cut = (name if len(name) <= SHORTER else f"{name[: SHORTER - 1]}…" for name in names)
    return " − ".join(map(printable, cut))


def _difference_scale(pairs: Sequence[PairedDifference]) -> Places | None:
    """Draw the differences on one scale, with 'equal' in the middle."""
    known = [(pair, pair.right) for pair in pairs if pair.right is not None]
    if not known:
        return None
    widest = max(max(abs(right.low), abs(right.high)) for _, right in known) or 1.0
    places = []
    for pair, right in known:
        low, at, high = (0.5 + end / widest / 2 for end in (right.low, right.value, right.high))
        interval = (low, high) if right.interval else None
        shown = signed_share(right.value)
        about = f"{_pair(pair)}: {shown}{confidence(right, signed_share)}."
        places.append(Place(_briefly(pair), at, shown, about, interval))
    return Places(DIFFERENCES, {"equal": 0.5}, places, CONFIDENCE)


def signed(value: float, written: Callable[[float], str] = SCORE_FORMAT) -> str:
    """Write a difference with its sign.

    >>> signed(0.0851), signed(-0.0851), signed(-0.0001)
    ('+0.085', '−0.085', '0.000')
    """
    shown = written(abs(value))
    if shown == written(0.0):
        return shown
    return f"{'+' if value > 0 else '−'}{shown}"


def signed_share(value: float) -> str:
    """Write a difference of shares.

    >>> signed_share(0.0851), signed_share(0.0)
    ('+8.5%', '0%')
    """
    return signed(value, percentage)


def _games(groups: Sequence[Sequence[Measurement]], met: Sequence[str]) -> Section:
    """Report many games in one table; `met` are those whose faults have been counted."""
    players = dict.fromkeys(name for group in groups for name in _names(group))
    rows = []
    for group in groups:
        random = MISSING if group[0].random is None else percentage(group[0].random)
        rights = (estimated(found.good) for found in group)
        good = dict(zip(_names(group), rights, strict=True))
        right = [good.get(player, MISSING) for player in players]
        rows.append([group[0].title, f"{group[0].decisions:,}", random, *right])
    table = Grid(("Game", "Decisions", "Random play", *players), rows, figures=True)
    faults = [
        sentence
        for group in groups
        if group[0].title not in met
        for sentence in _faults(f"in {group[0].title} of", _names(group), group)
    ]
    return Section("Right decisions, game by game", [table, *faults])


def _game(measured: Sequence[Measurement], apart: bool) -> list[Section]:
    """Report several players in one game; in detail if they are not compared over all games."""
    names, first = _names(measured), measured[0]
    about = f"{first.title}: {counted(first.decisions, 'decision')}"
    if first.random is not None:
        about += f", of which random play gets {percentage(first.random)} right"
    pieces: list[Piece] = [_players(names, measured)]
    if apart:
        pieces += _drawn(names, measured, [found.random for found in measured])
        pieces += _faults("of", names, measured)
    return [Section(about, pieces), *_scores(first.title, "Player", names, measured)]


def _drawn(
    names: Sequence[str],
    found: Sequence[ComparedPlayer | Measurement],
    randoms: Sequence[float | None],
) -> list[Piece]:
    """Draw slip rates on one scale, and shares of right decisions beside those of random play."""
    rows = [*zip(names, found, randoms, strict=True)]
    places = [
        (name, each.slips, slip_place(each.slips, each.right, random))
        for name, each, random in rows
        if each.slips is not None
    ]
    if not places:
        return []
    bars = [_share(name, each.right, random) for name, each, random in rows if each.right]
    shares = Bars("Right decisions", bars, mark="random play", interval=CONFIDENCE, drawn=True)
    return [slip_scale(places), shares]


def _faults(
    preposition: str, names: Iterable[str], found: Iterable[Measurement | ComparedPlayer]
) -> list[str]:
    """Count the faulty answers of players, or in games."""
    return [
        f"Faulty answers {preposition} {name}: {kinds}."
        for name, each in zip(names, found, strict=True)
        if (kinds := fault_kinds(each.faults))
    ]


def _by_game(measured: Sequence[Measurement], compared: Comparison | None) -> list[Section]:
    """Report one player in several games."""
    titles = [found.title for found in measured]
    rows = []
    for found in measured:
        random = MISSING if found.random is None else percentage(found.random)
        rows.append([found.title, f"{found.decisions:,}", *_figures(found), random])
    pieces: list[Piece] = [Grid(("Game", "Decisions", *FIGURES, "Random play"), rows, figures=True)]
    pieces += _drawn(titles, measured, [found.random for found in measured])
    pieces += _faults("in", titles, measured)
    if compared is not None and len(compared.games) > 1:
        (player,) = compared.players
        slips, right, regret = _figures(player)
        pieces.append(f"Together: slip rate {slips}, right {right}, regret {regret}.")
        pieces += _about(compared)
    return [Section("", pieces), *_scores("", "Game", titles, measured)]


def _names(measured: Sequence[Measurement]) -> list[str]:
    """List the players of measurements in one game, no two alike."""
    before = Counter[str]()
    names = []
    for found in measured:
        names.append(shown_player(brief(found.player, LONGEST), before[found.player]))
        before[found.player] += 1
    return names


def _scores(
    game: str, head: str, names: Sequence[str], measured: Sequence[Measurement]
) -> list[Section]:
    """Put the scores of measurements into a table, if any is known."""
    if not any(found.scores for found in measured):
        return []
    rows = []
    for name, found in zip(names, measured, strict=True):
        both = [estimated(score.figures[-1], SCORE_FORMAT) for score in found.scores or ()]
        rows.append([name, *(both or [MISSING] * len(LEVELS))])
    columns = (head, *(f"vs {level}" for level in LEVELS))
    kind = scores_title(measured)
    title = f"{game}, {lower_first(kind)}" if game else kind
    return [Section(f"{title}: {POINTS} (over both seats)", [Grid(columns, rows, figures=True)])]


def _notes(document: Measurements) -> Section:
    """Say what the figures mean, and why some are missing."""
    measured = document.measurements
    notes = ["Right decisions keep the result. Regret is what a decision costs, in half points."]
    if any(found.answers == "deterministic" for found in measured):
        notes.append(
            "A player that declares itself deterministic is asked once: exact for its answers."
        )
    if not all(found.exact for found in measured):
        notes.append(
            "Estimates, from a sample or from drawn answers, have 95% confidence intervals."
        )
    reasons = dict.fromkeys(found.left_out for found in measured if found.left_out is not None)
    notes += [f"Some scores are unknown. {LEFT_OUT[reason]}" for reason in reasons]
    return Section("", notes)
