/** Runs command lines in this process, with any service, and checks what must be true of every run. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isUuid } from "../../src/base/values.ts";
import { main } from "../../src/main.ts";
import { DEFAULT_KEY, DEFAULT_PROVIDER, parseSeeds } from "../../src/sandbox/seed.ts";
import { memoryStore } from "../../src/sandbox/store.ts";
import type { HttpRequest } from "../../src/service/errors.ts";
import type { Transport } from "../../src/service/http.ts";
import { requireNoKey } from "../../test/no-key.ts";
import { course, MemoryOutput, type Rig, sendTo, testClock } from "../../test/rig.ts";

/** The ids of the courses of the service. The first course has the most fields. */
export const COURSE_IDS = [
  "0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10",
  "1b4e28ba-2fa1-4d1e-883f-0016d3cca427",
] as const;

const COURSES = [
  course({
    id: COURSE_IDS[0],
    prices: [{ type: "single_course", price: "49.99", currency: "EUR", plan_type: "regular" }],
    certificate: { type: "paid", price: "39.00", currency: "EUR" },
    syllabus: [{ title: "Casting on", description: ["Yarn.", "Needles."] }],
  }),
  course({ id: COURSE_IDS[1], name: "編み物 🧶", url: "https://academy.example/weave" }),
];

/** The codes of docs/exit-codes.md that a run without a signal can end with. */
const EXIT_CODES: ReadonlySet<number> = new Set([0, 1, 2, 3, 4, 5, 6, 7]);

/** A new service with these courses. */
export function serviceOf(courses: readonly unknown[] = COURSES): Transport["send"] {
  const clock = testClock();
  const users = [{ key: DEFAULT_KEY, providers: [DEFAULT_PROVIDER], courses }];
  return sendTo({ store: memoryStore(parseSeeds([{ users }], clock)), clock });
}

/** How a run differs from the default: no terminal, no input, and a service with two courses. */
export interface RunOptions {
  readonly input?: string;
  readonly terminal?: boolean;
  readonly send?: Transport["send"];
}

/** The result of a run. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly requests: readonly HttpRequest[];
}

/** Creates a folder of a case with these files. */
export async function folderWith(
  { folder: parent }: Rig,
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<string> {
  const folder = await mkdtemp(join(parent, "case-"));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

/** Runs a command line in a folder. Fails if it crashes, prints the key, or sends what it must not send. */
export async function runIn(
  r: Rig,
  folder: string,
  words: readonly string[],
  { input, terminal = false, send = serviceOf() }: RunOptions = {},
): Promise<Ran> {
  const [out, err] = [new MemoryOutput(terminal), new MemoryOutput(terminal)];
  const requests: HttpRequest[] = [];
  // Without colors, control characters on a terminal can come only from data.
  const environment = { HOME: folder, NO_COLOR: "1" };
  const code = await main(words, {
    ...r.system({ out, err, input, environment }),
    folder,
    clock: testClock(),
    openTransport: async () => ({
      send: async (request, options) => {
        requests.push(request);
        return await send(request, options);
      },
      close: async () => undefined,
    }),
  });
  assert(EXIT_CODES.has(code), `undocumented exit code ${code}`);
  assert(!err.text.includes("this is a bug in catalog"), err.text);
  for (const output of [out.text, err.text]) requireNoKey(DEFAULT_KEY, output);
  const namesAnother = words.some((word) => /^--base-url(=|$)/.test(word));
  for (const request of requests) {
    requireHarmless(request);
    const { origin } = new URL(request.url);
    assert(namesAnother || origin === new URL(r.sandbox.baseUrl).origin, request.url);
  }
  const isSent = requests.some(({ method }) => method !== "GET");
  const isRaw = words.includes("api");
  assert(code !== 2 || isRaw || !isSent, "a refused run has sent a change");
  if (terminal) requirePlain(words, out.text, err.text);
  return { code, stdout: out.text, requests };
}

/** Fails for a request that could reach every course. */
export function requireHarmless({ method, url }: Pick<Request, "method" | "url">): void {
  if (!["PATCH", "PUT", "DELETE"].includes(method)) return;
  const ids = new URL(url).searchParams.getAll("id");
  assert(ids.length === 1 && isUuid(ids[0] ?? ""), `${method} ${url} names no course`);
}

/** Control characters of progress, and of line endings in CSV. */
const OWN_SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /\u001b\[\d*[AGK]|\u001b\[\?25[lh]|\r(?=\n|\u001b|$)/g;

const CONTROLS = /(?!\n)[\p{Cc}\u2028-\u202e\u2066-\u2069]/u;

/** Fails if output to a terminal without colors contains other control characters. */
function requirePlain(words: readonly string[], stdout: string, stderr: string): void {
  // YAML and TSV may contain tabs, which do not move the cursor to another line.
  const hasTabs = words.includes("yaml") || words.includes("tsv");
  for (const output of [hasTabs ? stdout.replaceAll("\t", "") : stdout, stderr]) {
    const found = CONTROLS.exec(output.replace(OWN_SEQUENCES, ""));
    assert.equal(found, null, `${JSON.stringify(found?.[0])} goes to the terminal: ${output}`);
  }
}
