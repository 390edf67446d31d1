/**
 * Translates between English and German, Spanish, or French, word by word with a dictionary of common phrases. Words
 * that are not in the dictionary are unchanged.
 */
import { replacePhrases, words } from './sentences.ts';

const PHRASES: readonly (readonly [en: string, de: string, es: string, fr: string])[] = [
  ['good morning', 'guten Morgen', 'buenos días', 'bonjour'],
  ['thank you', 'danke', 'gracias', 'merci'],
  ['thanks', 'vielen Dank', 'muchas gracias', 'merci beaucoup'],
  ["you're welcome", 'gern geschehen', 'de nada', 'de rien'],
  ['how much', 'wie viel', 'cuánto', 'combien'],
  ['when do you open', 'wann öffnen Sie', 'cuándo abren', 'quand ouvrez-vous'],
  ['where is my order', 'wo ist meine Bestellung', 'dónde está mi pedido', 'où est ma commande'],
  ['we are sorry', 'es tut uns leid', 'lo sentimos', 'nous sommes désolés'],
  ['see you tomorrow', 'bis morgen', 'hasta mañana', 'à demain'],
  ['hello', 'hallo', 'hola', 'salut'],
  ['please', 'bitte', 'por favor', "s'il vous plaît"],
  ['yes', 'ja', 'sí', 'oui'],
  ['no', 'nein', 'no', 'non'],
  ['and', 'und', 'y', 'et'],
  ['or', 'oder', 'o', 'ou'],
  ['not', 'nicht', 'no', 'pas'],
  ['with', 'mit', 'con', 'avec'],
  ['for', 'für', 'para', 'pour'],
  ['is', 'ist', 'está', 'est'],
  ['are', 'sind', 'están', 'sont'],
  ['we', 'wir', 'nosotros', 'nous'],
  ['you', 'Sie', 'usted', 'vous'],
  ['i', 'ich', 'yo', 'je'],
  ['the', 'die', 'el', 'le'],
  ['your', 'Ihre', 'su', 'votre'],
  ['my', 'meine', 'mi', 'ma'],
  ['order', 'Bestellung', 'pedido', 'commande'],
  ['delivery', 'Lieferung', 'entrega', 'livraison'],
  ['today', 'heute', 'hoy', "aujourd'hui"],
  ['tomorrow', 'morgen', 'mañana', 'demain'],
  ['yesterday', 'gestern', 'ayer', 'hier'],
  ['open', 'offen', 'abierto', 'ouvert'],
  ['closed', 'geschlossen', 'cerrado', 'fermé'],
  ['late', 'spät', 'tarde', 'en retard'],
  ['help', 'Hilfe', 'ayuda', 'aide'],
  ['problem', 'Problem', 'problema', 'problème'],
  ['price', 'Preis', 'precio', 'prix'],
  ['invoice', 'Rechnung', 'factura', 'facture'],
  ['question', 'Frage', 'pregunta', 'question'],
  ['table', 'Tisch', 'mesa', 'table'],
  ['coffee', 'Kaffee', 'café', 'café'],
  ['ready', 'fertig', 'listo', 'prêt'],
  ['when', 'wann', 'cuándo', 'quand'],
  ['where', 'wo', 'dónde', 'où'],
  ['why', 'warum', 'por qué', 'pourquoi'],
  ['good', 'gut', 'bueno', 'bon'],
  ['here', 'hier', 'aquí', 'ici'],
  ['will', 'wird', 'va a', 'va'],
  ['arrives', 'kommt an', 'llega', 'arrive'],
  ['street', 'Straße', 'calle', 'rue'],
  ['monday', 'Montag', 'lunes', 'lundi'],
  ['friday', 'Freitag', 'viernes', 'vendredi'],
];
const LANGUAGES = ['en', 'de', 'es', 'fr'] as const;
type Language = (typeof LANGUAGES)[number];
const column = (language: Language) => LANGUAGES.indexOf(language);

export const isKnownLanguage = (code: string): code is Language => (LANGUAGES as readonly string[]).includes(code);

/** The language with the most words in the dictionary. */
export function detect(text: string): Language {
  const found = new Set(words(text));
  const hits = LANGUAGES.map(
    (language) => PHRASES.filter((row) => words(row[column(language)]!).every((word) => found.has(word))).length,
  );
  return LANGUAGES[hits.indexOf(Math.max(...hits))]!;
}

/** Between two other languages, the text passes through English. */
export function translate(text: string, to: Language): string {
  const from = detect(text);
  if (from === to) return text;
  const english = from === 'en' ? text : replacePhrases(text, pairs(from, 'en'));
  return to === 'en' ? english : replacePhrases(english, pairs('en', to));
}

/** The first row of a word wins. */
function pairs(from: Language, to: Language): [string, string][] {
  const table = new Map<string, string>();
  for (const row of PHRASES) {
    const key = row[column(from)]!.toLowerCase();
    if (!table.has(key)) table.set(key, row[column(to)]!);
  }
  return [...table];
}
