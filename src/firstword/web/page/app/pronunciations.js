// Words that are to be said another way, as they are typed: `nginx=engine x` or `tomato=/təmˈɑːtO/`, one a line.

/** { entries, wrong }: what goes with a question (undefined if nothing), and the first line that says nothing, if there is one. */
export function readPronunciations(text) {
  const entries = {};
  for (const line of text.split("\n").map((typed) => typed.trim()).filter(Boolean)) {
    const [, word, said] = /^([^=]+)=(.+)$/.exec(line) ?? [];
    if (!word?.trim() || !said.trim()) return { wrong: line };
    entries[word.trim()] = said.trim();
  }
  return { entries: Object.keys(entries).length ? entries : undefined };
}
