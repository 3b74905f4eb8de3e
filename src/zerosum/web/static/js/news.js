// What has happened between two views, in sentences; also what was missed while there was no connection.

/** Tell the news of a view to somebody who knows the view before. */
export function news(before, now) {
  const fresh = now.news.filter(({ change }) => change > before.change).map(({ text }) => text);
  const known = before.series.game === now.series.game ? (before.last.at(-1)?.ply ?? 0) : 0;
  const missed = now.last
    .filter(({ ply, said }) => ply > known && !fresh.some((text) => text.startsWith(said)))
    .map(({ said }) => said);
  return [...missed, ...fresh, turn(before, now)].filter(Boolean);
}

/** Say whose turn it has become, to whom it concerns. */
function turn(before, now) {
  if (!now.turn?.yours) return "";
  const same = before.turn?.player === now.turn.player && before.ply === now.ply;
  if (same && !before.waiting) return "";
  return now.mode === "here" ? `${now.turn.text}.` : "Your turn.";
}

/** The title of the page: whose turn it is, first. */
export function title(view) {
  const game = view.game.title;
  if (view.can.includes("join")) return `${view.players.find(({ joined }) => joined)?.name ?? "Someone"} invites you to ${game}`;
  if (view.waiting) return `Waiting for your friend – ${game}`;
  if (view.ended) return `${view.ended.text} – ${game}`;
  if (!view.turn) return game;
  if (view.turn.yours && view.mode !== "here") return `Your turn – ${game}`;
  return `${view.turn.text} – ${game}`;
}
