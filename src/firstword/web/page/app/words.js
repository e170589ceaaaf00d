// The answer's words: text as it comes, and which of it has been heard. Highlights are ranges over one text node (CSS
// Custom Highlight API), so nothing is ever parsed as HTML and the layout never moves.

const CAPTION_WORDS = 9;

export class Words {
  constructor(element, caption) {
    this.element = element;
    this.caption = caption;
    this.clear();
  }

  clear() {
    this.node = document.createTextNode("");
    this.element.replaceChildren(this.node);
    this.element.classList.remove("cut");
    this.caption.textContent = "";
    this.words = [];
    this.waiting = ""; // text that is not on the page yet
    this.begun = 0; // words whose sound has begun
    this.heard = 0; // words that have sounded to their end
    this.offsets = [0]; // code point -> UTF-16 offset
    for (const name of ["heard", "speaking"]) globalThis.CSS?.highlights?.delete(name);
  }

  append(text) {
    this.waiting += text;
  }

  addTimings(words) {
    this.words.push(...words);
  }

  /** Put on the page what has come, and light what has sounded up to here. */
  show(heardSeconds) {
    this.#write();
    let { begun, heard } = this;
    while (begun < this.words.length && this.words[begun].start_s <= heardSeconds) begun += 1;
    while (heard < begun && this.words[heard].end_s <= heardSeconds) heard += 1;
    if (begun === this.begun && heard === this.heard) return;
    Object.assign(this, { begun, heard });
    const word = this.words[begun - 1];
    this.#light("heard", 0, word.char_start);
    this.#light("speaking", word.char_start, word.char_end);
    const first = Math.floor((begun - 1) / CAPTION_WORDS) * CAPTION_WORDS;
    this.caption.textContent = this.words.slice(first, first + CAPTION_WORDS).map((item) => item.word).join(" ");
  }

  /** The answer ended; `cutAt` (code points) where it was interrupted, else null. */
  finish(cutAt = null) {
    this.#write();
    this.caption.textContent = "";
    globalThis.CSS?.highlights?.delete("speaking");
    this.#light("heard", 0, cutAt ?? this.words.at(-1)?.char_end ?? 0);
    if (cutAt !== null) this.element.classList.add("cut");
  }

  /** Code points of the text whose words have sounded to their end. */
  get heardTo() {
    return this.heard ? this.words[this.heard - 1].char_end : 0;
  }

  textTo(codePoint) {
    return this.node.data.slice(0, this.#utf16(codePoint));
  }

  #write() {
    if (!this.waiting) return;
    this.node.appendData(this.waiting);
    let offset = this.offsets.at(-1);
    for (const character of this.waiting) this.offsets.push((offset += character.length));
    this.waiting = "";
  }

  #utf16(codePoint) {
    return this.offsets[Math.min(codePoint, this.offsets.length - 1)];
  }

  #light(name, from, to) {
    if (!globalThis.CSS?.highlights) return;
    const range = document.createRange();
    range.setStart(this.node, this.#utf16(from));
    range.setEnd(this.node, this.#utf16(to));
    CSS.highlights.set(name, new Highlight(range));
  }
}
