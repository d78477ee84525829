/** Small versions of the exports that content editors have, with everything that makes them difficult. */

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
Anzahl Kurse;9;;;;;;;;;;;
`),
};

export const GERMAN_CMS: Export = {
  file: "kurse-cms.csv",
  description: "a status in German, a short text like the long one, HTML in texts",
  text: excel(`
Kursnummer;Kurstitel;Kurzbeschreibung;Inhalt;Sprache;Kursart;Zielgruppe;Dauer in Stunden;Preis;Status;URL
N-01;Projektleitung;Projekte führen.;"<p>Planen &amp; steuern.</p>";Deutsch;Präsenz;Einsteiger;8;420,00 €;veröffentlicht;https://www.nordlicht.example/kurse/projekt
N-02;Agil arbeiten;Scrum und Kanban.;<p>Rollen und Boards.</p>;Deutsch;Live-Webinar;Fortgeschrittene;7,5;ab 99 €;Entwurf;https://www.nordlicht.example/kurse/agil
N-03;Führung;Teams führen.;Teams führen.;Deutsch / English;Präsenz;Alle Stufen;24;1.299,00 EUR;Veröffentlicht;https://www.nordlicht.example/kurse/fuehrung
N-04;Buchhaltung;Soll und Haben.;[learndash_course id=1]Konten.;Deutsch;Selbststudium;Anfänger;1:30;kostenlos;Entwurf;https://www.nordlicht.example/kurse/buch
N-05;Steuern;Neues für 2027.;<ul><li>Umsatz</li><li>Lohn</li></ul>;Deutsch;Selbststudium;Alle;;19,99 €;in Prüfung;https://www.nordlicht.example/kurse/steuern
N-06;Einkauf;Gut verhandeln.;<p>Fälle.</p>;Deutsch;Präsenz;Anfänger;3 Tage;auf Anfrage;veröffentlicht;https://www.nordlicht.example/kurse/einkauf
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

export const FRENCH: Export = {
  file: "cours_moodle.csv",
  description: "a short text called Résumé, a price called Prix TTC, yes and no, days",
  text: excel(`
Réf.;Intitulé;Résumé;Description;Langue;Modalité;Niveau;Durée;Prix TTC;Publié;Lien
F-101;Tableur : débuter;Les bases du tableur.;<p>Objectifs</p><ul><li>Comprendre</li><li>Calculer</li></ul>;Français;Présentiel;Débutant;7 heures;350,00 €;oui;https://www.campus.example/cours/tableur
F-102;Droit du travail;Contrats et congés.;<p>Cas pratiques.</p>;Français;À votre rythme;Tous niveaux;2 jours;1 290,00 €;non;https://www.campus.example/cours/droit
F-103;Anglais des affaires;Réunions, courriels.;<p>Dialogues.</p>;Français / English;Classe virtuelle;Intermédiaire;1h30;49,90 €;oui;https://www.campus.example/cours/anglais
F-104;Gestion du temps;Mieux s’organiser.;<p>Méthodes.</p>;Français;À votre rythme;Débutant;90 min;gratuit;oui;https://www.campus.example/cours/temps
F-105;Management;Diriger une équipe.;<p>Études de cas.</p>;Français;Présentiel;Avancé;3 jours;sur devis;non;https://www.campus.example/cours/management
`),
};

export const SPANISH: Export = {
  file: "cursos.csv",
  description: "yes and no in Spanish, an amount that is 0",
  text: excel(`
Código;Título;Resumen;Descripción;Idioma;Modalidad;Nivel;Duración;Precio;Publicado;Enlace
E-1;Hojas de cálculo;Primeros pasos.;Fórmulas y gráficos.;Español;Presencial;Principiante;10 horas;120,00 €;sí;https://www.aula.example/cursos/hojas
E-2;Contabilidad;Debe y haber.;Cuentas y balances.;Español;A tu ritmo;Intermedio;1 h 30 min;0,00;sí;https://www.aula.example/cursos/contabilidad
E-3;Inglés;Conversación.;Diálogos.;Español / English;En directo;Todos los niveles;2 días;gratis;no;https://www.aula.example/cursos/ingles
E-4;Cocina;Recetas rápidas.;Menús de la semana.;Español;A tu ritmo;Avanzado;45 min;a consultar;no;https://www.aula.example/cursos/cocina
`),
};

export const JAPANESE: Export = {
  file: "講座一覧.csv",
  description: "headers, levels, durations and prices in Japanese",
  text: excel(`
講座番号;講座名;概要;説明;言語;受講形式;レベル;時間;価格;公開;URL
J-01;エクセル入門;表計算の基礎。;セルと数式。;日本語;自分のペース;初級;3時間;4,980円;公開;https://www.kyoshitsu.example/kouza/excel
J-02;ビジネス英語;会議の英語。;会話の練習。;日本語 / English;ライブ;中級;90分;12,800円;公開;https://www.kyoshitsu.example/kouza/english
J-03;時間管理;一日を変える。;計画と休憩。;日本語;教室;すべて;1時間30分;無料;非公開;https://www.kyoshitsu.example/kouza/jikan
J-04;会計;帳簿の付け方。;勘定科目。;日本語;自分のペース;上級;2日;要問合せ;下書き;https://www.kyoshitsu.example/kouza/kaikei
`),
};
