// The player module by itself: one question, its events over SSE, its sound.
import { Player } from "./player/player.js";
import { bytesOfBase64, readEvents } from "./player/sse.js";

const state = document.getElementById("state");
let last = null;

document.getElementById("go").onclick = async ({ timeStamp }) => {
  last?.close();
  const player = (last = await Player.create()); // inside a click, so that the browser lets it sound
  player.onstart = ({ atMs }) => (state.textContent = `first sound after ${Math.round(atMs - timeStamp)} ms`);
  player.onend = ({ playedSeconds, underruns }) =>
    (state.textContent += `; played ${playedSeconds.toFixed(2)} s with ${underruns} stalls`);
  player.begin();
  const headers = { "content-type": "application/json", "x-firstword-conversation": crypto.randomUUID() };
  const question = JSON.stringify({ prompt: "Say hello.", mode: "bidi" });
  const response = await fetch("api/answer", { method: "POST", headers, body: question });
  for await (const event of readEvents(response.body)) {
    const { type, data } = JSON.parse(event);
    if (type === "audio_chunk") player.feed(bytesOfBase64(data));
  }
  player.end();
};
