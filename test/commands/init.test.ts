/** `courses init` writes a template for a course file. */
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { COURSE_SHAPE, FIELDS, WRITABLE_FIELDS } from "../../src/course/fields.ts";
import { DEFAULT_PROVIDER } from "../../src/sandbox/seed.ts";
import { type Rig, rig } from "../rig.ts";
import { editStarter, unreliableService } from "./helpers.ts";

const INIT = ["courses", "init"];
const NO_KEY = { environment: { CATALOG_API_KEY: undefined } };

/** The template with one optional field uncommented. */
function uncommented(starter: string, field: string): string {
  const lines = starter.split("\n");
  const start = lines.findIndex((line) => line.startsWith(`#${field}:`));
  const length = lines.slice(start).findIndex((line) => !line.startsWith("#"));
  expect(start).toBeGreaterThan(0);
  return lines
    .map((line, index) => (index >= start && index < start + length ? line.slice(1) : line))
    .join("\n");
}

/** Replaces the placeholders of a template. */
async function edit({ folder }: Rig, file: string): Promise<void> {
  const path = join(folder, file);
  await writeFile(path, editStarter(await readFile(path, "utf8")));
}

describe("template", () => {
  test("init writes a template that passes check --strict --online once edited", async () => {
    const r = await rig();
    for (const file of ["intro.yaml", "second.yml"]) {
      expect((await r.run([...INIT, file])).code).toBe(0);
      await edit(r, file);
      const ran = await r.run(["courses", "check", "--strict", "--online", file]);
      expect([ran.code, ran.stdout]).toEqual([0, "1 file, 1 course: no problems\n"]);
    }
  });

  test("init fills in each required field and adds each optional field as a comment", async () => {
    const { stdout } = await (await rig()).run(INIT);
    expect(stdout).toContain('run "catalog schema > course.schema.json" in this folder');
    expect(stdout).toContain("yaml-language-server: $schema=course.schema.json\n");
    const provider = COURSE_SHAPE.byName.get("provider");
    for (const field of WRITABLE_FIELDS) {
      const { required } = field;
      const { name, description } = field.name === "provider_id" && provider ? provider : field;
      expect(stdout).toContain(`\n${required ? "" : "#"}${name}:`);
      expect(stdout).toContain(description);
    }
    for (const { name, readOnly } of FIELDS) {
      if (readOnly) expect(stdout).not.toContain(`${name}:`);
    }
  });

  test.each(WRITABLE_FIELDS.filter(({ required }) => !required))(
    "check accepts the template of init with $name uncommented",
    async ({ name }) => {
      const r = await rig();
      await r.write("a.yaml", editStarter(uncommented((await r.run(INIT)).stdout, name)));
      const ran = await r.run(["courses", "check", "a.yaml", "--json"]);
      const { errors, warnings } = JSON.parse(ran.stdout);
      expect([ran.code, errors, warnings]).toEqual([0, 0, 0]);
    },
  );
});

describe("provider", () => {
  test("init fills in the provider of the user and a url on its website", async () => {
    const r = await rig();
    const ran = await r.run(INIT);
    expect(ran.requests).toEqual(["GET /developer/v1/providers"]);
    expect(ran.stdout).toContain(`\nprovider: ${DEFAULT_PROVIDER.slug}\n`);
    expect(ran.stdout).not.toContain("provider_id:");
    expect(ran.stdout).toMatch(/\nurl: https:\/\/academy\.example\/[\w-]+\n/);
  });

  test("init writes a placeholder for one of several providers and lists them, published providers first", async () => {
    const r = await rig();
    const id = "11111111-1111-4111-8111-111111111111";
    const hidden = { ...DEFAULT_PROVIDER, id, slug: "hidden" };
    const rows = [
      { ...hidden, name: "Hidden\n- site", published: false },
      { ...DEFAULT_PROVIDER, name: "Shown" },
      { ...DEFAULT_PROVIDER, id: id.replaceAll("1", "2"), slug: "Shown" },
    ];
    const { environment } = await unreliableService(r, () => ({
      status: 200,
      body: JSON.stringify(rows),
    }));
    const ran = await r.run(INIT, { environment });
    expect(ran.stdout).toContain(
      `\n#   ${DEFAULT_PROVIDER.slug} (Shown)\n` +
        // The slug of this provider is the name of another.
        `#   ${id.replaceAll("1", "2")} (${DEFAULT_PROVIDER.name})\n` +
        "#   hidden (Hidden\\n- site)\nprovider: Replace this with the slug of your provider\n",
    );
    expect(ran.stdout).toContain("\nurl: https://academy.example/replace-this-path\n");
  });

  test("init without a key writes a placeholder for the provider and sends nothing", async () => {
    const ran = await (await rig()).run(INIT, NO_KEY);
    expect([ran.code, ran.stderr, ran.requests]).toEqual([0, "", []]);
    expect(ran.stdout).toContain("\n# For example: provider: academy.example");
    expect(ran.stdout).toContain("\nprovider: Replace this with the slug of your provider\n");
  });

  test("init warns and writes a placeholder for the provider if the service does not respond", async () => {
    const r = await rig();
    const { environment } = await unreliableService(r, () => ({ status: 503 }));
    const ran = await r.run([...INIT, "a.yaml"], { environment });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("warning: the file contains a placeholder for the provider: ");
    expect(await readFile(join(r.folder, "a.yaml"), "utf8")).toContain("# For example: provider");
  });
});

describe("file", () => {
  test("init exits with 2 and never overwrites an existing file, folder or link", async () => {
    const r = await rig();
    await r.write("a.yaml", "mine");
    await mkdir(join(r.folder, "b.yaml"));
    await symlink("nowhere", join(r.folder, "c.yaml"));
    for (const file of ["a.yaml", "b.yaml", "c.yaml"]) {
      const ran = await r.run([...INIT, file], NO_KEY);
      expect([ran.code, ran.stdout]).toEqual([2, ""]);
      expect(ran.stderr).toContain(`${file} already exists`);
    }
    expect(await readFile(join(r.folder, "a.yaml"), "utf8")).toBe("mine");
    expect((await readdir(r.folder)).sort()).toEqual(["a.yaml", "b.yaml", "c.yaml"]);
  });

  test("init reports the file on stderr and prints nothing on stdout", async () => {
    const ran = await (await rig()).run([...INIT, "a.yaml"], NO_KEY);
    expect([ran.code, ran.stdout]).toEqual([0, ""]);
    expect(ran.stderr).toBe(
      "Wrote a.yaml.\nFill in the placeholders, then run: catalog courses check a.yaml\n",
    );
  });

  test.each([
    [["intro.txt"], 'must end in .yaml or .yml, not "intro.txt"'],
    [["folder/a.yaml"], "the folder of folder/a.yaml does not exist"],
    [["a.yaml", "b.yaml"], "too many arguments for 'init'"],
    [["a.yaml", "--name", "Knitting"], "unknown flag --name"],
  ])("init exits with 2 and writes nothing for %j", async (words, says) => {
    const r = await rig();
    const ran = await r.run([...INIT, ...words], NO_KEY);
    expect([ran.code, ran.stdout]).toEqual([2, ""]);
    expect(ran.stderr).toContain(says);
    expect(await readdir(r.folder)).toEqual([]);
  });
});

test("check reports every placeholder of the template", async () => {
  const r = await rig();
  await r.write("a.yaml", (await r.run(INIT, NO_KEY)).stdout);
  const ran = await r.run(["courses", "check", "a.yaml"]);
  const lines = ran.stdout.split("\n").filter((line) => line.includes("placeholder text"));
  expect(lines.map((line) => /error: (\S+)/.exec(line)?.[1])).toEqual([
    "name",
    "url",
    "short_description",
    "long_description",
    "audio[0]",
    "provider",
  ]);
});
