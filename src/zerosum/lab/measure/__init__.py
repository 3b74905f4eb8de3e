"""How good a player is, exactly: its decisions, its scores, and where it errs first."""

from typing import TYPE_CHECKING

from zerosum.lazy import lazy_names

if TYPE_CHECKING:
    from zerosum.lab.journal import open_journal as open_journal
    from zerosum.lab.measure.comparing import measure_players as measure_players
    from zerosum.lab.measure.comparison_report import measurement_svg as measurement_svg
    from zerosum.lab.measure.measurement import Measurement as Measurement
    from zerosum.lab.measure.measurement import Measurements as Measurements
    from zerosum.lab.measure.measuring import measure_player as measure_player
    from zerosum.players.asked import PlayerFailed as PlayerFailed
    from zerosum.players.asked import PlayerFault as PlayerFault
    from zerosum.players.programs import ProgramLimits as ProgramLimits
    from zerosum.players.programs import ProgramPlayer as ProgramPlayer
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
