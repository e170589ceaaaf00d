// The agent by WebSocket: one standing connection for the conversation, opened before the first question is sent, audio
// as bytes. One that is lost within an answer is taken up again where it broke.

import { AnswerFailed, BROKE_OFF, RETRY_DELAYS_MS, UNREACHABLE, isLast } from "./door.js";

const REST_MS = 60_000; // a connection that nobody has used for so long is given up; the next question opens another
const WARM_AGAIN_MS = 5000; // where nobody answers
const TOLD_BY_GATEWAY = new Set([1008, 1009, 1013, 4410]);

export class SocketDoor {
  constructor(conversation) {
    this.conversation = conversation;
    this.onwait = () => {};
    this.socket = null;
    this.triedAt = -Infinity;
    this.asked = null; // { payload, take, resolve, reject, begun, sent, lost }
    this.cancelling = null; // { id, resolve }
  }

  warm() {
    if (!this.socket && performance.now() - this.triedAt > WARM_AGAIN_MS) this.#connect();
    if (!this.asked) this.#restLater();
  }

  ask(payload, take) {
    return new Promise((resolve, reject) => {
      this.asked = { payload, take, resolve, reject, begun: false, sent: 0, lost: 0 };
      clearTimeout(this.resting);
      if (this.socket?.readyState === WebSocket.OPEN) this.#send();
      else if (!this.socket) this.#connect();
    });
  }

  cancel(id, playedSeconds) {
    return new Promise((resolve) => {
      this.cancelling = { id, resolve };
      if (!this.#tell({ action: "cancel", request_id: id, played_s: playedSeconds })) resolve(null);
    });
  }

  /** No more questions come by this door. */
  leave() {
    clearTimeout(this.resting);
    this.#drop();
  }

  abandon() {
    this.#drop();
    this.#settle(null, new AnswerFailed("The agent did not react and was left."));
  }

  #connect(resume = false) {
    const url = new URL(`api/ws?conversation=${this.conversation}`, location.href);
    if (resume) url.searchParams.set("received", this.received);
    else this.received = 0;
    url.protocol = url.protocol.replace("http", "ws");
    this.triedAt = performance.now();
    const socket = (this.socket = new WebSocket(url));
    socket.binaryType = "arraybuffer";
    let opened = false;
    socket.onopen = () => {
      opened = true;
      if (this.asked?.lost) this.onwait(false);
      if (this.asked && !this.asked.begun) this.#send(); // again if the first was lost: it names the same request
    };
    socket.onmessage = ({ data }) => this.#take(data);
    socket.onclose = ({ code, reason }) => this.socket === socket && this.#lost(code, reason, opened);
  }

  #send() {
    this.asked.sent += 1;
    this.#tell(this.asked.payload);
  }

  #tell(message) {
    const open = this.socket?.readyState === WebSocket.OPEN;
    if (open) this.socket.send(JSON.stringify(message));
    return open;
  }

  /** Binary frames name no answer: they belong to the one whose start has come. */
  #take(data) {
    this.received += 1;
    const asked = this.asked;
    if (asked) asked.lost = 0;
    if (typeof data !== "string") {
      if (asked?.begun) asked.take(null, new Uint8Array(data));
      return;
    }
    const event = JSON.parse(data);
    if (event.request_id === this.cancelling?.id && (event.type === "interrupted" || event.type === "error")) {
      this.cancelling.resolve(event);
      this.cancelling = null;
    }
    if (event.code === "conversation_busy" && asked?.sent > 1) return; // it had arrived the first time
    if (!asked || (event.request_id !== asked.payload.request_id && event.request_id !== "")) return;
    asked.begun = true;
    asked.take(event, null);
    if (isLast(event)) this.#settle(event);
  }

  #lost(code, reason, opened) {
    this.socket = null;
    const asked = this.asked;
    if (!asked) return;
    if (TOLD_BY_GATEWAY.has(code)) this.#settle(null, new AnswerFailed(reason || BROKE_OFF));
    else if (!asked.sent && !opened) this.#settle(null, new AnswerFailed(UNREACHABLE));
    else if (asked.lost === RETRY_DELAYS_MS.length) this.#settle(null, new AnswerFailed(BROKE_OFF));
    else this.#again(asked);
  }

  #again(asked) {
    this.onwait(true);
    setTimeout(() => this.asked === asked && !this.socket && this.#connect(true), RETRY_DELAYS_MS[asked.lost]);
    asked.lost += 1;
  }

  #settle(event, error = null) {
    const asked = this.asked;
    this.asked = null;
    this.#restLater();
    if (error) asked?.reject(error);
    else asked?.resolve(event);
  }

  #restLater() {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => !this.asked && this.#drop(), REST_MS);
  }

  #drop() {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }
}
