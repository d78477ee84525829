import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Rig, rig } from "../rig.ts";
import { isInstalled, SHELLS, Shell } from "./shell.ts";

/** The name of a file that a shell would run, expand or split if it were not quoted. */
const HOSTILE = "odd;touch owned $(touch owned) 'x' \"y\" ~*#.txt";

async function prepare(): Promise<Rig> {
  const r = await rig();
  const names = ["intro one.yaml", "notes.txt", "deep/a.txt"];
  for (const name of names) await r.write(`my courses/${name}`, "");
  await r.write(HOSTILE, "");
  return r;
}

describe.each(SHELLS)("completion in %s", (name) => {
  test.skipIf(!isInstalled(name))(
    "completion in a shell inserts commands, values and files, and quotes names that need quotes",
    async () => {
      const r = await prepare();
      const shell = await Shell.start(name, r.folder, {});
      const entered = async (line: string): Promise<string[]> =>
        // Some shells remove the slash after a folder again.
        (await shell.enter(line)).map((word) => word.replace(/\/$/, ""));

      expect(await entered("catalog cou\tpub\t0b6")).toEqual(["courses", "publish", "0b6"]);
      // From here on the same code answers in this process, which takes less time.
      await shell.completeBy(async (words) => (await r.run(words)).stdout);
      expect(await entered("catalog -o ndjson courses ls --publ\tf\t")).toEqual(
        "-o ndjson courses ls --published false".split(" "),
      );
      expect(await entered("catalog courses create --pace i\tmy\tin\t")).toEqual([
        ..."courses create --pace instructor_paced".split(" "),
        "my courses/intro one.yaml",
      ]);
      expect(await entered("catalog courses check --report ju\tmy\tno\t")).toEqual([
        ..."courses check --report".split(" "),
        "junit=my courses/notes.txt",
      ]);
      expect(await entered("catalog courses check --report junit=od\t")).toEqual([
        ..."courses check --report".split(" "),
        `junit=${HOSTILE}`,
      ]);
      expect(await entered("catalog courses pull my\td\t")).toEqual([
        ..."courses pull".split(" "),
        "my courses/deep",
      ]);
      expect(existsSync(join(r.folder, "owned"))).toBe(false);
    },
  );
});
