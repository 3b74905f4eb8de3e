"""Settings: the configuration file, the platform's directories, the common flags."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import click
from click.core import ParameterSource

from zerosum.cli.console import Console, Findings
from zerosum.cli.user_files import write_file
from zerosum.errors import FileNotNamed, StoreError, Unreadable
from zerosum.options import options_of, written
from zerosum.protocol import Game
from zerosum.registry import entry_of, find, short_path
from zerosum.text import brief, did_you_mean

if TYPE_CHECKING:
    from zerosum.store import Saved, Store

APP = "zerosum"


# What a report is written as for a paper or a spreadsheet.
Paper = Literal["markdown", "latex", "csv"]


class Settings(NamedTuple):
    """What the common flags, the environment and the configuration file say."""

    db: str
    plain: bool
    no_color: bool | None  # None: as NO_COLOR says
    pager: bool
    typed_db: str | None  # the --db of the command line

    @property
    def out(self) -> Console:
        """The console on standard output."""
        return Console.of(sys.stdout, self.plain, self.no_color)

    @property
    def err(self) -> Console:
        """The console on standard error."""
        return Console.of(sys.stderr, self.plain, self.no_color)

    @contextmanager
    def paged(self, console: Console | None = None) -> Iterator[Console]:
        """Print a page: through the pager, if standard output is a terminal and it is long."""
        out = console or self.out
        if out != self.out or not self.pager or not out.decorated:
            yield out
            return
        from io import StringIO
        from shutil import get_terminal_size

        written = StringIO()
        yield out._replace(stream=written)
        text = written.getvalue()
        if text.count("\n") < get_terminal_size().lines or os.environ.get("PAGER") == "":
            out.write(text)
            return
        out.stream.flush()
        # As git does: with colours, and without clearing the screen.
        os.environ.setdefault("LESS", "FRX")
        os.environ.setdefault("LV", "-c")
        click.echo_via_pager(text.removesuffix("\n"), color=True)

    def print(
        self, found: Findings, as_json: bool, file: str | None, papers: Mapping[Paper, str]
    ) -> None:
        """Print what a command found, and write it to files; - is standard output."""
        written = []
        if file is not None and found.picture is not None:
            write_file(file, found.picture())
            written = [file]
        for paper, path in papers.items():
            if text := _on_paper(paper, found):
                write_file(path, text)
                written.append(path)
        if as_json:
            from zerosum.documents import to_json

            made = found.document() if callable(found.document) else found.document
            self.out.line(to_json(made))
        elif "-" not in (file, *papers.values()):
            with self.paged() as out:
                out.show(found.report)
        for path in written:
            if path != "-":
                self.err.line(f"Wrote {path}.")
        for note in found.notes:
            self.err.paragraph(note)
        if found.after is not None:
            self.out.stream.flush()
            found.after()
        if found.code:
            click.get_current_context().exit(found.code)

    def store(self, write: bool = True) -> Store:
        """Open the database; it is closed when the command ends."""
        from zerosum.store import open_store

        store = open_store(self.db, write)
        click.get_current_context().call_on_close(store.close)
        return store

    def load(
        self, store: Store, match_id: str | None, game: str | None, reviewable: bool = False
    ) -> Saved:
        """Load a match, by default the latest, or say how to name its game's file."""
        if match_id is None:
            name = None if game is None else find(game).name
            match_id = store.latest(name, reviewable=reviewable)
            if match_id is None:
                raise self.no_match("reviewable" if reviewable else "saved", game)
            self.err.line(f"Match {match_id}, the latest.", "aside")
        try:
            return store.load(match_id, game)
        except FileNotNamed as error:
            if not error.file:
                raise
            command = str(click.get_current_context().command.name)
            named = self.command_line(command, error.id, "--game", error.file)
            raise Unreadable(f"{error.start} If you trust that file, run: {named}") from error

    def no_match(self, kind: str, game: str | None) -> StoreError:
        """Return the error for a command without a latest match."""
        of_game, start = " of this game" * bool(game), self.command_line("play", game or "GAME")
        return StoreError(f"There is no {kind} match{of_game}. Start one with: {start}")

    def match_command(self, command: str, saved: Saved) -> str:
        """Write a command line for a saved match, with all that it must name: it runs no other.

        That is the file of a user's own game, and to resume, the players' own programs.
        """
        from zerosum.match import is_engine

        file = entry_of(saved.match.game).file
        named = ["--game", short_path(file)] if file else []
        for bot in saved.match.bots if command == "resume" else ():
            named += ["--vs", bot] if is_engine(bot) else []
        return self.command_line(command, saved.id, *named)

    def command_line(self, *words: str) -> str:
        """Write a command line that works wherever this one did, on the same database."""
        from shlex import join
        from shutil import which

        started = sys.argv[0]
        if os.path.basename(started) == "__main__.py":
            program = ["python", "-m", "zerosum"]
        else:
            program = ["zerosum" if which("zerosum") else started]
        if self.typed_db is None:
            return join([*program, *words])
        from zerosum.store.address import redacted

        return join([*program, *words, "--db", redacted(self.typed_db)])


def variant_words(game: Game[Any], flags: Sequence[click.Option]) -> list[str]:
    """Name a variant as on a command line, with the flags not at their defaults."""
    entry = entry_of(game)
    words = [short_path(entry.file) if entry.file else entry.name]
    # Without flags, all options are at their defaults.
    for option, flag in zip(options_of(game), flags, strict=False):
        value = getattr(game, option.name)
        if value == option.default:
            continue
        if option.kind == "flag":
            words.append(flag.opts[0] if value else flag.secondary_opts[0])
        else:
            words += [flag.opts[0], written(value)]
    return words


def read_config() -> dict[str, Any]:
    """Read the configuration file, if there is one."""
    path = config_file()
    try:
        with open(path, "rb") as file:
            import tomllib

            return tomllib.load(file)
    except OSError as error:
        if isinstance(error, FileNotFoundError) and not os.environ.get("ZEROSUM_CONFIG"):
            return {}
        raise click.UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:  # not UTF-8, not TOML, or nested too deeply
        raise click.UsageError(f"{path} is not valid TOML: {error}.") from error


def check_values(
    where: str, table: Mapping[str, Any], known: Mapping[str, click.Parameter]
) -> dict[str, Any]:
    """Refuse unknown keys; return the values by parameter, as they would be typed."""
    inside = f" in [{where}]" if where else ""
    for key in table:
        if key not in known:
            listed = f"the settings are {', '.join(known)}." if known else "there are none."
            hint = did_you_mean(key, known) or listed
            raise bad_setting(f"there is no setting '{brief(key)}'{inside}; {hint}")
    found = {}
    for key, value in table.items():
        param = known[key]
        several = param.nargs != 1 or getattr(param, "multiple", False)
        found[str(param.name)] = value if several else written(value)
    return found


def key_of(param: click.Parameter) -> str:
    """Return the key of a parameter: its flag without dashes, or an argument's name."""
    return max(param.opts, key=len).lstrip("-").replace("-", "_")


def bad_setting(message: str) -> click.UsageError:
    """Return the error for a setting, with its file."""
    return click.UsageError(f"{config_file()}: {message}")


def origin(error: click.UsageError) -> str:
    """Name the file or environment variable that a wrong value comes from, if any."""
    ctx, param = error.ctx, getattr(error, "param", None)
    if ctx is None or param is None:
        return ""
    source = ctx.get_parameter_source(param.name)
    if source is ParameterSource.ENVIRONMENT:
        return str(param.envvar)
    return config_file() if source is ParameterSource.DEFAULT_MAP else ""


def data_file() -> str:
    """Return the path of the default database."""
    return os.path.join(_directory("data", "XDG_DATA_HOME", ".local/share"), "zerosum.db")


def tokens_folder(kind: str = "servers") -> str:
    """Return the folder of our tokens at servers, or of an assistant's."""
    return os.path.join(os.path.dirname(data_file()), kind)


def config_file() -> str:
    """Return the path of the configuration file."""
    named = os.environ.get("ZEROSUM_CONFIG")
    return named or os.path.join(_directory("config", "XDG_CONFIG_HOME", ".config"), "config.toml")


def cache_dir() -> str:
    """Return the folder for stored solutions."""
    named = os.path.expanduser(os.environ.get("ZEROSUM_CACHE", ""))
    return named or _directory("cache", "XDG_CACHE_HOME", ".cache")


def _directory(kind: str, variable: str, usual: str) -> str:
    """Ask platformdirs, except in the simplest case: loading it doubles the time to a prompt."""
    home = os.environ.get("HOME", "")
    if sys.platform == "linux" and variable not in os.environ and os.path.isabs(home):
        return os.path.join(home, usual, APP)
    import platformdirs

    directory: str = getattr(platformdirs, f"user_{kind}_dir")(APP, appauthor=False)
    return directory


def _on_paper(paper: Paper, found: Findings) -> str:
    """Write what a command found in another form; nothing if there is none."""
    if paper == "csv":
        return found.spreadsheet() if found.spreadsheet is not None else ""
    if isinstance(found.report, str):
        return found.report if paper == "markdown" else ""
    if paper == "markdown":
        from zerosum.reports import to_markdown

        return to_markdown(found.report)
    from zerosum.latex import to_latex

    return to_latex(found.report)
