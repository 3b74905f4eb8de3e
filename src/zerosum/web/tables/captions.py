"""What the page says about a table to one visitor, with scripts or without."""

from __future__ import annotations

from collections.abc import Callable, Collection

from zerosum.match import NAMES
from zerosum.players.levels import LEVELS
from zerosum.text import counted, half_points, upper_first
from zerosum.web.analysis.referee import PLAYERS
from zerosum.web.answers import Captions, Control, Ended, Line, Offer, OfferKind, TableView
from zerosum.web.tables.actions import AGREEMENTS, asking
from zerosum.web.tables.table import OPPONENT, LiveTable, addressed

ONWARD = {"next": "Next game", "rematch": "Rematch"}


def captions(
    table: LiveTable,
    common: TableView,
    who: tuple[int, ...],
    called: tuple[str, str],
    can: tuple[str, ...],
    over: str,
    levels: Callable[[str], Collection[str]],
) -> Captions:
    """Return what is said to the players of a seat, or to a spectator, who can do some actions.

    `called` is what both players are called, `over` is why the game is over, and `levels` returns
    those that play a game.
    """
    goal = _goal_reached(table, common.lines)
    title, reason, share = _result(table, common.ended, called, over, goal)
    turn = _turn(table, called)
    return Captions(
        page=_page(table, common.game.title, title or turn, can),
        names=called,
        match=addressed("{0} against {1}", called[::-1] if called[1] == "You" else called),
        turn=turn,
        title=title,
        reason=reason,
        share=share,
        begins=_begins(table, called) if title else "",
        tags=[_tags(table, called, player) for player in (0, 1)],
        scores=[_score(table, player) for player in (0, 1)],
        tools=_tools(table, who, can),
        onward=_onward(table, common, who, can, levels) if title else [],
    )


def _goal_reached(table: LiveTable, lines: list[Line]) -> int | None:
    """Return the number with which the winner has just reached a goal on a line, if so."""
    played = table.match.round
    if played.end is None or played.end.by != "rules" or not played.moves:
        return None
    winner = played.end.winner
    if winner is None or played.player(played.states[-2].player) != winner:
        return None
    for line in lines:
        ends = [mark.low for mark in line.marks if mark.text == "goal"]
        if line.player in (None, winner) and line.value in ends:
            return line.value
    return None


def _page(table: LiveTable, game: str, now: str, can: tuple[str, ...]) -> str:
    """Return the title of the page, which begins with what matters most."""
    first, second = table.match.players
    if "join" in can:
        unknown = f"You have been invited to a game of {game}"
        return unknown if first in NAMES else f"{first} invites you to a game of {game}"
    if table.waiting:
        now = f"Waiting for {second if 1 in table.programs else 'your friend'}"
    return f"{now} – {game}" if now else game


def _turn(table: LiveTable, called: tuple[str, str]) -> str:
    """Say whose turn it is."""
    match = table.match
    if not table.running:
        return ""
    name = called[match.mover]
    if match.bots[match.mover] is not None:
        return f"{name} has no move yet" if _is_stuck(table) else "The computer is thinking…"
    return "Your turn" if name == "You" else f"{name}'s turn"


def _is_stuck(table: LiveTable) -> bool:
    """Return whether a bot could not move when it was asked last; the news say why."""
    return table.bots_turn and bool(table.news) and table.news[-1].kind == "stuck"


def _result(
    table: LiveTable, ended: Ended | None, called: tuple[str, str], over: str, goal: int | None
) -> tuple[str, str, str]:
    """Say who won, and how, to this visitor; and both to anybody else."""
    if ended is None:
        return "", "", ""
    match, winner = table.match, ended.winner
    if winner is not None and goal is not None:
        over = f"{PLAYERS[winner]} reached {goal}"
    # Whoever gave no name shares the result in the first person.
    both = zip(called, match.players, strict=True)
    mine = {"You": "I", OPPONENT: "My opponent"}
    first, second = (mine.get(own, name) if name in NAMES else name for own, name in both)
    told, others = (addressed(over, names) for names in (called, (first, second)))
    told, others = (f"{upper_first(text)}." if text else "" for text in (told, others))
    if winner is None:
        if table.declined:
            return "Declined", told, others
        return "Draw", told, f"a draw in {counted(match.ply, 'move')}. {others}"
    share = f"{(first, second)[winner]} won in {counted(match.ply, 'move')}. {others}"
    if "You" in called:
        return "You won!" if called[winner] == "You" else "You lost", told, share
    return f"{called[winner]} won", told, share


def _begins(table: LiveTable, called: tuple[str, str]) -> str:
    """Say who begins the next game, or the rematch."""
    match = table.match
    before, again = (match.rounds[0], "rematch") if table.over else (match.round, "next game")
    return addressed(f"In the {again}, {PLAYERS[1 - before.first]} begins.", called)


def _tags(table: LiveTable, called: tuple[str, str], player: int) -> list[str]:
    """List the tags beside a player's name."""
    match, own = table.match, called[player] == "You"
    moving = table.running and match.mover == player
    end = match.round.end
    won = end is not None and end.winner == player
    tags = ["bot"] if player in table.programs else []
    if player == 1 and table.alone:
        tags.append("hasn't joined yet")
    if moving:
        waiting = "no move yet" if _is_stuck(table) else "thinking…"
        tags.append("your move" if own else waiting if match.bots[player] else "to move")
    if won:
        tags.append("★ winner")
    return tags


def _score(table: LiveTable, player: int) -> str:
    """Return what a player has won so far, in words."""
    match, tally = table.match, table.tally
    parts = [f"Score: {half_points(match.score[player])}"] if match.games > 1 else []
    if any(tally):
        won = table.over and match.score[player] > match.score[1 - player]
        parts.append(f"Matches won: {tally[player] + won}")
    return " · ".join(parts)


def _tools(table: LiveTable, who: tuple[int, ...], can: tuple[str, ...]) -> list[Control]:
    """List the quieter buttons; in a running game they stay where they are, open or not."""
    tools = []
    if table.running and who:
        moved = any(played.player in who for played in reversed(table.last))
        undo = "Ask to take back" if table.mode == "friend" else "Undo"
        draw = "Call it a draw" if table.mode == "here" else "Offer a draw"
        tools = [
            Control("undo", undo, "undo" in can and moved),
            Control("draw", draw, "draw" in can and table.offered("draw") is None),
            Control("resign", "Resign", "resign" in can),
        ]
    if (table.watch or table.public) and not table.waiting:
        tools.append(Control("copy-watch", "Copy spectator link"))
    return tools


def _onward(
    table: LiveTable,
    common: TableView,
    who: tuple[int, ...],
    can: tuple[str, ...],
    levels: Callable[[str], Collection[str]],
) -> list[Control]:
    """List what can come after a game: four places, which stay what they are.

    They are another game of this kind, one at another level, the review, and the result to share.
    """
    home = Control("home", "Another game", href="/")
    if table.declined:
        return [home]
    kind = "rematch" if table.match.over else "next"
    if table.next is not None:
        again = Control("go", "Go to the rematch", href=f"/m/{table.next}", primary=True)
    else:
        again = Control(kind, ONWARD[kind], kind in can, primary=bool(who))
    can_review = "review" in can
    href = f"/m/{table.id}/review?game={max(common.reviewable)}" if can_review else None
    review = Control("review", "Review", can_review, href)
    level = _another_level(table, who) if table.match.over else None
    if level and level.level not in levels(common.game.name):
        level = None
    return [again, level or home, review, Control("share-result", "Share")]


def _another_level(table: LiveTable, who: tuple[int, ...]) -> Control | None:
    """Offer the level above after a win, and the one below after anything else."""
    bots = table.match.bots
    played = next((level for level in bots if level is not None), None)
    if played not in LEVELS or not who:
        return None
    won = table.match.score[who[0]] > table.match.score[1 - who[0]]
    at = LEVELS.index(played) + (1 if won else -1)
    if not 0 < at < len(LEVELS):  # nobody is asked to play against chance
        return None
    text = f"{'Next level' if won else 'Lower level'}: {LEVELS[at]}"
    return Control("level", text, level=LEVELS[at])


def shown_offer(table: LiveTable, who: tuple[int, ...], kind: OfferKind, player: int) -> Offer:
    """Say what is on offer, with its answers."""
    mine = player in who
    answers = []
    if who:
        answers = [Control("decline", "Withdraw" if mine else "Decline", offer=kind)]
        if not mine:
            answers.insert(0, Control("accept", AGREEMENTS[kind].yes, primary=True, offer=kind))
    text = AGREEMENTS[kind].mine if mine else addressed(asking(player, kind), table.called(who))
    return Offer(kind, player, text, answers)
