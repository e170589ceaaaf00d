// Voices by their names: af_heart is Heart, a woman's voice of American English.

const LANGUAGES = {
  a: "American English", b: "British English", e: "Spanish", f: "French", h: "Hindi", i: "Italian", j: "Japanese",
  p: "Brazilian Portuguese", z: "Mandarin Chinese",
};
const KINDS = { f: "female", m: "male" };

/** Fill a chooser with the voices, those of one language together. */
export function offerVoices(select, names, chosen) {
  const groups = new Map();
  for (const name of names) {
    const language = LANGUAGES[name[0]] ?? "Other";
    if (!groups.has(language)) groups.set(language, Object.assign(document.createElement("optgroup"), { label: language }));
    groups.get(language).append(new Option(shown(name), name, name === chosen, name === chosen));
  }
  select.replaceChildren(...groups.values());
}

function shown(name) {
  const match = /^[a-z]([fm])_(.)(.*)$/.exec(name);
  return match ? `${match[2].toUpperCase()}${match[3]}, ${KINDS[match[1]]}` : name;
}
