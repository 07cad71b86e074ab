// Sounds, made here: a card is a stone. Off until wanted; nothing is loaded.

import { stored } from "../base/storage.js";

/** @type {AudioContext | null} */
let context = null;

function ready() {
  if (!stored.settings.sound) return null;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  return context;
}

/**
 * @param {AudioContext} audio
 * @param {number} at
 * @param {number} time
 * @param {number} frequency
 * @param {number} loud
 */
function noise(audio, at, time, frequency, loud) {
  const length = Math.ceil(audio.sampleRate * time);
  const samples = audio.createBuffer(1, length, audio.sampleRate);
  const data = samples.getChannelData(0);
  for (let place = 0; place < length; place++) data[place] = (Math.random() * 2 - 1) * (1 - place / length) ** 2;
  const source = new AudioBufferSourceNode(audio, { buffer: samples });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency, Q: 1.2 });
  source
    .connect(filter)
    .connect(new GainNode(audio, { gain: loud }))
    .connect(audio.destination);
  source.start(at);
}

/**
 * @param {AudioContext} audio
 * @param {number} at
 * @param {number} time
 * @param {number} frequency
 * @param {number} loud
 * @param {number} [end]
 */
function tone(audio, at, time, frequency, loud, end = frequency) {
  const source = new OscillatorNode(audio, { frequency });
  const volume = new GainNode(audio, { gain: loud });
  source.frequency.exponentialRampToValueAtTime(end, at + time);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + time);
  source.connect(volume).connect(audio.destination);
  source.start(at);
  source.stop(at + time);
}

/** A card falls: a pebble clicks, a boulder thuds. @param {number} value @param {number} highest */
export function cardFalls(value, highest) {
  const audio = ready();
  if (!audio) return;
  const weight = (value - 1) / Math.max(1, highest - 1);
  noise(audio, audio.currentTime, 0.03 + 0.11 * weight, 2600 * (1 - weight) + 260, 0.18);
  tone(audio, audio.currentTime, 0.06 + 0.1 * weight, 1400 * (85 / 1400) ** weight, 0.14);
}

/** A trick is taken: a swish and a tock. */
export function trickTaken() {
  const audio = ready();
  if (!audio) return;
  tone(audio, audio.currentTime, 0.16, 300, 0.05, 1200);
  tone(audio, audio.currentTime + 0.17, 0.07, 820, 0.12);
}

/**
 * A cairn comes down: a thud, the deeper the more it was worth, and gravel behind it.
 * @param {number} lost  as a part of the highest value @param {number} wait  seconds until it lies
 */
export function cairnFalls(lost, wait) {
  const audio = ready();
  if (!audio) return;
  const at = audio.currentTime + wait;
  const heavy = Math.max(0, Math.min(1, lost));
  tone(audio, at, 0.22 + 0.2 * heavy, 150 - 80 * heavy, 0.1 + 0.1 * heavy, 45);
  noise(audio, at, 0.1 + 0.1 * heavy, 240, 0.2);
  for (let bit = 0; bit < 6; bit++)
    noise(audio, at + 0.04 + Math.random() * 0.3, 0.03, 900 + Math.random() * 1500, 0.12);
}

/** Cards are dealt: a riffle. */
export function dealt() {
  const audio = ready();
  if (!audio) return;
  for (let card = 0; card < 9; card++) noise(audio, audio.currentTime + card * 0.05, 0.03, 3200, 0.06);
}

/** The match is won: five stones, one on another. */
export function won() {
  const audio = ready();
  if (!audio) return;
  for (const [place, frequency] of [262, 330, 392, 523, 659].entries()) {
    noise(audio, audio.currentTime + place * 0.17, 0.05, 500 + 200 * place, 0.1);
    tone(audio, audio.currentTime + place * 0.17, 0.28, frequency, 0.12);
  }
}

/** Two knocks: it is your turn. */
export function yourTurn() {
  const audio = ready();
  if (!audio) return;
  for (const wait of [0, 0.14]) tone(audio, audio.currentTime + wait, 0.08, 520, 0.12);
}

/** Three, rising: somebody asks for you. */
export function asked() {
  const audio = ready();
  if (!audio) return;
  for (const [place, frequency] of [440, 520, 660].entries())
    tone(audio, audio.currentTime + place * 0.18, 0.12, frequency, 0.14);
}

/** One dull knock: that can't be. */
export function refused() {
  const audio = ready();
  if (audio) tone(audio, audio.currentTime, 0.12, 130, 0.16);
}
