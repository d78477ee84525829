/** Amounts of money and durations as people write them. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amountOf, currencyOf, hoursOf } from "../../src/import/quantities.ts";

describe("prices", () => {
  test.each([
    ["1.299,00 €", "1299.00", "EUR"],
    ["1 299,00 €", "1299.00", "EUR"],
    ["EUR 49,90", "49.90", "EUR"],
    ["US$ 20", "20.00", "USD"],
    ["19,9 Euro", "19.90", "EUR"],
    ["CHF 1'299.–", "1299.00", "CHF"],
    ["Fr. 20.-", "20.00", "CHF"],
    ["$1,299.00", "1299.00", undefined],
    ["¥3,000", "3000.00", undefined],
    ["3.000円", "3000.00", "JPY"],
    ["１，２００円", "1200.00", "JPY"],
    ["1,234,567.89", "1234567.89", undefined],
    ["1.299", "1299.00", undefined],
    ["49,-", "49.00", undefined],
    ["0,00", "0.00", undefined],
    ["0", "0.00", undefined],
  ])("amountOf and currencyOf read the price %s", (text, amount, currency) => {
    expect([amountOf(text), currencyOf(text)]).toEqual([amount, currency]);
  });

  test.each(["kostenlos", "Gratuit", "gratis", "grátis", "gratuito", "Free", "無料"])(
    "amountOf reads %s as zero",
    (text) => {
      expect(amountOf(text)).toBe("0.00");
    },
  );

  test.each([
    "auf Anfrage",
    "ab 99 €",
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

  test("amountOf accepts numbers as amounts, but no other values", () => {
    expect([49, 49.9, 0, -1, true, null, ["1"], undefined].map(amountOf)).toEqual([
      ...["49.00", "49.90", "0.00"],
      ...[undefined, undefined, undefined, undefined, undefined],
    ]);
  });

  test("amountOf reads an amount as it is written in each country", () => {
    const separators = fc.constantFrom([".", ","], [",", "."], ["'", "."], [" ", ","], ["", "."]);
    const cents = fc.integer({ min: 0, max: 10 ** 11 });
    fc.assert(
      fc.property(cents, separators, (amount, [group = "", point = ""]) => {
        const whole = String(Math.floor(amount / 100)).replace(/\B(?=(?:\d{3})+$)/g, group);
        const places = String(amount % 100).padStart(2, "0");
        expect(amountOf(`${whole}${point}${places} €`)).toBe((amount / 100).toFixed(2));
      }),
    );
  });
});

describe("durations", () => {
  test.each([
    ["7,5", 7.5],
    ["1h 30m", 1.5],
    ["90 minutes", 1.5],
    ["1:30", 1.5],
    ["2h30", 2.5],
    ["PT1H30M", 1.5],
    ["6 Std. und 30 Minuten", 6.5],
    ["6 horas y 30 minutos", 6.5],
    ["3 uur", 3],
    ["2 ore", 2],
    ["3時間", 3],
    ["1時間30分", 1.5],
    ["90分", 1.5],
  ])("hoursOf reads %s as %s hours", (text, hours) => {
    expect(hoursOf(text)).toBe(hours);
  });

  test.each([
    ...[
      "3 Tage",
      "2 jours",
      "2 días",
      "2 dias",
      "1 giorno",
      "2 dagen",
      "2日",
      "P2D",
      "1 Tag, 2 Std.",
    ],
    ...["2 Tage à 8 Std.", "2 jours de 7 heures", "2日×8時間", "3 x 90 min", "16 UE à 45 Min."],
    ...["16 UE", "2 a 3 horas", "2 à 3 heures", "1 hora a 2 horas", "2-3 hours", "0 h", "", "h"],
  ])("hoursOf reads no hours in %j", (text) => {
    expect(hoursOf(text)).toBeUndefined();
  });

  test.each([
    ["3 Tage", 24],
    ["1.5 days", 12],
    ["P2D", 16],
    ["1 Tag, 2 Std.", 10],
    ["16 ue", 12],
    ["2日", 16],
    ["3 demi-journées", 12],
  ])("hoursOf reads %s as %s hours with given hours of a day and of a unit", (text, hours) => {
    expect(hoursOf(text, { day: 8, UE: 0.75, "demi-journées": 4 })).toBe(hours);
  });

  test("hoursOf ignores hours of a unit that are not a number", () => {
    expect(hoursOf("2 days", { day: "8" })).toBeUndefined();
  });
});
