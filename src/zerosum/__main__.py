"""Start the command: `zerosum`, or `python -m zerosum`."""

import gc
import sys

# New objects before garbage is looked for: nothing that is loaded at the start is garbage, and
# to look for it as often as usual takes 5% of that time.
GARBAGE = 50_000


def main() -> None:
    """Run the command and end the process with its exit code."""
    gc.set_threshold(GARBAGE)
    try:
        from zerosum.cli import run_supervised

        code = run_supervised()
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    main()
