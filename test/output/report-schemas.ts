/** Reads reports as other programs do: JUnit with libxml2 and the schema of Jenkins, and code quality with a schema of GitLab's documentation. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { XmlDocument, XmlElement, XsdValidator } from "libxml2-wasm";
import { expect } from "vitest";
import { memoize } from "../../src/base/values.ts";

/** An element of an XML document. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
}

function schemaText(name: string): string {
  return readFileSync(new URL(`schemas/${name}`, import.meta.url), "utf8");
}

const junitSchema = memoize(() =>
  XsdValidator.fromDoc(XmlDocument.fromString(schemaText("jenkins-junit.xsd"))),
);

const validateCodeQuality = memoize(() =>
  new Ajv2020({ strict: true }).compile(JSON.parse(schemaText("codequality.json"))),
);

/** The root of a JUnit report. Fails if it is not well-formed, or not as Jenkins expects it. */
export function readJunit(xml: string): Element {
  const document = XmlDocument.fromString(xml);
  try {
    junitSchema().validate(document);
    return toElement(document.root);
  } finally {
    document.dispose();
  }
}

/** All elements below a root that have this name. */
export function findElements(root: Element, name: string): Element[] {
  return root.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...findElements(child, name),
  ]);
}

/** Fails unless the value is a report for GitLab whose fingerprints are unique, as GitLab needs them. */
export function expectCodeQuality(value: unknown): void {
  const validate = validateCodeQuality();
  expect(validate(value), JSON.stringify(validate.errors)).toBe(true);
  const prints = (value as { fingerprint: string }[]).map(({ fingerprint }) => fingerprint);
  expect(new Set(prints).size).toBe(prints.length);
}

function toElement(element: XmlElement): Element {
  const children: Element[] = [];
  for (let node = element.firstChild; node !== null; node = node.next) {
    if (node instanceof XmlElement) children.push(toElement(node));
  }
  return {
    name: element.name,
    attributes: Object.fromEntries(element.attrs.map(({ name, value }) => [name, value])),
    children,
    text: children.length === 0 ? element.content : "",
  };
}
