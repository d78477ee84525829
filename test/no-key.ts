/** Sees that no output of any run holds the key: what the rigs ask of every run of every test. */

/** So many characters in a row of what stands behind a key's dot give it away. */
const TELLING = 10;
/** Shorter keys, which only tests have, are words that stand in outputs for other reasons. */
const SHORTEST_KEY = 8;
/** What is longer is no key, but the input of a test that tries what is too long for one. */
const LONGEST_KEY = 1000;

/** Every text that must not be in an output: the key in each way of writing it, and its pieces. */
function formsOf(key: string): Set<string> {
  const forms = [
    key,
    JSON.stringify(key).slice(1, -1),
    encodeURIComponent(key),
    Buffer.from(key).toString("base64").replace(/=+$/, ""),
    Buffer.from(key).toString("base64url"),
  ];
  const secret = key.slice(key.indexOf(".") + 1);
  for (let start = 0; start + TELLING <= secret.length; start++) {
    forms.push(secret.slice(start, start + TELLING));
  }
  return new Set(forms);
}

/** Fails when the output holds the key, in full or so much of it that it is given away. */
export function requireNoKey(key: string | undefined, output: string): void {
  if (key === undefined || key.length < SHORTEST_KEY || key.length > LONGEST_KEY) return;
  for (const form of formsOf(key)) {
    const at = output.indexOf(form);
    if (at === -1) continue;
    const around = output.slice(Math.max(0, at - 60), at + form.length + 60);
    throw new Error(`the API key is in the output, as ${JSON.stringify(form)}, in:\n${around}`);
  }
}

/** A run whose outputs are to be free of keys. */
export interface KeyRun {
  /** The words of its command line. */
  readonly words: readonly string[];
  /** Every key that it may have met. */
  readonly keys: readonly (string | undefined)[];
  /** What it read. */
  readonly input?: string | null | undefined;
  /** Each of its outputs. */
  readonly outputs: readonly string[];
}

/** Fails when a run printed a key; `catalog sandbox` alone may, in the lines that are there for it. */
export function requireKeyless({ words, keys, input, outputs }: KeyRun): void {
  const serves = words.some((word) => /\bsandbox\b/.test(word)) && !words.includes("--");
  const typed = words.includes("--with-key") ? input?.trim() : undefined;
  for (const output of outputs) {
    const checked = serves ? output.replace(ANNOUNCED, "") : output;
    for (const key of new Set([...keys, typed])) requireNoKey(key, checked);
  }
}

/** How the sandbox prints its key. */
const ANNOUNCED = / with key \S+\.(?=\r?$)|^ {2}export CATALOG_API_KEY=\S+$/gm;

/** The keys in the text of a config file, in JSON or YAML. */
export function keysIn(text: string): string[] {
  return [...text.matchAll(/\bapiKey["']?\s*:\s*["']?([^\s"',{}[\]]+)/g)].map(
    ([, key = ""]) => key,
  );
}
