"""Start the command: `zerosum`, or `python -m zerosum`."""

import sys


def main() -> None:
    """Run the command and end the process with its exit code."""
    try:
        from zerosum.cli import run_supervised

        code = run_supervised()
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    main()
