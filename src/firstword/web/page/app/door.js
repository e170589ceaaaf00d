// What both doors to the agent share. A door has
//   warm()                 get ready for a question that is about to come
//   ask(payload, take)     take(event, pcm) gets each as it arrives; resolves with the last event, rejects AnswerFailed
//   cancel(id, played)     stop that answer, of which so many seconds were heard; resolves with what the agent says to it,
//                          or null. If the answer still ran, `ask` resolves with its last event too
//   abandon()              the agent does not react: let go of it
//   leave()                no more questions come
// and `onwait(lost)`, told when a connection was lost within an answer and is being taken up again, and when it is back.

export const ENDS = new Set(["agent_end", "interrupted", "error"]);
export const RETRY_DELAYS_MS = [100, 400, 1000, 2000, 2500, 2500];
export const UNREACHABLE = "The gateway cannot be reached. Is firstword web still running?";
export const BROKE_OFF = "The answer broke off: the connection was lost and could not be taken up again.";

export class AnswerFailed extends Error {}

/** 36 characters nobody guesses. (crypto.randomUUID is not there on a page that came over plain http.) */
export function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(18)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function isLast(event) {
  return ENDS.has(event?.type) && event.terminal !== false;
}

export function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
