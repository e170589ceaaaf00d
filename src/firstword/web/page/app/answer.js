// One question and its answer: sent through a door, played by a player, its times noted. Knows nothing of what is shown.

import { AnswerFailed, newId } from "./door.js";
import { Run } from "./run.js";

const CANCEL_WAIT_MS = 4000;

export class Answer {
  /** `show` has text(delta), timings(words), audio(bytes), state(name) and fault(message); it is told what comes, when it comes. */
  constructor({ ask, door, player, askedAt, show }) {
    this.payload = { ...ask, request_id: newId() };
    this.door = door;
    this.player = player;
    this.askedAt = askedAt;
    this.show = show;
    this.run = new Run(ask.mode);
    this.stopping = null;
    this.stoppedAt = null;
    this.over = false;
    this.dryBefore = player.deviceUnderruns;
  }

  /** How often the device ran dry within this answer. */
  get deviceUnderruns() {
    return this.player.deviceUnderruns - this.dryBefore;
  }

  /** Resolves, once it has sounded or was stopped, with { outcome, heard }: the agent's last word and the player's. */
  async ended() {
    const played = this.#play();
    let outcome;
    try {
      outcome = await this.door.ask(this.payload, (event, pcm) => this.#take(event, pcm));
    } catch (error) {
      if (!(error instanceof AnswerFailed)) throw error;
      outcome = { type: "error", message: error.message };
    }
    if (outcome.type === "error" && !this.stopping) this.show.fault(outcome.message);
    this.over = true;
    if (!this.stopping) this.player.end();
    const heard = await played;
    if (this.stopping) outcome = (await this.stopping) ?? outcome;
    this.run.soundTo = this.run.soundFrom === null ? null : this.run.soundFrom + heard.playedSeconds * 1000;
    return { outcome, heard };
  }

  /** Fade out, stop model and voice, and tell the agent what was heard. */
  stop(atMs) {
    if (this.stopping) return this.stopping;
    this.stoppedAt = atMs;
    this.stopping = this.#stopped();
    return this.stopping;
  }

  async #stopped() {
    const heardSeconds = await this.player.stop();
    const waiting = setTimeout(() => this.door.abandon(), CANCEL_WAIT_MS);
    const told = await Promise.race([
      this.door.cancel(this.payload.request_id, heardSeconds),
      new Promise((resolve) => setTimeout(resolve, CANCEL_WAIT_MS, null)),
    ]);
    clearTimeout(waiting);
    return told?.type === "interrupted" ? told : null;
  }

  #play() {
    const { player, run } = this;
    player.onstart = ({ atMs, renderedAtMs }) => {
      run.soundFrom = atMs - this.askedAt;
      run.renderedFrom = renderedAtMs - this.askedAt;
      this.show.state("speaking");
    };
    player.onunderrun = ({ atMs, renderedAtMs, playedSeconds }) => {
      run.stalls.push({ atMs: atMs - this.askedAt, renderedMs: renderedAtMs - this.askedAt, playedSeconds });
      this.show.state("waiting");
    };
    player.onposition = () => {
      if (run.soundFrom !== null) run.soundTo = performance.now() - this.askedAt;
    };
    const played = new Promise((resolve) => (player.onend = resolve));
    player.begin();
    return played;
  }

  /** Sound first: nothing that is drawn may keep it. */
  #take(event, pcm) {
    if (this.stopping) return;
    if (pcm) this.player.feed(pcm);
    this.run.note(event, pcm, performance.now() - this.askedAt);
    if (pcm) this.show.audio(pcm);
    else if (event.type === "text_delta") this.show.text(event.text);
    else if (event.type === "timings") this.show.timings(event.words);
  }
}
