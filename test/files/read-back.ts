/** Reads a course file as the program does. */
import { expect } from "vitest";
import { decode } from "../../src/files/bytes.ts";
import { parseJson } from "../../src/files/json.ts";
import type { FileFormat } from "../../src/files/write.ts";
import { parseYaml } from "../../src/files/yaml.ts";

/** The only course of a file. Fails if the file is invalid. */
export function readBack(text: string, format: FileFormat): unknown {
  const decoded = decode(Buffer.from(text));
  expect(decoded.problem).toBeUndefined();
  const parsed = format === "json" ? parseJson(decoded.text) : parseYaml(decoded.text);
  expect(parsed.problems).toEqual([]);
  expect(parsed.documents).toHaveLength(1);
  return parsed.documents[0];
}
