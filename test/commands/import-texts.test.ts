/** `import` changes no text without `$plainText`, and with it removes nothing but markup. */
import { expect, test } from "vitest";
import { importIn, suggested } from "./import-rig.ts";

test("import --suggest takes only elements of HTML for markup, not the types and comparisons of programs", async () => {
  const { mapping, courses } = await suggested(
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
  const plain = "First line.\n\nSecond paragraph, R&D included.\nThird line.";
  const { mapping, courses } = await suggested(
    "posts.csv",
    `Title,Link,Description
Classic,https://academy.example/1,"First with <strong>bold</strong> words.\n\n- one\n- two"
Plain,https://academy.example/2,"${plain}"
Blocks,https://academy.example/3,"<p>One.</p>\n<p>Two.</p>"
`,
  );
  expect(mapping).toContain('"long_description": $plainText(Description)');
  const texts = ["First with bold words.\n\n- one\n- two", plain, "One.\n\nTwo."];
  expect(courses.map(({ long_description }) => long_description)).toEqual(texts);
});

const PLAIN = "i<n, List<T>, a->b, R&D, <3, & and <, #include <a.h>\r\n\r\n- Ünï";

test.each([
  [PLAIN, PLAIN],
  [`<strong>bold</strong> ${PLAIN}`, `bold ${PLAIN}`],
  ["Bread &amp; Butter&nbsp;&ndash; 5&euro;", "Bread & Butter – 5€"],
  ["a?b=1&copy=2 &unknown;", "a?b=1&copy=2 &unknown;"],
  ["&lt;p&gt;", "<p>"],
  ["Write <p> and <P>, List<P> and Set<P>.", "Write <p> and <P>, List<P> and Set<P>."],
  ["if i<b and c>d, it is <b>bold</b>", "if i<b and c>d, it is bold"],
  ['<a href="https://a.example/?x=1>0">link</a> <img src="a.png" alt="">', "link "],
  ["One<br />\nTwo<br><br>Three", "One\nTwo\n\nThree"],
  ["<p>One<p>Two", "One\n\nTwo"],
  ["Text\n<p>i<n & R&D</p>\n<p><b>a</b>->b</p>", "Text\n\ni<n & R&D\n\na->b"],
  ["<ul>\n  <li><p>One</p></li>\n  <li>Two\n    lines</li>\n</ul>", "- One\n\n- Two lines"],
  ["<ul>\n\n<li>One</li>\n\n\n<li> Two\n\n</li><li>Three</li></ul>", "- One\n- Two\n- Three"],
  ["<h2>Title</h2>\nOne\ntwo\n\nThree\n<ul><li>x</ul>", "Title\n\nOne\ntwo\n\nThree\n\n<li>x"],
  ["<div>One\nline\n\nTwo</div>", "One line\n\nTwo"],
  ["<pre>a\n  b</pre>", "a\n  b"],
  ["<table><tr><th>a</th><td>b</td></tr><tr><th>c</th></tr></table>", "a b\nc"],
  ["<style>p { x }</style>A<!-- <b> --> <script>1 < 2</script>", "A "],
  ["<!-- wp:paragraph -->\n<p>A</p>\n<!-- /wp:paragraph -->", "A"],
  ["no end <!-- of a comment", "no end <!-- of a comment"],
])(
  "import without $plainText does not change %j, and with it removes nothing but markup",
  async (text, plain) => {
    const map = '{"name": text, "long_description": $plainText(text)}';
    const files = { "a.json": [{ text }], map };
    const { stdout } = await importIn(files, "a.json --map map --format json");
    expect(JSON.parse(stdout)).toEqual([{ name: text, long_description: plain }]);
  },
);
