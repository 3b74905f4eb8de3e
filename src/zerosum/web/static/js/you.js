// @ts-check
// The page of the person whose browser this is: what only the browser knows, which is the puzzles.

import { by, counted, put } from "./dom.js";
import { dailyStreak, progress, today } from "./progress.js";

const { solved, daily } = progress();
const days = dailyStreak(today());
const count = solved.length + Object.values(daily).filter((day) => day.solved).length;
const streak = days ? `${counted(days, "day")} in a row · ` : "";
if (count) put(by("puzzles-said"), `${streak}${count} solved`);
