// What happened when, as lanes on one axis: text as it was written, each sentence on its way through the voice, sound as it
// was heard. Drawn at the width it is shown in, so that its letters stay readable on a phone.

const SVG = "http://www.w3.org/2000/svg";
const LANES = ["Text", "Voice", "Sound"];
export const MODES = { bidi: "as it writes", batch: "after it has written" };
const LEFT = 52;
const RIGHT = 12;
const LANE = 24;
const BAR = 16;
const HEAD = 26;
const BAND = HEAD + 3 * LANE + 10;
const AXIS = 22;
const STALL_MS = 60;

export function drawTimeline(container, runs) {
  const width = Math.max(280, container.clientWidth);
  const endMs = Math.max(...runs.map((run) => run.endMs)) * 1.03;
  const height = runs.length * BAND + AXIS;
  const svg = make("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  const x = (ms) => LEFT + (ms / endMs) * (width - LEFT - RIGHT);
  axis(svg, endMs, x, height, width);
  runs.forEach((run, index) => band(svg, run, x, index * BAND, width));
  container.replaceChildren(svg);
  container.setAttribute("aria-label", runs.map(inWords).join(" "));
}

function band(svg, run, x, top, width) {
  const y = (lane) => top + HEAD + lane * LANE;
  LANES.forEach((name, lane) => svg.append(label(name, 0, y(lane) + 13, "start", "quiet")));
  const bar = (lane, kind, from, to, height = BAR) =>
    svg.append(make("rect", {
      class: kind, x: x(from), y: y(lane) + (BAR - height) / 2, width: Math.max(1.5, x(to) - x(from)), height, rx: Math.min(2, (x(to) - x(from)) / 2),
    }));
  for (const atMs of run.text) bar(0, "text", atMs, atMs);
  let free = 0;
  for (const { sent, from, to } of run.sentences) {
    const start = Math.max(sent, free);
    const first = Math.max(start, from ?? run.endMs);
    const last = Math.max(first, to ?? first);
    if (first > start) bar(1, "waiting", start, first);
    if (from !== null) bar(1, "voice", first, last);
    free = last;
  }
  svg.append(label(title(run), LEFT, top + 15));
  if (run.soundFrom === null) return;
  bar(2, "sound", run.soundFrom, run.soundTo ?? run.soundFrom);
  for (const { atMs } of run.stalls) bar(2, "stall", atMs, atMs + STALL_MS, BAR / 2);
  svg.append(make("line", { class: "mark", x1: x(run.soundFrom), x2: x(run.soundFrom), y1: y(0) - 4, y2: y(3) - 4 }));
}

function title(run) {
  const mode = MODES[run.mode] ?? run.mode;
  return run.soundFrom === null ? `Speaks ${mode}` : `Speaks ${mode}: first sound ${seconds(run.soundFrom)}`;
}

function axis(svg, endMs, x, height, width) {
  const most = width / 70;
  const stepMs = [500, 1000, 2000, 5000, 10000, 20000].find((step) => endMs / step <= most) ?? 60000;
  for (let ms = 0; ms <= endMs; ms += stepMs) {
    svg.append(make("line", { class: "axis", x1: x(ms), x2: x(ms), y1: HEAD - 4, y2: height - AXIS }));
    svg.append(label(`${ms / 1000} s`, x(ms), height - 6, ms === 0 ? "start" : "middle", "quiet"));
  }
}

function inWords(run) {
  const sound = run.soundFrom === null ? "no sound" : `first sound after ${(run.soundFrom / 1000).toFixed(1)} seconds`;
  return `Mode ${MODES[run.mode] ?? run.mode}: ${sound}, text complete after ${((run.textTo ?? 0) / 1000).toFixed(1)} seconds.`;
}

/** What the runs show, as parts of a sentence; those that are figures are marked. */
export function verdict(runs) {
  const sounded = runs.filter((run) => run.soundFrom !== null);
  if (!sounded.length) return [{ words: "Nothing has sounded yet." }];
  const [first, second] = sounded;
  const parts = [{ words: seconds(first.soundFrom), figure: true }, { words: " from your question to the first sound" }];
  if (second) {
    const times = (second.soundFrom / first.soundFrom).toFixed(1);
    parts.push({ words: ` while it writes, ${seconds(second.soundFrom)} once it has written: ` });
    parts.push({ words: `${times}×`, figure: true }, { words: " sooner." });
    return parts;
  }
  const writing = first.textTo - first.soundFrom;
  if (writing > 50) parts.push({ words: `, and it went on writing for ${seconds(writing)} after that.` });
  else parts.push({ words: `, ${seconds(-writing)} after the last word was written.` });
  return parts;
}

/** Figures of one run as [name, text]. */
export function figures(run) {
  return [
    ["First text", seconds(run.text[0])],
    ["First audio received", seconds(run.firstAudio)],
    ["First sound", seconds(run.soundFrom)],
    ["Text complete", seconds(run.textTo)],
    ["Stalls", String(run.stalls.length)],
  ];
}

function seconds(ms) {
  return ms === null || ms === undefined ? "–" : `${(ms / 1000).toFixed(2)} s`;
}

function label(content, x, y, anchor = "start", kind = "") {
  const text = make("text", { x, y, "text-anchor": anchor, class: kind });
  text.textContent = content;
  return text;
}

function make(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
