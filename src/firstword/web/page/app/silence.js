// In the player's place where there can be none: the answer is read, and can be saved, but not heard.

export class Silence {
  reason = "The answer can be read but not heard: this browser has no AudioWorklet here. It needs https:// or localhost.";
  locked = false;
  playedSeconds = 0;
  heardSeconds = 0;
  deviceUnderruns = 0;
  onstart = this.onposition = this.onunderrun = this.onend = this.onlocked = this.onunlocked = () => {};

  async unlock() {
    return true;
  }

  async rest() {}

  begin() {}

  feed() {}

  end() {
    this.#finish("finished");
  }

  async stop() {
    this.#finish("stopped");
    return 0;
  }

  #finish(reason) {
    const atMs = performance.now();
    this.onend({ reason, atMs, renderedAtMs: atMs, playedSeconds: 0, heardSeconds: 0, underruns: 0 });
  }
}
