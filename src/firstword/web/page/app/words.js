// The answer's words: text as it comes, and which of it has been heard. Highlights are ranges over one text node (CSS
// Custom Highlight API), so nothing is ever parsed as HTML and the layout never moves.

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
    this.current = -1;
    this.offsets = [0]; // code point -> UTF-16 offset
    for (const name of ["heard", "speaking"]) globalThis.CSS?.highlights?.delete(name);
  }

  append(text) {
    this.node.appendData(text);
    let offset = this.offsets.at(-1);
    for (const character of text) this.offsets.push((offset += character.length));
  }

  addTimings(words) {
    this.words.push(...words);
  }

  /** Light what has sounded up to here; returns the word that is being said. */
  heardUpTo(seconds) {
    let at = this.current;
    while (at + 1 < this.words.length && this.words[at + 1].start_s <= seconds) at += 1;
    if (at === this.current) return this.words[at]?.word ?? "";
    this.current = at;
    const word = this.words[at];
    this.#light("heard", 0, word.char_start);
    this.#light("speaking", word.char_start, word.char_end);
    this.caption.textContent = this.words.slice(Math.max(0, at - 3), at + 4).map((item) => item.word).join(" ");
    return word.word;
  }

  /** The answer ended; `cutAt` (code points) where it was interrupted. */
  finish(cutAt = null) {
    this.caption.textContent = "";
    globalThis.CSS?.highlights?.delete("speaking");
    const end = cutAt ?? this.words.at(-1)?.char_end ?? 0;
    this.#light("heard", 0, end);
    if (cutAt === null) return;
    this.element.classList.add("cut");
  }

  get heardText() {
    return this.current < 0 ? "" : this.node.data.slice(0, this.#utf16(this.words[this.current].char_end));
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
