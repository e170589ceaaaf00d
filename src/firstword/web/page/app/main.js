// The page: asks, plays, shows, interrupts. Everything it shows as text is set as text.

import { Player, SPEECH_HZ } from "../player/player.js";
import { Answer } from "./answer.js";
import { UNREACHABLE, newId } from "./door.js";
import { EventsDoor } from "./events-door.js";
import { offerListening } from "./listening.js";
import { readPronunciations } from "./pronunciations.js";
import { Silence } from "./silence.js";
import { SocketDoor } from "./socket-door.js";
import { drawTimeline, figures, verdict } from "./timeline.js";
import { offerVoices } from "./voices.js";
import { Waveform } from "./waveform.js";
import { Words } from "./words.js";

const WAVEFORM_EVERY_MS = 100;
const TIMELINE_EVERY_MS = 500;
const REST_MS = 60_000;
const CLICK_MS = 500; // longer ago, a submission is not that click's
const CRACKLES = 3; // so often the device may run dry within an answer: one lost buffer of 5 ms is hardly heard
const STATES = { thinking: "Thinking.", speaking: "Speaking." };
const TAP = "The browser asks for a tap before it lets a page speak.";

const page = Object.fromEntries(
  ["ask", "prompt", "voice", "speed", "speed-value", "door", "pronunciations", "send", "stop", "talk", "unlock", "download", "status",
    "answer", "caption", "waveform", "timeline", "verdict", "figures"].map((id) => [id, document.getElementById(id)]),
);
const words = new Words(page.answer, page.caption);
const waveform = new Waveform(page.waveform, SPEECH_HZ);
const doors = makeDoors();
let player = null;
let getting = null;
let steady = false; // the device ran dry with the smallest buffer: it gets a larger one
let answer = null; // the one that is being given
let runs = []; // the times of those that are on the timeline
let clickedAt = 0; // when the last click was made, which is sooner than when its handlers run

function makeDoors() {
  const conversation = newId();
  const made = { ws: new SocketDoor(conversation), sse: new EventsDoor(conversation) };
  for (const door of Object.values(made)) door.onwait = (lost) => say(...(lost ? ["Connection lost. Taking it up again …", true] : ["Connected again."]));
  return made;
}

/** Made in the first tap or key press, which comes before the question. Raises if its files cannot be had. */
function getPlayer() {
  return (getting ??= makePlayer().finally(() => (getting = null)));
}

async function makePlayer() {
  if (Player.supported) player = await Player.create(steady ? { contextOptions: { latencyHint: "interactive" } } : {});
  else say((player = new Silence()).reason, true);
  player.onlocked = () => {
    page.unlock.hidden = false;
    say(TAP);
  };
  player.onunlocked = () => {
    if (answer) show.state(answer.run.soundFrom === null ? "thinking" : "speaking");
  };
  return player;
}

/** What crackled once would again: the next answer gets a player whose device has more time. */
function spare(given) {
  if (steady || given.deviceUnderruns < CRACKLES) return;
  steady = true;
  player.close();
  player = null;
  getPlayer().catch(() => {}); // the question tries again
}

function say(text, fault = false, state = "") {
  page.status.textContent = text;
  page.status.classList.toggle("fault", fault);
  page.status.dataset.state = state;
}

const show = {
  text: (delta) => words.append(delta),
  timings: (list) => words.addTimings(list),
  audio: (pcm) => waveform.add(pcm),
  state: (name) => {
    page.unlock.hidden = true;
    if (STATES[name]) say(STATES[name], false, name);
  },
  fault: (message) => say(message, true),
};

/** A browser lets no page sound that nobody has touched: one that asks by itself waits for a tap. */
async function touched() {
  if (navigator.userActivation?.hasBeenActive ?? true) return;
  page.unlock.hidden = false;
  say(TAP);
  const over = new AbortController();
  await new Promise((resolve) => {
    const check = () => navigator.userActivation.hasBeenActive && resolve();
    for (const name of ["click", "keydown"]) document.addEventListener(name, check, { signal: over.signal });
  });
  over.abort();
  page.unlock.hidden = true;
}

/** Whether the answer was given to its end. */
async function ask(mode, askedAt, door) {
  const { entries: pronunciations, wrong } = readPronunciations(page.pronunciations.value);
  if (wrong) return say(`A pronunciation is word=how it is said, one a line: not “${wrong}”.`, true);
  const mine = submitted;
  await touched();
  const output = player ?? (await getPlayer().catch(() => null));
  if (mine !== submitted) return; // a later question has taken its place
  if (!output) return say(UNREACHABLE, true);
  if (!page.voice.length) configure();
  const options = { prompt: page.prompt.value, mode, voice: page.voice.value || undefined, speed: Number(page.speed.value), pronunciations };
  const current = (answer = new Answer({ ask: options, door, player: output, askedAt, show }));
  const ending = current.ended(); // asked first, drawn after
  words.clear();
  waveform.clear();
  page.download.hidden = true;
  runs.push(current.run);
  page.stop.disabled = false;
  show.state("thinking");
  requestAnimationFrame(paint);
  const { outcome, heard } = await ending;
  finish(current, outcome, heard);
  return outcome.type === "agent_end" && !current.stopping;
}

function finish(current, outcome, heard) {
  words.show(heard.heardSeconds);
  const cutAt = !current.stopping ? null : outcome.type === "interrupted" ? outcome.char_end : words.heardTo;
  words.finish(cutAt);
  waveform.draw(heard.playedSeconds);
  showTimes();
  page.unlock.hidden = true;
  if (outcome.type === "error") say(outcome.message || "The answer failed.", true);
  else if (current.stopping) say(cutAt ? `Stopped. You heard: “${words.textTo(cutAt).trim()}”` : "Stopped before a word was heard.");
  else say(player.reason ?? "Done.", Boolean(player.reason));
  if (waveform.bytes) {
    URL.revokeObjectURL(page.download.href);
    page.download.href = URL.createObjectURL(waveform.toWav());
    page.download.hidden = false;
  }
  if (answer === current) {
    page.stop.disabled = true;
    answer = null;
    restLater();
    spare(current);
  }
  announce(current, heard);
}

/** For whoever embeds or measures the page: times in milliseconds since the question. */
function announce({ run, stoppedAt, payload, askedAt, deviceUnderruns }, heard) {
  const since = (atMs) => (stoppedAt === null ? null : atMs - stoppedAt);
  const { mode, firstAudio, agentFirstAudio, soundFrom, renderedFrom, stalls } = run;
  const detail = {
    request: payload.request_id, mode, firstAudio, agentFirstAudio, soundFrom, renderedFrom, stalls: stalls.length,
    askedAt: performance.timeOrigin + askedAt, stalled: stalls, deviceUnderruns,
    playedSeconds: heard.playedSeconds, silenceAfterStop: since(heard.atMs), renderedSilenceAfterStop: since(heard.renderedAtMs),
  };
  document.dispatchEvent(new CustomEvent("firstword:answered", { detail }));
}

let waveformAt = 0;
let timelineAt = 0;
function paint(now) {
  if (!answer) return;
  words.show(player.heardSeconds);
  if (now - waveformAt > WAVEFORM_EVERY_MS) {
    waveformAt = now;
    waveform.draw(player.playedSeconds);
  }
  if (now - timelineAt > TIMELINE_EVERY_MS) {
    timelineAt = now;
    showTimes();
  }
  requestAnimationFrame(paint);
}

function showTimes() {
  if (!runs.length) return;
  drawTimeline(page.timeline, runs);
  page.verdict.replaceChildren(...verdict(runs).map(({ words: text, figure }) => element(figure ? "strong" : "span", text)));
  page.figures.replaceChildren(
    ...figures(runs.at(-1)).map(([name, value]) => {
      const row = document.createElement("div");
      row.append(element("dt", name), element("dd", value));
      return row;
    }),
  );
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function interrupt(atMs = performance.now()) {
  return answer?.stop(atMs);
}

let asking = Promise.resolve();
let submitted = 0;
async function submit(askedAt = performance.now()) {
  if (!page.prompt.value.trim()) return say("Write a question first.", true);
  const mine = (submitted += 1);
  interrupt(askedAt);
  await asking;
  if (mine !== submitted) return; // a later one has taken its place
  runs = [];
  const mode = new FormData(page.ask).get("mode");
  asking = (mode === "compare" ? compare(askedAt) : ask(mode, askedAt, doors[page.door.value]))
    .catch((error) => say(`The page failed: ${error.message}`, true));
}

/** Each in a conversation of its own, so that neither answer knows the other. */
async function compare(askedAt) {
  const [first, second] = [makeDoors(), makeDoors()].map((made) => made[page.door.value]);
  second.warm();
  try {
    if (await ask("bidi", askedAt, first)) await ask("batch", performance.now(), second);
  } finally {
    first.leave();
    second.leave();
  }
}

function restLater() {
  setTimeout(() => answer || player?.rest(), REST_MS);
}

/** A question is about to come: have sound and connection ready before it does. */
function ready() {
  doors[page.door.value].warm();
}

function wake() {
  if (!(navigator.userActivation?.isActive ?? true)) return;
  (player ? player.unlock() : getPlayer()).catch(() => {}); // the question tries again
}

for (const name of ["pointerdown", "pointerup", "keydown"]) document.addEventListener(name, wake, { capture: true, passive: true });
for (const name of ["pointermove", "pointerdown", "focusin", "keydown"]) document.addEventListener(name, ready, { capture: true, passive: true });
document.addEventListener("click", (event) => (clickedAt = event.timeStamp), { capture: true, passive: true });
page.ask.addEventListener("submit", (event) => {
  event.preventDefault();
  submit(event.timeStamp - clickedAt < CLICK_MS ? clickedAt : event.timeStamp);
});
page.prompt.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    submit(event.timeStamp);
  }
});
page.prompt.addEventListener("input", (event) => interrupt(event.timeStamp));
document.addEventListener("keydown", (event) => event.key === "Escape" && interrupt(event.timeStamp));
page.stop.addEventListener("click", (event) => interrupt(event.timeStamp));
page.unlock.addEventListener("click", async () => {
  await player?.unlock();
  page.unlock.hidden = true;
});
page.speed.addEventListener("input", () => (page["speed-value"].textContent = `${Number(page.speed.value).toFixed(1)}×`));
addEventListener("resize", () => {
  waveform.draw(answer ? player.playedSeconds : waveform.seconds);
  showTimes();
});
addEventListener("pagehide", () => answer && answer.door.cancel(answer.payload.request_id, player.heardSeconds));

offerListening(page.talk, {
  onvoice: () => interrupt(),
  onwords: (text, final) => {
    page.prompt.value = text;
    if (final) submit();
  },
  onfault: (fault) => say(`The microphone could not be used (${fault}).`, true),
});

async function configure() {
  try {
    const response = await fetch("api/config");
    const { voices, default_voice: chosen } = await response.json();
    offerVoices(page.voice, voices, chosen);
  } catch {
    say(UNREACHABLE, true);
  }
}

configure();
if (!Player.supported) getPlayer();
