import { describe, expect, test } from "vitest";
import { scaleRuns } from "../long.ts";
import { type Rig, rig } from "../rig.ts";
import type { ServerBehavior } from "../unreliable-server.ts";
import {
  id,
  jsonRows,
  numberedCourse,
  ownLines,
  rigWith,
  storedCourses,
  unreliableService,
} from "./helpers.ts";
import {
  json,
  listRequest,
  push,
  storedUrls,
  writeCourseFiles,
  writeRequests,
} from "./push-files.ts";
import { startRecordingProxy } from "./recording-proxy.ts";

const PROVIDERS = "GET /developer/v1/providers";

/** Loses one response in ten after processing and one in ten before, for each kind of request. */
function losses(): (seen: { readonly method: string }) => ServerBehavior {
  const counts = new Map<string, number>();
  return ({ method }) => {
    const count = (counts.get(method) ?? 0) + 1;
    counts.set(method, count);
    if (count % 10 === 3) return "drop after";
    return count % 10 === 8 ? "drop before" : "pass";
  };
}

describe("lost requests and responses", () => {
  test("push creates every course once if every tenth request and response is lost, and then changes nothing", async () => {
    const r = await rig();
    const urls = await writeCourseFiles(r, scaleRuns(10), 12);
    const { environment, server } = await unreliableService(r, losses());
    const ran = await push(r, ["courses", "--concurrency", "16"], { environment });
    expect([ran.code, ownLines(ran.stderr).at(-1)]).toEqual([
      0,
      `Created ${urls.length.toLocaleString("en")} courses.`,
    ]);
    expect(server.requests.length).toBeGreaterThan(1.2 * urls.length);
    expect(await storedUrls(r)).toEqual(urls);
    const again = await push(r, ["courses"], { environment });
    expect([again.code, writeRequests(again)]).toEqual([0, []]);
  });

  test("push sends all updates and deletions if every tenth request and response is lost", async () => {
    const r = await rigWith(...Array.from({ length: 60 }, (_, number) => numberedCourse(number)));
    const changed = Array.from({ length: 40 }, (_, number) =>
      numberedCourse(number, { name: "New" }),
    );
    await r.write("a.json", json(changed));
    const { environment } = await unreliableService(r, losses());
    const ran = await push(r, ["a.json", "--prune", "--yes", "--max-deletes", "20"], {
      environment,
    });
    expect([ran.code, ownLines(ran.stderr).at(-1)]).toEqual([
      0,
      "Updated 40 courses and deleted 20.",
    ]);
    expect((await storedCourses(r)).map(({ name }) => name)).toEqual(Array(40).fill("New"));
  });
});

test("push exits with 6 for a course whose connection always breaks, and updates the other courses", async () => {
  const r = await rigWith(numberedCourse(1), numberedCourse(2), numberedCourse(3));
  await r.write("a.json", json([1, 2, 3].map((number) => numberedCourse(number, { name: "New" }))));
  const { environment } = await unreliableService(r, ({ method, url }) =>
    method === "PATCH" && url.includes(id(1)) ? "drop before" : "pass",
  );
  const ran = await push(r, ["a.json", "--concurrency", "1"], { environment });
  expect([ran.code, ownLines(ran.stderr).at(-1)]).toEqual([
    6,
    "Updated 2 courses. 1 may have been changed.",
  ]);
  expect(ran.stderr).toMatch(/^a\.json:1:\d+: error: \S/m);
  expect((await storedCourses(r)).map(({ name }) => name)).toEqual(["Course 1", "New", "New"]);
});

describe("courses missing from the listing", () => {
  /** A service that shows nothing before the first POST, and nothing in listings after it. */
  const blind = async (r: Rig) => {
    let posted = false;
    const { environment } = await startRecordingProxy(r, {
      request: ({ method, body }) => {
        posted ||= method === "POST";
        return body;
      },
      rows: (all, { url }) => (url.includes(posted ? "provider_id=" : "/courses") ? [] : all),
    });
    return environment;
  };

  test("push reports a course with other values that exists although it is missing from the listing", async () => {
    const r = await rigWith(numberedCourse(1));
    await r.write("a.json", json(numberedCourse(1, { name: "New" })));
    const ran = await push(r, ["a.json"], { environment: await blind(r) });
    expect([ran.code, writeRequests(ran)]).toEqual([1, ["POST /developer/v1/courses"]]);
    expect(ran.stderr).toContain(
      `A course with the id ${id(1)} already exists, with other values.`,
    );
    expect(await storedCourses(r)).toMatchObject([{ name: "Course 1" }]);
  });

  test("push changes nothing if a course with the same values exists although it is missing from the listing", async () => {
    const r = await rigWith(numberedCourse(1));
    await r.write("a.json", json(numberedCourse(1)));
    const environment = await blind(r);
    const ran = await push(r, ["a.json", "--json"], { environment });
    expect([ran.code, writeRequests(ran)]).toEqual([0, ["POST /developer/v1/courses"]]);
    expect(jsonRows(ran)).toMatchObject([{ id: id(1), file: "a.json", status: "unchanged" }]);
    // Another run may have created it, so there is nothing to undo.
    const undone = await r.run(["undo", "--yes"], { environment });
    expect([undone.code, writeRequests(undone)]).toEqual([0, []]);
  });
});

describe("simultaneous pushes", () => {
  test("two pushes of the same files at the same time create each course once, and both succeed", async () => {
    const r = await rig();
    const urls = await writeCourseFiles(r, 2, 25);
    // Both read the empty catalog before either of them writes.
    let readings = 0;
    let release = (): void => undefined;
    const bothRead = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { environment } = await startRecordingProxy(r, {
      request: async ({ method, url, body }) => {
        if (method === "POST") await bothRead;
        if (url.includes("offset=0") && ++readings === 2) release();
        return body;
      },
    });
    const both = await Promise.all([
      push(r, ["courses"], { environment }),
      push(r, ["courses"], { environment }),
    ]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(await storedUrls(r)).toEqual(urls);
    expect(writeRequests(await push(r, ["courses"]))).toEqual([]);
  });
});

describe("changing listings", () => {
  const many = async (count = 150) => {
    const r = await rigWith(
      ...Array.from({ length: count }, (_, number) => numberedCourse(number)),
    );
    await r.write(
      "a.json",
      json(Array.from({ length: count }, (_, number) => numberedCourse(number))),
    );
    return r;
  };
  const reading = [0, 100].map(listRequest);

  test("push reads a listing again that repeats a course", async () => {
    const r = await many();
    let pages = 0;
    const { environment, requests: seen } = await startRecordingProxy(r, {
      // Between the pages a course is deleted and another is added first: one appears twice.
      rows: (all, { url }) =>
        url.includes("offset=100") && ++pages === 1
          ? [numberedCourse(99), ...all.slice(0, -1)]
          : all,
    });
    const ran = await push(r, ["a.json", "--concurrency", "1"], { environment });
    expect([ran.code, seen]).toEqual([0, [PROVIDERS, ...reading, ...reading]]);
  });

  test("push reads a listing again if a page contains nothing new, and changes nothing", async () => {
    const r = await many(250);
    let first: readonly unknown[] = [];
    let pages = 0;
    const { environment } = await startRecordingProxy(r, {
      rows: (all, { url }) => {
        if (url.includes("offset=0")) first = all;
        return url.includes("offset=100") && ++pages === 1 ? first : all;
      },
    });
    const ran = await push(r, ["a.json", "--concurrency", "1"], { environment });
    expect([ran.code, writeRequests(ran)]).toEqual([0, []]);
  });

  test("push that only updates is not refused if the listing repeats a course every time", async () => {
    const r = await many();
    const { environment } = await startRecordingProxy(r, {
      rows: (all, { url }) =>
        url.includes("offset=100") ? [numberedCourse(99), ...all.slice(1)] : all,
    });
    await r.write("b.json", json(numberedCourse(1, { name: "New" })));
    const ran = await push(r, ["b.json"], { environment });
    expect([ran.code, writeRequests(ran).length]).toEqual([0, 1]);
  });
});
