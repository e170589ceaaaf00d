// The waveform of the answer so far, the heard part in colour; and the same samples as a WAV file.

const PEAKS_A_SECOND = 50;
const SHOWN_SECONDS = 6; // at least: a short answer does not fill the width
const BAR_PIXELS = 3;

export class Waveform {
  constructor(canvas, sampleRate) {
    this.canvas = canvas;
    this.sampleRate = sampleRate;
    this.clear();
  }

  clear() {
    this.chunks = [];
    this.bytes = 0;
    this.peaks = [];
    this.partial = { peak: 0, count: 0 };
    this.draw(0);
  }

  add(bytes) {
    this.chunks.push(bytes);
    this.bytes += bytes.byteLength;
    const block = this.sampleRate / PEAKS_A_SECOND;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength - (bytes.byteLength % 2));
    for (let i = 0; i < view.byteLength; i += 2) {
      this.partial.peak = Math.max(this.partial.peak, Math.abs(view.getInt16(i, true)) / 32768);
      if (++this.partial.count === block) {
        this.peaks.push(this.partial.peak);
        this.partial = { peak: 0, count: 0 };
      }
    }
  }

  get seconds() {
    return this.bytes / 2 / this.sampleRate;
  }

  draw(heardSeconds) {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const scale = globalThis.devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * scale)) {
      this.canvas.width = Math.round(width * scale);
      this.canvas.height = Math.round(height * scale);
    }
    const context = this.canvas.getContext("2d");
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    const { color: heard, outlineColor: waiting } = getComputedStyle(this.canvas); // as the colour scheme resolves them
    const bars = Math.max(1, Math.floor(width / BAR_PIXELS));
    const secondsABar = Math.max(SHOWN_SECONDS, this.seconds) / bars;
    for (let bar = 0; bar < bars; bar += 1) {
      const tall = Math.max(2, this.#peak(bar * secondsABar, (bar + 1) * secondsABar) * height);
      context.fillStyle = bar * secondsABar < heardSeconds ? heard : waiting;
      context.fillRect(bar * BAR_PIXELS, (height - tall) / 2, BAR_PIXELS - 1, tall);
    }
  }

  #peak(fromSeconds, toSeconds) {
    const first = Math.floor(fromSeconds * PEAKS_A_SECOND);
    const last = Math.max(first + 1, Math.floor(toSeconds * PEAKS_A_SECOND));
    return Math.max(0, ...this.peaks.slice(first, last));
  }

  toWav() {
    const header = new DataView(new ArrayBuffer(44));
    const ascii = (at, text) => [...text].forEach((letter, i) => header.setUint8(at + i, letter.charCodeAt(0)));
    ascii(0, "RIFF");
    header.setUint32(4, 36 + this.bytes, true);
    ascii(8, "WAVEfmt ");
    header.setUint32(16, 16, true);
    header.setUint16(20, 1, true);
    header.setUint16(22, 1, true);
    header.setUint32(24, this.sampleRate, true);
    header.setUint32(28, this.sampleRate * 2, true);
    header.setUint16(32, 2, true);
    header.setUint16(34, 16, true);
    ascii(36, "data");
    header.setUint32(40, this.bytes, true);
    return new Blob([header, ...this.chunks], { type: "audio/wav" });
  }
}
