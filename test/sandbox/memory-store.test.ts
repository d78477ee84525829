import fc from "fast-check";
import { expect, test } from "vitest";
import { held } from "../../src/sandbox/held.ts";
import { memoryStore } from "../../src/sandbox/memory-store.ts";
import { type StoredCourse, storedCourse } from "../../src/sandbox/record.ts";
import { DEFAULT_PROVIDER } from "../../src/sandbox/seed.ts";
import { coursesOf } from "./data-rig.ts";
import { course, numbered } from "./rig.ts";

const PROVIDERS = [numbered(101), numbered(102)];
const SEED = {
  users: [
    { key: "a.1", providers: PROVIDERS.map((id) => ({ ...DEFAULT_PROVIDER, id })), courses: [] },
  ],
};

interface Step {
  readonly act: string;
  readonly number: number;
  readonly provider: string;
  readonly published: boolean;
}

const step = fc.record<Step>({
  act: fc.constantFrom("add", "replace", "remove"),
  number: fc.integer({ min: 1, max: 8 }),
  provider: fc.constantFrom(...PROVIDERS),
  published: fc.boolean(),
});

test("whatever changes, every listing is the filtered list in the order of creation", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const store = memoryStore(SEED);
      const user = store.userOf("a.1");
      if (user === undefined) throw new Error("no user");
      let model: StoredCourse[] = [];
      for (const { act, number, provider, published } of steps) {
        const id = numbered(number);
        const values = course({ provider_id: provider, published });
        const next = storedCourse(values, { id, slug: `slug-${number}`, now: 0 });
        const exists = model.some((held) => held.id === id);
        expect(store.hasCourse(id)).toBe(exists);
        expect(store.hasSlug(`slug-${number}`)).toBe(exists);
        if (act === "add" && !exists) {
          await store.add(next);
          model.push(next);
        } else if (act === "replace" && exists) {
          await store.replace(next);
          model = model.map((held) => (held.id === id ? next : held));
        } else if (act === "remove" && exists) {
          await store.remove(id);
          model = model.filter((held) => held.id !== id);
        }
      }
      const all = { limit: 100, offset: 0 };
      expect(coursesOf(store, user, all)).toEqual(model);
      expect(coursesOf(store, user, { limit: 2, offset: 1 })).toEqual(model.slice(1, 3));
      expect(coursesOf(store, user, { ...all, published: true })).toEqual(
        model.filter(({ published }) => published),
      );
      for (const providerId of PROVIDERS) {
        expect(coursesOf(store, user, { ...all, providerId })).toEqual(
          model.filter(({ provider_id }) => provider_id === providerId),
        );
      }
    }),
  );
});

test("a change is visible as soon as its call returns", async () => {
  const store = memoryStore(SEED);
  const values = course({ provider_id: PROVIDERS[0] });
  const kept = store.add(storedCourse(values, { id: numbered(1), slug: "a", now: 0 }));
  expect(store.hasCourse(numbered(1))).toBe(true);
  await kept;
  const gone = store.remove(numbered(1));
  expect(store.hasCourse(numbered(1))).toBe(false);
  await gone;
});

test("what is undone, the latest first, leaves every listing and slug as it was", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), fc.array(step), (before, after) => {
      const store = memoryStore(SEED);
      const act = ({ act: what, number, provider, published }: Step) => {
        const id = numbered(number);
        if (what !== "remove") {
          const values = course({ provider_id: provider, published });
          return store.put(held(storedCourse(values, { id, slug: `slug-${number}`, now: 0 })));
        }
        return store.hasCourse(id) ? store.take(id) : () => undefined;
      };
      const listings = () => {
        const user = store.userOf("a.1");
        if (user === undefined) throw new Error("no user");
        const all = { limit: 100, offset: 0 };
        return {
          all: coursesOf(store, user, all),
          first: coursesOf(store, user, { ...all, providerId: PROVIDERS[0] }),
          slugs: [1, 2, 3, 4, 5, 6, 7, 8].map((number) => store.hasSlug(`slug-${number}`)),
        };
      };
      for (const each of before) act(each);
      const seen = listings();
      for (const undo of after.map(act).reverse()) undo();
      expect(listings()).toEqual(seen);
    }),
  );
});
