/** A key that the service echoes is masked before layout, so that every format stays valid. */
import { parse } from "csv-parse/sync";
import jsYaml from "js-yaml";
import { expect, test } from "vitest";
import { MASK } from "../../src/base/secrets.ts";
import { main } from "../../src/main.ts";
import { DEFAULT_PROVIDER, parseSeed } from "../../src/sandbox/seed.ts";
import { MemoryOutput, type Rig, rig, testClock } from "../rig.ts";
import { id, jsonRows, numberedCourse } from "./helpers.ts";

/** Every character of it that some format quotes or escapes. */
const KEY = `user."0a,b'c\\d:e#f{g}h%9`;
const ENVIRONMENT = { CATALOG_API_KEY: KEY };

/** A rig whose service echoes its key in a name and in a description. */
async function echoing(name = KEY): Promise<Rig> {
  const courses = [numberedCourse(1, { name, short_description: `It is ${KEY} here.` })];
  const seed = { users: [{ key: KEY, providers: [DEFAULT_PROVIDER], courses }] };
  return await rig({ seed: parseSeed(seed, testClock()) });
}

async function list(r: Rig, ...more: readonly string[]): Promise<string> {
  const words = ["courses", "ls", ...more];
  const { code, stdout } = await r.run(words, { environment: ENVIRONMENT });
  expect(code).toBe(0);
  return stdout;
}

test("a masked key leaves YAML valid", async () => {
  const [row] = jsYaml.load(await list(await echoing(), "-o", "yaml")) as Record<string, unknown>[];
  expect(row).toMatchObject({ name: MASK, short_description: `It is ${MASK} here.` });
});

test("a key with a quotation mark is masked in CSV, which stays valid", async () => {
  const rows = parse(await list(await echoing(), "-o", "csv"), { columns: true });
  expect(rows).toMatchObject([{ name: MASK, short_description: `It is ${MASK} here.` }]);
});

test("a key is masked in tab-separated lines and JSON, whatever its characters", async () => {
  const r = await echoing();
  expect(await list(r, "--fields", "name")).toBe(`${MASK}\n`);
  const ran = await r.run(["courses", "ls", "--json"], { environment: ENVIRONMENT });
  expect(jsonRows(ran)).toMatchObject([{ name: MASK }]);
});

test("a key that would be wrapped over two lines is masked", async () => {
  const r = await echoing();
  for (const columns of [20, 33, 40, 46]) {
    const ran = await r.run(["courses", "get", id(1)], {
      ...{ terminal: true, columns, environment: ENVIRONMENT },
    });
    expect(ran.code).toBe(0);
    expect(ran.stdout.replace(/\s/g, "")).not.toContain("0a,b'c");
  }
});

test("a key is masked when it is percent-encoded or in Base64", async () => {
  const encoded = [
    encodeURIComponent(KEY).toLowerCase(),
    Buffer.from(`me:${KEY}`).toString("base64"),
    Buffer.from(KEY).toString("base64url"),
  ];
  const r = await echoing(encoded.join(" "));
  const name = (await list(r, "--fields", "name")).trim();
  for (const form of encoded) expect(name).not.toContain(form);
  expect(name.split(" ").every((word) => word.includes(MASK))).toBe(true);
});

test("catalog schema prints the same schema, whatever the key is", async () => {
  const r = await rig();
  const usual = (await r.run(["schema"])).stdout;
  for (const key of ["published", "short_description", "e.long_description"]) {
    const out = new MemoryOutput();
    // Not with the rig's `run`, which fails if the key, here the name of a field, is in the output.
    const environment = { CATALOG_API_KEY: key };
    await main(["schema"], r.system({ out, err: new MemoryOutput(), environment }));
    expect(out.text).toBe(usual);
  }
});
