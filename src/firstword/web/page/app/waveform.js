// The waveform of the answer so far, the heard part in colour; and the same samples as a WAV file.

export class Waveform {
  constructor(canvas, sampleRate) {
    this.canvas = canvas;
    this.sampleRate = sampleRate;
    this.clear();
  }

  clear() {
    this.chunks = [];
    this.samples = 0;
    this.oddByte = null;
    this.peaks = []; // one per 20 ms
    this.partial = { peak: 0, count: 0 };
    this.draw(0);
  }

  add(bytes) {
    this.chunks.push(bytes);
    const block = this.sampleRate / 50;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength - (bytes.byteLength % 2));
    for (let i = 0; i < view.byteLength; i += 2) {
      this.partial.peak = Math.max(this.partial.peak, Math.abs(view.getInt16(i, true)) / 32768);
      if (++this.partial.count === block) {
        this.peaks.push(this.partial.peak);
        this.partial = { peak: 0, count: 0 };
      }
    }
    this.samples += view.byteLength / 2;
  }

  draw(heardSeconds) {
    const { width, height } = this.canvas;
    const context = this.canvas.getContext("2d");
    const { color: heard, outlineColor: waiting } = getComputedStyle(this.canvas); // as the colour scheme resolves them
    context.clearRect(0, 0, width, height);
    const seconds = Math.max(6, this.samples / this.sampleRate);
    const perPeak = width / (seconds * 50);
    this.peaks.forEach((peak, index) => {
      context.fillStyle = index / 50 < heardSeconds ? heard : waiting;
      const tall = Math.max(2, peak * height);
      context.fillRect(index * perPeak, (height - tall) / 2, Math.max(1, perPeak * 0.8), tall);
    });
  }

  toWav() {
    const size = this.chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
    const header = new DataView(new ArrayBuffer(44));
    const ascii = (at, text) => [...text].forEach((letter, i) => header.setUint8(at + i, letter.charCodeAt(0)));
    ascii(0, "RIFF");
    header.setUint32(4, 36 + size, true);
    ascii(8, "WAVEfmt ");
    header.setUint32(16, 16, true);
    header.setUint16(20, 1, true);
    header.setUint16(22, 1, true);
    header.setUint32(24, this.sampleRate, true);
    header.setUint32(28, this.sampleRate * 2, true);
    header.setUint16(32, 2, true);
    header.setUint16(34, 16, true);
    ascii(36, "data");
    header.setUint32(40, size, true);
    return new Blob([header, ...this.chunks], { type: "audio/wav" });
  }
}
