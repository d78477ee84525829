import { describe, expect, test } from "vitest";
import { rig } from "../rig.ts";
import { unreliableService } from "./helpers.ts";

describe("unreachable services", () => {
  const NOWHERE = { environment: { CATALOG_BASE_URL: "http://127.0.0.1:9" } };

  test("ls exits with 6 after all retries if the connection is refused, and prints the base URL and advice", async () => {
    const ran = await (await rig()).run(["courses", "ls"], NOWHERE);
    expect([ran.code, ran.stdout, ran.requests.length]).toEqual([6, "", 7]);
    expect(ran.stderr).toContain("http://127.0.0.1:9");
    expect(ran.stderr).toContain("\n  Is the base URL right, and is the service running?\n");
  });

  test("ls --retries 0 exits with 6 after --timeout and one attempt if the service hangs", async () => {
    const r = await rig();
    const { environment, server } = await unreliableService(r, () => "hang");
    const words = ["courses", "ls", "--timeout", "0.2", "--retries", "0"];
    const ran = await r.run(words, { environment });
    expect([ran.code, ran.stdout, server.requests.length]).toEqual([6, "", 1]);
    expect(ran.stderr).toContain("0.2 s");
  });

  test("ls exits with 4 after one request with a wrong key, and prints the message of the service", async () => {
    const environment = { CATALOG_API_KEY: "wrong.key" };
    const ran = await (await rig()).run(["courses", "ls"], { environment });
    expect([ran.code, ran.stdout, ran.requests.length]).toEqual([4, "", 1]);
    expect(ran.stderr).toContain("Invalid API Key");
    expect(ran.stderr).toContain("Check if your API Key is correct or generate a new one");
  });
});
