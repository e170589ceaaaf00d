// One question and its answer over either door of the gateway: an async stream of { event, pcm, atMs }, and `cancel`.
// It knows what travels, not what is shown. `atMs` counts from the question.

import { bytesOfBase64, readEvents } from "../player/sse.js";

const ENDS = new Set(["agent_end", "interrupted", "error"]);
const CANCEL_WAIT_MS = 4000;

export class AnswerFailed extends Error {}

export class Question {
  constructor({ prompt, mode, voice, speed, door, conversation }) {
    this.id = crypto.randomUUID();
    this.payload = { prompt, mode, voice, speed, request_id: this.id };
    this.door = door;
    this.conversation = conversation;
    this.askedAt = performance.now();
    this.over = false;
    this.abort = new AbortController();
  }

  async *answer() {
    try {
      for await (const item of this.door === "ws" ? this.#overSocket() : this.#overEvents()) {
        yield { ...item, atMs: performance.now() - this.askedAt };
        if (ENDS.has(item.event?.type) && item.event.terminal !== false) return;
      }
      if (!this.abort.signal.aborted) throw new AnswerFailed("The answer broke off: the connection to the agent ended.");
    } finally {
      this.over = true;
    }
  }

  /** Stop model and voice. `playedSeconds`: what was heard, so that the agent remembers no more than that. */
  async cancel(playedSeconds) {
    if (this.over) return;
    const message = { action: "cancel", request_id: this.id, played_s: playedSeconds };
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    else if (this.door === "sse") await post("api/cancel", message, this.conversation).catch(() => {});
    setTimeout(() => this.abort.abort(), CANCEL_WAIT_MS); // an agent that does not answer is left
  }

  async *#overEvents() {
    const response = await post("api/answer", this.payload, this.conversation, this.abort.signal);
    try {
      for await (const data of readEvents(response.body)) {
        const event = JSON.parse(data);
        yield { event, pcm: event.type === "audio_chunk" ? bytesOfBase64(event.data) : null };
      }
    } catch (error) {
      if (this.abort.signal.aborted) return;
      throw error instanceof AnswerFailed ? error : new AnswerFailed("The connection to the agent was lost.");
    }
  }

  async *#overSocket() {
    const url = new URL(`api/ws?conversation=${this.conversation}`, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = (this.socket = new WebSocket(url));
    socket.binaryType = "arraybuffer";
    const inbox = new Inbox();
    socket.onopen = () => socket.send(JSON.stringify(this.payload));
    socket.onmessage = ({ data }) =>
      inbox.put(typeof data === "string" ? { event: JSON.parse(data), pcm: null } : { event: null, pcm: new Uint8Array(data) });
    socket.onclose = ({ reason }) => inbox.end(reason);
    this.abort.signal.addEventListener("abort", () => inbox.end(""));
    try {
      yield* inbox;
    } finally {
      socket.close();
    }
  }
}

/** Messages from callbacks, as an async stream. */
class Inbox {
  items = [];
  wake = () => {};
  ended = false;

  put(item) {
    this.items.push(item);
    this.wake();
  }

  end(reason) {
    this.ended = true;
    this.reason = reason;
    this.wake();
  }

  async *[Symbol.asyncIterator]() {
    for (;;) {
      while (this.items.length) yield this.items.shift();
      if (this.ended) {
        if (this.reason) throw new AnswerFailed(this.reason);
        return;
      }
      await new Promise((resolve) => (this.wake = resolve));
    }
  }
}

async function post(path, body, conversation, signal) {
  let response;
  try {
    const headers = { "content-type": "application/json", "x-firstword-conversation": conversation };
    response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body), signal });
  } catch (error) {
    throw new AnswerFailed(signal?.aborted ? "Stopped." : "The gateway cannot be reached. Is firstword web still running?");
  }
  if (!response.ok) {
    const problem = await response.json().catch(() => ({}));
    throw new AnswerFailed(problem.message || `The gateway answered ${response.status}.`);
  }
  return response;
}
