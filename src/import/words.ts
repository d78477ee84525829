/** The words of values that other systems have, by language. To add a language, add its words to each table. */

/** A language whose words are known. */
type Language = "en" | "de" | "fr" | "es" | "pt" | "it" | "nl" | "ja";

/** Words by language, separated by commas; words that languages share are written once. */
export type Words = Readonly<Partial<Record<Language, string>>>;

/** What words mean. */
type Meanings<Meaning> = readonly (readonly [Meaning, Words])[];

/** A text without case, width and marks of Latin letters. */
export function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/(\p{Script=Latin})\p{M}+/gu, "$1")
    .normalize("NFC")
    .toLowerCase()
    .trim();
}

/** The words of all languages, each with its rank among those of its language, from 0. */
export function rankedWords(words: Words): [word: string, rank: number][] {
  return Object.values(words).flatMap((line) =>
    line.split(", ").map((word, rank): [string, number] => [fold(word), rank]),
  );
}

/** The meaning of a text that is one of the words. */
function wholeWords<const Meaning>(
  table: Meanings<Meaning>,
): (text: string) => Meaning | undefined {
  const byWord = new Map(
    table.flatMap(([meaning, words]) =>
      rankedWords(words).map(([word]): [string, Meaning] => [word, meaning]),
    ),
  );
  return (text) => byWord.get(fold(text));
}

/** The meanings of a text in which a word begins as one of these do. */
function beginnings<const Meaning>(table: Meanings<Meaning>): (text: string) => Meaning[] {
  const patterns = table.map(([meaning, words]) => {
    const alternatives = rankedWords(words).map(([word]) =>
      // Japanese does not separate words.
      /^\p{Script=Latin}/u.test(word) ? `(?<![\\p{L}\\p{N}])${word}` : word,
    );
    return [meaning, new RegExp(alternatives.join("|"), "u")] as const;
  });
  return (text) => {
    const folded = fold(text);
    return patterns.flatMap(([meaning, pattern]) => (pattern.test(folded) ? [meaning] : []));
  };
}

/** Whether a course with this status is published. Each word is said of nothing but publishing. */
export const statusMeaning = wholeWords([
  [
    true,
    {
      en: "published, publish, public",
      de: "veröffentlicht, publiziert, freigegeben, öffentlich",
      fr: "publié, publiée, en ligne",
      es: "publicado, publicada, público, pública",
      pt: "publicado, publicada, público, pública",
      it: "pubblicato, pubblicata, pubblico, pubblica",
      nl: "gepubliceerd, openbaar",
      ja: "公開, 公開中, 公開済み",
    },
  ],
  [
    false,
    {
      en: "draft, auto-draft, unpublished, not published, private, hidden, pending, scheduled, future, archived, trash",
      de: "Entwurf, unveröffentlicht, nicht veröffentlicht, privat, verborgen, ausgeblendet, versteckt, geplant, archiviert",
      fr: "brouillon, non publié, non publiée, dépublié, privé, caché, masqué, archivé",
      es: "borrador, no publicado, no publicada, privado, oculto, archivado",
      pt: "rascunho, não publicado, não publicada, privado, oculto, arquivado",
      it: "bozza, non pubblicato, non pubblicata, privato, nascosto, archiviato",
      nl: "concept, niet gepubliceerd, ongepubliceerd, privé, verborgen, gearchiveerd",
      ja: "非公開, 下書き, 未公開, アーカイブ",
    },
  ],
]);

/** Whether a text says yes or no. */
export const yesOrNo = wholeWords([
  [
    true,
    {
      en: "yes, y, true, on, 1, x, ✓, ✔, active, enabled, visible, online, live",
      de: "ja, wahr, aktiv, sichtbar",
      fr: "oui, vrai, actif, active, visible",
      es: "sí, si, verdadero, activo, activa, visible",
      pt: "sim, verdadeiro, ativo, ativa, visível",
      it: "sì, vero, attivo, attiva, visibile",
      nl: "ja, waar, actief, zichtbaar",
      ja: "はい, 有効, ○, 表示",
    },
  ],
  [
    false,
    {
      en: "no, n, false, off, 0, -, inactive, disabled, invisible, offline",
      de: "nein, falsch, inaktiv, unsichtbar",
      fr: "non, faux, inactif, inactive",
      es: "no, falso, inactivo, inactiva",
      pt: "não, falso, inativo, inativa",
      it: "no, falso, inattivo, inattiva",
      nl: "nee, onwaar, inactief, onzichtbaar",
      ja: "いいえ, 無効, ×, 非表示",
    },
  ],
]);

/** The paces that a text names. */
export const pacesIn = beginnings([
  [
    "self_paced",
    {
      en: "self, own pace, your pace, on demand, on-demand, asynchron, e-learning",
      de: "selbst, eigenes tempo, eigenem tempo",
      fr: "rythme, à votre rythme, autonomie, autoformation",
      es: "a tu ritmo, a su ritmo, propio ritmo, autoaprendizaje, asincr",
      pt: "seu ritmo, próprio ritmo, autoinstrucional, assíncr",
      it: "proprio ritmo, tuo ritmo, autoapprendimento, asincr",
      nl: "zelf, eigen tempo",
      ja: "自分のペース, 自習, オンデマンド, eラーニング, 録画",
    },
  ],
  [
    "instructor_paced",
    {
      en: "instructor, cohort, live, classroom, onsite, on-site, in person, in-person, face to face, webinar, synchron, workshop, seminar",
      de: "präsenz, vor ort, dozent",
      fr: "présentiel, en salle, classe",
      es: "presencial, en directo, en vivo, aula, sincr",
      pt: "presencial, ao vivo, sala de aula, síncr",
      it: "in presenza, dal vivo, in diretta, in aula, sincr",
      nl: "klassikaal, op locatie, begeleid",
      ja: "ライブ, 教室, 対面, 集合, 会場, 通学",
    },
  ],
]);

const meansAll = wholeWords([
  [
    true,
    {
      ...{ en: "all", de: "alle", fr: "tous, toutes", es: "todos", pt: "todos", it: "tutti" },
      ...{ nl: "alle", ja: "すべて, すべてのレベル, 全て, 全レベル" },
    },
  ],
]);

/** Whether a text names all levels. */
export function namesAllLevels(text: string): boolean {
  return text.split(/[^\p{L}]+/u).some(meansAll);
}

/** The levels that a text names. */
export const levelsNamed = beginnings([
  [
    "beginner",
    {
      en: "begin, novice, introd, basic, basis, element",
      de: "Anfänger, Einsteiger, Einstieg, Grund",
      fr: "début, basiq",
      es: "princip, inici, básic",
      pt: "princip, inici, básic",
      it: "princip, base",
      nl: "begin, basis, starter",
      ja: "初級, 初心者, 入門, 基礎",
    },
  ],
  [
    "intermediate",
    {
      en: "intermed",
      de: "Mittel, Aufbau",
      fr: "interméd, moyen",
      es: "intermed, medio",
      pt: "intermed, médio",
      it: "intermed, medio",
      nl: "gemiddeld, halfgevorderd",
      ja: "中級",
    },
  ],
  [
    "advanced",
    {
      en: "advanc, expert",
      de: "fortgeschritten, Expert, Profi",
      fr: "avanc, expert",
      es: "avanz, expert",
      pt: "avanç, experi, especialist",
      it: "avanz, espert",
      nl: "gevorderd, expert",
      ja: "上級, 応用",
    },
  ],
]);

/** The unit of time that a word names. */
export const unitMeaning = wholeWords([
  [
    "day",
    {
      ...{ en: "d, day, days", de: "Tag, Tage, Tagen", fr: "j, jour, jours", es: "día, días" },
      ...{ pt: "dia, dias", it: "giorno, giorni, gg", nl: "dag, dagen", ja: "日, 日間" },
    },
  ],
  [
    "hour",
    {
      en: "h, hour, hours, hr, hrs",
      de: "Std, Stunde, Stunden",
      fr: "heure, heures",
      es: "hora, horas",
      pt: "hora, horas",
      it: "ora, ore",
      nl: "u, uur, uren",
      ja: "時間, 時",
    },
  ],
  [
    "minute",
    {
      en: "m, min, mins, minute, minutes",
      de: "Minute, Minuten",
      fr: "minute, minutes",
      es: "minuto, minutos",
      pt: "minuto, minutos",
      it: "minuto, minuti",
      nl: "minuut, minuten",
      ja: "分, 分間",
    },
  ],
  [
    "second",
    {
      en: "s, sec, secs, second, seconds",
      de: "Sek, Sekunde, Sekunden",
      fr: "seconde, secondes",
      es: "seg, segundo, segundos",
      pt: "seg, segundo, segundos",
      it: "secondo, secondi",
      nl: "seconde, seconden",
      ja: "秒, 秒間",
    },
  ],
]);

/** Whether a price says that there is none to pay. */
export const meansFree = wholeWords([
  [
    true,
    {
      en: "free, free of charge, no charge",
      de: "kostenlos, kostenfrei, gratis, umsonst",
      fr: "gratuit, gratuite, offert",
      es: "gratis, gratuito, gratuita",
      pt: "grátis, gratuito, gratuita",
      it: "gratis, gratuito, gratuita",
      nl: "gratis, kosteloos",
      ja: "無料, 無償",
    },
  ],
]);
