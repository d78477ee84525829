/** A service whose listing has no stable order. */
import { expect, test } from "vitest";
import { lines, numberedCourse, rigWith } from "./helpers.ts";
import { push, writeRequests } from "./push-files.ts";
import { startRecordingProxy } from "./recording-proxy.ts";

/** Numbers from 0 to 1, the same in every run. */
function randomNumbers(): () => number {
  let seed = 1;
  return () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
}

test("240 courses in random order: push, another push, pull and ls --all see each of them", async () => {
  const all = Array.from({ length: 240 }, (_, number) => numberedCourse(number));
  const r = await rigWith(...all);
  const random = randomNumbers();
  const { environment, requests } = await startRecordingProxy(r, {
    rows: (rows, { url }) => {
      const query = new URL(url, "http://localhost").searchParams;
      const [offset, limit] = [Number(query.get("offset")), Number(query.get("limit"))];
      if (!query.has("limit")) return rows;
      const keys = new Map(all.map((course) => [course, random()]));
      const shuffled = [...all].sort(
        (one, other) => Number(keys.get(one)) - Number(keys.get(other)),
      );
      return shuffled.slice(offset, offset + limit);
    },
  });
  const changed = numberedCourse(7, { name: "Changed" });
  await r.write("a.json", JSON.stringify([...all.slice(0, 7), changed, ...all.slice(8)]));
  const readings = (): number => requests.filter((line) => line.includes("offset=0")).length;

  const first = await push(r, ["a.json"], { environment });
  expect([first.code, writeRequests(first).length, first.stderr]).toEqual([
    ...[0, 1],
    expect.stringContaining("1 updated and 239 unchanged"),
  ]);
  expect(readings()).toBeLessThanOrEqual(12);
  all[7] = changed;
  const again = await push(r, ["a.json", "--prune", "--yes"], { environment });
  expect([again.code, writeRequests(again)]).toEqual([0, []]);
  const pulled = await r.run(["courses", "pull", "out"], { environment });
  expect([pulled.code, pulled.stderr]).toEqual([0, "Wrote 240 files.\n"]);
  const listed = await r.run(["courses", "ls", "--all", "-o", "id"], { environment });
  expect([listed.code, new Set(lines(listed.stdout)).size]).toEqual([0, 240]);
  expect(lines(listed.stdout)).toHaveLength(240);
  expect(readings()).toBeLessThanOrEqual(48);
});
