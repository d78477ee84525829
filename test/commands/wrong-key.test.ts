/** A key that does not belong to the account of the files or of the run causes one error instead of many. */
import { expect, test } from "vitest";
import { DEFAULT_PROVIDER } from "../../src/sandbox/seed.ts";
import { lines, numberedCourse, rigWith } from "./helpers.ts";
import { json, SCHOOL, writeRequests } from "./push-files.ts";

/** Courses of a provider that the user of the key does not have. */
const FOREIGN = [1, 2, 3].map((number) =>
  numberedCourse(number, {
    provider_id: SCHOOL.id,
    url: `https://team07.example/${number}`,
  }),
);

test.each(["push", "diff"])(
  "%s reports a key of another account once, exits with 4 and sends nothing",
  async (command) => {
    const r = await rigWith();
    await r.write("a.json", json(FOREIGN));
    const ran = await r.run(["courses", command, "a.json"]);
    expect([ran.code, ran.stdout, writeRequests(ran)]).toEqual([4, "", []]);
    expect(lines(ran.stderr)[0]).toBe(
      `error: this API key belongs to ${DEFAULT_PROVIDER.name}, but all 3 courses are of team07.example: wrong API key or wrong folder?`,
    );
    expect(ran.stderr).toContain(
      '\n  Nothing was sent. To see which API key is in use, run "catalog',
    );
    expect(ran.stderr.match(/error/g)).toHaveLength(1);
  },
);

test.each(["push", "diff", "check --online"])(
  "%s reports the courses of each foreign provider once, with their places, where others are the user's",
  async (command) => {
    const r = await rigWith();
    await r.write("a.json", json([...FOREIGN, numberedCourse(4)]));
    await r.write("b.json", json([numberedCourse(5, { url: "https://team08.example/5" })]));
    const ran = await r.run(["courses", ...command.split(" "), "a.json", "b.json"]);
    expect([ran.code, writeRequests(ran)]).toEqual([3, []]);
    const errors = lines(ran.stderr + ran.stdout).filter((line) => line.includes(" error: "));
    expect(errors).toEqual([
      expect.stringMatching(/^a\.json:.* provider_id .*; likewise in a\.json:1 and a\.json:1 /),
      expect.stringMatching(/^b\.json:.* url is on team08\.example/),
    ]);
  },
);
