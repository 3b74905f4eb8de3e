"""Build the wheel and the source distribution, check them, and play a game with each.

    make dist

Everything happens under build/dist: the packages themselves, an environment for build and twine,
and an empty one for each package. It needs a package index.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
DIST = ROOT / "build" / "dist"
# A whole game of Even-Steven for two players, as it is typed.
GAME = "1\n2\n1\n2\n1\n2\n1\n"


def said(*command: str | Path, typed: str = "") -> str:
    """Run a command in an empty home, and return what it prints; end if it fails."""
    home = DIST / "home"
    home.mkdir(exist_ok=True)
    done = subprocess.run(
        command,
        input=typed,
        capture_output=True,
        text=True,
        cwd=home,
        env={**os.environ, "HOME": str(home), "XDG_DATA_HOME": "", "XDG_CACHE_HOME": ""},
    )
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed.\n{done.stdout}{done.stderr}")
    return done.stdout


def environment(name: str, *packages: str) -> Path:
    """Make an environment with some packages, and return the folder of its commands."""
    venv.create(DIST / name, with_pip=True, clear=True)
    commands = DIST / name / "bin"
    install = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    said(commands / "python", *install, *packages)
    return commands


def check(package: Path) -> None:
    """Install a package alone, play a game and solve another."""
    commands = environment("empty", str(package))
    version = said(commands / "zerosum", "--version").split()[-1]
    if f"zerosum-{version}" not in package.name:
        sys.exit(f"{package.name} installs version {version}.")
    played = said(commands / "zerosum", "play", "even-steven", typed=GAME).splitlines()
    solved = said(commands / "zerosum", "solve", "digit-battle").splitlines()
    if not any("wins" in line for line in played):
        sys.exit(f"The game did not end:\n{played}")
    print(f"{package.name}: {package.stat().st_size / 1e6:.1f} MB, installed.")
    print(f"  zerosum play even-steven: {next(line for line in played if 'wins' in line)}")
    print(f"  zerosum solve digit-battle: {solved[0]}")


def main() -> None:
    """Build and check both packages."""
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir(parents=True)
    tools = environment("tools", "build", "twine")
    said(tools / "python", "-m", "build", "--outdir", DIST, ROOT)
    packages = sorted(DIST.glob("zerosum-*"))
    said(tools / "twine", "check", "--strict", *packages)
    print(f"Built, and passed twine check: {' '.join(package.name for package in packages)}")
    for package in packages:
        check(package)


if __name__ == "__main__":
    main()
