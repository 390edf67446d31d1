import type { ContactField } from '@parley/contract/audiences/contact_fields.ts';
import { expect, test } from 'vitest';
import { OPT_OUT, type PersonState, readable, toCrmValue, toParleyText, toSlots, ValueError } from './values.ts';

const field = (key: string, kind: ContactField['kind'], choices: string[] = []): ContactField => ({
  ...{ id: key, account_id: 'a', key, label: key, kind, choices },
  ...{ create_date: '2026-01-01 00:00:00', update_date: '2026-01-01 00:00:00' },
});
const OWN = [
  field('visits', 'number'),
  field('vip', 'boolean'),
  field('since', 'date'),
  field('size', 'choice', ['S', 'M']),
];
const read = (parley: string, text: string) => toParleyText({ crm: 'x', parley }, OWN, text);

test.each<[string, string, string]>([
  ['first_name', 'A'.repeat(40), 'A'.repeat(32)],
  ['first_name', '\u{1f600}'.repeat(40), '\u{1f600}'.repeat(32)],
  ['language', ' pt-BR ', 'pt-BR'],
  ['timezone', 'Europe/Berlin', 'Europe/Berlin'],
  ['fields.visits', '7.50', '7.5'],
  ['fields.vip', 'Yes', 'yes'],
  ['fields.since', '2026-01-31T09:00:00Z', '2026-01-31'],
  ['fields.size', 'm', 'M'],
  ['fields.visits', '', ''],
])('%s accepts %s', (parley, text, expected) => {
  expect(read(parley, text)).toBe(expected);
});

test.each<[string, string]>([
  ['language', 'the language of Shakespeare'],
  ['timezone', 'Mars/Olympus'],
  ['fields.visits', 'many \u{1f600}'],
  ['fields.since', '2026-02-31'],
  ['fields.size', 'XXL'],
  ['fields.deleted', 'x'],
  ['constructor', 'x'],
  ['fields.__proto__', 'x'],
])('%s refuses %s, and compares it as it is', (parley, text) => {
  expect(() => read(parley, text)).toThrow(ValueError);
  expect(readable({ crm: 'x', parley }, OWN, text)).toBe(text);
});

const MAPS = {
  fields: [{ crm: 'name', parley: 'first_name' }],
  consents: [
    { crm: 'agreed', yes: 'Yes', no: 'No', channel: 'SMS' as const, purpose: 'marketing' as const, text: 'News' },
  ],
  opt_out: { crm: 'stopped', yes: 'Yes', no: '' },
};
const STATE: PersonState = {
  ...{ number: '1', country: 'DE', name: '', is_member: true, values: { first_name: 'Ada' }, update_ms: 0 },
  ...{ is_stopped: false, is_stopped_by_crm: true, consents: [{ change: 'withdrawn', is_from_crm: false }] },
};
const slots = (crm: Record<string, string>, state: Partial<PersonState> = {}) =>
  toSlots(MAPS, OWN, crm, { ...STATE, ...state }, {}).map(({ crm: value, parley, locked }) => [value, parley, locked]);

test('the values of both sides become comparable', () => {
  expect(slots({ name: 'Ada', agreed: 'yes', stopped: 'YES' })).toEqual([
    ['Ada', 'Ada', undefined],
    ['yes', 'no', true],
    ['yes', 'no', false],
  ]);
  // A value that means neither yes nor no is ignored. Without a value, the person has not opted out.
  expect(slots({ agreed: 'perhaps' }, { is_stopped: true, is_stopped_by_crm: false }).slice(1)).toEqual([
    ['', 'no', true],
    ['no', 'yes', true],
  ]);
});

test('the CRM gets the values that its fields mean', () => {
  const fields = ['name', 'agreed', 'stopped'].map((key) => ({
    key,
    label: key,
    choices: [],
    is_writable: key !== 'name',
  }));
  expect(toCrmValue(MAPS, fields, 'first_name', 'Ada')).toBeNull();
  expect(toCrmValue(MAPS, fields, 'consent.SMS.marketing', 'no')).toEqual({ crm: 'agreed', text: 'No' });
  expect(toCrmValue(MAPS, fields, OPT_OUT, 'no')).toEqual({ crm: 'stopped', text: '' });
  expect(toCrmValue({ ...MAPS, opt_out: null }, fields, OPT_OUT, 'yes')).toBeNull();
});
