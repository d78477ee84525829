import fc from "fast-check";
import { expect, test } from "vitest";
import { DEFAULT_PROVIDER } from "../../src/sandbox/seed.ts";
import { memoryStore, type StoredCourse, toStoredCourse } from "../../src/sandbox/store.ts";
import { course, numbered, testClock } from "./rig.ts";

const PROVIDERS = [numbered(101), numbered(102)];
const SEED = {
  users: [
    { key: "a.1", providers: PROVIDERS.map((id) => ({ ...DEFAULT_PROVIDER, id })), courses: [] },
  ],
};

interface Step {
  readonly action: "put" | "remove";
  readonly number: number;
  readonly provider: string;
  readonly published: boolean;
}

const step = fc.record<Step>({
  action: fc.constantFrom("put", "put", "remove"),
  number: fc.integer({ min: 1, max: 8 }),
  provider: fc.constantFrom(...PROVIDERS),
  published: fc.boolean(),
});

test("the memory store lists the filtered courses in the order of creation after any changes", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const store = memoryStore(SEED);
      const user = store.userOf("a.1");
      if (user === undefined) throw new Error("no user");
      let model: StoredCourse[] = [];
      for (const { action, number, provider, published } of steps) {
        const id = numbered(number);
        const values = course({ id, provider_id: provider, published, slug: `slug-${number}` });
        const next = toStoredCourse(values, testClock());
        const exists = model.some((other) => other.id === id);
        expect(store.find(id) !== undefined).toBe(exists);
        if (action === "remove") {
          store.remove(id);
          model = model.filter((other) => other.id !== id);
        } else {
          store.put(next);
          model = exists
            ? model.map((other) => (other.id === id ? next : other))
            : [...model, next];
        }
      }
      const all = { limit: 100, offset: 0 };
      expect(store.all()).toEqual(model);
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
