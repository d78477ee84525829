import { expect, test, vi } from "vitest";
import { type Rig, rig } from "../rig.ts";
import { id, numberedCourse, startCommand } from "./helpers.ts";

const COURSES = "/developer/v1/courses";
/** Milliseconds; the machine may be busy. */
const PATIENT = { interval: 1, timeout: 10_000 };

/** Starts a sandbox with the data file x.data. */
async function serving(r: Rig, ...words: readonly string[]) {
  const running = startCommand(r, ["sandbox", "--port", "0", "--data", "x.data", ...words]);
  await Promise.race([
    vi.waitUntil(() => running.out.text.includes("CATALOG_API_KEY="), PATIENT),
    running.code.then((code) => {
      throw new Error(`ended with ${code}: ${running.err.text}`);
    }),
  ]);
  const [, baseUrl = ""] = /CATALOG_BASE_URL=(\S+)$/m.exec(running.out.text) ?? [];
  const [, key = ""] = /CATALOG_API_KEY=(\S+)$/m.exec(running.out.text) ?? [];
  const call = async (method: string, query = "", body?: unknown) => {
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return await fetch(`${baseUrl}${COURSES}${query}`, { method, headers, ...sent });
  };
  const ids = async (): Promise<string[]> =>
    ((await (await call("GET", "?limit=100")).json()) as { id: string }[]).map(
      ({ id: own }) => own,
    );
  const end = async (): Promise<number> => {
    running.stop("SIGINT");
    return await running.code;
  };
  return { running, key, call, ids, end };
}

test("sandbox --data starts a new file from --seed, and later ignores --seed with a notice", async () => {
  const r = await rig();
  const seeded = numberedCourse(1, { approval_status: "approved" });
  await r.write("seed.yaml", JSON.stringify([seeded]));
  const first = await serving(r, "--seed", "seed.yaml");
  expect(first.running.err.text).toContain("x.data keeps its data.");
  await first.end();
  const second = await serving(r, "--seed", "absent.yaml");
  expect(second.running.err.text).toContain(
    "Ignored --seed absent.yaml, because x.data already exists.",
  );
  expect(await (await second.call("GET")).json()).toMatchObject([
    { id: id(1), approval_status: "approved" },
  ]);
  await second.end();
});
