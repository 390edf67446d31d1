import { expect, test } from 'vitest';
import { compileRule, type Rule, TextMatcher } from './matcher.ts';

const RULE: Rule = {
  ...{ id: 'r', name: 'Rule', kind: 'links', action: 'hold', enabled: true, countries: [], channels: [] },
  ...{ account_ids: [], exempt_account_ids: [], links: 'any', domains: [], brands: [], words: [], exceptions: [] },
  ...{ sender_days: null, links_per_hour: null },
};
const find = (rule: Partial<Rule>, text: string, country = 'GB', others: string[] = []) =>
  new TextMatcher([compileRule({ ...RULE, ...rule })])
    .find({ text, others }, country)
    .flatMap(({ matches }) => matches);
/** The highlighted texts with the names of their matches. */
const marked = (rule: Partial<Rule>, text: string) =>
  find(rule, text).map(({ what, start, end }) => [what, text.slice(start!, end!)]);

test.for([
  ['See https://www.Example.com/a?b=1.', [['example.com', 'www.Example.com']]],
  ['shop at sale.example.co.uk today', [['sale.example.co.uk', 'sale.example.co.uk']]],
  [
    'bit.ly/abc and t.co/x',
    [
      ['bit.ly', 'bit.ly'],
      ['t.co', 't.co'],
    ],
  ],
  ['login.internal/path', [['login.internal', 'login.internal']]],
  ['http://10.0.0.1/x', [['10.0.0.1', '10.0.0.1']]],
  ['пример.рф', [['xn--e1afmkfd.xn--p1ai', 'пример.рф']]],
  ['https://пример.рф', [['xn--e1afmkfd.xn--p1ai', 'пример.рф']]],
  ['ｅｘａｍｐｌｅ．com', [['example.com', 'ｅｘａｍｐｌｅ．com']]],
  ['exa\u200bmple.com', [['example.com', 'exa\u200bmple.com']]],
  ['😀 example.com 😀', [['example.com', 'example.com']]],
  ['Ready.Call us at 10.30 or write to me@example.com. Thanks...', []],
  ['', []],
] as const)('the links of %j are found at their places', ([text, links]) => {
  expect(marked({}, text)).toEqual(links);
});

test('a list of domains matches subdomains but not other names, and exceptions are not matched', () => {
  const rule = { links: 'domains' as const, domains: ['https://Evil.com/'], exceptions: ['ok.evil.com'] };
  expect(marked(rule, 'evil.com, a.evil.com, ok.evil.com, notevil.com')).toEqual([
    ['evil.com', 'evil.com'],
    ['a.evil.com', 'a.evil.com'],
  ]);
});

test('a link behind a Parley short link, and the link of a button, count without a place in the text', () => {
  const rule = { links: 'shorteners' as const };
  expect(find(rule, 'Look: https://go.parley.test/aB3', 'GB', ['Look: {url=https://bit.ly/x}'])).toMatchObject([
    { what: 'bit.ly', start: null, end: null },
  ]);
});

test.for([
  ['Your PayPaI account', 'PayPaI'],
  ['Your раураl account', 'раураl'],
  ['Your paypa1 account', 'paypa1'],
  ['Your p\u0430yp\u0430l account', 'p\u0430yp\u0430l'],
  ['Your páypál account', 'páypál'],
  ['páypal.com', 'páypal.com'],
  ['Your PayPal account', null],
  ['Two paypals are fine', null],
  ['Papal visit', 'Papal'],
  ['arnazon prime', 'arnazon'],
  ['amazom', 'amazom'],
  ['paypal-login.com', 'paypal-login.com'],
  ['paypal.secure.com', 'paypal.secure.com'],
  ['https://paypal.com/x', null],
  ['www.paypa1.com', 'www.paypa1.com'],
  ['xn--pypal-4ve.com', 'xn--pypal-4ve.com'],
  ['paypal-help.com', null],
] as const)('look-alikes of a brand in %j', ([text, found]) => {
  const rule = { kind: 'lookalikes' as const, brands: ['PayPal', 'Amazon'], exceptions: ['paypal-help.com'] };
  expect(marked(rule, text).map(([, part]) => part)).toEqual(found === null ? [] : [found]);
});

test.for([
  ['Win at the CASINO!', ['CASINO']],
  ['casinos are not casino-like', ['casino']],
  ['c\u0430sino', ['c\u0430sino']],
  ['Казино', ['Казино']],
  ['казино́', ['казино́']],
  ['free   money now', ['free   money']],
  ['free my money', []],
  ['最好的赌场在这里', ['赌场']],
  ['مجاني قمار الآن', ['قمار']],
] as const)('forbidden words in %j are found as whole words of any script', ([text, found]) => {
  const rule = { kind: 'words' as const, words: ['casino', 'казино', 'free money', '赌场', 'قمار'] };
  expect(marked(rule, text).map(([, part]) => part)).toEqual(found);
});

test('a rule for some countries leaves the others alone', () => {
  const rule = { kind: 'words' as const, words: ['casino'], countries: ['DE'] };
  expect(find(rule, 'casino', 'DE')).toHaveLength(1);
  expect(find(rule, 'casino', 'GB')).toEqual([]);
});

test('a long hostile text is matched within the time of a test', () => {
  const brands = Array.from({ length: 100 }, (_, n) => `brandname${n}`);
  const words = Array.from({ length: 500 }, (_, n) => `word${n} tail`);
  const rules = [RULE, { ...RULE, kind: 'lookalikes' as const, brands }, { ...RULE, kind: 'words' as const, words }];
  const matcher = new TextMatcher(rules.map(compileRule));
  for (const unit of ['a.', '-.', 'a-', 'http://', 'word1 ', 'a\u0301', '。', '1.1.'])
    for (const { matches } of matcher.find({ text: unit.repeat(20_000) }, 'GB'))
      expect(matches.length).toBeLessThanOrEqual(20);
});
