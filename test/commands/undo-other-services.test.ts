/** `undo` on services that store a different url or value than the request contains. */
import { describe, expect, test } from "vitest";
import { type OtherService, startOtherService } from "../other-service.ts";
import { course, rig } from "../rig.ts";
import { id, numberedCourse, PRICES } from "./helpers.ts";
import { json, writeRequests } from "./push-files.ts";

type Course = Record<string, unknown>;

const PRICED = { ...PRICES[0], price: "49.90" };
const NEW = course({ name: "New", url: "https://academy.example/new/", prices: [PRICED] });

const changeUrl =
  (change: (url: string) => string) =>
  ({ url, ...sent }: Course): Course =>
    typeof url === "string" ? { ...sent, url: change(url) } : sent;

/** Amounts with other digits, booleans as text, and nothing instead of an empty list. */
function rewriteValues({ prices, published, level, ...sent }: Course): Course {
  const amounts = Array.isArray(prices)
    ? prices.map((price) => ({ ...price, price: String(Number(price.price)) }))
    : prices;
  return {
    ...sent,
    ...(prices === undefined ? {} : { prices: amounts }),
    ...(published === undefined ? {} : { published: String(published ?? true) }),
    ...(level === undefined ? {} : { level: level === null ? [] : level }),
  };
}

const SERVICES: readonly (readonly [string, (course: Course) => Course])[] = [
  ["adds a slash to urls", changeUrl((url) => `${url.replace(/\/$/, "")}/`)],
  ["drops the slash of urls", changeUrl((url) => url.replace(/\/$/, ""))],
  ["writes hosts in lowercase", changeUrl((url) => new URL(url).href)],
  ["reformats amounts and booleans", rewriteValues],
];

const PUSHED = [
  numberedCourse(1, { name: "Changed", prices: [{ ...PRICED, price: "51.50" }] }),
  NEW,
];
const RUNS: readonly (readonly [string, readonly string[], unknown])[] = [
  ["create", ["courses", "create", "a.json"], NEW],
  ["update --name", ["courses", "update", id(1), "--name", "Changed"], undefined],
  ["update --url", ["courses", "update", id(1), "--url", "https://Academy.example/x"], undefined],
  ["update --set", ["courses", "update", id(1), "--set", "prices[0].price=51.50"], undefined],
  ["unpublish", ["courses", "unpublish", id(1)], undefined],
  ["push --prune", ["courses", "push", "--prune", "--yes", "a.json"], PUSHED],
  ["rm", ["courses", "rm", "--yes", id(1), id(2)], undefined],
];

/** The courses by their urls, without their ids and slugs. */
function valuesOf({ courses }: OtherService): unknown {
  const values = [...courses.values()].map(({ id: _, slug: __, ...values }) => values);
  return values.sort((one, other) => (String(one.url) < String(other.url) ? -1 : 1));
}

describe.each(SERVICES)("undo on a service that %s", (behavior, normalize) => {
  test.each(RUNS)(`undo reverses %s on a service that ${behavior}`, async (_, words, file) => {
    const r = await rig();
    const first = { prices: [PRICED], published: true, level: ["beginner"] };
    const seeds = [1, 2, 3].map((number) => numberedCourse(number, first));
    const seeded = seeds.map((seed) => ({ ...normalize(seed), id: seed.id }));
    const service = await startOtherService(r, ...seeded);
    service.normalize = normalize;
    const { environment } = service;
    const before = structuredClone(valuesOf(service));
    if (file !== undefined) await r.write("a.json", json(file));

    const ran = await r.run(words, { environment });
    expect(ran.code, ran.stderr).toBe(0);
    expect(valuesOf(service)).not.toEqual(before);
    const undone = await r.run(["undo", "--yes"], { environment });
    expect([undone.code, valuesOf(service)], undone.stderr).toEqual([0, before]);
    expect(undone.stderr).not.toMatch(/^(error|warning)/m);

    const again = await r.run(["undo", "--yes"], { environment });
    expect([again.code, again.stderr, writeRequests(again)]).toEqual([
      0,
      expect.stringMatching(/^Nothing to undo\./),
      [],
    ]);
  });
});
