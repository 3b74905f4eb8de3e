"""What an audit says to people, in sections: made from the document, for terminal and page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from shlex import join
from typing import NamedTuple

from zerosum.coach.advice import EQUAL, percent
from zerosum.lab.audit.document import Document
from zerosum.lab.audit.rendering.verdict import reasons_of, verdict_sentences
from zerosum.options import written
from zerosum.players.levels import EXACT_POSITIONS
from zerosum.text import counted, plain_name, printable, runs, short

# The ends that are listed; --json has them all.
MOST_ENDS = 8
# The most moves of a line that is written out.
LONGEST_LINE = 24
# The most starts, or runs of them, that are listed.
MOST_STARTS = 12
WINNERS = {0: "first player", 1: "second player", "either": "either player", None: "nobody"}
# The rows of the table of measures: what people call each, and how it is written.
MEASURES = {
    "advantage": ("first player's advantage", "points"),
    "balance": ("balance", "share"),
    "drawishness": ("drawishness", "share"),
    "duration": ("duration (moves)", "number"),
    "spread": ("spread of duration", "number"),
    "branching": ("branching factor", "number"),
    "decision_factor": ("decision factor", "number"),
    "decision_moves": ("decision moves", "share"),
    "critical_moves": ("critical moves", "share"),
    "lead_changes": ("lead changes", "number"),
    "drama": ("drama", "decimal"),
    "decisiveness": ("decisiveness", "decimal"),
}


class Table(NamedTuple):
    """A table: the names of its columns, and its rows as texts."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Section(NamedTuple):
    """A part of the report: sentences, a table, and shares that are drawn as bars."""

    key: str
    title: str
    sentences: tuple[str, ...] = ()
    table: Table | None = None
    bars: tuple[tuple[str, float], ...] = ()


def sections(document: Document, arguments: Sequence[str]) -> list[Section]:
    """Write an audit in sections; `arguments` name the variant on a command line."""
    makers = (
        *(_verdict, _faults, _size, _winner, _fairness),
        *(_skill, _measures, _dead, _law, _proposals),
    )
    return [section for make in makers if (section := make(document, arguments))]


def _verdict(document: Document, arguments: Sequence[str]) -> Section:
    """Sum up the audit."""
    return Section("verdict", "Verdict", verdict_sentences(document))


def _faults(document: Document, arguments: Sequence[str]) -> Section | None:
    """Name every fault with its witness, and how to replay it."""
    sentences = []
    for fault in document["faults"]:
        text = f"{fault['severity'].capitalize()} {fault['code']}: {fault['message']}"
        if fault["witness"]:
            text += f" Witness: {_line(fault['witness'])}."
            if document["best_play"] is not None and len(fault["witness"]) <= LONGEST_LINE:
                moves = ",".join(map(str, fault["witness"]))
                text += f" Show it with: {join(['zerosum', 'solve', *arguments, '--moves', moves])}"
        sentences.append(text)
    return Section("faults", "Faults", tuple(sentences)) if sentences else None


def _line(moves: Sequence[int | str]) -> str:
    """Write a line of moves, cut where it is long."""
    more = " …" if len(moves) > LONGEST_LINE else ""
    return short(", ".join(map(str, moves[:LONGEST_LINE]))) + more


def _size(document: Document, arguments: Sequence[str]) -> Section | None:
    """Count positions, moves and ends, and say how long a game takes."""
    size = document["size"]
    if size is None:
        return None
    once = "; those that are equal by symmetry are counted once" if size["symmetric"] else ""
    sentences = [
        f"{counted(size['positions'], 'position')}, with {counted(size['moves'], 'legal move')} in "
        f"all{once}."
    ]
    if size["can_go_on_forever"]:
        sentences.append("A game can go on forever: some positions can be repeated.")
    else:
        sentences.append(f"The longest possible game is {counted(size['longest'], 'move')} long.")
    sentences += _random_play(document)
    ends = size["ends"]
    rows = [
        (WINNERS[end["winner"]], printable(end["reason"]), f"{end['positions']:,}") for end in ends
    ]
    if len(rows) > MOST_ENDS:
        sentences.append(f"The table shows {MOST_ENDS} of {len(rows)} kinds of ends.")
    table = Table(("Won by", "Reason", "Final positions"), tuple(rows[:MOST_ENDS]))
    return Section("size", "Size", tuple(sentences), table, _bars(document["lengths"]))


def _random_play(document: Document) -> Iterator[str]:
    """Describe the length of a game between two random players."""
    random = next((level for level in document["levels"] or () if level["level"] == "random"), None)
    if random is not None and random["duration"] is not None:
        mean, spread = random["duration"], random["spread"]
        yield f"A random game is {mean:.1f} moves long on average (spread {spread:.1f})."
    lengths = document["lengths"]
    if lengths is None:
        return
    half, most = lengths["half"], lengths["nine_tenths"]
    if half is not None and most is not None:
        ended = f"end within {counted(half, 'move')}, and 90% within {most:,}"
        yield f"Half of all random games {ended}."
    if lengths["rest"] > EQUAL:
        cut = f"{counted(lengths['last'], 'move')}, where they were cut off"
        yield f"{percent(lengths['rest'])} of random games last longer than {cut}."


def _bars(lengths: Document | None) -> tuple[tuple[str, float], ...]:
    """Label the bars of the lengths of games."""
    return tuple((_label(bar), bar["share"]) for bar in (lengths or {"bars": ()})["bars"])


def _label(bar: Document) -> str:
    """Name the lengths in a bar."""
    first, last = bar["first"], bar["last"]
    if last is None:
        return "more"
    return f"{first:,}" if first == last else f"{first:,} to {last:,}"


def _winner(document: Document, arguments: Sequence[str]) -> Section | None:
    """Say who wins under best play, how, and from which starts."""
    best, starts = document["best_play"], document["starts"]
    if best is None:
        return None
    sentences = []
    if best["line"]:
        name = "A drawing line" if best["value"]["result"] == "draw" else "A best line"
        sentences.append(f"{name}: {_line(best['line'])}.")
    if starts is not None:
        sentences.append(_starts(starts))
    return Section("winner", "Who wins", tuple(sentences)) if sentences else None


def _starts(starts: Document) -> str:
    """Say from which starts each player wins; of the largest group, only how many there are."""
    groups = {
        "the first player wins": starts["wins"],
        "the second player wins": starts["losses"],
        "nobody can force a win": starts["draws"],
    }
    found = sorted((who for who in groups if groups[who]), key=lambda who: len(groups[who]))
    if len(found) == 1:
        return f"From every start from {starts['first']} to {starts['last']}, {found[0]}."
    parts = [f"{who} from {_few(groups[who])}" for who in found[:-1]]
    most = found[-1]
    return (
        f"Of the starts from {starts['first']} to {starts['last']}, {'; '.join(parts)}; "
        f"{most} from the other {len(groups[most])}."
    )


def _few(starts: Sequence[int]) -> str:
    """List starts with runs drawn together, and only the first ones of many."""
    listed = runs(starts, "and")
    parts = runs(starts).split(", ")
    if len(parts) <= MOST_STARTS:
        return listed
    return f"{', '.join(parts[:MOST_STARTS])} … ({len(starts)} in all)"


def _fairness(document: Document, arguments: Sequence[str]) -> Section | None:
    """Show how often each seat wins between equals of each level."""
    levels = document["levels"]
    if levels is None:
        return _not_compared(document)
    columns = {
        "Both play": [level["level"] for level in levels],
        "First wins": [percent(level["first_wins"]) for level in levels],
        "Second wins": [percent(level["second_wins"]) for level in levels],
        "Draw": [percent(level["draw"]) for level in levels],
        "Endless": [percent(level["endless"]) for level in levels],
        "First scores": [percent(level["score"]) for level in levels],
    }
    for name, key in (("Draw", "draw"), ("Endless", "endless")):
        if not any(level[key] for level in levels):
            del columns[name]
    rows = tuple(zip(*columns.values(), strict=True))
    sentences = [
        "Exact chances when both play at the same level; a draw, endless or not, scores ½."
    ]
    if document["size"]["positions"] > EXACT_POSITIONS and not document["theory"]:
        sentences.append(
            "A level here knows every value, and slips; in a game of this size, the computer that "
            "you play against searches instead."
        )
    table = Table(tuple(columns), rows)
    return Section("fairness", "Fairness between equals", tuple(sentences), table)


def _not_compared(document: Document) -> Section | None:
    """Say why levels were not compared, if the rest of the game is known."""
    reasons = reasons_of(document, "levels")
    sentences = tuple(f"The levels were not compared: {reason}" for reason in reasons)
    return Section("fairness", "Fairness and skill", sentences) if reasons else None


def _skill(document: Document, arguments: Sequence[str]) -> Section | None:
    """Say where there is a choice and where it matters, and how the levels compare."""
    skill = document["skill"]
    if skill is None:
        return None
    whole = counted(skill["open_positions"], "position")
    choice, matters = (f"{skill[name]:,}" for name in ("choice", "matters"))
    shares = (_share(skill[f"{name}_share"]) for name in ("choice", "matters"))
    sentences = [
        f"A player has a choice in {choice} of {whole}{next(shares)}; in {matters}{next(shares)} "
        "it matters: the moves differ in their results."
    ]
    if skill["depth"] is not None:
        decisions = f"{skill['depth']:.1f} decisions that matter"
        sentences.append(f"Depth: a game between two hard players has {decisions}, on average.")
    rows = tuple(
        (step["stronger"], step["weaker"], percent(step["score"])) for step in skill["scores"]
    )
    table = Table(("Level", "Against", "Scores"), rows)
    return Section("skill", "Skill", tuple(sentences), table)


def _share(share: float | None) -> str:
    """Write a share in brackets; nothing if there is no whole."""
    return "" if share is None else f" ({percent(share)})"


def _measures(document: Document, arguments: Sequence[str]) -> Section | None:
    """Show the measures of game designers, by level."""
    levels = document["levels"]
    if levels is None:
        return None
    rows = tuple(
        (name, *(_figure(level[key], form) for level in levels))
        for key, (name, form) in MEASURES.items()
    )
    table = Table(("Measure", *(level["level"] for level in levels)), rows)
    sentences = ["Exact, with both players at the same level; docs/audit.md defines each measure."]
    duration, plies = levels[-1]["duration"], document["best_play"]["value"]["plies"]
    if duration is not None and plies is not None and duration < plies - EQUAL:
        sentences.append(
            "A perfect player who is losing sets traps instead of holding out as long as possible, "
            "so games at perfect can be shorter than the win under best play."
        )
    return Section("measures", "Measures", tuple(sentences), table)


def _figure(value: float | None, form: str) -> str:
    """Write a measure for people; a dash where it is not defined."""
    if value is None:
        return "-"
    if form == "share":
        return percent(value)
    if form == "points":
        return f"{100 * value:+.1f}%".replace("-", "−") if value else "0%"
    return f"{value:.1f}" if form == "number" else f"{value:.2f}"


def _dead(document: Document, arguments: Sequence[str]) -> Section | None:
    """Name the rules that never apply."""
    dead = document["dead_rules"]
    if dead is None:
        reasons = reasons_of(document, "dead_rules")
        sentences = tuple(f"They were not looked for: {reason}" for reason in reasons)
        return Section("dead-rules", "Dead rules", sentences) if reasons else None
    sentences = tuple(map(_dead_rule, dead["found"]))
    sentences = sentences or ("None: every rule applies somewhere.",)
    return Section("dead-rules", "Dead rules", sentences)


def _dead_rule(rule: Document) -> str:
    """Describe a dead rule, and where it is written."""
    where = f" ({rule['file']}, line {rule['line']})" if rule["line"] else ""
    return f"{rule['message'].rstrip('.')}{where}."


def _law(document: Document, arguments: Sequence[str]) -> Section | None:
    """State how to win: the theory, or else the law or the rule of thumb found in the table."""
    law, thumb = document["law"], document["rule_of_thumb"]
    if document["theory"]:
        sentences: tuple[str, ...] = (document["theory"],)
    elif law is not None:
        sentences = (law["statement"], law["reach"])
    elif thumb is not None:
        rule = (thumb["statement"], thumb["reach"])
        sentences = ("No short law was found. A rule of thumb:", *rule, *_plays(thumb))
    else:
        sentences = tuple(reasons_of(document, "law"))
    return Section("law", "How to win", sentences) if sentences else None


def _plays(thumb: Document) -> Iterator[str]:
    """Say how well a rule of thumb plays."""
    scores = [f"{percent(score)} against {level}" for level, score in thumb["scores"].items()]
    if scores:
        yield f"Whoever plays by it scores {', '.join(scores)}."


def _proposals(document: Document, arguments: Sequence[str]) -> Section | None:
    """Propose the fairest variants, or say how to find them."""
    if document["starts"] is None and not document["proposals"]:
        return None
    words = ["zerosum", "starts", *_without_start(arguments)]
    fair, even = join([*words, "--fair"]), join([*words, "--handicap", "easy", "hard"])
    if not document["proposals"]:
        sentences: tuple[str, ...] = (
            f"Find the fairest starts with: {fair}",
            f"Find a handicap, which makes two levels equal, with: {even}",
        )
        return Section("proposals", "Proposals", sentences)
    rows = tuple(
        (_options(row["options"], document["options"]), f"{100 * row['bias']:.1f}%")
        for row in document["proposals"]
    )
    starts = document["starts"]
    among = f", with starts from {starts['first']} to {starts['last']}" if starts else ""
    sentences = (
        f"The fairest variants between equals{among}. The bias is how far the first player's score "
        "is from 50%, on average over the levels.",
        f"More of them: {fair}",
        *_handicap(document, even),
    )
    return Section("proposals", "Proposals", sentences, Table(("Options", "Bias"), rows))


def _handicap(document: Document, command: str) -> Iterator[str]:
    """Name the variant in which a weaker and a stronger level come nearest to equal."""
    found = document["handicap"]
    if found is not None:
        weaker, stronger = found["weaker"], found["stronger"]
        yield (
            f"Between {weaker} and {stronger}, the most even game: "
            f"{_options(found['options'], document['options'])}, {found['first']} moves first; "
            f"{weaker} scores {percent(found['score'])}. Other handicaps: {command}"
        )


def _without_start(arguments: Sequence[str]) -> list[str]:
    """Leave out the start, which is what varies."""
    words = list(arguments)
    if "--start" in words:
        at = words.index("--start")
        del words[at : at + 2]
    return words


def _options(options: Document, now: Document) -> str:
    """Write the start of a variant, and its other options that are not as they are now."""
    varied = [name for name in options if name == "start" or options[name] != now[name]]
    listed = [f"{plain_name(name)} {written(options[name])}" for name in varied]
    return ", ".join(listed) or "as it is"
