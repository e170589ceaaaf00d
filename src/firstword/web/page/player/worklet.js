// The audio thread: plays queued blocks of mono float samples, counts where it ran dry, tells what has sounded.
// It knows nothing of formats, networks or pages; player.js stands above it.

const REPORT_EVERY_BLOCKS = 4;

class Playback extends AudioWorkletProcessor {
  constructor({ processorOptions }) {
    super();
    this.firstRebuffer = Math.round(processorOptions.rebufferSeconds * sampleRate);
    this.longestRebuffer = Math.round(processorOptions.longestRebufferSeconds * sampleRate);
    this.port.onmessage = ({ data }) => this[data.type](data);
    this.reset({ turn: 0 });
  }

  reset({ turn }) {
    this.turn = turn;
    this.queue = [];
    this.offset = 0; // samples already taken from queue[0]
    this.buffered = 0;
    this.played = 0;
    this.underruns = 0;
    this.rebufferSamples = 0; // waited for before it plays on
    this.state = "waiting"; // waiting -> playing <-> starved -> ended
    this.complete = false; // no more will be fed
    this.fadeLeft = 0;
    this.fadeLength = 0;
    this.blocks = 0;
  }

  feed({ turn, samples }) {
    if (turn !== this.turn || this.state === "ended") return;
    this.queue.push(samples);
    this.buffered += samples.length;
  }

  end({ turn }) {
    if (turn === this.turn) this.complete = true;
  }

  stop({ turn, fadeSeconds }) {
    if (turn !== this.turn || this.state === "ended") return;
    this.fadeLength = this.fadeLeft = Math.max(1, Math.round(fadeSeconds * sampleRate));
    if (this.state !== "playing") this.finish("stopped");
  }

  process(inputs, outputs) {
    const out = outputs[0][0];
    if (this.state === "waiting" && this.buffered > 0) this.begin();
    else if (this.state === "waiting" && this.complete) this.finish("finished");
    else if (this.state === "starved" && (this.complete || this.buffered >= this.rebufferSamples)) this.state = "playing";
    if (this.state === "playing") this.render(out);
    for (const channel of outputs[0].slice(1)) channel.set(out);
    if (++this.blocks % REPORT_EVERY_BLOCKS === 0 && this.state !== "ended") this.report("position");
    return true;
  }

  begin() {
    this.state = "playing";
    this.port.postMessage({ type: "started", turn: this.turn, atMs: Date.now() });
  }

  render(out) {
    let at = 0;
    while (at < out.length && this.queue.length) {
      const block = this.queue[0];
      const count = Math.min(out.length - at, block.length - this.offset);
      out.set(block.subarray(this.offset, this.offset + count), at);
      at += count;
      this.offset += count;
      if (this.offset === block.length) {
        this.queue.shift();
        this.offset = 0;
      }
    }
    this.played += at;
    this.buffered -= at;
    if (this.fadeLeft > 0) this.fade(out);
    if (this.state !== "playing") return;
    if (at < out.length || (this.buffered === 0 && this.complete)) this.ranOut(at < out.length);
  }

  ranOut(short) {
    if (this.complete) this.finish("finished");
    else if (short) {
      this.state = "starved";
      this.underruns += 1;
      // A sender that is late again and again makes few long waits, not many short ones.
      this.rebufferSamples = Math.min(2 * this.rebufferSamples || this.firstRebuffer, this.longestRebuffer);
      this.report("underrun");
    }
  }

  fade(out) {
    for (let i = 0; i < out.length; i += 1) {
      out[i] *= this.fadeLeft / this.fadeLength;
      if (this.fadeLeft > 0) this.fadeLeft -= 1;
    }
    if (this.fadeLeft === 0) this.finish("stopped");
  }

  finish(type) {
    this.state = "ended";
    this.queue = [];
    this.buffered = 0;
    this.report(type);
  }

  report(type) {
    const { turn, played, buffered, underruns } = this;
    this.port.postMessage({ type, turn, played, buffered, underruns, atMs: Date.now() }); // there is no other clock here
  }
}

registerProcessor("firstword-playback", Playback);
