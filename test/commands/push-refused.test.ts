/** The reports of `push` about courses that the service rejected, and its exit codes. */
import { expect, test } from "vitest";
import { rig } from "../rig.ts";
import { lines, unreliableService } from "./helpers.ts";
import { json, push, SEWING } from "./push-files.ts";

const refusal = (hint: string | null, details: string | null = null) =>
  ({ status: 400, body: json({ hint, details }) }) as const;

/** A rig with Sewing in a file, and a service that gives this response to every POST. */
async function refusing(...answer: Parameters<typeof refusal>) {
  const r = await rig();
  await r.write("courses/sewing.yaml", SEWING);
  const { environment } = await unreliableService(r, ({ method }) =>
    method === "GET" ? "pass" : refusal(...answer),
  );
  return { r, environment };
}

test("push reports a rejected course with the file, the line of the field, the hint and the rule", async () => {
  const { r, environment } = await refusing("audio is not to our taste");
  const ran = await push(r, ["courses"], { environment });
  expect([ran.code, ran.stdout]).toEqual([1, ""]);
  expect(ran.stderr).toMatch(/^courses\/sewing\.yaml:6:8: error: \S.*\[service\]$/m);
  expect(ran.stderr).toMatch(/^ +service: audio is not to our taste$/m);
  expect(lines(ran.stderr).at(-1)).toBe("Nothing was changed. 1 course failed.");
});

const GITHUB = { GITHUB_ACTIONS: "true" };

test("push prints an annotation of the line on stderr besides the message of a rejected course", async () => {
  const { r, environment } = await refusing("audio is not to our taste");
  const ran = await push(r, ["courses"], { environment: { ...environment, ...GITHUB } });
  expect([ran.code, ran.stdout]).toEqual([1, ""]);
  const [annotation = "", ...others] = lines(ran.stderr).filter((line) => line.startsWith("::"));
  expect(others).toEqual([]);
  expect(annotation).toMatch(
    /^::error file=courses\/sewing\.yaml,line=6,col=8,title=catalog courses push::/,
  );
  expect(annotation).toContain("audio is not to our taste");
  expect(ran.stderr).toContain("service: audio is not to our taste");
});
