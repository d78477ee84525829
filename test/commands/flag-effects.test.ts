/** Every flag, in every mode of its command, has an effect or is refused: no flag is ignored. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inTurn } from "../long.ts";
import type { Rig, RunResult } from "../rig.ts";
import { FLAGGED_COMMANDS, type FlaggedCommand, type Scenario } from "./flag-effects.ts";
import { rigWith, unreliableService } from "./helpers.ts";

/** What a run prints, sends and writes, independent of its folder and port. */
interface Observed extends RunResult {
  readonly files: Readonly<Record<string, string>>;
}

type Situation = Omit<Scenario, "flag">;
type Pair = readonly [mode: string, flag: string, scenario: Scenario];

/** The number of modes in which a flag is tried outside of the long tests; the modes rotate from flag to flag. */
const MAX_MODES = 3;
/** Flags that protect nothing: one mode is enough. */
const HARMLESS = [
  ...["report", "record", "note", "rule", "ignore", "max-findings"],
  ...["exit-code", "stat", "drift", "base", "provider"],
];

function listPairs({ modes, scenarios }: FlaggedCommand): Pair[] {
  return Object.entries(scenarios).flatMap(([flag, scenario], index) => {
    const others = Object.keys(modes).filter((mode) => mode !== `--${flag}`);
    const tried = inTurn(others, index, HARMLESS.includes(flag) ? 1 : MAX_MODES);
    return tried.map((mode): Pair => [mode, flag, scenario]);
  });
}

describe.each(FLAGGED_COMMANDS)("$name", (flagged) => {
  const baselines = new Map<string, Promise<Observed>>();

  /** What a run without the flag does, which is the same each time; many flags share it. */
  function baseline(line: readonly string[], scenario: Situation): Promise<Observed> {
    const { seeds, files, earlier, rejects, answer } = scenario;
    const key = JSON.stringify([line, seeds, files, earlier, rejects, answer]);
    const known = baselines.get(key);
    if (known !== undefined) return known;
    const observed = observeTwice(line, scenario);
    baselines.set(key, observed);
    return observed;
  }

  test(`${flagged.name} has a scenario for each of its flags and no other scenario`, () => {
    const names = flagged.command.flags?.map(({ name }) => name);
    expect(Object.keys(flagged.scenarios).sort()).toEqual([...(names ?? [])].sort());
  });

  test.each(listPairs(flagged))(
    `${flagged.name} %s --%s has an effect or is refused`,
    async (mode, flag, own) => {
      const scenario = { ...flagged.usual, ...own };
      const words = [...(flagged.modes[mode] ?? []), ...(own.words ?? [])];
      const takesYes = flagged.scenarios.yes !== undefined && flag !== "yes";
      const yes = takesYes && mode !== "--dry-run" && flag !== "dry-run" ? ["--yes"] : [];
      const line = [...flagged.name.split(" "), ...words, ...yes];
      const first = await baseline(line, scenario);
      const ran = await observe([...line, ...own.flag], scenario);
      const excuse = flagged.excused?.[`${mode} --${flag}`];
      if (excuse !== undefined) return expect(ran, excuse).toEqual(first);
      if (ran.code === 2 && ran.requests.length === 0) {
        return expect(ran.stderr).toMatch(new RegExp(`^error: .*--${flag}\\b`, "m"));
      }
      expect(ran).not.toEqual(first);
    },
  );
});

async function observeTwice(line: readonly string[], scenario: Situation): Promise<Observed> {
  const [first, again] = [await observe(line, scenario), await observe(line, scenario)];
  expect(again).toEqual(first);
  return first;
}

async function observe(line: readonly string[], scenario: Situation): Promise<Observed> {
  const { seeds = [], files = {}, earlier = [], rejects, answer } = scenario;
  const r = await rigWith(...seeds);
  for (const [name, content] of Object.entries(files)) {
    await r.write(name, content instanceof Uint8Array ? content : JSON.stringify(content));
  }
  let isRejecting = false;
  const { environment } = await unreliableService(r, ({ method }) =>
    isRejecting && method !== "GET" ? { status: 400, body: '{"hint":"no"}' } : "pass",
  );
  for (const words of earlier) expect((await r.run(words, { environment })).code).toBe(0);
  isRejecting = rejects === true;
  const terminal = answer === undefined ? {} : { terminal: true, input: answer };
  const ran = await r.run([...line, "--concurrency", "1"], { environment, ...terminal });
  const text = JSON.stringify({ ...ran, files: await contents(r) }).replaceAll(r.folder, "FOLDER");
  return JSON.parse(text.replace(/(127\.0\.0\.1):\d+/g, "$1:PORT"));
}

async function contents({ folder }: Rig): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));
  const read = paths.sort().map(async (path) => [path, await readFile(path, "utf8")]);
  return Object.fromEntries(await Promise.all(read));
}
