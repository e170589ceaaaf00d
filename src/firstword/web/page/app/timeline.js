// What happened when, as lanes on one axis: text as it was written, synthesis of each sentence, sound as it was heard.

const SVG = "http://www.w3.org/2000/svg";
const LANES = ["text", "voice", "sound"];
const LABELS = { bidi: "as it writes", batch: "after it has written" };
const WIDTH = 900;
const LEFT = 64;
const LANE = 22;
const BAND = 3 * LANE + 34;

/** The times of one answer, in milliseconds since the question. */
export class Run {
  constructor(mode) {
    this.mode = mode;
    this.text = [];
    this.sentences = [];
    this.stalls = [];
    this.soundFrom = this.soundTo = this.firstAudio = null;
    this.agentMs = 0; // the agent's own clock at the last event that told it
    this.agentFirstAudio = null;
  }

  note(event, pcm, atMs) {
    this.agentMs = event?.t_ms ?? this.agentMs;
    if (pcm) this.agentFirstAudio ??= this.agentMs;
    if (event?.type === "text_delta") this.text.push(atMs);
    else if (event?.type === "sentence") this.sentences.push({ from: event.sent_ms ?? this.text.at(-1) ?? atMs, to: atMs });
    else if (pcm) {
      this.firstAudio ??= atMs;
      if (this.sentences.length) this.sentences.at(-1).to = atMs;
    }
  }

  get endMs() {
    return Math.max(1000, this.soundTo ?? 0, this.text.at(-1) ?? 0, this.sentences.at(-1)?.to ?? 0);
  }

  /** Figures as [name, text] for a list. */
  figures() {
    const ms = (value) => (value === null || value === undefined ? "–" : `${(value / 1000).toFixed(2)} s`);
    return [
      ["First text", ms(this.text[0])],
      ["First audio received", ms(this.firstAudio)],
      ["First sound", ms(this.soundFrom)],
      ["Text complete", ms(this.text.at(-1))],
      ["Stalls", String(this.stalls.length)],
    ];
  }
}

export function drawTimeline(container, runs) {
  const endMs = Math.max(...runs.map((run) => run.endMs)) * 1.03;
  const x = (ms) => LEFT + (ms / endMs) * (WIDTH - LEFT - 8);
  const height = runs.length * BAND + 22;
  const svg = make("svg", { viewBox: `0 0 ${WIDTH} ${height}`, "aria-hidden": "true" });
  axis(svg, endMs, x, height);
  runs.forEach((run, index) => band(svg, run, x, index * BAND));
  container.replaceChildren(svg);
  container.setAttribute("aria-label", runs.map(spoken).join(" "));
}

function band(svg, run, x, top) {
  const y = (lane) => top + 26 + lane * LANE;
  LANES.forEach((name, lane) => svg.append(label(name, 0, y(lane) + 13)));
  const bar = (lane, kind, from, to, height = 15) =>
    svg.append(make("rect", { class: kind, x: x(from), y: y(lane) + (15 - height) / 2, width: Math.max(1.5, x(to) - x(from)), height }));
  for (const atMs of run.text) bar(0, "text", atMs, atMs);
  let free = 0;
  for (const { from, to } of run.sentences) {
    bar(1, "voice", Math.max(from, free), Math.max(to - 1, from, free));
    free = to;
  }
  if (run.soundFrom === null) return;
  bar(2, "sound", run.soundFrom, run.soundTo ?? run.soundFrom);
  for (const stall of run.stalls) bar(2, "stall", stall, stall + 60, 8);
  svg.append(make("line", { class: "mark", x1: x(run.soundFrom), x2: x(run.soundFrom), y1: top + 20, y2: y(3) }));
  const title = `${LABELS[run.mode] ?? run.mode}: first sound ${(run.soundFrom / 1000).toFixed(2)} s`;
  const late = x(run.soundFrom) > WIDTH * 0.6;
  svg.append(label(title, x(run.soundFrom), top + 15, late ? "end" : "start"));
}

function axis(svg, endMs, x, height) {
  const stepMs = [500, 1000, 2000, 5000, 10000, 20000].find((step) => endMs / step <= 10) ?? 60000;
  for (let ms = 0; ms <= endMs; ms += stepMs) {
    svg.append(make("line", { class: "axis", x1: x(ms), x2: x(ms), y1: 20, y2: height - 20 }));
    svg.append(label(`${ms / 1000} s`, x(ms), height - 5, "middle"));
  }
}

function spoken(run) {
  const sound = run.soundFrom === null ? "no sound" : `first sound after ${(run.soundFrom / 1000).toFixed(1)} seconds`;
  return `Mode ${LABELS[run.mode] ?? run.mode}: ${sound}, text complete after ${((run.text.at(-1) ?? 0) / 1000).toFixed(1)} seconds.`;
}

function label(content, x, y, anchor = "start") {
  const text = make("text", { x, y, "text-anchor": anchor });
  text.textContent = content;
  return text;
}

function make(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
