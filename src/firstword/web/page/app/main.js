// The page: asks, plays, shows, interrupts. Everything it shows as text is set as text.

import { Player, SPEECH_HZ } from "../player/player.js";
import { AnswerFailed, Question } from "./conversation.js";
import { Listening } from "./listening.js";
import { Run, drawTimeline } from "./timeline.js";
import { Waveform } from "./waveform.js";
import { Words } from "./words.js";

const find = (id) => document.getElementById(id);
const page = Object.fromEntries(
  ["ask", "prompt", "voice", "speed", "speed-value", "door", "send", "stop", "talk", "unlock", "download", "status",
    "answer", "caption", "waveform", "timeline", "figures"].map((id) => [id, find(id)]),
);
const words = new Words(page.answer, page.caption);
const waveform = new Waveform(page.waveform, SPEECH_HZ);
const conversation = crypto.randomUUID();
let player = null;
let question = null; // being answered
let run = null;
let runs = [];
let playback = null; // resolves when the sound of this answer has ended

function say(text, fault = false) {
  page.status.textContent = text;
  page.status.classList.toggle("fault", fault);
}

async function readyPlayer() {
  if (player) return player;
  player = await Player.create();
  player.onlocked = () => (page.unlock.hidden = false);
  player.onstart = ({ atMs }) => {
    if (!run || !question) return;
    page.unlock.hidden = true;
    run.soundFrom = atMs - question.askedAt;
    say("Speaking.");
  };
  player.onposition = ({ playedSeconds }) => showHeard(playedSeconds);
  player.onunderrun = ({ atMs }) => run?.stalls.push(atMs - question.askedAt);
  return player;
}

function showHeard(playedSeconds) {
  const latency = player.context.outputLatency || 0;
  words.heardUpTo(Math.max(0, playedSeconds - latency));
  waveform.draw(playedSeconds);
  if (!run || run.soundFrom === null || !question) return;
  run.soundTo = performance.now() - question.askedAt;
  showSoon();
}

let shownAt = 0;
function showSoon() {
  if (performance.now() - shownAt < 250) return;
  shownAt = performance.now();
  show();
}

async function ask(mode) {
  const output = await readyPlayer();
  words.clear();
  waveform.clear();
  page.download.hidden = true;
  const current = (question = new Question({
    prompt: page.prompt.value, mode, voice: page.voice.value, speed: Number(page.speed.value), door: page.door.value, conversation,
  }));
  run = new Run(mode);
  runs.push(run);
  output.begin();
  playback = new Promise((resolve) => (output.onend = resolve));
  page.stop.disabled = false;
  say("Thinking.");
  let outcome = null;
  try {
    for await (const { event, pcm, atMs } of current.answer()) {
      if (current.stopped && event?.type !== "interrupted") continue;
      outcome = take(event, pcm, atMs) ?? outcome;
      showSoon();
      if (pcm) output.feed(pcm);
    }
  } catch (error) {
    if (!(error instanceof AnswerFailed)) throw error;
    outcome = { type: "error", message: error.message };
  }
  if (!current.stopped) output.end();
  const heard = await playback;
  finish(current, outcome, heard);
  return outcome?.type !== "error" && !current.stopped;
}

function take(event, pcm, atMs) {
  run.note(event, pcm, atMs);
  if (pcm) waveform.add(pcm);
  switch (event?.type) {
    case "text_delta":
      words.append(event.text);
      return null;
    case "timings":
      words.addTimings(event.words);
      return null;
    case "error":
    case "interrupted":
    case "agent_end":
      return event;
    default:
      return null;
  }
}

function finish(current, outcome, heard) {
  const cut = current.stopped ? [...words.heardText].length : null;
  words.finish(outcome?.type === "interrupted" ? outcome.char_end : cut);
  run.soundTo = run.soundFrom === null ? null : run.soundFrom + heard.playedSeconds * 1000;
  waveform.draw(heard.playedSeconds);
  show();
  announce(current, heard);
  if (outcome?.type === "error") say(outcome.message || "The answer failed.", true);
  else if (current.stopped) say(`Stopped. You heard: “${outcome?.heard_text ?? words.heardText}”`);
  else say("Done.");
  if (waveform.samples) {
    URL.revokeObjectURL(page.download.href);
    page.download.href = URL.createObjectURL(waveform.toWav());
    page.download.hidden = false;
  }
  if (question === current) {
    page.stop.disabled = true;
    question = null;
  }
}

/** For whoever embeds or measures the page: times in milliseconds since the question. */
function announce(current, heard) {
  const { mode, firstAudio, agentFirstAudio, soundFrom, stalls } = run;
  const silenceAfterStop = current.stoppedAt === undefined ? null : heard.atMs - current.stoppedAt;
  const detail = { mode, firstAudio, agentFirstAudio, soundFrom, stalls: stalls.length, silenceAfterStop };
  document.dispatchEvent(new CustomEvent("firstword:answered", { detail }));
}

function show() {
  drawTimeline(page.timeline, runs);
  page.figures.replaceChildren(
    ...run.figures().map(([name, value]) => {
      const row = document.createElement("div");
      const term = document.createElement("dt");
      const detail = document.createElement("dd");
      term.textContent = name;
      detail.textContent = value;
      row.append(term, detail);
      return row;
    }),
  );
}

async function interrupt() {
  if (!question || question.stopped) return;
  const current = question;
  current.stopped = true;
  current.stoppedAt = performance.now();
  const playedSeconds = await player.stop();
  await current.cancel(playedSeconds);
}

let asking = Promise.resolve();
async function submit() {
  if (!page.prompt.value.trim()) return;
  await interrupt();
  await asking.catch(() => {});
  runs = [];
  const mode = new FormData(page.ask).get("mode");
  asking = mode === "compare" ? compare() : ask(mode);
  await asking.catch((error) => say(`The page failed: ${error.message}`, true));
}

async function compare() {
  if (await ask("bidi")) await ask("batch");
}

page.ask.addEventListener("submit", (event) => {
  event.preventDefault();
  submit();
});
page.prompt.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    submit();
  }
});
page.prompt.addEventListener("input", () => interrupt());
document.addEventListener("keydown", (event) => event.key === "Escape" && interrupt());
page.stop.addEventListener("click", () => interrupt());
page.unlock.addEventListener("click", async () => {
  await player.unlock();
  page.unlock.hidden = true;
});
page.speed.addEventListener("input", () => (page["speed-value"].textContent = `${Number(page.speed.value).toFixed(1)}×`));

if (Listening.available) {
  page.talk.hidden = false;
  let listening = null;
  const quiet = (error) => {
    listening = null;
    page.talk.setAttribute("aria-pressed", "false");
    if (error && error !== "no-speech" && error !== "aborted") say(`The microphone could not be used (${error}).`, true);
  };
  page.talk.addEventListener("click", () => {
    if (listening) return listening.stop();
    listening = new Listening({
      onvoice: () => interrupt(),
      onwords: (text, final) => {
        page.prompt.value = text;
        if (final) submit();
      },
      onend: quiet,
    });
    page.talk.setAttribute("aria-pressed", "true");
    return listening.start();
  });
}

async function configure() {
  try {
    const response = await fetch("api/config");
    const { voices, default_voice: chosen } = await response.json();
    page.voice.replaceChildren(...voices.map((name) => new Option(name, name, name === chosen, name === chosen)));
  } catch {
    say("The gateway cannot be reached. Is firstword web still running?", true);
  }
}

configure();
