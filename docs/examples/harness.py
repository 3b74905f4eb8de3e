"""Answers the questions of `zerosum questions`: put your model in place of `ask`.

python harness.py < questions.jsonl > answers.jsonl
"""

import json
import sys
import time


def ask(prompt: str) -> str:
    return "One is a good number.\nMOVE: 1"


def main() -> None:
    for line in sys.stdin:
        question = json.loads(line)
        begun = time.monotonic()
        text = ask(question["prompt"])
        answer = {"id": question["id"], "text": text, "seconds": time.monotonic() - begun}
        answer["prompt_hash"] = question["prompt_hash"]
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
