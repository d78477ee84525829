/** `catalog api` as a process: binary data, pipes and full disks. */
import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { IS_LONG } from "../long.ts";
import { newFolder, runScript, serve } from "./rig.ts";

/** Bytes that are not valid UTF-8. */
const BINARY = Buffer.concat([Buffer.from([0xff, 0xfe, 0x00, 0x0d, 0x0a, 0x80]), randomBytes(1e6)]);

/** A service that echoes the body of a request, or returns bytes. */
async function echo() {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    response.end(body.length > 0 ? body : BINARY);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const environment = { CATALOG_BASE_URL: `http://127.0.0.1:${port}`, CATALOG_API_KEY: "a.b" };
  return { environment, folder: await newFolder() };
}

function hash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

test("the built program's api prints binary data unchanged, even after headers", async () => {
  const { environment, folder } = await echo();
  const script = "catalog api GET x > plain && catalog api GET x -i > complete";
  const { code, stderr } = await runScript(script, [], { environment, folder });
  expect([code, stderr]).toEqual([0, "HTTP 200 OK\n"]);
  expect(hash(await readFile(join(folder, "plain")))).toBe(hash(BINARY));
  const complete = await readFile(join(folder, "complete"));
  const head = complete.subarray(0, complete.indexOf("\n\n") + 2);
  expect(head.toString()).toMatch(/^HTTP 200 OK\n([a-z-]+: [^\n]+\n)+\n$/);
  expect(hash(complete.subarray(head.length))).toBe(hash(BINARY));
});

test("the built program's api sends binary data from a file and a pipe", async () => {
  const { environment, folder } = await echo();
  const script = [
    "catalog api GET x > a",
    "catalog api POST x -d @a > b",
    "cat a | catalog api POST x -d - > c",
  ].join("\n");
  const { code } = await runScript(script, [], { environment, folder });
  expect(code).toBe(0);
  for (const name of ["b", "c"]) {
    expect(hash(await readFile(join(folder, name)))).toBe(hash(BINARY));
  }
});

test.runIf(IS_LONG)("a closed pipe ends the built program's api quietly", async () => {
  const { environment } = await echo();
  const script = "{ catalog api GET x -q; echo $? >&2; } | head -c 10 | wc -c";
  const { code, stdout, stderr } = await runScript(script, [], { environment });
  expect([code, Number(stdout), stderr]).toEqual([0, 10, "0\n"]);
});

test.runIf(IS_LONG && existsSync("/dev/full"))(
  "the built program's api reports a full disk",
  async () => {
    const { environment } = await echo();
    for (const data of ["", "-d '{}'"]) {
      const method = data === "" ? "GET" : "POST";
      const script = `catalog api ${method} x ${data} > /dev/full`;
      const { code, stderr } = await runScript(script, [], { environment });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^HTTP 200 OK\nerror: cannot write the output/);
      expect(stderr).not.toContain("at ");
    }
  },
);

test.runIf(IS_LONG)("the examples in the help of api work in the built program", async () => {
  const { environment, sandbox } = await serve();
  const script = [
    "set -e",
    "id=11111111-1111-4111-8111-111111111111",
    `provider=$(catalog providers ls -o id)`,
    `cat > course.json <<END
{"id":"$id","name":"Knitting","url":"https://academy.example/k","short_description":"K",
"long_description":"K","audio":["en"],"provider_id":"$provider","pace":"self_paced"}
END`,
    "catalog api POST developer/v1/courses -d @course.json -i | head -n 1",
    `catalog api PATCH "developer/v1/courses?id=$id" -d '{"published": false}'`,
    "catalog api GET 'developer/v1/courses?limit=1' | grep -c '\"published\": *false'",
    'catalog api DELETE "developer/v1/courses?id=$nothing" || echo "$?"',
  ].join("\n");
  const { code, stdout } = await runScript(script, [], { environment });
  expect([code, stdout]).toEqual([0, "HTTP 201 Created\n1\n2\n"]);
  expect(sandbox.requests()).toBe(4);
});
