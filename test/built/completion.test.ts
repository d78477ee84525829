import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { someOf } from "../long.ts";
import { newFolder } from "./rig.ts";
import { canRun, SHELLS, Shell } from "./shell.ts";

/** The name of a file that a shell would run, expand or split if it were not quoted. */
const HOSTILE = "odd;touch owned $(touch owned) 'x' \"y\" ~*#.txt";

describe.each(someOf(SHELLS, 1))("completion in %s", (name) => {
  test.skipIf(!canRun(name))(
    "completion in a shell inserts commands, values and files, and quotes names that need quotes",
    async () => {
      const folder = await newFolder();
      await mkdir(join(folder, "my courses"));
      await mkdir(join(folder, "only"));
      for (const path of ["my courses/notes.txt", "only/in here", HOSTILE])
        await writeFile(join(folder, path), "");
      const shell = await Shell.start(name, folder);
      expect(await shell.enter("catalog cou\tpub\t0b6")).toEqual(["courses", "publish", "0b6"]);
      expect(await shell.enter("catalog courses ls --output=js\t--sort=nam\t")).toEqual([
        ..."courses ls --output=json --sort=name".split(" "),
      ]);
      expect(await shell.enter("catalog courses create --pace i\tmy\tno\t")).toEqual([
        ..."courses create --pace instructor_paced".split(" "),
        "my courses/notes.txt",
      ]);
      expect(await shell.enter("catalog courses check --report junit=od\t")).toEqual([
        ..."courses check --report".split(" "),
        `junit=${HOSTILE}`,
      ]);
      expect(await shell.enter("catalog courses check --report html=my\tno\t")).toEqual([
        ..."courses check --report".split(" "),
        "html=my courses/notes.txt",
      ]);
      expect(await shell.enter("catalog courses check --report=html=odd\t")).toEqual([
        ..."courses check".split(" "),
        `--report=html=${HOSTILE}`,
      ]);
      expect(await shell.enter("catalog courses pull only/\t")).toEqual([
        ..."courses pull".split(" "),
        "only/in here",
      ]);
      expect(await shell.enter("catalog courses check --report html=on\t\t")).toEqual([
        ..."courses check --report".split(" "),
        "html=only/in here",
      ]);
      expect(existsSync(join(folder, "owned"))).toBe(false);
    },
  );
});
