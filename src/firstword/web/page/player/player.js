// A player for speech that arrives in pieces: feed it PCM, it starts with the first sample it has, plays without gaps,
// rebuffers once when it runs dry, fades when stopped, and knows at any moment what has been heard.
//
//   const player = await Player.create();            // within a tap or key press, before the question if there is one
//   player.onstart = ({ atMs }) => …                 // first sample sounds
//   player.onend = ({ reason, playedSeconds }) => …  // "finished" or "stopped"
//   player.begin(); player.feed(int16); …; player.end();

import { Resampler } from "./resampler.js";

export const SPEECH_HZ = 24000;
const REBUFFER_SECONDS = 0.12; // after the first time it ran dry; twice as much after each that follows
const LONGEST_REBUFFER_SECONDS = 2;
const FADE_SECONDS = 0.02;
const LOCK_GRACE_MS = 250;

export class Player {
  /**
   * `contextOptions` go to the AudioContext. `output` gets the context and the player's node and connects them to
   * where the sound is to go. Throws where there is no AudioWorklet, and where worklet.js cannot be had.
   */
  static async create({ sampleRate = SPEECH_HZ, contextOptions = {}, output = null } = {}) {
    if (!Player.supported) throw new Error("This browser has no AudioWorklet here: it needs https:// or localhost.");
    const context = openContext(sampleRate, contextOptions);
    try {
      await context.audioWorklet.addModule(new URL("./worklet.js", import.meta.url));
    } catch (error) {
      await context.close();
      throw error;
    }
    return new Player(context, sampleRate, output);
  }

  static get supported() {
    return Boolean(globalThis.AudioWorkletNode);
  }

  constructor(context, sampleRate, output) {
    this.context = context;
    this.sampleRate = sampleRate;
    this.node = new AudioWorkletNode(context, "firstword-playback", {
      numberOfInputs: 0,
      outputChannelCount: [1],
      processorOptions: { rebufferSeconds: REBUFFER_SECONDS, longestRebufferSeconds: LONGEST_REBUFFER_SECONDS },
    });
    this.node.port.onmessage = ({ data }) => this.#heard(data);
    if (output) output(context, this.node);
    else this.node.connect(context.destination);
    this.resampler = context.sampleRate === sampleRate ? null : new Resampler(sampleRate, context.sampleRate);
    this.turn = 0;
    this.state = idleState();
    this.onstart = this.onposition = this.onunderrun = this.onend = this.onlocked = this.onunlocked = () => {};
    this.lockTold = false;
    context.addEventListener("statechange", () => this.#tellLock());
  }

  /** True while the browser withholds sound until a tap or key press; `unlock` from inside one ends that. */
  get locked() {
    return this.context.state !== "running";
  }

  /** Resolves with whether it may sound now. A browser that withholds sound leaves `resume` pending: no answer is a no. */
  async unlock() {
    if (!this.locked) return true;
    const refused = new Promise((resolve) => setTimeout(resolve, LOCK_GRACE_MS));
    await Promise.race([this.context.resume().catch(() => {}), refused]);
    return !this.locked;
  }

  /** Let the audio thread sleep until the next turn. */
  async rest() {
    if (!this.state.active && !this.locked) await this.context.suspend();
  }

  /** Start a turn. Whatever played before is gone at once. */
  begin() {
    this.turn += 1;
    this.state = { ...idleState(), active: true };
    this.resampler?.clear();
    this.oddByte = null;
    this.node.port.postMessage({ type: "reset", turn: this.turn });
    if (this.locked) this.context.resume().catch(() => {});
    this.lockTold = false;
    this.#tellLock();
  }

  /** Queue s16le PCM: an ArrayBuffer, a typed array or Int16Array, cut anywhere (half a sample is kept for the next). */
  feed(pcm) {
    if (!this.state.active) return;
    const samples = this.#toFloat(pcm);
    if (!samples.length) return;
    this.state.fed = true;
    this.#queue(this.resampler ? this.resampler.feed(samples) : samples);
  }

  /** All has been fed: play what is queued, then end. */
  end() {
    if (!this.state.active) return;
    if (!this.state.fed) return this.#finish("finished", performance.now()); // a locked context would not tell
    if (this.resampler) this.#queue(this.resampler.flush());
    this.node.port.postMessage({ type: "end", turn: this.turn });
  }

  /** Fade out and forget the rest. Resolves with the seconds that were heard. */
  stop(fadeSeconds = FADE_SECONDS) {
    if (!this.state.active) return Promise.resolve(this.heardSeconds);
    const stopped = new Promise((resolve) => (this.stopping = resolve));
    this.node.port.postMessage({ type: "stop", turn: this.turn, fadeSeconds });
    if (this.locked) this.#finish("stopped", performance.now());
    return stopped;
  }

  /** Rendered so far; the loudspeaker is `latencySeconds` behind. */
  get playedSeconds() {
    return this.state.playedSeconds;
  }

  get heardSeconds() {
    return Math.max(0, this.state.playedSeconds - this.latencySeconds);
  }

  get latencySeconds() {
    return this.context.outputLatency || this.context.baseLatency || 0;
  }

  get bufferedSeconds() {
    return this.state.bufferedSeconds;
  }

  get underruns() {
    return this.state.underruns;
  }

  /** How often the device ran dry since `create`, for want of a processor and not of audio, where the browser tells. */
  get deviceUnderruns() {
    return this.context.playbackStats?.underrunEvents ?? 0;
  }

  /** When the first sample of this turn sounded (performance.now), or null. */
  get startedAtMs() {
    return this.state.startedAtMs;
  }

  async close() {
    this.node.disconnect();
    await this.context.close();
  }

  #queue(samples) {
    if (samples.length) this.node.port.postMessage({ type: "feed", turn: this.turn, samples }, [samples.buffer]);
  }

  #toFloat(pcm) {
    let bytes = ArrayBuffer.isView(pcm) ? new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength) : new Uint8Array(pcm);
    if (this.oddByte !== null) {
      const joined = new Uint8Array(bytes.length + 1);
      joined[0] = this.oddByte;
      joined.set(bytes, 1);
      bytes = joined;
    }
    this.oddByte = bytes.length % 2 ? bytes[bytes.length - 1] : null;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length - (bytes.length % 2));
    const samples = new Float32Array(view.byteLength / 2);
    for (let i = 0; i < samples.length; i += 1) samples[i] = view.getInt16(2 * i, true) / 32768;
    return samples;
  }

  #heard(message) {
    if (message.turn !== this.turn) return;
    const renderedAtMs = performance.now() - (Date.now() - message.atMs);
    const atMs = renderedAtMs + this.latencySeconds * 1000;
    if (message.type === "started") {
      this.state.startedAtMs = atMs;
      this.onstart({ atMs, renderedAtMs });
      return;
    }
    const rate = this.context.sampleRate;
    this.state.playedSeconds = message.played / rate;
    this.state.bufferedSeconds = message.buffered / rate;
    this.state.underruns = message.underruns;
    if (message.type === "position") this.onposition({ playedSeconds: this.playedSeconds, heardSeconds: this.heardSeconds });
    else if (message.type === "underrun") this.onunderrun({ count: message.underruns, atMs, renderedAtMs, playedSeconds: this.playedSeconds });
    else this.#finish(message.type, renderedAtMs);
  }

  #finish(reason, renderedAtMs) {
    if (!this.state.active) return;
    this.state.active = false;
    this.stopping?.(this.heardSeconds);
    this.stopping = null;
    const { playedSeconds, underruns } = this;
    const heardSeconds = reason === "finished" ? playedSeconds : this.heardSeconds;
    const atMs = renderedAtMs + this.latencySeconds * 1000;
    this.onend({ reason, atMs, renderedAtMs, playedSeconds, heardSeconds, underruns });
  }

  /** A context that has just been asked to run gets a moment before the lock is told. */
  #tellLock() {
    clearTimeout(this.lockTimer);
    if (!this.locked && this.lockTold) {
      this.lockTold = false;
      this.onunlocked();
    } else if (this.locked && this.state.active && !this.lockTold) {
      this.lockTimer = setTimeout(() => this.#lockStands(), LOCK_GRACE_MS);
    }
  }

  #lockStands() {
    if (!this.locked || !this.state.active) return;
    this.lockTold = true;
    this.onlocked();
  }
}

/** With the smallest buffer the device has (`latencyHint` 0): a stop is silent, and a first sample sounds, so much sooner. */
function openContext(sampleRate, options) {
  try {
    return new AudioContext({ sampleRate, latencyHint: 0, ...options });
  } catch {
    return new AudioContext({ latencyHint: 0, ...options, sampleRate: undefined }); // a device that cannot: the resampler takes over
  }
}

function idleState() {
  return { active: false, fed: false, playedSeconds: 0, bufferedSeconds: 0, underruns: 0, startedAtMs: null };
}
