import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { IS_LONG } from "../long.ts";
import { newFolder } from "./rig.ts";
import { canRun, SHELLS, Shell } from "./shell.ts";

/** The name of a file that a shell would run, expand or split if it were not quoted. */
const HOSTILE = "odd;touch owned $(touch owned) 'x' \"y\" ~*#.txt";

/** What is typed after `catalog`, the words that the command gets, and its last word if that has spaces. */
const LINES: readonly (readonly [typed: string, line: string, last?: string])[] = [
  ["cou\tpub\t0b6", "courses publish 0b6"],
  ["courses ls --output=js\t--sort=nam\t", "courses ls --output=json --sort=name"],
  [
    "courses create --pace i\tmy\tno\t",
    "courses create --pace instructor_paced",
    "my courses/notes.txt",
  ],
  ["courses check --report junit=od\t", "courses check --report", `junit=${HOSTILE}`],
  ["courses check --report html=my\tno\t", "courses check --report", "html=my courses/notes.txt"],
  ["courses check --report=html=odd\t", "courses check", `--report=html=${HOSTILE}`],
  ["courses pull only/\t", "courses pull", "only/in here"],
  ["courses check --report html=on\t\t", "courses check --report", "html=only/in here"],
];

describe.runIf(IS_LONG).each(SHELLS)("completion in %s", (name) => {
  test.skipIf(!IS_LONG || !canRun(name))(
    "completion in a shell inserts commands, values and files, and quotes names that need quotes",
    async () => {
      const folder = await newFolder();
      for (const inner of ["my courses", "only"]) await mkdir(join(folder, inner));
      for (const path of ["my courses/notes.txt", "only/in here", HOSTILE])
        await writeFile(join(folder, path), "");
      const shell = await Shell.start(name, folder);
      for (const [typed, line, last] of LINES) {
        const words = [...line.split(" "), ...(last === undefined ? [] : [last])];
        expect(await shell.enter(`catalog ${typed}`)).toEqual(words);
      }
      expect(existsSync(join(folder, "owned"))).toBe(false);
    },
  );
});
