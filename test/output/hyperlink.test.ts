import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hyperlink, plain, stylesFor, supportsHyperlinks } from "../../src/output/color.ts";
import { anyCharacter } from "../any-character.ts";
import { HOSTILE, LINKS, render } from "./rig.ts";

const terminal = { isTerminal: true };
const pipe = { isTerminal: false };
const WEZTERM = { TERM_PROGRAM: "WezTerm" };

describe("supportsHyperlinks", () => {
  test.each([
    [{ TERM_PROGRAM: "iTerm.app" }, true],
    [{ TERM_PROGRAM: "vscode" }, true],
    [WEZTERM, true],
    [{ TERM_PROGRAM: "ghostty" }, true],
    [{ TERM_PROGRAM: "Apple_Terminal" }, false],
    [{ TERM: "xterm-kitty" }, true],
    [{ TERM: "alacritty" }, true],
    [{ TERM: "foot" }, true],
    [{ TERM: "xterm-256color" }, false],
    [{ VTE_VERSION: "7006" }, true],
    [{ KONSOLE_VERSION: "201200" }, true],
    [{ WT_SESSION: "6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21" }, true],
    [{ DOMTERM: "version=2" }, true],
    [{}, false],
  ])("supportsHyperlinks with the environment %j returns %s", (environment, expected) => {
    expect(supportsHyperlinks(terminal, environment, true)).toBe(expected);
  });
});

test.each([
  ["off a terminal", pipe, {}, true],
  ["without colors", terminal, {}, false],
  ["inside tmux", terminal, { TMUX: "/tmp/tmux-0/default,1,0" }, true],
  ["if TERM names tmux", terminal, { TERM: "tmux-256color" }, true],
  ["inside screen", terminal, { STY: "1.pts" }, true],
  ["if TERM names screen", terminal, { TERM: "screen.xterm-256color" }, true],
  ["in a CI service", terminal, { CI: "true" }, true],
])("supportsHyperlinks returns false %s", (_, output, environment, colored) => {
  expect(supportsHyperlinks(output, { ...WEZTERM, ...environment }, colored)).toBe(false);
});

test("supportsHyperlinks does not read CI=false as CI", () => {
  expect(supportsHyperlinks(terminal, { ...WEZTERM, CI: "false" }, true)).toBe(true);
});

test.each([
  ["1", true, true],
  ["yes", true, true],
  ["0", false, false],
  ["false", false, false],
  ["", false, true],
])(
  "supportsHyperlinks lets FORCE_HYPERLINK=%s override the detection, but only on a terminal with colors",
  (word, inTmux, outside) => {
    const environment = { FORCE_HYPERLINK: word, TMUX: "1", CI: "1" };
    expect(supportsHyperlinks(terminal, environment, true)).toBe(inTmux);
    expect(supportsHyperlinks(terminal, { ...WEZTERM, FORCE_HYPERLINK: word }, true)).toBe(outside);
    expect(supportsHyperlinks(terminal, environment, false)).toBe(false);
    expect(supportsHyperlinks(pipe, environment, true)).toBe(false);
  },
);

const link = (target: string, text: string) =>
  `\u001b]8;;${target}\u001b\\${text}\u001b]8;;\u001b\\`;

describe("hyperlink", () => {
  test.each([
    ["https://academy.example/a?b=c;d#e", "https://academy.example/a?b=c;d#e"],
    ["HTTP://Academy.example", "http://academy.example/"],
    ["https://académie.example/é ü", "https://xn--acadmie-eya.example/%C3%A9%20%C3%BC"],
    ['https://a.example/"<>`{}', "https://a.example/%22%3C%3E%60%7B%7D"],
  ])("hyperlink links the URL %s to %s", (address, target) => {
    expect(hyperlink("text", address)).toBe(link(target, "text"));
  });

  test.each([
    "javascript:alert(1)",
    "file:///etc/passwd",
    "mailto:a@b.example",
    "https://",
    "not an address",
    "https://a.example/\u001b]8;;https://evil.example\u001b\\",
    "https://a.example/\nb",
    "https://a.example/\tb",
    "https://a.example/\u202eb",
    "https://a.example/\u009cb",
    `https://a.example/${"x".repeat(2000)}`,
    `https://a.example/${"é".repeat(1000)}`,
  ])("hyperlink does not link the text $0", (address) => {
    expect(hyperlink("text", address)).toBe("text");
  });

  test("hyperlink links the same international URL 10,000 times", () => {
    for (let time = 0; time < 10_000; time++) hyperlink("text", "https://académie.example/");
    expect(hyperlink("text", "https://académie.example/")).not.toBe("text");
  });

  test("hyperlink writes only printable ASCII into the URL", () => {
    const tail = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: anyCharacter }));
    fc.assert(
      fc.property(tail, (some) => {
        const shown = hyperlink("text", `https://a.example/${some}`);
        expect(shown.replace(LINKS, "")).toBe("text");
        for (const [, target] of shown.matchAll(LINKS)) {
          expect(target).toMatch(/^(https:\/\/a\.example\/[!-~]*)?$/);
        }
      }),
    );
  });
});

describe("stylesFor", () => {
  test("stylesFor writes hyperlinks only if requested, with and without colors", async () => {
    const address = "https://a.example/";
    expect((await stylesFor(1)).link("text", address)).toBe("text");
    expect(plain.link("text", address)).toBe("text");
    expect((await stylesFor(1, true)).link("text", address)).toBe(link(address, "text"));
    const bare = await stylesFor(0, true);
    expect(bare.link("text", address)).toBe(link(address, "text"));
    expect(bare.red("text")).toBe("text");
  });
});

describe("hyperlinks", () => {
  const address = "https://academy.example/courses/a-long-way-to-go";

  test("hyperlinks in a table contain the complete URL of a cut text and do not change the layout", async () => {
    const row = { name: "Knitting", url: address };
    const options = { layout: "table", columns: ["url", "name"], terminal: 30 } as const;
    const linked = await render([row], { ...options, links: true });
    expect(linked).toContain(`\u001b]8;;${address}\u001b\\https://academy.exa…\u001b]8;;`);
    expect(linked.replace(LINKS, "")).toBe(await render([row], options));
  });

  test("hyperlinks in a block are written at any depth and on each line of a URL", async () => {
    const row = { name: "Knitting", url: address, video: { type: "self_hosted", url: address } };
    const options = { layout: "blocks", terminal: 40 } as const;
    const linked = await render([row], { ...options, links: true });
    expect(linked.split(`\u001b]8;;${address}\u001b\\`).length - 1).toBe(4);
    expect(linked.replace(LINKS, "")).toBe(await render([row], options));
  });

  test("hyperlinks are not written for URLs with control characters", async () => {
    const row = { name: `https://a.example/${HOSTILE}`, url: "https://a.example/\u001b\\" };
    for (const layout of ["table", "blocks"] as const) {
      const shown = await render([row], {
        layout,
        columns: ["name", "url"],
        terminal: 60,
        links: true,
      });
      expect(shown).not.toContain("\u001b");
    }
  });

  test.each(["json", "ndjson", "yaml", "csv", "tsv"] as const)(
    "hyperlinks are not written in the format %s",
    async (layout) => {
      const row = { id: address, name: address };
      expect(await render([row], { layout, terminal: 200, links: true })).not.toContain("\u001b");
    },
  );
});
