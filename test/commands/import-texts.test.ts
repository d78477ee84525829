/** `import` changes no text without `$plainText`, and with it removes nothing but markup. */
import { expect, test } from "vitest";
import { importIn, suggested } from "./import-rig.ts";

test("import --suggest takes only elements of HTML for markup, and keeps the line breaks of texts without paragraphs", async () => {
  const plain = "Why i<n matters, R&D included.\n\nSecond paragraph.\nUse a->b and List<String>.";
  const { mapping, courses } = await suggested(
    "courses.csv",
    `Title,Link,Description
"Generics: List<T> and Map<K, V>",https://academy.example/1,"<p>One <b>word</b>.</p>\n<p>Two.</p>"
Plain,https://academy.example/2,"${plain}"
Classic,https://academy.example/3,"First with <strong>bold</strong> words.\n\n- one\n- two"
`,
  );
  expect(mapping).toContain('"name": Title,');
  expect(courses[0]?.name).toBe("Generics: List<T> and Map<K, V>");
  const texts = ["One word.\n\nTwo.", plain, "First with bold words.\n\n- one\n- two"];
  expect(courses.map(({ long_description }) => long_description)).toEqual(texts);
});

const PLAIN = "i<n, List<T>, a->b, R&D, <3, & and <, #include <a.h>\r\n\r\n- Ünï";

test.each([
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
