/** Checks that the tests detect a key in an output. */
import { describe, expect, test } from "vitest";
import { rigWith, startCommand } from "./commands/helpers.ts";
import { findKeys, requireKeyless, requireNoKey } from "./no-key.ts";
import { rig } from "./rig.ts";

const KEY = 'person.fedcba98/"76543210';

describe("an output with a key", () => {
  test.each([
    ["that is complete", KEY],
    ["as JSON", JSON.stringify({ hint: KEY })],
    ["in a URL", `https://a.example/?key=${encodeURIComponent(KEY)}`],
    ["in base64", Buffer.from(KEY).toString("base64")],
    ["in base64 for URLs", Buffer.from(KEY).toString("base64url")],
    ["without the part before its dot", KEY.slice(7)],
    ["of which the first characters after the dot appear", 'fedcba98/"…'],
    ["of which the last characters appear", '…8/"7654321'],
    ["of which some middle characters appear", '…edcba98/"7…'],
  ])("requireNoKey detects a key %s", (_, shown) => {
    expect(() => requireNoKey(KEY, `data ${shown} and more`)).toThrow(/the API key is in the out/);
  });

  test.each([
    ["text without the key", "data"],
    ["the part of a key before its dot", "person"],
    ["nine characters of a key", 'fedcba98/ cba98/"76'],
    ["another key", "person.0123456789abcdef"],
  ])("requireNoKey allows %s", (_, shown) => {
    expect(() => requireNoKey(KEY, shown)).not.toThrow();
  });

  test("requireNoKey ignores a short key, which may be a word", () => {
    expect(() => requireNoKey("one.two", "one.two")).not.toThrow();
    expect(() => requireNoKey(undefined, "undefined")).not.toThrow();
  });
});

describe("the key of the sandbox", () => {
  const announced = `Sandbox running at http://127.0.0.1:1. In another terminal, run:

  export CATALOG_BASE_URL=http://127.0.0.1:1
  export CATALOG_API_KEY=${KEY}
`;
  const check = (words: string[], output: string) => () =>
    requireKeyless({ words, keys: [KEY], outputs: ["", output] });

  test("requireKeyless allows the sandbox to print a key only in the lines that announce the key", () => {
    expect(check(["sandbox"], announced)).not.toThrow();
    expect(check(["sandbox"], `${announced}a request with ${KEY}\n`)).toThrow();
  });

  test("requireKeyless allows no key of a sandbox with a command, or of another command", () => {
    expect(check(["sandbox", "--", "true"], announced)).toThrow();
    expect(check(["status"], announced)).toThrow();
  });
});

describe("a run that prints a key", () => {
  const planted = "planted.fedcba9876543210";

  test("a run of the rig fails if it prints a key from a file that the test wrote", async () => {
    const r = await rig();
    await r.write("some.yaml", `apiKey: ${planted}\n`);
    // The whole key would be masked.
    await expect(r.run(["courses", "ls", "--id", planted.slice(8)])).rejects.toThrow(
      /the API key is in the out/,
    );
    expect((await r.run(["courses", "ls", "--id", "another"])).code).toBe(2);
  });

  test("a run of the rig fails if it prints a part of the key of the environment or of the sandbox", async () => {
    const r = await rig();
    const environment = { CATALOG_API_KEY: planted };
    const part = ["courses", "ls", "--id", planted.slice(8, 20)];
    await expect(r.run(part, { environment })).rejects.toThrow(/the API key/);
    await expect(r.run(["courses", "ls", "--id", "0123456789"])).rejects.toThrow(/the API key/);
  });

  test("a run of the rig fails if it prints the key that login read", async () => {
    const words = ["login", "--with-key", "--base-url", `ftp://${planted.slice(8, 19)}`];
    await expect((await rig()).run(words, { input: `${planted}\n` })).rejects.toThrow(
      /the API key/,
    );
  });

  test("a run of the rig fails if it prints a key, even if the run is not awaited", async () => {
    const running = startCommand(await rigWith(), ["courses", "ls", "--id", "0123456789"]);
    await expect(running.code).rejects.toThrow(/the API key/);
  });
});

test("findKeys finds keys in config files in JSON and YAML", () => {
  expect(findKeys(`{"apiKey": "one.two","baseUrl":"x"}`)).toEqual(["one.two"]);
  expect(findKeys("a: 1\napiKey: one.two\nprofiles: {b: {apiKey: 'three.four'}}")).toEqual([
    "one.two",
    "three.four",
  ]);
});
