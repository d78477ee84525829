/** Properties of config files: each gives settings or a usage error, and no message contains the key. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { CatalogError } from "../../src/base/errors.ts";
import { resolveSettings } from "../../src/settings/resolve.ts";
import { SETTINGS } from "../../src/settings/table.ts";
import { requireNoKey } from "../../test/no-key.ts";
import { requireInvariants } from "./invariants.ts";
import { type AnyProperty, property } from "./property.ts";
import { anyText, anyValue } from "./random-strings.ts";
import { randomYaml } from "./random-yaml.ts";
import { writeFiles } from "./runner.ts";

/** The API key in the files, which no output may contain. */
const KEY = "someone.fedcba9876543210";

const KEYS = Object.values(SETTINGS).flatMap((setting) => setting.configKey ?? []);

const value = fc.oneof(
  fc.constantFrom("https://catalog.example", "http://elsewhere.example", "x", "", "30", "pgrst"),
  fc.constantFrom(0, 1, 4, -1, 1.5, 1e9, null, true),
  anyValue,
);

/** Settings, some with the key in its place or instead of the base URL. */
const settings = fc
  .tuple(
    fc.dictionary(fc.constantFrom(...KEYS, "x", "retires", "profiles", "__proto__"), value, {
      maxKeys: 4,
    }),
    fc.constantFrom({}, { apiKey: KEY }, { apiKey: ` ${KEY} ` }, { baseUrl: KEY }),
  )
  .map(([any, key]) => ({ ...any, ...key }));

/** Profiles, sometimes with the key instead of a profile, or without the space after a colon. */
const sets = fc.oneof(
  { weight: 9, arbitrary: fc.dictionary(fc.constantFrom("x", "test"), settings, { maxKeys: 2 }) },
  fc.constantFrom({ [KEY]: null }, { [`apiKey:${KEY}`]: null }),
);

const config = fc
  .tuple(settings, fc.option(sets))
  .map(([common, profiles]) => (profiles === null ? common : { ...common, profiles }));

/** The lines of an object in YAML, with nested values in brackets. */
function asYaml(mapping: object, space: string): string {
  const lines = Object.entries(mapping).map(
    ([key, held]) => `${key}:${space}${JSON.stringify(held)}`,
  );
  return `${lines.join("\n")}\n`;
}

/** A text with a part removed or replaced. */
const slips = fc.tuple(
  fc.nat(),
  fc.nat({ max: 5 }),
  fc.constantFrom("", "", ":", '"', "\n", "{", "\t"),
);

function slipped(text: string, slip: readonly [number, number, string] | null): string {
  if (slip === null) return text;
  const [at, length, put] = slip;
  const start = at % (text.length + 1);
  return text.slice(0, start) + put + text.slice(start + length);
}

const content = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(config, fc.nat({ max: 3 }), fc.option(slips, { freq: 2 }))
      .map(([held, form, slip]) => {
        const forms = [
          JSON.stringify(held),
          JSON.stringify(held, null, 2),
          asYaml(held, " "),
          asYaml(held, ""),
        ];
        return slipped(forms[form] ?? "", slip);
      }),
  },
  config.map((catalog) => JSON.stringify({ name: "x", catalog })),
  randomYaml,
  anyText,
);

const NAMES = [
  "package.json",
  ".catalogrc",
  ".catalogrc.json",
  ".catalogrc.yaml",
  "catalog.config.json",
  "catalog.config.yml",
];

const USER_FILE = ".config/catalog/config.json";

const files = fc
  .tuple(fc.constantFrom(...NAMES), content, fc.option(content))
  .map(([name, project, user]) => ({
    [name]: project,
    ...(user === null ? {} : { [USER_FILE]: user }),
  }));

/** The properties of config files. */
export const CONFIG_PROPERTIES: readonly AnyProperty[] = [
  property({
    name: "config",
    says: "any config files give settings or a usage error, and no message shows their key",
    arbitrary: files,
    check: async (written, runner) => {
      const folder = await runner.newFolder();
      await writeFiles(folder, written);
      const environment = { HOME: folder };
      try {
        const { warnings } = await resolveSettings({
          flags: {},
          environment,
          platform: "linux",
          folder,
          configFile: undefined,
        });
        requireNoKey(KEY, warnings.join("\n"));
      } catch (error) {
        if (!(error instanceof CatalogError)) throw error;
        assert.equal(error.kind, "usage", error.message);
        const { cause: _, ...facts } = error.facts;
        requireNoKey(KEY, `${error.message}\n${JSON.stringify(facts)}`);
      }
    },
  }),
  property({
    name: "config-shown",
    says: "with any config files, a command exits with a documented code and does not show their key",
    arbitrary: fc.tuple(
      files,
      fc.constantFrom("status", "status --json", "courses ls -v", "logout"),
    ),
    check: async ([written, line], runner) => {
      const folder = await runner.newFolder();
      await writeFiles(folder, written);
      const environment = { CATALOG_API_KEY: undefined, CATALOG_BASE_URL: undefined };
      const words = line.split(" ");
      const result = await runner.run(words, folder, { environment });
      for (const output of [result.stdout, result.stderr]) requireNoKey(KEY, output);
      requireInvariants(words, { ...result, requests: [] });
    },
  }),
];
