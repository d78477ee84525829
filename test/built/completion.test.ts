import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { DEFAULT_KEY, DEFAULT_PROVIDER, parseSeed } from "../../src/sandbox/seed.ts";
import { course, PROVIDER_ID, type Rig, rig, testClock } from "../rig.ts";
import { runCatalog } from "./rig.ts";
import { isInstalled, SHELLS, Shell } from "./shell.ts";

const ID = "0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10";
const OTHER_ID = "1c7fd8c6-7d9c-4b6f-8a2e-3a5dac2f8b21";

/** Text that a shell would run, expand or split if it were not quoted. */
const HOSTILE = "a b;touch owned $(touch owned) `touch owned` 'x' \"y\" ~*#";

/** A service with two courses, and a folder with files. */
async function prepare(): Promise<Rig> {
  const user = {
    key: DEFAULT_KEY,
    providers: [{ ...DEFAULT_PROVIDER, slug: HOSTILE }],
    courses: [
      course({ id: ID, name: "Knitting: 100 %F{red} $(touch owned)" }),
      course({ id: OTHER_ID, name: "Wea\u001b[2Jving", url: "https://academy.example/weaving" }),
    ],
  };
  const r = await rig({ seed: parseSeed({ users: [user] }, testClock()) });
  await r.write("my courses/intro one.yaml", "");
  await r.write("my courses/intro.txt", "");
  await r.write("my courses/deep/a.txt", "");
  await r.write("my courses/dear.txt", "");
  await r.write(".catalogrc.json", JSON.stringify({ profiles: { [HOSTILE]: { timeout: 5 } } }));
  return r;
}

describe.each(SHELLS)("completion in %s", (name) => {
  test.skipIf(!isInstalled(name))(
    "completion in a shell inserts commands, values, files and ids, and quotes names that need quotes",
    async () => {
      const r = await prepare();
      const shell = await Shell.start(name, r.folder, {
        CATALOG_BASE_URL: r.sandbox.baseUrl,
        CATALOG_API_KEY: DEFAULT_KEY,
      });
      const entered = async (line: string): Promise<string[]> =>
        // Some shells remove the slash after a folder again.
        (await shell.enter(line)).map((word) => word.replace(/\/$/, ""));

      expect(await entered("catalog cou\tpub\t0b\t")).toEqual(["courses", "publish", ID]);
      // From here on the same code answers in this process, which takes less time.
      await shell.completeBy(async (words) => (await r.run(words)).stdout);
      expect(await entered("catalog -o ndjson courses ls --publ\tf\t")).toEqual(
        "-o ndjson courses ls --published false".split(" "),
      );
      expect(await entered("catalog courses create --pace=i\t my\tin\t")).toEqual([
        ..."courses create --pace=instructor_paced".split(" "),
        "my courses/intro one.yaml",
      ]);
      expect(await entered("catalog courses check --report ju\tmy\tintro.\t")).toEqual([
        ..."courses check --report".split(" "),
        "junit=my courses/intro.txt",
      ]);
      expect(await entered("catalog courses pull my\td\t")).toEqual([
        ..."courses pull".split(" "),
        "my courses/deep",
      ]);
      expect(await entered("catalog courses ls --fields id,na\t")).toEqual(
        "courses ls --fields id,name".split(" "),
      );
      expect(await entered("catalog courses create --set 'prices[0].curr\tEU\t")).toEqual(
        "courses create --set prices[0].currency=EUR".split(" "),
      );

      for (const typed of ["", "'a", '"a b;t']) {
        expect(await entered(`catalog --profile ${typed}\tschema`)).toEqual([
          "--profile",
          HOSTILE,
          "schema",
        ]);
      }
      expect(await entered("catalog courses ls --provider \t")).toEqual([
        ..."courses ls --provider".split(" "),
        PROVIDER_ID,
      ]);

      shell.type("catalog courses get \t\t");
      await shell.waitForScreen(
        new RegExp(`${ID}.*Knitting: 100 %F\\{red\\} \\$\\(touch owned\\)`),
      );
      await shell.waitForScreen(new RegExp(`${OTHER_ID}.*Wea\\\\x1b\\[2Jving`));
      expect(existsSync(join(r.folder, "owned"))).toBe(false);
    },
  );
});

// Without its own time limit, it would take longer than a test may.
test("__complete ends in time and prints no message if the service never responds", async () => {
  const server = createServer(() => undefined).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const environment = { CATALOG_BASE_URL: `http://127.0.0.1:${port}`, CATALOG_API_KEY: "a.b" };
  const ended = await runCatalog(["__complete", "--", "courses", "get", ""], { environment });
  expect(ended).toMatchObject({ code: 0, stdout: ":end\n", stderr: "" });
});
