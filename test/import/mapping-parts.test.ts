/** Which columns the fields and the calls of a mapping use. */
import jsonata from "jsonata";
import { expect, test } from "vitest";
import { columnsOfCalls, columnsOfFields, findResult } from "../../src/import/mapping-parts.ts";

function fieldsOf(mapping: string): object {
  return Object.fromEntries(columnsOfFields(findResult(jsonata(mapping).ast())));
}

test.each([
  ['{"a": `Kurs-Nr.`, "b": "x" & id & id}', { a: ["Kurs-Nr."], b: ["id"] }],
  ['{"a": Title.rendered, "b": $.Link, "c": $$."x y"}', { a: ["Title"], b: ["Link"], c: ["x y"] }],
  ['{"a": [$price(Price)[$ != Other].{"price": $, "type": Kind}]}', { a: ["Price"] }],
  ['{"a": Mode = "live" ? Yes : No}', { a: ["Mode", "Yes", "No"] }],
  ['($day := 8; {"a": $hours(Length, $day)})', { a: ["Length"] }],
  ['{"a": Prices[currency = "EUR"]}', { a: ["Prices"] }],
  ['{"a": "constant", "b": $now()}', { a: [], b: [] }],
  ['x = "1" ? {"a": b} : {"a": c}', {}],
  ['x = "1" ? {"a": b}', { a: ["b"] }],
  ["$merge([a, b])", {}],
])("the fields of %s use the listed columns", (mapping, columns) => {
  expect(fieldsOf(mapping)).toEqual(columns);
});

test.each([
  ['{"a": $hours(Length)}', { hours: ["Length"] }],
  ['{"a": $hours($trim(Length), {"day": Day})}', { hours: ["Length"], trim: ["Length"] }],
  ['{"a": Length ~> $hours()}', { hours: ["Length"] }],
  ['{"a": Mode.$choice($, {"x": "y"})}', { choice: ["Mode"] }],
  [
    '{"a": [$price(One)[$ > 0].{"x": $number($)}], "b": $price(Two)}',
    { price: ["One", "Two"], number: ["One"] },
  ],
  ["$count([1..3])", {}],
])("the calls of functions in %s use the listed columns", (mapping, columns) => {
  const found = [...columnsOfCalls(jsonata(mapping).ast())];
  expect(Object.fromEntries(found.map(([name, all]) => [name, [...new Set(all)]]))).toEqual(
    columns,
  );
});
