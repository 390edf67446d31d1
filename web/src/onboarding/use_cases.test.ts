import { INDUSTRIES } from '@parley/contract/accounts/industries.ts';
import { expect, test } from 'vitest';
import { AS_OF, REGIONS } from './regions.ts';
import { USE_CASES } from './use_cases.ts';

const all = Object.values(USE_CASES).flat();

test('every industry has three or four distinct messages, including SMS', () => {
  expect(Object.keys(INDUSTRIES)).toHaveLength(37);
  expect(
    Object.keys(USE_CASES)
      .map(Number)
      .sort((a, b) => a - b),
  ).toEqual(Object.keys(INDUSTRIES).map(Number));
  for (const cases of Object.values(USE_CASES)) {
    expect([3, 4]).toContain(cases.length);
    expect(cases.some(({ channel }) => channel === 'SMS')).toBe(true);
  }
  expect(new Set(all.map(({ text }) => text)).size).toBe(all.length);
});

test('every text uses only existing variables, and every SMS text fits in one segment', () => {
  for (const { text, channel } of all) {
    for (const [, name] of text.matchAll(/\{(\w+)\}/g)) expect(['first_name', 'custom1']).toContain(name);
    if (channel !== 'SMS') continue;
    expect(text, text).toMatch(/^[\x20-\x7e]*$/);
    expect(text.length, text).toBeLessThanOrEqual(160);
  }
});

test('every SMS marketing text includes an opt-out', () => {
  for (const { text, channel, kind } of all)
    if (channel === 'SMS' && kind === 'marketing') expect(text, text).toMatch(/STOP/);
});

test('every region lists sender types, laws, hours, and opt-out rules', () => {
  expect(REGIONS.map(({ key }) => key)).toEqual(['us', 'ca', 'gb', 'au', 'other']);
  for (const region of REGIONS) {
    expect(region.senders.length).toBeGreaterThanOrEqual(3);
    expect(region.laws.length).toBeGreaterThanOrEqual(2);
    for (const text of [region.hours, region.opt_out, region.consent]) expect(text.length).toBeGreaterThan(40);
  }
});

test('every law has its public source, and the regulations of the specification are there', () => {
  const laws = REGIONS.flatMap((region) => region.laws);
  for (const { name, source } of laws) expect(new URL(source).protocol, name).toBe('https:');
  expect(new Set(laws.map(({ source }) => source)).size).toBe(laws.length);
  // The official publishers, whose addresses do not change with amendments.
  const official = /(ecfr|legislation|justice\.gc|eur-lex\.europa|agc\.gov|trai\.gov|ctia)/;
  for (const { name, source } of laws) expect(new URL(source).host, name).toMatch(official);
  const names = laws.map(({ name }) => name).join(' ');
  for (const name of ['TCPA', 'PSD2', 'PDPA', 'CASL', 'HIPAA', 'GDPR', 'APA']) expect(names).toContain(name);
  expect(AS_OF).toMatch(/^[A-Z][a-z]+ \d{1,2}, 20\d\d$/);
});
