/** The package works without other packages; `npm run package` checks its files, entry points and types. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { IS_LONG } from "../long.ts";
import { course, PROVIDER_ID } from "../rig.ts";
import { example, linesOf, numberedCourses, ROOT, type StartOptions, serve, start } from "./rig.ts";

const COURSE_ID = "4f0c2f0e-7a52-4d0f-9a39-0d1c0a3f6b11";

const { name } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
/** A project with the package and the types of Node.js only. */
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "catalog-package-"));
  const env = { PATH: process.env.PATH, HOME: folder, npm_config_update_notifier: "false" };
  // Scripts would rebuild while other tests run.
  const pack = ["pack", "--ignore-scripts", "--pack-destination", folder];
  const { stdout } = await promisify(execFile)("npm", pack, { cwd: ROOT, env });
  await mkdir(installed("."), { recursive: true });
  const unpack = ["-xf", join(folder, stdout.trim()), "-C", installed("."), "--strip-components=1"];
  await promisify(execFile)("tar", unpack);
  for (const types of ["@types/node", "undici-types"]) {
    const path = join(folder, "node_modules", types);
    await mkdir(dirname(path), { recursive: true });
    await symlink(join(ROOT, "node_modules", types), path);
  }
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function installed(path: string): string {
  return join(folder, "node_modules", name, path);
}

describe.runIf(IS_LONG)("the package installed alone", () => {
  async function catalog(words: readonly string[], options: StartOptions = {}) {
    const program = installed("bin/catalog.js");
    return await (await start(process.execPath, [program, ...words], options)).ended;
  }

  test("the installed program serves, checks and creates", async () => {
    const program = installed("bin/catalog.js");
    const create = [process.execPath, program, "courses", "create", example("one.yaml")];
    const seed = ["--seed", example("providers.json")];
    const ended = await catalog(["sandbox", ...seed, "--", ...create]);
    expect(ended.code).toBe(0);
    expect(linesOf(ended.stdout)).toHaveLength(1);
  });

  test("every chunk of the installed program can be loaded with its lazy imports", async () => {
    const script = `
      const { readdirSync, readFileSync } = require("node:fs");
      const { createRequire } = require("node:module");
      const folder = ${JSON.stringify(installed("dist/chunks/"))};
      const names = readdirSync(folder);
      for (const name of names) {
        const load = createRequire(folder + name);
        load(folder + name);
        const code = readFileSync(folder + name, "utf8");
        for (const [, required] of code.matchAll(/\\brequire\\(["'\`]([^"'\`]+)["'\`]\\)/g)) {
          // undici tries to load modules that not every Node.js release has.
          if (!required.startsWith("node:")) load(required);
        }
      }
      console.log(names.length);
    `;
    const ended = await (await start(process.execPath, ["-e", script])).ended;
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout).toMatch(/^\d{2,}\n$/);
  });

  test("the installed library loads completely, prints nothing and handles no signals", async () => {
    const script = `
      const before = JSON.stringify(process.eventNames());
      const folder = ${JSON.stringify(pathToFileURL(installed("dist/")))};
      await import(folder + "index.js");
      const { readdirSync } = await import("node:fs");
      const names = readdirSync(new URL("library/", folder));
      for (const name of names) await import(folder + "library/" + name);
      console.log(before === JSON.stringify(process.eventNames()), names.length);
    `;
    const running = await start(process.execPath, ["--input-type=module", "-e", script]);
    const ended = await running.ended;
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout).toMatch(/^true \d+\n$/);
  });

  test("a typed program lists, creates, updates and deletes courses with the installed library", async () => {
    const { environment } = await serve(numberedCourses(3));
    await writeFile(
      join(folder, "use.ts"),
      `
        import { CatalogClient, CatalogError, checkCourse } from "${name}";
        import type { ClientOptions, Course, CourseQuery, Effect, Problem } from "${name}";
        import type { Provider } from "${name}";

        const { CATALOG_BASE_URL: baseUrl = "", CATALOG_API_KEY: apiKey = "" } = process.env;
        const options: ClientOptions = { baseUrl, apiKey };
        const client = new CatalogClient(options);
        const query: CourseQuery = { published: true, limit: 10 };
        const seen: (Course | undefined)[] = [];
        for await (const page of client.courses(query)) seen.push(...page);
        const [provider]: Provider[] = await client.providers();
        const course = ${JSON.stringify(course({ id: COURSE_ID }))};
        const problems: readonly Problem[] = checkCourse({ ...course, pace: "fast" });
        const effects: Effect[] = [
          await client.create(course),
          await client.update(course.id, { name: "Knitting" }),
        ];
        seen.push(await client.course(course.id));
        effects.push(await client.delete(course.id), await client.delete(course.id));
        const last = effects.at(-1);
        const kind = last?.status === "failed" && last.error instanceof CatalogError && last.error.kind;
        const rules = problems.map(({ rule }) => rule);
        const names = seen.map((one) => one?.name);
        const statuses = effects.map(({ status }) => status);
        console.log(JSON.stringify({ names, provider: provider?.id, rules, statuses, kind }));
        await client.close();
        // @ts-expect-error: the key is required
        export const keyless = (): CatalogClient => new CatalogClient({ baseUrl: "https://api.example" });
      `,
    );
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    const flags = "--target ES2022 --module NodeNext --types node --strict";
    const words = [tsc, ...flags.split(" "), "--exactOptionalPropertyTypes", "use.ts"];
    const compiled = await (await start(process.execPath, words, { folder })).ended;
    expect(compiled).toMatchObject({ code: 0, stdout: "" });
    const program = await start(process.execPath, [join(folder, "use.js")], { environment });
    const { code, stdout, stderr } = await program.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      names: ["Course 1", "Course 2", "Course 3", "Knitting"],
      provider: PROVIDER_ID,
      rules: ["choice"],
      statuses: ["done", "done", "done", "failed"],
      kind: "missing",
    });
  });
});
