// The introduction of a game.

import "./start.js";
import { teach } from "./lesson.js";

teach();
