/** `import` changes no text without `$plainText`, and with it removes nothing but markup. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { IS_LONG } from "../long.ts";
import { rigWith } from "./helpers.ts";
import "../random.ts";
import { suggested } from "./import-exports.ts";

test("import --suggest takes only elements of HTML for markup, not the types and comparisons of programs", async () => {
  const { mapping, courses } = await suggested(
    await rigWith(),
    "courses.csv",
    `Title,Link,Description
"Generics: List<T> and Map<K, V>",https://academy.example/generics,"<p>Learn <b>generics</b> in a day.</p>"
Loops,https://academy.example/loops,"Why i<n matters, and what List<String> means."
Pointers,https://academy.example/pointers,"Use a->b and #include <stdio.h> in C."
`,
  );
  expect(mapping).toContain('"name": Title,');
  expect(courses).toMatchObject([
    { name: "Generics: List<T> and Map<K, V>", long_description: "Learn generics in a day." },
    { long_description: "Why i<n matters, and what List<String> means." },
    { long_description: "Use a->b and #include <stdio.h> in C." },
  ]);
});

test("import --suggest keeps the line breaks of each text without paragraphs of HTML", async () => {
  const classic = "First with <strong>bold</strong> words.\n\nSecond.\n\n- one\n- two";
  const plain = "First line.\n\nSecond paragraph, R&D included.\nThird line.";
  const { mapping, courses } = await suggested(
    await rigWith(),
    "posts.csv",
    `Title,Link,Description
Classic,https://academy.example/classic,"${classic}"
Plain,https://academy.example/plain,"${plain}"
Blocks,https://academy.example/blocks,"<p>One.</p>
<p>Two.</p>"
`,
  );
  expect(mapping).toContain('"long_description": $plainText(Description)');
  expect(courses).toMatchObject([
    { long_description: "First with bold words.\n\nSecond.\n\n- one\n- two" },
    { long_description: plain },
    { long_description: "One.\n\nTwo." },
  ]);
});

test.each([
  ["Bread &amp; Butter&nbsp;&ndash; 5&euro;", "Bread & Butter – 5€"],
  ["a?b=1&copy=2 &unknown;", "a?b=1&copy=2 &unknown;"],
  ["&lt;p&gt;", "<p>"],
  ["Write <p> and <P>, List<P> and Set<P>.", "Write <p> and <P>, List<P> and Set<P>."],
  ["if i<b and c>d, it is <b>bold</b>", "if i<b and c>d, it is bold"],
  ['<a href="https://a.example/?x=1>0">link</a> <img src="a.png" alt="">', "link "],
  ["One<br />\nTwo<br><br>Three", "One\nTwo\n\nThree"],
  ["<p>One<p>Two", "One\n\nTwo"],
  ["<ul>\n  <li><p>One</p></li>\n  <li>Two\n    lines</li>\n</ul>", "- One\n\n- Two lines"],
  ["<ul>\n\n<li>One</li>\n\n\n<li> Two\n\n</li><li>Three</li></ul>", "- One\n- Two\n- Three"],
  ["<h2>Title</h2>\nOne\ntwo\n\nThree\n<ul><li>x</ul>", "Title\n\nOne\ntwo\n\nThree\n\n<li>x"],
  ["<div>One\nline\n\nTwo</div>", "One line\n\nTwo"],
  ["<pre>a\n  b</pre>", "a\n  b"],
  ["<table><tr><th>a</th><td>b</td></tr><tr><th>c</th></tr></table>", "a b\nc"],
  ["<style>p { x }</style>A<!-- <b> --> <script>1 < 2</script>", "A "],
  ["<!-- wp:paragraph -->\n<p>A</p>\n<!-- /wp:paragraph -->", "A"],
  ["no end <!-- of a comment", "no end <!-- of a comment"],
])("import gives the text of %j as $plainText", async (html, text) => {
  const r = await rigWith();
  await r.write("a.json", [{ text: html }]);
  await r.write("map", '{"name": "A", "long_description": $plainText(text)}');
  const ran = await r.run([..."courses import a.json --map map --format json".split(" ")]);
  expect(JSON.parse(ran.stdout)[0].long_description).toBe(text);
});

/** Pieces of a line: what a source has, and what a reader sees. */
const piece = fc.constantFrom(
  ...["word", "i<n", "List<T>", "a->b", "R&D", "<3", "&", "<", "- x", "Ünï", "#include <a.h>"].map(
    (text) => [text, text],
  ),
  ["<strong>bold</strong>", "bold"],
  ['<a href="x?a>b">link</a>', "link"],
  ["&amp;", "&"],
  ["&lt;b&gt;", "<b>"],
  ["<br>", ""],
  ["<!-- c -->", ""],
);
const line = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => ({
  source: pieces.map(([source]) => source).join(" "),
  shown: pieces.map(([, shown]) => shown).join(" "),
}));
const block = fc.oneof(
  line.map(({ source, shown }) => ({ source: `<p>${source}</p>`, shown })),
  fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => ({
    source: `<ul>${lines.map(({ source }) => `<li>${source}</li>`).join("\n")}</ul>`,
    shown: lines.map(({ shown }) => (/\S/.test(shown) ? `- ${shown}` : "")).join("\n"),
  })),
  line,
);
const text = fc
  .tuple(fc.array(block, { minLength: 1, maxLength: 5 }), fc.constantFrom("\n", "\n\n", "\r\n"))
  .map(([blocks, separator]) => ({
    source: ["Text", ...blocks.map(({ source }) => source)].join(separator),
    shown: ["Text", ...blocks.map(({ shown }) => shown)].join(separator),
  }));

test("import without $plainText changes no text, and with it removes nothing but markup", async () => {
  const r = await rigWith();
  await r.write("map", '{"name": text, "long_description": $plainText(text)}');
  const texts = fc.array(text, { minLength: 40, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(texts, async (rows) => {
      await r.write(
        "a.json",
        rows.map(({ source }) => ({ text: source })),
      );
      const words = "courses import a.json --map map --format json".split(" ");
      const courses: Record<string, string>[] = JSON.parse((await r.run(words)).stdout);
      expect(courses.map(({ name }) => name)).toEqual(rows.map(({ source }) => source));
      const joined = (shown = ""): string => shown.replace(/\s/g, "");
      for (const [index, { source, shown }] of rows.entries()) {
        const found = courses[index]?.long_description;
        expect(joined(found), source).toBe(joined(shown));
        // Without blocks, also the line breaks stay.
        if (!/<(?:p|ul|br)>/.test(source)) expect(found).toBe(shown);
      }
    }),
    { numRuns: IS_LONG ? 100 : 10 },
  );
});
