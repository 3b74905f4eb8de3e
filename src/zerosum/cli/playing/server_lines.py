"""The table of a server as lines: made from its document, not from rules."""

from collections.abc import Iterator

from zerosum.cli.playing.session import READY
from zerosum.match import NAMES
from zerosum.text import half_points, inside
from zerosum.web.answers import Advice, TableView
from zerosum.web.client import position_lines

# More legal moves than these are listed only when asked for.
FEW = 4
AGAIN = "Rematch or quit? [quit]"
UNKNOWN = "?"


def has_turn(table: TableView) -> bool:
    """Return whether it is our turn."""
    return table.turn is not None and table.turn.yours


def moment(table: TableView) -> tuple[int, int, bool]:
    """Return what differs between positions that are shown."""
    return table.ply, table.series.game, table.waiting


def summary(table: TableView) -> str:
    """Describe who plays what."""
    game, series = table.game, table.series
    variant = f" ({game.variant})" if game.variant else ""
    number = f", game {series.game} of {series.games}" if series.games > 1 else ""
    if "join" in table.can:
        return f"{table.captions.page}{variant}{number}."
    return f"{game.title}{variant}: {table.captions.match}{number}"


def position(table: TableView) -> Iterator[str]:
    """Describe the position: its board, and its numbers."""
    seats = zip(table.captions.names, table.players, strict=True)
    own = ((name, player.fields) for name, player in seats)
    return position_lines(table.fields, table.board, own)


def options(table: TableView) -> str:
    """List the legal moves if it is our turn and they are few."""
    legal = [choice for choice in table.moves if choice.legal]
    many = len(legal) + table.more > FEW
    if many or table.board is not None or not has_turn(table):
        return ""
    listed = (f"[{choice.move}] {choice.label or ''}".rstrip() for choice in legal)
    return f"Options: {', '.join(listed)}"


def legal_now(table: TableView) -> str:
    """List the legal moves, if it is our turn."""
    if not has_turn(table):
        return ""
    more = " and more" if table.more else ""
    return f"Legal now: {', '.join(table.legal)}{more}."


def moves(table: TableView) -> Iterator[str]:
    """List what is legal, and why the rest is not."""
    refused: dict[str, list[str]] = {}
    for choice in table.moves:
        if not choice.legal:
            refused.setdefault(choice.why or "", []).append(choice.move)
        elif choice.label:
            yield f"{choice.move}: {choice.label}"
        else:
            yield choice.move
    for why, words in refused.items():
        yield f"Not {', '.join(words)}: {why}"
    if table.more:
        yield "Not every legal move is listed, but you can type any of them."


def score(table: TableView) -> str:
    """Say how a series stands."""
    both = zip(table.captions.names, table.players, strict=True)
    scores = ", ".join(f"{name} {half_points(player.score)}" for name, player in both)
    return f"Score after game {table.series.game}: {scores}."


def question(table: TableView) -> str:
    """Return what is asked now."""
    if table.over:
        return AGAIN
    if "join" in table.can:
        host, own = (player.name for player in table.players)
        who = "Join" if host in NAMES else f"Join {host}"
        return f"{who} as [{'no name' if own in NAMES else own}]"
    if not table.you:
        return "Watching; 'quit' to stop"
    if table.waiting:
        return "Waiting for your friend"
    if table.turn is None:
        return READY if "next" in table.can else "Waiting for your opponent"
    if table.turn.yours:
        return (table.turn.prompt or "Your move").rstrip(": ")
    return f"Waiting for {inside(table.captions.names[table.turn.player])}"


def hint(table: TableView, advice: Advice) -> str:
    """Name a good move, and what to type for it."""
    does = {choice.move: choice.button for choice in table.moves}
    typed = [step.move for step in advice.line[:1] if step.move != does.get(step.move)]
    told = (advice.title, advice.compared, *(f"(Type {move}.)" for move in typed))
    return " ".join(filter(None, told))


def worth(table: TableView, advice: Advice, plain: bool) -> Iterator[str]:
    """Say what every move does, and what it is worth, as far as known."""
    does = {choice.move: choice.button for choice in table.moves}
    for judged in advice.moves:
        button = does.get(judged.move, "")
        same = button in ("", judged.move)
        name = judged.move if same else f"{judged.move} ({button})"
        glyph, value = (judged.value.glyph, judged.value.text) if judged.value else (UNKNOWN, "")
        told = ", ".join(filter(None, (value, judged.word))) or "unknown"
        yield f"{'Move' if plain else glyph} {name}: {told}"
