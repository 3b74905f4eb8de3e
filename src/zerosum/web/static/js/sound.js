// @ts-check
// Short sounds, if they are switched on: a turn, a win, the end of a game.

import { read, write } from "./storage.js";

const SWITCH = "zerosum.sound";
const TUNES = { turn: [660], won: [523, 659, 784, 1047], over: [523, 392] };
let context = /** @type {AudioContext | null} */ (null);

/** Whether sounds are on. */
export const soundOn = () => read(SWITCH) === "on";

/** Switch sounds on or off. @param {boolean} on */
export function switchSound(on) {
  write(SWITCH, on ? "on" : "off");
  if (on) sound("turn");
}

/** Play a tune. @param {keyof typeof TUNES} name */
export function sound(name) {
  if (!soundOn()) return;
  const player = (context ??= new AudioContext());
  TUNES[name].forEach((pitch, at) => {
    const [tone, volume] = [player.createOscillator(), player.createGain()];
    const start = player.currentTime + 0.13 * at;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.08, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.3);
    tone.connect(volume).connect(player.destination);
    tone.start(start);
    tone.stop(start + 0.3);
  });
}
