// Sample rates: turns a stream at one rate into a stream at another with a windowed-sinc filter, without a seam between
// pieces. Used only where the browser's audio context cannot run at the rate of the speech.

const HALF_WIDTH = 16; // input samples on each side of an output sample

export class Resampler {
  constructor(fromHz, toHz) {
    this.step = fromHz / toHz; // input samples per output sample
    this.cutoff = Math.min(1, toHz / fromHz) * 0.97;
    this.history = new Float32Array(HALF_WIDTH); // silence before the first sample
    this.position = HALF_WIDTH; // of the next output sample, in `history`
  }

  feed(samples) {
    const input = new Float32Array(this.history.length + samples.length);
    input.set(this.history);
    input.set(samples, this.history.length);
    const count = Math.max(0, Math.floor((input.length - HALF_WIDTH - this.position) / this.step) + 1);
    const output = new Float32Array(count);
    for (let i = 0; i < count; i += 1) output[i] = this.at(input, this.position + i * this.step);
    this.position += count * this.step;
    const keepFrom = Math.max(0, Math.floor(this.position) - HALF_WIDTH);
    this.history = input.slice(keepFrom);
    this.position -= keepFrom;
    return output;
  }

  flush() {
    return this.feed(new Float32Array(HALF_WIDTH));
  }

  at(input, centre) {
    const first = Math.max(0, Math.ceil(centre - HALF_WIDTH));
    const last = Math.min(input.length - 1, Math.floor(centre + HALF_WIDTH));
    let sum = 0;
    for (let i = first; i <= last; i += 1) {
      const x = i - centre;
      const window = 0.5 + 0.5 * Math.cos((Math.PI * x) / (HALF_WIDTH + 1));
      const angle = Math.PI * x * this.cutoff;
      sum += input[i] * window * this.cutoff * (x === 0 ? 1 : Math.sin(angle) / angle);
    }
    return sum;
  }
}
