/** Amounts of money, durations and languages as people write them. */
import { expect, test } from "vitest";
import { amountOf, hoursOf, languageCodes } from "../../src/import/quantities.ts";

test.each([
  ["1.299,00 €", "1299.00"],
  ["CHF 1'299.–", "1299.00"],
  ["¥3,000", "3000.00"],
  ["１，２００ JPY", "1200"],
  ["EUR 1.299", "1299.00"],
  ["KWD 1,250.500", "1250.500"],
  ["49,-", "49.00"],
  ["0", "0.00"],
  ["Free", "0.00"],
])("amountOf reads the price %s", (text, amount) => {
  expect(amountOf(text)).toBe(amount);
});

test.each([
  ...["on request", "from 99 €", "10-20 €", "-5", "12,34567", "", "1.299"],
  ...["KWD 12,500", "EUR 5 USD", "EUR 12.5000"],
])("amountOf reads no price in %j", (text) => {
  expect(amountOf(text)).toBeUndefined();
});

test.each([
  ["1,299", "JPY", "1299"],
  ["12.5", "KWD", "12.500"],
  ["USD 5", "EUR", undefined],
  ["1.299", "…", undefined],
  [12.345, "KWD", "12.345"],
  [5, "JPY", "5"],
])("amountOf reads %j in %s as %s", (value, currency, amount) => {
  expect(amountOf(value, currency)).toBe(amount);
});

test.each([
  ["7,5 h", 7.5],
  ["0.125 h", 0.13],
  ["1,200.5 minutes", 20.01],
  ["1h 30m", 1.5],
  ["1:30:36", 1.51],
  ["2h30", 2.5],
  ["P0Y0M0DT5H30M", 5.5],
])("hoursOf reads %s as %s hours", (text, hours) => {
  expect(hoursOf(text)).toBe(hours);
});

test.each([
  ...["3 days", "2 weeks", "12M", "2 M", "P2D", "P3M", "P1M2D", "P1DT2H", "1 day, 2 hrs"],
  ...["2 days of 8 hours", "3 x 90 min", "16 UE of 45 min", "2 Std.", "2 to 3 hours"],
  ...["1,200 minutes", "1.050 hours", "8", "7,5", 8, "2-3 hours", "0 h", "", "h"],
])("hoursOf reads no hours in %j", (text) => {
  expect(hoursOf(text)).toBeUndefined();
});

test.each([
  ["Español, English", ["es", "en"]],
  ["Português & Nederlands", ["pt", "nl"]],
  ["Portuguese (Brazil)", ["pt-BR"]],
  ['["en","de"]', ["en", "de"]],
  ["['en', 'de']", ["en", "de"]],
  ["en_US; pt", ["en-US", "pt"]],
  ["English and Klingon", undefined],
  ["de en fr", undefined],
  [[1], undefined],
])("languageCodes reads all languages in %j, or none: %j", (value, codes) => {
  expect(languageCodes(value)).toEqual(codes);
});
