// The agent by server-sent events: one POST an answer, audio as base64. A stream that breaks is asked for again from
// the last event that was whole.

import { SseParser, bytesOfBase64, readEvents } from "../player/sse.js";
import { AnswerFailed, BROKE_OFF, RETRY_DELAYS_MS, UNREACHABLE, isLast, pause } from "./door.js";

export class EventsDoor {
  constructor(conversation) {
    this.conversation = conversation;
    this.onwait = () => {};
  }

  warm() {} // the browser keeps its connection to the gateway by itself

  async ask(payload, take) {
    const parser = new SseParser();
    const abort = (this.abort = new AbortController());
    for (let lost = 0; ; lost += 1) {
      const begun = parser.lastEventId !== "";
      try {
        const response = await this.#post("api/answer", payload, begun ? { "last-event-id": parser.lastEventId } : {}, abort.signal);
        if (lost) this.onwait(false);
        lost = 0;
        const last = await this.#read(response.body, parser, payload.request_id, take);
        if (last) return last;
      } catch (error) {
        if (abort.signal.aborted) throw new AnswerFailed("The agent did not react and was left.");
        if (error instanceof AnswerFailed && !(error.lost && begun)) throw error;
      }
      if (lost === RETRY_DELAYS_MS.length) throw new AnswerFailed(BROKE_OFF);
      this.onwait(true);
      await pause(RETRY_DELAYS_MS[lost]);
    }
  }

  async cancel(id, playedSeconds) {
    const message = { action: "cancel", request_id: id, played_s: playedSeconds };
    const response = await this.#post("api/cancel", message, {}, null).catch(() => null);
    const told = response ? new SseParser().feed(new Uint8Array(await response.arrayBuffer())) : [];
    return told.length ? JSON.parse(told.at(-1)) : null;
  }

  leave() {}

  abandon() {
    this.abort?.abort();
  }

  /** The last event of the answer, or null if the stream ended without it. */
  async #read(body, parser, id, take) {
    parser.cutOff();
    for await (const data of readEvents(body, parser)) {
      const event = JSON.parse(data);
      if (event.request_id !== id && event.request_id !== "") continue;
      take(event, event.type === "audio_chunk" ? bytesOfBase64(event.data) : null);
      if (isLast(event)) return event;
    }
    return null;
  }

  async #post(path, body, headers, signal) {
    let response;
    const told = { "content-type": "application/json", "x-firstword-conversation": this.conversation, ...headers };
    try {
      response = await fetch(path, { method: "POST", headers: told, body: JSON.stringify(body), signal, keepalive: path === "api/cancel" });
    } catch {
      throw Object.assign(new AnswerFailed(UNREACHABLE), { lost: true });
    }
    if (response.ok) return response;
    const problem = await response.json().catch(() => ({}));
    throw new AnswerFailed(problem.message || `The gateway answered ${response.status}.`);
  }
}
