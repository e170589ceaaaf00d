// A player for speech that arrives in pieces: feed it PCM, it starts with the first sample it has, plays without gaps,
// rebuffers once when it runs dry, fades when stopped, and knows at any moment what has been heard.
//
//   const player = await Player.create();            // after a tap or a key press, where the browser asks for one
//   player.onstart = ({ atMs }) => …                 // first sample sounds
//   player.onend = ({ reason, playedSeconds }) => …  // "finished" or "stopped"
//   player.begin(); player.feed(int16); …; player.end();

import { Resampler } from "./resampler.js";

export const SPEECH_HZ = 24000;
const REBUFFER_SECONDS = 0.12;
const FADE_SECONDS = 0.02;

export class Player {
  /** `output` (an AudioNode maker, for tests and effects) gets the context and the source and connects them. */
  static async create({ sampleRate = SPEECH_HZ, contextOptions = {}, output = null } = {}) {
    if (!globalThis.AudioWorkletNode) throw new Error("This browser has no AudioWorklet, or the page is not secure.");
    const context = openContext(sampleRate, contextOptions);
    await context.audioWorklet.addModule(new URL("./worklet.js", import.meta.url));
    return new Player(context, sampleRate, output);
  }

  constructor(context, sampleRate, output) {
    this.context = context;
    this.sampleRate = sampleRate;
    this.node = new AudioWorkletNode(context, "firstword-playback", {
      numberOfInputs: 0,
      outputChannelCount: [1],
      processorOptions: { rebufferSeconds: REBUFFER_SECONDS },
    });
    this.node.port.onmessage = ({ data }) => this.#heard(data);
    if (output) output(context, this.node);
    else this.node.connect(context.destination);
    this.turn = 0;
    this.state = idleState();
    this.onstart = this.onposition = this.onunderrun = this.onend = this.onlocked = () => {};
  }

  /** True while the browser withholds sound until a tap or key press; `unlock` from inside one ends that. */
  get locked() {
    return this.context.state !== "running";
  }

  async unlock() {
    if (this.context.state !== "running") await this.context.resume();
  }

  /** Start a turn. Whatever played before is gone at once. */
  begin() {
    this.turn += 1;
    this.state = { ...idleState(), active: true };
    this.resampler = this.context.sampleRate === this.sampleRate ? null : new Resampler(this.sampleRate, this.context.sampleRate);
    this.oddByte = null;
    this.node.port.postMessage({ type: "reset", turn: this.turn });
    if (this.locked) this.context.resume().then(() => {}, () => {});
    setTimeout(() => this.locked && this.state.active && this.onlocked(), 250);
  }

  /** Queue s16le PCM: an ArrayBuffer, a typed array or Int16Array, cut anywhere (half a sample is kept for the next). */
  feed(pcm) {
    if (!this.state.active) return;
    const samples = this.#toFloat(pcm);
    if (!samples.length) return;
    this.state.fedSamples += samples.length;
    this.#queue(this.resampler ? this.resampler.feed(samples) : samples);
  }

  /** All has been fed: play what is queued, then end. */
  end() {
    if (!this.state.active) return;
    if (this.resampler && this.state.fedSamples) this.#queue(this.resampler.flush());
    this.node.port.postMessage({ type: "end", turn: this.turn });
  }

  /** Fade out and forget the rest. Resolves with the seconds that were heard. */
  stop(fadeSeconds = FADE_SECONDS) {
    if (!this.state.active) return Promise.resolve(this.playedSeconds);
    const stopped = new Promise((resolve) => (this.stopping = resolve));
    this.node.port.postMessage({ type: "stop", turn: this.turn, fadeSeconds });
    if (this.locked) this.#finish("stopped");
    return stopped;
  }

  get playedSeconds() {
    return this.state.playedSeconds;
  }

  get bufferedSeconds() {
    return this.state.bufferedSeconds;
  }

  get underruns() {
    return this.state.underruns;
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
    if (message.type === "started") {
      this.state.startedAtMs = this.#pageTime(message.atSeconds);
      this.onstart({ atMs: this.state.startedAtMs });
      return;
    }
    const rate = this.context.sampleRate;
    this.state.playedSeconds = message.played / rate;
    this.state.bufferedSeconds = message.buffered / rate;
    this.state.underruns = message.underruns;
    if (message.type === "position") this.onposition({ playedSeconds: this.state.playedSeconds });
    else if (message.type === "underrun") this.onunderrun({ count: message.underruns, atMs: this.#pageTime(message.atSeconds) });
    else this.#finish(message.type, this.#pageTime(message.atSeconds));
  }

  #finish(reason, atMs = performance.now()) {
    if (!this.state.active) return;
    this.state.active = false;
    this.stopping?.(this.state.playedSeconds);
    this.stopping = null;
    this.onend({ reason, atMs, playedSeconds: this.state.playedSeconds, underruns: this.state.underruns });
  }

  /** A time of the audio clock on the page's clock (performance.now). */
  #pageTime(audioSeconds) {
    const stamp = this.context.getOutputTimestamp?.();
    if (stamp && stamp.performanceTime > 0) return stamp.performanceTime + (audioSeconds - stamp.contextTime) * 1000;
    return performance.now() + (audioSeconds - this.context.currentTime) * 1000;
  }
}

function openContext(sampleRate, options) {
  try {
    return new AudioContext({ sampleRate, latencyHint: "interactive", ...options });
  } catch {
    return new AudioContext({ latencyHint: "interactive" }); // a device that cannot: the resampler takes over
  }
}

function idleState() {
  return { active: false, fedSamples: 0, playedSeconds: 0, bufferedSeconds: 0, underruns: 0, startedAtMs: null };
}
