// @ts-check
// What happened between two views, in sentences; also what was missed while offline.

// Open offers, moves and ends are on the page itself.
const NOTICED = new Set(["join", "undo", "decline", "coach", "next", "repetition", "stuck"]);

// What the end of a game says as well.
const ENDS = new Set(["draw", "resign", "time"]);

/** Return the news since a view that would otherwise not be seen. @param {Api.TableView} before @param {Api.TableView} now */
export function notices(before, now) {
  const others = now.news.filter(({ player }) => now.mode === "here" || !now.you.some((own) => own === player));
  return others.filter(({ change, kind }) => change > before.change && NOTICED.has(kind));
}

/** Return the news of a view for someone who knows the view before it. @param {Api.TableView} before @param {Api.TableView} now */
export function news(before, now) {
  const fresh = now.news.filter(({ change }) => change > before.change);
  const known = before.series.game === now.series.game ? (before.last.at(-1)?.ply ?? 0) : 0;
  const missed = now.last
    .filter(({ ply }) => ply > known && !fresh.some(({ move }) => move === ply))
    .map(({ said }) => said);
  const told = fresh.filter(({ kind }) => !now.ended || !ENDS.has(kind)).map(({ text }) => text);
  return [...missed, ...told, ended(before, now), turn(before, now)].filter(Boolean);
}

/** Announce the end of a game. @param {Api.TableView} before @param {Api.TableView} now */
function ended(before, { ended, captions: { title, reason } }) {
  return ended && !before.ended ? `${title}${/[.!]$/.test(title) ? "" : "."} ${reason}`.trim() : "";
}

/** Announce a new turn to the player whose turn it is. @param {Api.TableView} before @param {Api.TableView} now */
function turn(before, now) {
  if (!now.turn?.yours) return "";
  const same = before.turn?.player === now.turn.player && before.ply === now.ply;
  if (same && !before.waiting) return "";
  return now.mode === "here" ? `${now.turn.text}.` : "Your turn.";
}
