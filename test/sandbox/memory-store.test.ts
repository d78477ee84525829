import fc from "fast-check";
import { expect, test } from "vitest";
import { memoryStore } from "../../src/sandbox/memory-store.ts";
import { type StoredCourse, storedCourse } from "../../src/sandbox/record.ts";
import { DEFAULT_PROVIDER } from "../../src/sandbox/seed.ts";
import { course, numbered } from "./rig.ts";

const PROVIDERS = [numbered(101), numbered(102)];
const SEED = {
  users: [
    { key: "a.1", providers: PROVIDERS.map((id) => ({ ...DEFAULT_PROVIDER, id })), courses: [] },
  ],
};

const step = fc.record({
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
      expect(store.courses(user, all)).toEqual(model);
      expect(store.courses(user, { limit: 2, offset: 1 })).toEqual(model.slice(1, 3));
      expect(store.courses(user, { ...all, published: true })).toEqual(
        model.filter(({ published }) => published),
      );
      for (const providerId of PROVIDERS) {
        expect(store.courses(user, { ...all, providerId })).toEqual(
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
