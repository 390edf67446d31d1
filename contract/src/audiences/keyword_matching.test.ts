import { describe, expect, test } from 'vitest';
import {
  findBuiltIn,
  type KeywordMatching,
  type KeywordRule,
  matchKeyword,
  replyLanguage,
  reservedWord,
} from './keyword_matching.ts';
import { KEYWORD_KINDS, KEYWORD_LANGUAGES, KEYWORD_WORDS } from './keyword_words.ts';

const rule = (words: string[], match: KeywordMatching = 'exact', detail: Partial<KeywordRule> = {}): KeywordRule => ({
  ...{ words, match, sender_ids: [], countries: [], effect: 'none', enabled: true },
  ...detail,
});
const ANYWHERE = { sender_ids: ['a'], country: 'GB' };
const isMatch = (word: string, match: KeywordMatching, text: string) =>
  matchKeyword(text, ANYWHERE, [rule([word], match)])?.rule != null;

describe('a word that every sender understands', () => {
  test.each([
    ['STOP', 'stop'],
    [' stop. ', 'stop'],
    ['"StOp"', 'stop'],
    ['Opt-Out!', 'stop'],
    ['opt out', 'stop'],
    ['ARRÊT', 'stop'],
    ['arret', 'stop'],
    ['Unsubscribe', 'stop'],
    ['STOP please', 'stop'],
    ['Please stop now, thanks', 'stop'],
    ['Stop STOP stop!!', 'stop'],
    ['STOP 🛑', 'stop'],
    ['🛑stop🛑', 'stop'],
    ['ＳＴＯＰ', 'stop'],
    ['ｓｔｏｐ！', 'stop'],
    ['s\u200bt\u200bo\u200bp', 'stop'],
    ['\u202estop\u202c', 'stop'],
    ['стоп', 'stop'],
    ['СТОП!', 'stop'],
    ['Стоп, пожалуйста', 'stop'],
    ['Отпишите меня', 'stop'],
    ['توقف', 'stop'],
    ['تَوَقَّف', 'stop'],
    ['توقـــف', 'stop'],
    ['إلغاء الاشتراك', 'stop'],
    ['الغاء الاشتراك', 'stop'],
    ['désabonner', 'stop'],
    ['DESABONNER', 'stop'],
    ['rezygnuję', 'stop'],
    ['Wypisz mnie, proszę', 'stop'],
    ['Abmelden bitte', 'stop'],
    ['start', 'start'],
    ['Yes!', 'start'],
    ['ＳＴＡＲＴ', 'start'],
    ['HELP?', 'help'],
    ['help me please', 'help'],
    ['مساعدة', 'help'],
    ['помощь', 'help'],
    ['please stop sending me this', null],
    ['stopping by at five', null],
    ['Don’t stop', null],
    ['non-stop', null],
    ['start please', null],
    ['cancel please', null],
    ['yes please', null],
    ['please', null],
    ['', null],
    ['?!', null],
    ['👍', null],
  ] as const)('in %j is parsed as %s', (text, kind) => {
    expect(findBuiltIn(text)?.kind ?? null).toBe(kind);
  });

  test.each([
    ['STOP', 'stop'],
    ['Unsubscribe', 'stop'],
    ['START', 'start'],
    ['Cancel', null],
    ['Yes', null],
    ['Stop please', null],
  ] as const)('on the button %j is parsed as %s', (text, kind) => {
    expect(findBuiltIn(text, true)?.kind ?? null).toBe(kind);
  });

  test('has one meaning in all languages', () => {
    for (const language of KEYWORD_LANGUAGES)
      for (const kind of KEYWORD_KINDS)
        for (const word of [...KEYWORD_WORDS[language].clear[kind], ...KEYWORD_WORDS[language].other[kind]]) {
          const found = findBuiltIn(word);
          expect([word, found?.kind]).toEqual([word, kind]);
          if (found?.languages) expect(found.languages).toContain(language);
        }
  });

  test('decides the language of the reply, unless the person has one', () => {
    const reply = (word: string, country: string, language = '') =>
      replyLanguage(findBuiltIn(word)!, { country, language });
    expect([reply('ARRET', 'GB'), reply('stop', 'GB'), reply('stop', 'DE'), reply('parar', 'BR')]).toEqual([
      ...['fr', 'en', 'de', 'pt'],
    ]);
    expect([reply('parar', 'US'), reply('stop', 'DE', 'pl-PL'), reply('abmelden', 'DE', 'pl')]).toEqual([
      ...['es', 'pl', 'de'],
    ]);
  });
});

describe('a keyword of an account', () => {
  test.each<[string, KeywordMatching, string, boolean]>([
    ['hours', 'exact', 'HOURS?', true],
    ['hours', 'exact', 'opening hours', false],
    ['opening hours', 'exact', 'Opening-Hours', true],
    ['hours', 'starts_with', 'Hours on Sunday', true],
    ['hours', 'starts_with', 'What are your hours', false],
    ['hour', 'starts_with', 'hours', false],
    ['hours', 'contains', 'What are your hours?', true],
    ['hour', 'contains', 'your hours', false],
    ['opening hours', 'contains', 'Your opening\nhours please', true],
    ['opt out', 'contains', 'I want to opt-out', true],
    ['ÖFFNUNGSZEITEN', 'contains', 'oeffnungszeiten öffnungszeiten', true],
    ['größe', 'exact', 'GROSSE', true],
    ['часы', 'contains', 'Какие у вас ЧАСЫ работы?', true],
    ['ساعات', 'starts_with', 'ساعات العمل', true],
    ['営業時間', 'contains', '今日の営業時間は？', true],
    ['営業時間', 'starts_with', '営業時間は？', true],
    ['ＪＯＩＮ', 'exact', 'join', true],
    ['👍', 'exact', '👍🏽', true],
    ['👍', 'exact', 'ok 👍', false],
    ['join', 'exact', 'JOIN 👍', true],
    ['की', 'exact', 'का', false],
    ['1', 'exact', '1️⃣', true],
  ])('%j that must be %s matches %j: %s', (word, match, text, expected) => {
    expect(isMatch(word, match, text)).toBe(expected);
  });

  test('applies to its senders and countries, and only if it is on', () => {
    const find = (detail: Partial<KeywordRule>, country = 'GB') =>
      matchKeyword('hours', { sender_ids: ['a', 'member'], country }, [rule(['hours'], 'exact', detail)]);
    expect(find({ sender_ids: ['a'] })).not.toBeNull();
    expect(find({ sender_ids: ['member'] })).not.toBeNull();
    expect(find({ sender_ids: ['b'] })).toBeNull();
    expect(find({ countries: ['GB', 'DE'] })).not.toBeNull();
    expect(find({ countries: ['DE'] })).toBeNull();
    expect(find({ enabled: false })).toBeNull();
  });

  test('comes before START and HELP, but never before STOP', () => {
    const wide = rule(['a', 'help', 'stop', 'yes'], 'contains');
    const out = rule(['end'], 'exact', { effect: 'opt_out' });
    const find = (text: string, rules = [wide, out]) => matchKeyword(text, ANYWHERE, rules);
    expect(find('HELP')).toMatchObject({ kind: 'custom', rule: wide });
    expect(find('yes')).toMatchObject({ kind: 'custom', rule: wide });
    expect(find('STOP')).toMatchObject({ kind: 'stop', rule: null });
    expect(find('END')).toMatchObject({ kind: 'stop', rule: out });
    expect(find('info')).toMatchObject({ kind: 'help', rule: null });
    expect(find('a stop')).toMatchObject({ kind: 'custom', rule: wide });
    expect(find('nothing')).toBeNull();
  });

  test('that comes first applies when two match', () => {
    const [first, second] = [rule(['price'], 'contains'), rule(['price'])];
    expect(matchKeyword('price', ANYWHERE, [first, second])?.rule).toBe(first);
    expect(matchKeyword('price', ANYWHERE, [second, first])?.rule).toBe(second);
  });

  test('cannot give a reserved word another meaning', () => {
    expect(reservedWord(['hours', 'Opt-Out'], 'none')).toBe('Opt-Out');
    expect(reservedWord(['стоп'], 'opt_in')).toBe('стоп');
    expect(reservedWord(['START'], 'opt_out')).toBe('START');
    expect(reservedWord(['stop', 'quit'], 'opt_out')).toBeNull();
    expect(reservedWord(['start', 'yes'], 'opt_in')).toBeNull();
    expect(reservedWord(['help', 'info', 'yes'], 'none')).toBeNull();
  });
});
