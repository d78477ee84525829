/**
 * Lists the words that values of other systems contain, in English, German, French, Spanish, Portuguese, Italian,
 * Dutch and Japanese. To add a language, add its words to each table.
 */

/** For each meaning, words of all languages, separated by commas. */
type Meanings<Meaning> = readonly (readonly [Meaning, string])[];

/** Folds a text: drops case, width and marks of Latin letters. `Café` gives `cafe`. */
export function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/(\p{Script=Latin})\p{M}+/gu, "$1")
    .normalize("NFC")
    .toLowerCase()
    .trim();
}

/** A function that returns the meaning of a text that is one of the words. */
function wholeWords<const Meaning>(
  table: Meanings<Meaning>,
): (text: string) => Meaning | undefined {
  const byWord = new Map(
    table.flatMap(([meaning, words]) =>
      words.split(",").map((word): [string, Meaning] => [fold(word), meaning]),
    ),
  );
  return (text) => byWord.get(fold(text));
}

/** A function that returns the meanings of a text in which a word begins with one of the words. */
function beginnings<const Meaning>(table: Meanings<Meaning>): (text: string) => Meaning[] {
  const patterns = table.map(([meaning, words]) => {
    const alternatives = words
      .split(",")
      .map(fold)
      .map((word) =>
        // Japanese has no spaces between words.
        /^\p{Script=Latin}/u.test(word) ? `(?<![\\p{L}\\p{N}])${word}` : word,
      );
    return [meaning, new RegExp(alternatives.join("|"), "u")] as const;
  });
  return (text) => {
    const folded = fold(text);
    return patterns.flatMap(([meaning, pattern]) => (pattern.test(folded) ? [meaning] : []));
  };
}

/** Whether a status means published. Each of the words concerns only publishing. */
export const statusMeaning = wholeWords([
  [
    true,
    `published, publish, public, veröffentlicht, publiziert, freigegeben, öffentlich, publié, publiée, en ligne,
    publicado, publicada, público, pública, pubblicato, pubblicata, pubblico, pubblica, gepubliceerd, openbaar,
    公開, 公開中, 公開済み`,
  ],
  [
    false,
    `draft, auto-draft, unpublished, not published, private, hidden, pending, scheduled, future, archived, trash,
    Entwurf, unveröffentlicht, nicht veröffentlicht, privat, verborgen, ausgeblendet, versteckt, geplant, archiviert,
    brouillon, non publié, non publiée, dépublié, privé, caché, masqué, archivé, borrador, no publicado, no publicada,
    privado, oculto, archivado, rascunho, não publicado, não publicada, arquivado, bozza, non pubblicato,
    non pubblicata, privato, nascosto, archiviato, concept, niet gepubliceerd, ongepubliceerd, gearchiveerd,
    非公開, 下書き, 未公開, アーカイブ`,
  ],
]);

/** Whether a text means yes (true) or no (false); undefined for others. */
export const yesOrNo = wholeWords([
  [
    true,
    `yes, y, true, on, 1, x, ✓, ✔, active, enabled, visible, online, live, ja, wahr, aktiv, sichtbar, oui, vrai, actif,
    sí, verdadero, activo, activa, sim, verdadeiro, ativo, ativa, visível, vero, attivo, attiva, visibile,
    waar, actief, zichtbaar, はい, 有効, ○, 表示`,
  ],
  [
    false,
    `no, n, false, off, 0, -, inactive, disabled, invisible, offline, nein, falsch, inaktiv, unsichtbar, non, faux,
    inactif, falso, inactivo, inactiva, não, inativo, inativa, inattivo, inattiva, nee, onwaar, inactief, onzichtbaar,
    いいえ, 無効, ×, 非表示`,
  ],
]);

/** The paces that a text names: `Selbststudium` gives `["self_paced"]`. */
export const pacesIn = beginnings([
  [
    "self_paced",
    `self, own pace, your pace, on demand, on-demand, asynchron, e-learning, selbst, eigenes tempo, eigenem tempo,
    rythme, autonomie, autoformation, a tu ritmo, a su ritmo, propio ritmo, autoaprendizaje, seu ritmo, próprio ritmo,
    autoinstrucional, assíncr, proprio ritmo, tuo ritmo, autoapprendimento, asincr, zelf, eigen tempo,
    自分のペース, 自習, オンデマンド, eラーニング, 録画`,
  ],
  [
    "instructor_paced",
    `instructor, cohort, live, classroom, onsite, on-site, in person, in-person, face to face, webinar, synchron,
    workshop, seminar, präsenz, vor ort, dozent, présentiel, en salle, classe, presencial, en directo, en vivo, aula,
    ao vivo, sala de aula, in presenza, dal vivo, in diretta, in aula, síncr, klassikaal, op locatie, begeleid,
    ライブ, 教室, 対面, 集合, 会場, 通学`,
  ],
]);

const meansAll = wholeWords([
  [true, "all, alle, tous, toutes, todos, tutti, すべて, すべてのレベル, 全て, 全レベル"],
]);

/** Whether a text names all levels. */
export function namesAllLevels(text: string): boolean {
  return text.split(/[^\p{L}]+/u).some(meansAll);
}

/** The levels that a text names: `Anfänger` gives `["beginner"]`. */
export const levelsNamed = beginnings([
  [
    "beginner",
    `begin, novice, introd, basic, basis, element, Anfänger, Einsteiger, Einstieg, Grund, début, basiq, princip, inici,
    base, starter, 初級, 初心者, 入門, 基礎`,
  ],
  [
    "intermediate",
    "intermed, Mittel, Aufbau, interméd, moyen, medio, gemiddeld, halfgevorderd, 中級",
  ],
  [
    "advanced",
    `advanc, expert, fortgeschritten, Profi, avanc, avanz, experi, especialist, espert, gevorderd, 上級, 応用`,
  ],
]);

/** The unit of time that a word names: `Std` gives `hour`. */
export const unitMeaning = wholeWords([
  [
    "day",
    `d, day, days, Tag, Tage, Tagen, j, jour, jours, día, días, giorno, giorni, gg, dag, dagen, 日, 日間`,
  ],
  [
    "hour",
    `h, hour, hours, hr, hrs, Std, Stunde, Stunden, heure, heures, hora, horas, ora, ore, u, uur, uren, 時間, 時`,
  ],
  ["minute", `m, min, mins, minute, minutes, Minuten, minuto, minutos, minuti, minuut, 分, 分間`],
  [
    "second",
    `s, sec, secs, second, seconds, Sek, Sekunde, Sekunden, seconde, secondes, seg, segundo, segundos,
    secondo, secondi, seconden, 秒, 秒間`,
  ],
]);

/** Whether a price means free. */
export const meansFree = wholeWords([
  [
    true,
    `free, free of charge, no charge, kostenlos, kostenfrei, gratis, umsonst, gratuit, gratuite, offert, gratuito,
    gratuita, kosteloos, 無料, 無償`,
  ],
]);
