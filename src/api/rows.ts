/** Takes the rows out of an answer that should be a list of records. */
import { isList, isObject, type PlainObject } from "../base/values.ts";
import { jsonOf, notTheService } from "./answer.ts";
import type { BufferedResponse, Request } from "./transport.ts";

/** Whether a row is a record with an id, which is all that is asked of one. */
export function isRecord(row: unknown): row is PlainObject & { readonly id: string } {
  return isObject(row) && typeof row.id === "string";
}

/**
 * The rows of an answer.
 *
 * @throws CatalogError of kind `unreachable` for anything but a list of such rows
 */
export function rowsIn<Row>(
  request: Request,
  answer: BufferedResponse,
  isRow: (row: unknown) => row is Row,
): Row[] {
  const rows = jsonOf(request, answer);
  if (!isList(rows) || !rows.every(isRow)) {
    throw notTheService(request, answer, "with JSON that is no list of records");
  }
  return [...rows];
}
