// Server-sent events from a byte stream that may be cut anywhere: inside a line end, a character, an event.
// `readEvents(response.body)` yields the data of each complete event; an event the stream ends within is dropped.

export class SseParser {
  constructor() {
    this.decoder = new TextDecoder("utf-8"); // ignores a byte order mark, keeps half a character for the next piece
    this.rest = "";
    this.data = [];
    this.lastEventId = ""; // where a stream that broke can be taken up again
    this.id = "";
    this.afterCarriageReturn = false;
  }

  feed(bytes) {
    let text = this.rest + this.decoder.decode(bytes, { stream: true });
    if (this.afterCarriageReturn && text) {
      if (text[0] === "\n") text = text.slice(1);
      this.afterCarriageReturn = false;
    }
    const events = [];
    let start = 0;
    for (let i = 0; i < text.length; i += 1) {
      if (text[i] !== "\n" && text[i] !== "\r") continue;
      this.#line(text.slice(start, i), events);
      if (text[i] === "\r") {
        if (i + 1 === text.length) this.afterCarriageReturn = true;
        else if (text[i + 1] === "\n") i += 1;
      }
      start = i + 1;
    }
    this.rest = text.slice(start);
    return events;
  }

  /** The stream broke; another follows that begins with a whole event. */
  cutOff() {
    this.decoder = new TextDecoder("utf-8");
    this.rest = "";
    this.data = [];
    this.id = this.lastEventId;
    this.afterCarriageReturn = false;
  }

  #line(line, events) {
    if (line === "") {
      if (this.data.length) {
        events.push(this.data.join("\n"));
        this.lastEventId = this.id;
      }
      this.data = [];
    } else if (line === "data") this.data.push("");
    else if (line.startsWith("data:")) this.data.push(line.slice(line[5] === " " ? 6 : 5));
    else if (line.startsWith("id:")) this.id = line.slice(line[3] === " " ? 4 : 3);
  }
}

export async function* readEvents(stream, parser = new SseParser()) {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield* parser.feed(value);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

export function bytesOfBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i += 1) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
