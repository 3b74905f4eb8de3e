// @ts-check
// Where a move is chosen at a table: whose turn it is, the moves, and the field to type in.

import { drawBoard, focusBoard } from "./board.js";
import { by, put, show } from "./dom.js";
import { pointAt } from "./line.js";
import { drawMoves } from "./moves.js";
import { drawPlayers, endPreview, preview } from "./players.js";
import { drawStage } from "./position.js";
import { drawTyping } from "./typing.js";

/**
 * Draw what can be chosen; `told` is what the coach says about the moves, `play` gets the chosen one, and `sent` is the
 * one on its way to the server.
 * @param {Api.TableView} view @param {Map<string, Told>} told @param {Play} play @param {string | null} sent
 */
export function drawChoices(view, told, play, sent) {
  const { turn, moves, board } = view;
  const group = by("moves");
  const held = group.contains(document.activeElement);
  const off = !turn?.yours;
  const coached = view.coach.yours !== "off";
  group.classList.toggle("coached", coached);
  // Its place is kept for the time when the moves have chances, so that nothing moves then.
  show(by("versus"), coached);
  by("versus").classList.toggle("kept", ![...told.values()].some(({ chance }) => chance));
  drawStage(document.querySelector(".sides"), view, { moves, told, look, play: off ? null : play, sent });
  const seat = turn && view.players[turn.player].seat;
  drawMoves(by("grid"), group, board, moves, { play, told, off, look, sent, seat, why: (choice) => whyNot(choice, turn) });
  // If the focused move is gone, focus the board or the group.
  if (held && !group.contains(document.activeElement)) focusMoves(view);
  show(by("more"), view.more > 0);
  show(by("choose"), Boolean(turn));
  if (turn) drawTurn(view, turn);
}

/** Show a position that can follow, which nobody can move in. @param {Api.TableView} view @param {Api.Asked} shown */
export function drawAhead(view, shown) {
  const { fields, player_fields: own, mover } = shown;
  const players = /** @type {Api.TableView["players"]} */ (view.players.map((player) => ({ ...player, fields: own[player.seat] })));
  drawPlayers({ ...view, fields, players, turn: view.turn && { ...view.turn, player: players[0].seat === mover ? 0 : 1 } });
  drawStage(document.querySelector(".sides"), shown, {});
  drawBoard(by("grid"), shown.board, {});
}

/** Focus the place where moves are made. @param {Api.TableView} view */
export function focusMoves(view) {
  if (view.board) focusBoard(by("grid"));
  else by("moves").focus();
}

/** Say why a move cannot be made now; the rules' reason is addressed to the player to move. @param {Choice} choice @param {Api.WhoseTurn | null} turn */
function whyNot({ legal, why }, turn) {
  if (turn?.yours) return why ?? "";
  return legal ? `It is ${turn?.text ?? "not your turn"}.` : "Not legal now.";
}

/** Preview a move. @param {Choice | null | undefined} choice */
function look(choice) {
  if (choice) preview(choice);
  else endPreview();
  pointAt(by("lines"), choice?.move ?? null);
}

/** Draw whose turn it is, and how moves are typed. @param {Api.TableView} view @param {Api.WhoseTurn} turn */
function drawTurn({ captions, moves, digits, board, watching }, turn) {
  put(by("turn"), captions.turn);
  put(by("prompt"), turn.prompt);
  show(by("typed"), !watching);
  by("typed-move").disabled = by("typed-play").disabled = !turn.yours;
  const legal = moves.filter((choice) => choice.legal);
  if (!legal.length) return;
  const typed = `Type a move, such as ${legal[0].move}, and press Enter.`;
  put(by("typed-help"), digits ? "Type a move and press Enter; outside this field, a digit plays at once." : typed);
  put(by("help-typed"), typed);
  show(by("help-digits"), digits);
  show(by("help-board"), Boolean(board));
  drawTyping(legal);
}
