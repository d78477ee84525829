/** Checks what must be true of every run, with any arguments and any responses. */
import assert from "node:assert/strict";
import { isUuid } from "../../src/base/values.ts";
import { EXIT_CODES } from "../../src/command-support/exit-codes.ts";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import type { Request } from "../../src/service/transport.ts";
import { requireNoKey } from "../../test/no-key.ts";
import { BASE_URL, type RunResult } from "./runner.ts";

/** The message of an internal error. */
const INTERNAL_ERROR = "this is a bug in catalog";

/** Methods that could change every row of a table if the id is missing. */
const CHANGING = ["PATCH", "PUT", "DELETE"];

/**
 * Flags whose values only the service can check (a provider, an element), and --online, which makes check read the
 * providers before the files, one of which may be empty.
 */
const ASKING = /^--(online|provider|set|unset)(=|$)/;

/** Fails for a run that crashed, printed the key, or sent a request that it must not send. */
export function requireInvariants(words: readonly string[], result: RunResult): void {
  const { code, stdout, stderr, requests } = result;
  assert(Object.hasOwn(EXIT_CODES, code), `undocumented exit code ${code}`);
  assert(!stderr.includes(INTERNAL_ERROR), stderr);
  for (const output of [stdout, stderr]) requireNoKey(DEFAULT_KEY, output);
  const namesAnother = words.some((word) => /^--base-url(=|$)/.test(word));
  for (const request of requests) {
    requireHarmless(request);
    assert(namesAnother || new URL(request.url).origin === BASE_URL, request.url);
  }
  const sent = requests.map(({ method, url }) => `${method} ${url}`).join(", ");
  const mayAsk = words.some((word) => ASKING.test(word));
  assert(code !== 2 || sent === "" || mayAsk, `a usage error after ${sent}`);
}

/** Fails for a request that could reach every course. */
export function requireHarmless({ method, url }: Request): void {
  if (!CHANGING.includes(method)) return;
  const ids = new URL(url).searchParams.getAll("id");
  assert(ids.length === 1 && isUuid(ids[0] ?? ""), `${method} ${url} names no course`);
}

/** Control characters that `catalog` prints on a terminal without colors: progress, and line endings of CSV. */
const OWN_SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /\u001b\[\d*[AGK]|\u001b\[\?25[lh]|\r(?=\n|\u001b|$)/g;

const CONTROLS = /(?!\n)[\p{Cc}\u2028-\u202e\u2066-\u2069]/u;

/** Fails if output to a terminal without colors contains other control characters. */
export function requirePlain(output: string): void {
  const found = CONTROLS.exec(output.replace(OWN_SEQUENCES, ""));
  assert(
    found === null,
    `${JSON.stringify(found?.[0])} goes to the terminal: ${JSON.stringify(output)}`,
  );
}
