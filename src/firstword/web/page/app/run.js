// The times of one answer, in milliseconds since the question.

export class Run {
  constructor(mode) {
    this.mode = mode;
    this.text = [];
    this.sentences = []; // { sent, from, to }: to the voice, first audio, last audio
    this.stalls = []; // { atMs, renderedMs, playedSeconds }: when silence was heard, and rendered, after how much sound
    this.soundFrom = this.soundTo = this.renderedFrom = null;
    this.firstAudio = this.agentFirstAudio = null;
    this.agentZero = null; // when the agent's clock was at 0
    this.agentMs = 0; // that clock at the last event that told it
  }

  note(event, pcm, atMs) {
    this.agentMs = event?.t_ms ?? this.agentMs;
    if (event?.type === "agent_start") this.agentZero = atMs;
    else if (event?.type === "text_delta") this.text.push(atMs);
    else if (event?.type === "sentence") this.sentences.push({ sent: this.#onOurClock(event.sent_ms) ?? atMs, from: null, to: null });
    if (pcm) this.#audio(atMs);
  }

  #audio(atMs) {
    this.firstAudio ??= atMs;
    this.agentFirstAudio ??= this.agentMs;
    if (!this.sentences.length) this.sentences.push({ sent: this.textTo ?? atMs, from: null, to: null }); // mode whole tells none
    const sentence = this.sentences.at(-1);
    sentence.from ??= atMs;
    sentence.to = atMs;
  }

  #onOurClock(agentMs) {
    return agentMs === undefined || agentMs === null ? null : agentMs + (this.agentZero ?? 0);
  }

  get textTo() {
    return this.text.at(-1) ?? null;
  }

  get endMs() {
    return Math.max(1000, this.soundTo ?? 0, this.textTo ?? 0, this.sentences.at(-1)?.to ?? 0);
  }
}
