import { expect, test } from 'vitest';
import { waitSeconds } from '../access.ts';
import { contactPort } from './pipedrive_contacts.ts';
import type { Call, HookRequest } from './provider.ts';

const APP = { id: 'pipedrive', client_id: 'a', client_secret: 'b', url: 'https://oauth.pipedrive.com' };
const CITY = { key: 'c1', label: 'City', choices: [{ id: '7', label: 'Kiel' }], is_writable: true };
const EMAIL = { key: 'email', label: 'Email', choices: [], is_writable: false };

/** Records each request, and responds with the same person. */
function record(data: object): { call: Call; sent: unknown[] } {
  const sent: unknown[] = [];
  const call: Call = async (_method, _path, body) => {
    sent.push(body);
    return { data };
  };
  return { call, sent };
}

function hook(body: string, password: string): HookRequest {
  const authorization = `Basic ${Buffer.from(`parley:${password}`).toString('base64')}`;
  return { method: 'POST', url: '', headers: { authorization }, body: Buffer.from(body), now: new Date(0) };
}

test('a webhook counts only with its password, and only for people and deals', () => {
  const { read } = contactPort.hooks;
  const body = (entity: string) => JSON.stringify({ meta: { entity, entity_id: '5', company_id: 7 } });
  expect(read(APP, hook(body('person'), 'p'), 'p')).toEqual([{ company_id: '7', kind: 'record', key: '5' }]);
  expect(read(APP, hook(body('deal'), 'p'), 'p')).toEqual([{ company_id: '7', kind: 'deal', key: '5' }]);
  expect(read(APP, hook(body('constructor'), 'p'), 'p')).toEqual([]);
  expect(read(APP, hook(body('person'), 'q'), 'p')).toBeNull();
  expect(read(APP, { ...hook(body('person'), 'p'), headers: {} }, 'p')).toBeNull();
  for (const broken of ['', '{', '[]', 'null', '{"meta":{"entity":"person"}}', '\u0000'])
    expect(() => read(APP, hook(broken, 'p'), 'p')).toThrow();
});

test('a person with missing values is read, and the primary number comes first', async () => {
  const { call } = record({});
  const rows = [
    { id: 1, name: null, phones: null, emails: null, custom_fields: null },
    {
      ...{ id: 2, name: 'Zo\u00eb \u{1f600}', first_name: 'Zo\u00eb', custom_fields: { c1: 7, other: { x: 1 } } },
      phones: [
        { value: ' ', label: null },
        { value: '1', label: 'work', primary: false },
        { value: '2', label: 'mobile', primary: true },
      ],
    },
    { id: 3, name: 'Gone', is_deleted: true },
  ];
  const page = await contactPort.contactPage(async () => ({ data: rows }), [CITY], { cursor: null, since: null });
  expect(page.cursor).toBeNull();
  expect(page.rows).toMatchObject([
    { id: '1', name: '', numbers: [], values: {}, update_date: null },
    { id: '2', numbers: [{ text: '2' }, { text: '1' }], values: { c1: 'Kiel', first_name: 'Zo\u00eb' } },
  ]);
  expect(await contactPort.contacts(call, [], [])).toEqual([]);
});

test('a change of the first name keeps the last name, and a choice is sent by its ID', async () => {
  const contact = { id: '1', name: '', numbers: [], values: { last_name: 'Winter' }, update_date: null };
  const { call, sent } = record({ id: 1 });
  await contactPort.updateContact(call, [CITY], contact, { first_name: 'Ada', c1: 'kiel' });
  await contactPort.updateContact(call, [CITY], contact, { c1: '' });
  expect(sent).toEqual([{ name: 'Ada Winter', custom_fields: { c1: 7 } }, { custom_fields: { c1: null } }]);
  await expect(contactPort.updateContact(call, [CITY], contact, { c1: 'Rome' })).rejects.toThrow(/does not offer/);
  await expect(contactPort.updateContact(call, [EMAIL], contact, { email: 'x' })).rejects.toThrow(/cannot be changed/);
  await contactPort.createContact(call, [], { number: '4917', values: {} });
  expect(sent[2]).toEqual({ name: '+4917', phones: [{ value: '+4917', label: 'mobile', primary: true }] });
});

test.each<[string, Record<string, string>, number | null]>([
  ['seconds', { 'retry-after': '5' }, 5],
  ['nothing', {}, null],
  ['a text', { 'retry-after': 'soon' }, null],
  ['a date in the past', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 1],
  ['more than a day', { 'retry-after': '999999999' }, 86_400],
  ['the seconds until the limit starts again', { 'x-ratelimit-reset': '2' }, 2],
])('the pause is read when a CRM sends %s', (_, headers, seconds) => {
  expect(waitSeconds(headers)).toBe(seconds);
});
