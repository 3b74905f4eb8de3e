"""What an audit says to people: a report made from the document."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from shlex import join
from typing import Any

from zerosum.errors import ZerosumError
from zerosum.lab.audit.document import (
    Audit,
    Fault,
    Measures,
    Size,
)
from zerosum.lab.audit.verdict import verdict_sentences
from zerosum.pictures.map_svg import map_svg
from zerosum.pictures.reports import to_html
from zerosum.protocol import Game
from zerosum.reports import Bar, Bars, Grid, Picture, Piece, Report, Section, Sentence, Style
from zerosum.solver.solution import Solution
from zerosum.text import EQUAL, counted, percent, printable, short
from zerosum.wording.texts import summary_of

# The ends that are listed; --json has them all.
MOST_ENDS = 8
# The most moves of a line that is written out.
LONGEST_LINE = 24
# A larger picture would make a page slow to open.
LARGEST_PICTURE = 1_000_000
WINNERS = {0: "first player", 1: "second player", "either": "either player", None: "nobody"}
STYLES: dict[str, Style] = {"error": "error", "warning": "warning", "notice": "note"}


def _points(value: float) -> str:
    """Write an advantage with its sign."""
    return f"{100 * value:+.1f}%".replace("-", "−") if value else "0%"


# The rows of the table of measures: names, and how each is written.
MEASURES: dict[str, tuple[str, Callable[[float], str]]] = {
    "advantage": ("first player's advantage", _points),
    "balance": ("balance", percent),
    "drawishness": ("drawishness", percent),
    "duration": ("duration (moves)", "{:.1f}".format),
    "spread": ("spread of duration", "{:.1f}".format),
    "branching": ("branching factor", "{:.1f}".format),
    "decision_factor": ("decision factor", "{:.1f}".format),
    "decision_moves": ("decision moves", percent),
    "critical_moves": ("critical moves", percent),
    "lead_changes": ("lead changes", "{:.1f}".format),
    "drama": ("drama", "{:.2f}".format),
    "decisiveness": ("decisiveness", "{:.2f}".format),
}


def audit_report(
    audit: Audit, arguments: Sequence[str], about: str = "", picture: Picture | None = None
) -> Report:
    """Write an audit as a report; `arguments` name the variant on a command line.

    A page also says what the game is `about`, and has a `picture` of it.
    """
    sections = [
        Section("Verdict", list(verdict_sentences(audit)), "verdict"),
        Section("Faults", [_fault(audit, fault, arguments) for fault in audit.faults], "faults"),
        Section("Size", [] if audit.size is None else _size(audit, audit.size), "size"),
        Section("Who wins", [*_winner(audit), *filter(None, [picture])], "winner"),
        _fairness(audit),
        Section("Skill", list(_skill(audit)), "skill"),
        Section("Measures", list(_measures(audit)), "measures"),
        Section("Dead rules", list(_dead_rules(audit)), "dead-rules"),
        Section("How to win", _law(audit), "law"),
        Section("Other starts", list(_other_starts(audit, arguments)), "starts"),
    ]
    title = f"Audit of {audit.title}"
    return Report(title, [section for section in sections if section.pieces], about)


def audit_page(
    audit: Audit, arguments: Sequence[str], game: Game[Any], solution: Solution[Any] | None
) -> str:
    """Write an audit as a page, with a picture of the game if there is a solution."""
    about, picture = "", None
    with suppress(ZerosumError):  # rules that cannot be read
        about = summary_of(game)
    with suppress(ZerosumError):  # a game without a map
        # The axes of an environment would be attributes, and no words.
        drawn = "" if solution is None or audit.environment else map_svg(solution)
        if drawn and len(drawn) <= LARGEST_PICTURE:
            picture = Picture("Map", lambda: drawn)
    command = " ".join(("zerosum audit", *arguments))
    note = "Every figure is exact up to rounding."
    return to_html(audit_report(audit, arguments, about, picture), command, note)


def _fault(audit: Audit, fault: Fault, arguments: Sequence[str]) -> Sentence:
    """Name a fault with its witness, and how to replay it."""
    text = f"{fault.severity.capitalize()} {fault.code}: {fault.message}"
    if fault.witness:
        text += f" Witness: {_line(fault.witness)}."
        if audit.best_play is not None and len(fault.witness) <= LONGEST_LINE:
            moves = ",".join(map(str, fault.witness))
            text += f" Show it with: {join(['zerosum', 'solve', *arguments, '--moves', moves])}"
    return Sentence(text, STYLES[fault.severity])


def _line(moves: Sequence[int | str]) -> str:
    """Write a line of moves, cut if it is long."""
    more = " …" if len(moves) > LONGEST_LINE else ""
    return short(", ".join(map(str, moves[:LONGEST_LINE]))) + more


def _size(audit: Audit, size: Size) -> list[Piece]:
    """Count positions, moves and ends, and say how long a game takes."""
    once = ""
    if size.symmetric:
        once = "; those that are equal by symmetry are counted once"
    count = counted(size.positions, "position")
    moves = counted(size.moves, "legal move")
    pieces: list[Piece] = [f"{count}, with {moves} in all{once}."]
    if size.longest is None:
        pieces.append("A game can go on forever: some positions can be repeated.")
    else:
        pieces.append(f"The longest possible game is {counted(size.longest, 'move')} long.")
    pieces += _random_play(audit)
    if len(size.ends) > MOST_ENDS:
        pieces.append(f"The table shows {MOST_ENDS} of {len(size.ends)} kinds of ends.")
    rows = [
        (WINNERS[end.winner], printable(end.reason), f"{end.positions:,}")
        for end in size.ends[:MOST_ENDS]
    ]
    pieces.append(Grid(("Won by", "Reason", "Final positions"), rows))
    if audit.lengths is not None:
        shares = {moves: percent(share) for moves, share in audit.lengths.bars.items()}
        bars = [
            Bar(moves, {"bar": share}, shares[moves], f"Moves {moves}: {shares[moves]}")
            for moves, share in audit.lengths.bars.items()
        ]
        pieces.append(Bars("Moves in random games", bars, scaled=True))
    return pieces


def _random_play(audit: Audit) -> Iterator[str]:
    """Describe the length of a game between two random players."""
    random = audit.levels and audit.levels[0]
    if random and random.duration is not None:
        mean, spread = random.duration, random.spread
        yield f"A random game is {mean:.1f} moves long on average (spread {spread:.1f})."
    lengths = audit.lengths
    if lengths is None:
        return
    if lengths.half is not None and lengths.nine_tenths is not None:
        ended = f"end within {counted(lengths.half, 'move')}, and 90% within"
        yield f"Half of all random games {ended} {lengths.nine_tenths:,}."
    if lengths.rest > EQUAL:
        cut = f"{counted(lengths.last, 'move')}, where they were cut off"
        yield f"{percent(lengths.rest)} of random games last longer than {cut}."


def _winner(audit: Audit) -> Iterator[str]:
    """Show a line of best play."""
    best = audit.best_play
    if best is not None and best.line:
        name = "A drawing line" if best.value.result == "draw" else "A best line"
        yield f"{name}: {_line(best.steps or best.line)}."


def _fairness(audit: Audit) -> Section:
    """Show how often each seat wins between equals, or why that is unknown."""
    levels = audit.levels
    if levels is None:
        told = [f"The levels were not compared: {reason}" for reason in audit.reasons("levels")]
        return Section("Fairness and skill", told, "fairness")
    nobody = [name for name in ("draw", "endless") if any(getattr(lv, name) for lv in levels)]
    columns = {"First wins": "first_wins", "Second wins": "second_wins"}
    columns |= {name.capitalize(): name for name in nobody} | {"First scores": "score"}
    rows = [
        [level.level, *(percent(getattr(level, name)) for name in columns.values())]
        for level in levels
    ]
    pieces: list[Piece] = [
        "Exact chances when both play at the same level; a draw, endless or not, scores ½."
    ]
    pieces += [Grid(("Both play", *columns), rows, figures=True), _equals(levels)]
    return Section("Fairness between equals", pieces, "fairness")


def _equals(levels: Sequence[Measures]) -> Bars:
    """Draw how often each seat wins between equals of each level."""
    bars = []
    for level in levels:
        first, second = level.first_wins, level.second_wins
        nobody = level.draw + level.endless
        parts = {"bar": first, "bar-nobody": nobody, "bar-second": second}
        about = f"{level.level}: first {percent(first)}, second {percent(second)}"
        about += f", nobody {percent(nobody)}" if nobody else ""
        bars.append(Bar(level.level, parts, percent(first), about))
    return Bars(
        "Who wins between equals",
        bars,
        "The figure is the chance of the first player",
        {"bar": "first wins", "bar-nobody": "nobody", "bar-second": "second wins"},
        half=True,
        drawn=True,
    )


def _skill(audit: Audit) -> Iterator[Piece]:
    """Say where choices are and where they matter, and how levels compare."""
    skill = audit.skill
    if skill is None:
        return
    whole = counted(skill.open_positions, "position")
    yield (
        f"A player has a choice in {skill.choice:,} of {whole}; in {skill.matters:,} it matters: "
        "the moves differ in their results."
    )
    if skill.depth is not None:
        decisions = f"{skill.depth:.1f} decisions that matter"
        yield f"Depth: a game between two hard players has {decisions}, on average."
    rows = [(step.stronger, step.weaker, percent(step.score)) for step in skill.scores]
    yield Grid(("Level", "Against", "Scores"), rows)
    bars = [
        Bar(stronger, {"bar": step.score}, score, f"{stronger} against {weaker}: {score}")
        for step, (stronger, weaker, score) in zip(skill.scores, rows, strict=True)
    ]
    about = "The score of a level against the next weaker one, over both seats"
    yield Bars("Steps of skill", bars, about, half=True, drawn=True)


def _measures(audit: Audit) -> Iterator[Piece]:
    """Show the measures of game designers, by level."""
    levels = audit.levels
    if levels is None:
        return
    yield "Exact, with both players at the same level; docs/audit.md defines each measure."
    rows = []
    for key, (name, write) in MEASURES.items():
        values = [getattr(level, key) for level in levels]
        rows.append([name, *("-" if value is None else write(value) for value in values)])
    yield Grid(("Measure", *(level.level for level in levels)), rows, figures=True)


def _dead_rules(audit: Audit) -> Iterator[str]:
    """Name the rules that never apply."""
    for reason in audit.reasons("dead_rules"):
        yield f"They were not looked for: {reason}"
    for rule in audit.dead_rules or ():
        where = f" ({rule.file}, line {rule.line})" if rule.line else ""
        yield f"{rule.message.rstrip('.')}{where}."
    if audit.dead_rules == ():
        yield "None: every rule applies somewhere."


def _law(audit: Audit) -> list[str]:
    """State how to win: the theory, or else the law found in the table."""
    if audit.theory:
        return [audit.theory]
    if audit.law is not None:
        return [audit.law.statement, audit.law.reach]
    return audit.reasons("law") or (["No short law was found."] if audit.size else [])


def _other_starts(audit: Audit, arguments: Sequence[str]) -> Iterator[Piece]:
    """Say how to compare other starts."""
    hopeless = audit.verdict.broken or audit.has("no-end-met")
    if hopeless or type(audit.options.get("start")) is not int:
        return
    words = ["zerosum", "starts", *_without_start(arguments)]
    fair = join([*words, "--fair"])
    even = join([*words, "--handicap", "easy", "hard"])
    yield Sentence(f"See who wins from each start with: {join(words)}")
    yield Sentence(f"Find the fairest starts with: {fair}")
    yield Sentence(f"Find a handicap that makes two levels equal with: {even}")


def _without_start(arguments: Sequence[str]) -> list[str]:
    """Leave out the start, which is what varies."""
    words = list(arguments)
    if "--start" in words:
        at = words.index("--start")
        del words[at : at + 2]
    return words
