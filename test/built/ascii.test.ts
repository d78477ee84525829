/** The build writes code in ASCII that means what it meant (CONTRIBUTING.md, "Start-up"). */
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";

const { inAscii } = (await import(
  new URL("../../tools/scripts/ascii.mjs", import.meta.url).href
)) as {
  inAscii(code: string): string;
};

test.each([
  ["a text", `["é", '“', "😀", "\ufeff"]`],
  ["a template", `\`\${1}é–😀\``],
  ["a regular expression", `["É–", "e-"].map((text) => /^[é-ü–]+$/i.test(text))`],
  ["one that knows code points", `/^.$/u.test("😀") && /[😀]/u.exec("😀")[0]`],
  ["a name", `(() => { const größe = 3; return größe; })()`],
  ["nothing beyond ASCII", `"\\u00e9".length`],
])("%s", (_, code) => {
  const ascii = inAscii(code);
  expect(ascii).toMatch(/^\p{ASCII}*$/u);
  expect(JSON.stringify(runInNewContext(ascii))).toBe(JSON.stringify(runInNewContext(code)));
});

test.each([
  ["behind a backslash in a text", `"\\é"`],
  ["behind a backslash in a regular expression", "/\\–/"],
  ["in a template that sees how it was written", "String.raw`é`"],
  ["as a blank", `1\u00a0+ 2`],
])("a letter %s is no letter that can be escaped", (_, code) => {
  expect(() => inAscii(code)).toThrow();
});
