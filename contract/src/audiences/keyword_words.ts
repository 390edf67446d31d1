/**
 * The keywords that every sender recognizes, in ten languages: STOP (opt out), START (opt in), and HELP (information).
 * English includes the lists of carriers and regulators in the United States and Canada.
 */

/** Languages, in the order in which they are tried for a word that several share. */
export const KEYWORD_LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'ru', 'ar'] as const;
export type KeywordLanguage = (typeof KEYWORD_LANGUAGES)[number];

export const KEYWORD_KINDS = ['stop', 'start', 'help'] as const;
export type KeywordKind = (typeof KEYWORD_KINDS)[number];

interface Words {
  name: string;
  /** Words that always mean the keyword, also on a button, or together with "please". */
  clear: Readonly<Record<KeywordKind, readonly string[]>>;
  /** Words that mean the keyword only as a whole message that the person typed. */
  other: Readonly<Record<KeywordKind, readonly string[]>>;
  /** Words that do not change the meaning of a clear one. */
  polite: readonly string[];
  /** Countries where most people write this language. */
  countries: readonly string[];
}

export const KEYWORD_WORDS: Readonly<Record<KeywordLanguage, Words>> = {
  en: {
    name: 'English',
    clear: {
      stop: ['stop', 'stop all', 'opt out', 'unsubscribe'],
      start: ['start', 'unstop', 'subscribe'],
      help: ['help'],
    },
    other: { stop: ['quit', 'end', 'revoke', 'cancel', 'remove'], start: ['yes'], help: ['info'] },
    polite: ['please', 'pls', 'now', 'thanks', 'thank', 'you', 'me', 'messages', 'texts', 'texting', 'sms'],
    countries: [],
  },
  de: {
    name: 'German',
    clear: { stop: ['stopp', 'abmelden', 'abbestellen', 'austragen'], start: ['anmelden'], help: ['hilfe'] },
    other: { stop: ['ende'], start: ['starten'], help: [] },
    polite: ['bitte', 'danke', 'jetzt', 'mich', 'nachrichten'],
    countries: ['DE', 'AT', 'LI'],
  },
  fr: {
    name: 'French',
    clear: {
      stop: ['arrêt', 'arrêter', 'désabonner', 'me désabonner', 'désinscription', 'désinscrire'],
      start: ['réabonner', 'abonner'],
      help: ['aide'],
    },
    other: { stop: ['td'], start: [], help: [] },
    polite: ['merci', 'svp', 'stp', 's', 'il', 'vous', 'te', 'plaît'],
    countries: ['FR', 'MC', 'SN', 'CI'],
  },
  es: {
    name: 'Spanish',
    clear: { stop: ['baja', 'darme de baja', 'dar de baja'], start: ['alta', 'suscribir'], help: ['ayuda'] },
    other: { stop: ['alto', 'parar', 'cancelar', 'detener'], start: ['iniciar'], help: [] },
    polite: ['por', 'favor', 'gracias'],
    countries: [
      'ES',
      'MX',
      'AR',
      'CO',
      'CL',
      'PE',
      'EC',
      'UY',
      'PY',
      'BO',
      'VE',
      'CR',
      'PA',
      'GT',
      'HN',
      'SV',
      'NI',
      'DO',
    ],
  },
  pt: {
    name: 'Portuguese',
    clear: { stop: ['sair', 'descadastrar', 'cancelar inscrição'], start: ['inscrever'], help: ['ajuda'] },
    other: { stop: ['parar', 'cancelar', 'remover'], start: ['iniciar', 'assinar'], help: [] },
    polite: ['por', 'favor', 'obrigado', 'obrigada'],
    countries: ['PT', 'BR', 'AO', 'MZ'],
  },
  it: {
    name: 'Italian',
    clear: { stop: ['disiscrivi', 'disiscrivimi', 'cancellami'], start: ['iscrivi', 'iscrivimi'], help: ['aiuto'] },
    other: { stop: ['annulla', 'basta'], start: ['riattiva'], help: [] },
    polite: ['per', 'favore', 'grazie'],
    countries: ['IT', 'SM'],
  },
  nl: {
    name: 'Dutch',
    clear: { stop: ['afmelden', 'uitschrijven', 'stoppen'], start: ['aanmelden', 'inschrijven'], help: ['hulp'] },
    other: { stop: [], start: ['starten'], help: [] },
    polite: ['alstublieft', 'aub', 'graag', 'bedankt', 'nu'],
    countries: ['NL', 'SR'],
  },
  pl: {
    name: 'Polish',
    clear: { stop: ['wypisz', 'wypisz mnie', 'rezygnuję'], start: ['zapisz', 'zapisz mnie'], help: ['pomoc'] },
    other: { stop: ['zatrzymaj', 'koniec'], start: [], help: [] },
    polite: ['proszę', 'dziękuję'],
    countries: ['PL'],
  },
  ru: {
    name: 'Russian',
    clear: { stop: ['стоп', 'отписаться', 'отписка', 'отпишите'], start: ['старт', 'подписаться'], help: ['помощь'] },
    other: { stop: ['отмена', 'хватит'], start: [], help: ['справка'] },
    polite: ['пожалуйста', 'спасибо', 'меня'],
    countries: ['RU', 'BY', 'KZ', 'KG'],
  },
  ar: {
    name: 'Arabic',
    clear: { stop: ['توقف', 'إيقاف', 'إلغاء الاشتراك'], start: ['ابدأ', 'اشتراك', 'اشترك'], help: ['مساعدة'] },
    other: { stop: ['إلغاء', 'قف'], start: [], help: [] },
    polite: ['من', 'فضلك', 'شكرا'],
    countries: [
      'AE',
      'SA',
      'EG',
      'JO',
      'KW',
      'QA',
      'BH',
      'OM',
      'IQ',
      'LB',
      'SY',
      'YE',
      'LY',
      'TN',
      'DZ',
      'MA',
      'SD',
      'PS',
    ],
  },
};

/** Words that belong to no single language. The person's country determines the language of the reply. */
export const INTERNATIONAL_WORDS: readonly string[] = ['stop', 'start', 'info'];
