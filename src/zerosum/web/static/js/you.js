// @ts-check
// The page of the person whose browser this is: what only the browser knows, which is the puzzles.

import { by, put } from "./dom.js";
import { dailyStreak, progress } from "./progress.js";

const { solved, daily } = progress();
const days = dailyStreak(new Date().toISOString().slice(0, 10)); // it changes at midnight UTC
const count = solved.length + Object.values(daily).filter((day) => day.solved).length;
const streak = days ? `${days} ${days === 1 ? "day" : "days"} in a row · ` : "";
if (count) put(by("puzzles-said"), `${streak}${count} solved`);
