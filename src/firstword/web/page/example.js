// The player module by itself: one question, its events over SSE, its sound.
import { Player } from "./player/player.js";
import { bytesOfBase64, readEvents } from "./player/sse.js";

const state = document.getElementById("state");

document.getElementById("go").onclick = async () => {
  const player = await Player.create(); // inside a click, so the browser lets it sound
  const asked = performance.now();
  player.onstart = ({ atMs }) => (state.textContent = `first sound after ${Math.round(atMs - asked)} ms`);
  player.onend = ({ playedSeconds, underruns }) =>
    (state.textContent += `; played ${playedSeconds.toFixed(2)} s with ${underruns} stalls`);
  player.begin();
  const response = await fetch("api/answer", {
    method: "POST",
    headers: { "content-type": "application/json", "x-firstword-conversation": crypto.randomUUID() },
    body: JSON.stringify({ prompt: "Say hello.", mode: "bidi" }),
  });
  for await (const data of readEvents(response.body)) {
    const event = JSON.parse(data);
    if (event.type === "audio_chunk") player.feed(bytesOfBase64(event.data));
  }
  player.end();
};
