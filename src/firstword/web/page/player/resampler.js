// Sample rates: turns a stream at one rate into a stream at another by a polyphase filter, without a seam between
// pieces: however a stream is cut, the same samples come out. Used only where the browser's audio context cannot run at
// the rate of the speech.

const HALF_WIDTH = 32; // input samples on each side of an output sample
const KAISER_BETA = 8; // about 80 dB between what passes and what does not
const PASSED = 0.93; // of the lower rate's band

export class Resampler {
  constructor(fromHz, toHz) {
    const common = divisor(fromHz, toHz);
    this.up = toHz / common;
    this.down = fromHz / common;
    this.filters = filters(this.up, Math.min(1, toHz / fromHz) * PASSED);
    this.clear();
  }

  clear() {
    this.held = new Float32Array(HALF_WIDTH - 1); // silence before the first sample
    this.phase = 0; // of the next output sample, in `up` steps from the input sample it follows
    this.taken = this.given = 0;
  }

  feed(samples) {
    this.taken += samples.length;
    return this.#run(samples);
  }

  /** What the last samples still owe: the stream's length at the new rate is then exact, to the nearest sample. */
  flush() {
    const owed = Math.round((this.taken * this.up) / this.down) - this.given;
    return this.#run(new Float32Array(2 * HALF_WIDTH)).slice(0, Math.max(0, owed));
  }

  #run(samples) {
    const input = new Float32Array(this.held.length + samples.length);
    input.set(this.held);
    input.set(samples, this.held.length);
    const width = 2 * HALF_WIDTH;
    const output = new Float32Array(Math.max(0, Math.ceil((((input.length - width + 1) * this.up) - this.phase) / this.down)));
    let first = 0;
    for (let i = 0; i < output.length; i += 1) {
      const filter = this.filters[this.phase];
      let sum = 0;
      for (let k = 0; k < width; k += 1) sum += filter[k] * input[first + k];
      output[i] = sum;
      this.phase += this.down;
      first += Math.floor(this.phase / this.up);
      this.phase %= this.up;
    }
    this.held = input.slice(first);
    this.given += output.length;
    return output;
  }
}

/** For each fraction of an input sample, the weights of the samples around it; each set passes silence and DC as they are. */
function filters(phases, cutoff) {
  return Array.from({ length: phases }, (_, phase) => {
    const weights = Float64Array.from({ length: 2 * HALF_WIDTH }, (_, k) => {
      const x = k - (HALF_WIDTH - 1) - phase / phases;
      return sinc(x * cutoff) * kaiser(x / HALF_WIDTH);
    });
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return Float32Array.from(weights, (weight) => weight / sum);
  });
}

function sinc(x) {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function kaiser(x) {
  return Math.abs(x) > 1 ? 0 : bessel(KAISER_BETA * Math.sqrt(1 - x * x)) / bessel(KAISER_BETA);
}

/** Modified Bessel function of the first kind, order 0, by its series. */
function bessel(x) {
  let term = 1;
  let sum = 1;
  for (let k = 1; term > sum * 1e-12; k += 1) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function divisor(a, b) {
  return b === 0 ? a : divisor(b, a % b);
}
