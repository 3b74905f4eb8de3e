"""Screen readers: everything is announced once, and everything has a name."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.people import Person
from tests.browser.places import invited, set_puzzle

Pair = Callable[..., tuple[Person, Person]]


def test_moves_and_result_are_announced_once_to_both(pair: Pair) -> None:
    ada, bob = pair(options={"start": "6"})
    for person in (ada, bob):
        person.page.evaluate("() => void (window.heard.length = 0)")
    ada.play("2")
    bob.play("1")
    ada.play("2")
    bob.play("1")
    ada.ready()
    moves = [played["said"] for played in bob.view["last"]]
    assert moves[0] == "Ada plays 2: Divide by 2, leaving 3."
    for person in (ada, bob):
        for text in (*moves, person.view["ended"]["text"]):
            person.hears_once(text)
        assert person.heard.count(" plays ") == 4
        assert person.heard.count(" wins") == 1
    assert ada.heard.count("Your turn.") == 1
    assert bob.heard.count("Your turn.") == 2


def test_computer_moves_are_announced_once(visit: Visit) -> None:
    ada = visit()
    ada.create("last-stick", mode="bot", options={"start": "6"}, names=["Ada"])
    ada.plays_to_the_end()
    view = ada.view
    ada.hears_once(view["ended"]["text"])
    for played in view["last"]:
        ada.hears_once(played["said"])
    assert ada.heard.count(" plays ") == len(view["last"])


def test_offers_and_connection_loss_are_announced(pair: Pair) -> None:
    ada, bob = pair()
    ada.do("draw")
    bob.hears_once("Ada offers a draw.")
    bob.do("decline")
    ada.hears_once("Bob declined the draw.")
    ada.page.context.set_offline(True)
    ada.hears_once("Connection lost. Reconnecting… Your game is safe.")
    ada.page.context.set_offline(False)
    ada.hears_once("Connection restored.")


def test_home_and_invitation_for_screen_readers(visit: Visit) -> None:
    ada = visit()
    ada.open("/")
    expect(ada.see("body")).to_match_aria_snapshot("""
      - link "Skip to main content"
      - banner:
        - link "Zerosum"
        - navigation "Site":
          - link "Games"
          - link "Puzzles"
      - main:
        - heading [level=1]
        - list:
          - listitem:
            - article:
              - heading "Even-Steven" [level=2]
              - paragraph: /\\w+/
              - button "Play the computer – Even-Steven"
              - button "Invite a friend – Even-Steven"
              - button "Same screen – Even-Steven"
              - paragraph:
                - link "Options of Even-Steven"
                - link "Rules of Even-Steven"
                - link "Explore Even-Steven"
    """)
    assert ada.see("main h2").count() == 9  # five games, three of the user's own, puzzles
    invited(ada)
    expect(ada.see("main")).to_match_aria_snapshot("""
      - main:
        - heading "Even-Steven" [level=1]
        - region "Player 1 invites you to Even-Steven":
          - heading "Player 1 invites you to Even-Steven" [level=2]
          - textbox "Your name (optional)"
          - button "Join and play"
    """)


def test_game_for_screen_readers(visit: Visit) -> None:
    ada = visit()
    ada.create("even-steven", mode="bot", names=["Ada"], coach="on")
    expect(ada.see("#moves .worth")).not_to_have_count(0)
    expect(ada.see("main")).to_match_aria_snapshot("""
      - main:
        - heading "Even-Steven" [level=1]
        - paragraph: connected
        - button "Keyboard help"
        - region "Position":
          - heading "Position" [level=2]
          - heading "Ada" [level=3]
          - text: Number 15
          - heading "Computer (medium)" [level=3]
        - region "Your turn":
          - heading "Your turn" [level=2]
          - group "Your turn":
            - button /1 Subtract 1, leaving 14 .* (win|loss) in \\d+/
            - button /2 .*even/ [disabled]
          - textbox
        - region "Coach":
          - heading "Coach" [level=2]
          - group "When should the coach help?":
            - radio "Always" [checked]
        - region "Moves so far":
          - heading "Moves so far" [level=2]
        - status
    """)
    # It can be read why a move is forbidden: the button stays in reach of the Tab key.
    ada.tab_to('[data-move="2"]')
    ada.press("Enter")
    expect(ada.see("#problem")).to_contain_text("even")
    expect(ada.see("#problem")).to_have_attribute("role", "alert")
    assert ada.ply == 0


def test_result_and_review_for_screen_readers(visit: Visit) -> None:
    ada = visit()
    ada.create("even-steven", mode="here", options={"start": "2"}, names=["Ada", "Bob"])
    ada.play("1")
    ada.play("1")
    expect(ada.see("main")).to_match_aria_snapshot("""
      - region /Bob wins/:
        - heading /Bob wins/ [level=2]
        - button "Rematch"
        - link "Review"
        - link "Another game"
    """)
    ada.do("review")
    expect(ada.see("#review")).to_be_visible()
    ada.page.get_by_text("The game in words").click()
    expect(ada.see("main")).to_match_aria_snapshot("""
      - main:
        - heading "Review of Even-Steven" [level=1]
        - region "Who was winning":
          - heading "Who was winning" [level=2]
          - group "Who was winning":
            - img /\\w+/
          - button "One move back"
          - slider "Move"
          - button "One move forward"
          - group:
            - list:
              - listitem: /\\w+/
        - region "Start":
          - heading "Start" [level=2]
          - combobox "Try again from here against"
          - button "Play"
        - region "Move by move":
          - list:
            - listitem:
              - button /1. Ada Subtract 1, leaving 1/
            - listitem:
              - button /2. Bob Subtract 1, leaving 0/
    """)


def test_map_and_puzzles_for_screen_readers(visit: Visit) -> None:
    ada = visit()
    ada.open("/explore/even-steven")
    expect(ada.see("#map [data-state]")).not_to_have_count(0)
    expect(ada.see("#theory-words")).not_to_be_empty()
    expect(ada.see("main")).to_match_aria_snapshot("""
      - main:
        - heading "Explore Even-Steven" [level=1]
        - region "Map":
          - heading "Map" [level=2]
          - group /\\w+/:
            - button /\\d+/
        - region "Position":
          - heading "Position" [level=2]
          - heading "Moves" [level=3]
          - group "Moves":
            - button /1 Subtract 1, leaving 14 .*(win|loss) in \\d+/
          - paragraph:
            - link "Back to the start"
        - region "The theory":
          - heading "The theory" [level=2]
          - paragraph: /\\w+/
        - status
    """)
    set_puzzle(ada, "even-steven")
    expect(ada.see("main")).to_match_aria_snapshot("""
      - main:
        - heading "Puzzles" [level=1]
        - combobox "Game"
        - group "Difficulty":
          - radio "Any" [checked]
        - region:
          - heading [level=2]
          - group:
            - button /\\d+ \\w+/
          - textbox "Your move"
          - button "Answer"
          - paragraph:
            - button "Give up"
        - paragraph:
          - button "Reset my progress"
        - status
    """)
