/** Amounts of money and durations as people write them. */
import { describe, expect, test } from "vitest";
import { amountOf, hoursOf } from "../../src/import/quantities.ts";

describe("prices", () => {
  test.each([
    ["1.299,00 €", "1299.00"],
    ["1 299,00 €", "1299.00"],
    ["EUR 49,90", "49.90"],
    ["US$ 20", "20.00"],
    ["19,9 Euro", "19.90"],
    ["CHF 1'299.–", "1299.00"],
    ["$1,299.00", "1299.00"],
    ["¥3,000", "3000.00"],
    ["１，２００ JPY", "1200.00"],
    ["1,234,567.89", "1234567.89"],
    ["1.299", "1299.00"],
    ["49,-", "49.00"],
    ["0,00", "0.00"],
    ["0", "0.00"],
    ["Free", "0.00"],
  ])("amountOf reads the price %s", (text, amount) => {
    expect(amountOf(text)).toBe(amount);
  });

  test.each([
    "on request",
    "kostenlos",
    "from 99 €",
    "49.90.00",
    "10-20 €",
    "-5",
    "0.015",
    "1.29.900",
    "12,34567",
    "",
    "€",
  ])("amountOf reads no price in %j", (text) => {
    expect(amountOf(text)).toBeUndefined();
  });
});

describe("durations", () => {
  test.each([
    ["7,5 h", 7.5],
    ["1h 30m", 1.5],
    ["90 minutes", 1.5],
    ["1:30", 1.5],
    ["1:30:36", 1.51],
    ["2h30", 2.5],
    ["PT1H30M", 1.5],
    ["P0Y0M0DT5H30M", 5.5],
    ["6 hours and 30 minutes", 6.5],
  ])("hoursOf reads %s as %s hours", (text, hours) => {
    expect(hoursOf(text)).toBe(hours);
  });

  test.each([
    ...[
      "3 days",
      "2 weeks",
      "3 months",
      "12M",
      "2 M",
      "P2D",
      "P3M",
      "P1M2D",
      "P1DT2H",
      "1 day, 2 hrs",
    ],
    ...["2 days of 8 hours", "3 x 90 min", "16 UE of 45 min", "2 Std.", "2 to 3 hours"],
    ...["8", "7,5", 8, "2-3 hours", "0 h", "", "h"],
  ])("hoursOf reads no hours in %j", (text) => {
    expect(hoursOf(text)).toBeUndefined();
  });
});
