/** Courses that try to run scripts, load resources, leave their cards, or look like something else. */
import type { PlainObject } from "../../src/base/values.ts";
import { course } from "../rig.ts";

/** A script that a test would notice. */
const HIT = "document.title='hit';globalThis.__hit=1;alert(1)";
const REMOTE = "https://attacker.example/hit";

/** Texts that are markup for a careless page. */
const MARKUP: readonly string[] = [
  `<script>${HIT}</script>`,
  `<img src=x onerror="${HIT}">`,
  `<svg onload="${HIT}"><circle r=9>`,
  `<iframe srcdoc="<script>${HIT}</script>"></iframe>`,
  `<iframe src="${REMOTE}"></iframe>`,
  `<meta http-equiv="refresh" content="0;url=${REMOTE}">`,
  `<link rel="stylesheet" href="${REMOTE}"><link rel="prefetch" href="${REMOTE}">`,
  `<style>@import "${REMOTE}"; * { background: url(${REMOTE}); display: none }</style>`,
  `<form action="${REMOTE}"><button autofocus formaction="javascript:${HIT}">Go</button></form>`,
  `</script><script>${HIT}</script>`,
  "</details></article></section></main></body></html><h1>Free</h1>",
  "&lt;script&gt;&#60;b&#62;&amp;amp;&nbsp;&#x202e;",
  `" onfocus="${HIT}" autofocus tabindex="1" x="`,
  `' onmouseover='${HIT}' style='position:fixed;inset:0`,
  `<a href="javascript:${HIT}" style="position:fixed;inset:0">x</a>`,
  `<video><source onerror="${HIT}"></video><audio src="${REMOTE}" autoplay>`,
  `{{constructor.constructor('${HIT}')()}} \${${HIT}} <%= 1 %>`,
  `<div id="courses" class="card"></div><form class="tools"><input name="q"></form>`,
];

/** Strings that must not become links. */
const URLS: readonly string[] = [
  `javascript:${HIT}`,
  `java\tscript:${HIT}`,
  ` javascript:${HIT}`,
  `data:text/html,<script>${HIT}</script>`,
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
  "file:///etc/passwd",
  "//attacker.example/hit",
  `https://attacker.example/" onclick="${HIT}`,
  `https://attacker.example/'><script>${HIT}</script>`,
  `https://user:password@attacker.example/${"a/".repeat(500)}`,
];

/** Texts that hide, reverse or pile up other texts. */
const TEXTS: readonly string[] = [
  "Safe \u202egnp.exe\u202c name",
  "\u2066\u2067\u2068 isolates \u2069\u2069",
  "zero\u200bwidth\u200d\u2060\ufeff",
  "\u001b[31mred\u001b[0m \u0000 \u0007 \u0008 \u009b31m",
  "half \ud800 a character \udfff",
  `Z${"\u0300\u0301\u0302\u0303\u0304\u0305".repeat(20)}algo`.repeat(3),
  "W".repeat(3000),
  "مقدمة في علم البيانات ".repeat(10),
  "はじめてのプログラミング。".repeat(20),
  "👩‍👩‍👧‍👦🏳️‍🌈".repeat(50),
  `${"\n".repeat(100)}far below`,
];

/** Values of a wrong type in every field. */
const WRONG: readonly unknown[] = [null, 42, true, [], {}, [null, [1]], { a: { b: [{}] } }];

const FIELDS = Object.keys(course());
const MORE = ["prices", "level", "instructors", "syllabus", "video", "certificate", "image_url"];

/** Courses; the texts of some are only valid in files. */
export function hostileCourses(): PlainObject[] {
  const texts = [...MARKUP, ...TEXTS].map((text, index) => everywhere(text, index));
  const urls = URLS.map((url, index) =>
    course({
      name: `Url ${index}`,
      url,
      image_url: url,
      video: { type: "self_hosted", url, thumbnail_url: url },
    }),
  );
  const wrong = WRONG.map((value) =>
    Object.fromEntries([...FIELDS, ...MORE].map((name) => [name, value])),
  );
  const keys = [
    { ...course(), [`<img src=x onerror="${HIT}">`]: `<b>${HIT}</b>`, [`" onclick="${HIT}`]: 1 },
    { ...course(), constructor: 1, toString: { toString: 2 }, ["k".repeat(2000)]: [1] },
    JSON.parse('{"name":"Proto","url":"https://a.example/","__proto__":{"x":1}}') as PlainObject,
    course({ provider: { toString: 1 }, provider_id: { valueOf: 1, toString: null } }),
    course({ syllabus: Array.from({ length: 200 }, (_, n) => ({ title: `Lesson ${n}` })) }),
  ];
  return [...texts, ...urls, ...wrong, ...keys];
}

/** A course with a text in every field that can hold one. */
function everywhere(text: string, index: number): PlainObject {
  return course({
    name: text,
    url: `https://academy.example/${index}`,
    short_description: text,
    long_description: text,
    prices: [{ type: text, price: text, currency: text, customer_type: text }],
    level: [text],
    audio: [text, text],
    instructors: [{ name: text, main: true }],
    syllabus: [{ title: text, description: [text, text] }],
    offered_by: [{ name: text, type: text }],
    approval_status: text,
    slug: text,
    image_url: `https://images.example/${index}.png`,
  });
}
