/** Small versions of the exports that content editors have, with everything that makes them difficult. */

import type { Rig } from "../rig.ts";

/** The courses that the suggested mapping makes of a file, with the mapping and the messages of both runs. */
export async function suggested(
  r: Rig,
  name: string,
  content: string | Buffer,
  flags: readonly string[] = [],
) {
  await r.write(name, content);
  const draft = await r.run(["courses", "import", name, "--suggest", ...flags]);
  await r.write("map.jsonata", draft.stdout);
  const words = ["courses", "import", name, "--map", "map.jsonata", "--format", "json", ...flags];
  const ran = await r.run(words);
  const courses: Record<string, unknown>[] = JSON.parse(ran.stdout);
  return { mapping: draft.stdout, courses, warnings: draft.stderr, ran };
}

/** An export of another system. */
export interface Export {
  readonly file: string;
  readonly text: string;
  /** What is difficult about it. */
  readonly description: string;
}

/** A table as Excel writes it: lines end with CRLF, and lines inside a cell, here ↵, with LF. */
function excel(text: string): string {
  return text.trimStart().replaceAll("\n", "\r\n").replaceAll("↵", "\n");
}

export const GERMAN_LIST: Export = {
  file: "Kursliste_2027.csv",
  description:
    "title lines, an empty line, sections, totals, an empty row, a url of two rows, two columns of one name, cells with line breaks, durations and prices in words, a relative address of a picture",
  text: excel(`
Kursübersicht 2027;;;;;;;;;;;;
Stand: 12.01.2027;;;;;;;;;;;;
;;;;;;;;;;;;
Kurs-Nr.;Titel;Beschreibung;Langtext;Sprache;Kursart;Niveau;Dauer;Preis (EUR);Preis;Preis;Bild;Link
IT & Büro;;;;;;;;;;;;
K-0001;Excel für Einsteiger;Tabellen anlegen und rechnen.;"Zellen und Formeln.↵Diagramme.";Deutsch;Präsenz;Anfänger;16 UE;1.299,00;1.299,00 €;netto;https://www.nordlicht.example/bilder/excel.png;https://www.nordlicht.example/kurse/excel
K-0002;Word im Büro;Briefe und Vorlagen.;"Formatvorlagen.↵Serienbriefe.";Deutsch / English;Live-Webinar;Alle Stufen;8 Std.;49,90;49,90 €;netto;;https://www.nordlicht.example/kurse/word
K-0003;Outlook: Ordnung;Weniger E-Mails.;Regeln und Ordner.;Deutsch;Präsenz;Mittelstufe;2 Tage à 8 Std.;kostenlos;0,00;;;https://www.nordlicht.example/kurse/outlook
K-0004;Datenschutz kompakt;Was jeder wissen muss.;Die DSGVO in Beispielen.;Deutsch;Selbststudium;Alle Stufen;90 Min.;0,00;0,00;;;https://www.nordlicht.example/kurse/datenschutz
K-0005;Excel: im Büroalltag;Listen und Pivot.;Für alle, die Listen führen.;Deutsch;Präsenz;Fortgeschrittene;3 Tage;auf Anfrage;;;bilder/excel.png;https://www.nordlicht.example/kurse/excel-2
K-0006;Excel: Zertifikatskurs;Mit Prüfung.;Vorbereitung auf die Prüfung.;Deutsch;Präsenz;Fortgeschrittene;16 UE;899,00;899,00 €;netto;;https://www.nordlicht.example/kurse/excel-2
;;;;;;;;;;;;
Persönlichkeit;;;;;;;;;;;;
K-0007;Zeitmanagement;Mehr vom Tag.;Ziele und Pausen.;Deutsch;Live-Webinar;Anfänger;12,5 Std.;49.90.00;49,90 €;netto;;https://www.nordlicht.example/kurse/zeit
K-0008;Rhetorik;Frei sprechen.;Übungen in der Gruppe.;Deutsch;Präsenz;Anfänger;2 Tage à 8 Std.;640,00;640,00 €;netto;bilder/rhetorik.png;https://www.nordlicht.example/kurse/rhetorik
K-0009;Konflikte lösen;Ruhig bleiben.;Fälle aus dem Alltag.;Deutsch;Präsenz;Mittelstufe;16 UE;640,00;640,00 €;netto;;https://www.nordlicht.example/kurse/konflikte
Summe;;;;;;;;4.118,70;;;;
Anzahl Kurse;;;;;;;9;;;;;
`),
};

export const WORDPRESS: Export = {
  file: "wordpress.csv",
  description: "the status of WordPress, HTML, an excerpt that ends in […]",
  text: `
ID,Title,Excerpt,Content,Status,Language,Difficulty,Duration,Price,Permalink
11,Knitting,"The basics of […]",<p>Loops &amp; needles</p>,publish,en_US,Beginner,1h 30m,$49.90,https://yarn.example/courses/knitting
12,Purling,Backwards,<p>More loops</p>,draft,en_US,Intermediate,90 minutes,Free,https://yarn.example/courses/purling
13,Weaving,"Warp, weft",<p>A loom</p>,publish,English; French,All levels,2 days,"1,299.00",https://yarn.example/courses/weaving
14,Dyeing,Colors,<p>Plants</p>,private,en_US,Advanced,PT4H,,https://yarn.example/courses/dyeing
`.trimStart(),
};
