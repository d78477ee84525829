/** Checks that no output contains an API key; the rigs check every run of every test. */

/** Shorter keys, which only tests use, may be words that appear in outputs anyway. */
const SHORTEST_KEY = 8;
/** Anything longer is the input of a test for keys that are too long. */
const LONGEST_KEY = 1000;

/** Fails if the output contains the key. */
export function requireNoKey(key: string | undefined, output: string): void {
  if (key === undefined || key.length < SHORTEST_KEY || key.length > LONGEST_KEY) return;
  const at = output.indexOf(key);
  if (at === -1) return;
  const around = output.slice(Math.max(0, at - 60), at + key.length + 60);
  throw new Error(`the API key is in the output:\n${around}`);
}

/** A run whose outputs must not contain keys. */
export interface KeyRun {
  /** The arguments of its command line. */
  readonly words: readonly string[];
  /** Every key that the run may have read. */
  readonly keys: readonly (string | undefined)[];
  /** Its standard input. */
  readonly input?: string | null | undefined;
  /** The contents of its outputs. */
  readonly outputs: readonly string[];
}

/** Fails if a run printed a key; only `catalog sandbox` may, in the lines that announce it. */
export function requireKeyless({ words, keys, input, outputs }: KeyRun): void {
  const serves = words.some((word) => /\bsandbox\b/.test(word)) && !words.includes("--");
  const typed = words.includes("--with-key") ? input?.trim() : undefined;
  for (const output of outputs) {
    const checked = serves ? output.replace(ANNOUNCED, "") : output;
    for (const key of new Set([...keys, typed])) requireNoKey(key, checked);
  }
}

/** How the sandbox prints its key. */
const ANNOUNCED = /^ {2}export CATALOG_API_KEY=\S+$/gm;

/** The keys in the text of a config file, in JSON or YAML. */
export function findKeys(text: string): string[] {
  return [...text.matchAll(/\bapiKey["']?\s*:\s*["']?([^\s"',{}[\]]+)/g)].map(
    ([, key = ""]) => key,
  );
}
