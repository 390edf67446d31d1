import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { hubspot, isSigned } from './hubspot.ts';
import { CrmError, type HookRequest } from './provider.ts';

const SECRET = 'secret';
const NOW = new Date('2026-11-29T12:00:00Z');
const APP = { id: 'hubspot', client_id: 'a', client_secret: SECRET, url: 'https://api.hubapi.com' };

function request(body: string, change: { url?: string; at?: number; signature?: string } = {}): HookRequest {
  const url = change.url ?? 'https://parley.example/callbacks/crm/hubspot';
  const timestamp = String(change.at ?? NOW.getTime());
  const signed = createHmac('sha256', SECRET).update(`POST${url}${body}${timestamp}`).digest('base64');
  const headers = {
    'x-hubspot-signature-v3': change.signature ?? signed,
    'x-hubspot-request-timestamp': timestamp,
  };
  return { method: 'POST', url, headers, body: Buffer.from(body), now: NOW };
}

test('a request is accepted only with its own signature, and only for five minutes', () => {
  expect(isSigned(SECRET, request('[]'))).toBe(true);
  expect(isSigned('other', request('[]'))).toBe(false);
  expect(isSigned(SECRET, { ...request('[]'), body: Buffer.from('[1]') })).toBe(false);
  expect(isSigned(SECRET, { ...request('[]'), method: 'GET' })).toBe(false);
  expect(isSigned(SECRET, { ...request('[]'), url: 'https://other.example/' })).toBe(false);
  expect(isSigned(SECRET, request('[]', { at: NOW.getTime() - 300_001 }))).toBe(false);
  expect(isSigned(SECRET, request('[]', { at: NOW.getTime() + 300_001 }))).toBe(false);
  expect(isSigned(SECRET, request('[]', { signature: '' }))).toBe(false);
  expect(isSigned(SECRET, { ...request('[]'), headers: {} })).toBe(false);
});

test('the address is signed with some characters decoded', () => {
  const signed = request('[]', { url: 'https://parley.example/callbacks/crm/hubspot?a=b:c@d' });
  expect(isSigned(SECRET, { ...signed, url: 'https://parley.example/callbacks/crm/hubspot?a=b%3Ac%40d' })).toBe(true);
});

test('events become changes of contacts and deals, and a merge concerns both contacts', () => {
  const body = JSON.stringify([
    { portalId: 1, subscriptionType: 'contact.propertyChange', objectId: 5 },
    { portalId: 1, subscriptionType: 'contact.merge', primaryObjectId: 6, mergedObjectIds: [7], newObjectId: 6 },
    { portalId: 2, subscriptionType: 'object.propertyChange', objectTypeId: '0-3', objectId: 8 },
    { portalId: 1, subscriptionType: 'company.creation', objectId: 9 },
    { portalId: 1, subscriptionType: 'constructor.creation', objectId: 9 },
  ]);
  const changes = hubspot.hooks.read(APP, request(body), '');
  expect(changes?.map(({ company_id, kind, key }) => `${company_id} ${kind} ${key}`)).toEqual([
    ...['1 record 5', '1 record 6', '1 record 7', '2 deal 8'],
  ]);
  expect(() => hubspot.hooks.read(APP, request('{"a":1}'), '')).toThrow();
  expect(() => hubspot.hooks.read(APP, request('\u0000'), '')).toThrow();
});

test('a search that reaches its limit starts again at its last result', async () => {
  const calls: { filterGroups: { filters: { value: string }[] }[]; after?: string }[] = [];
  const answer = { results: [{ id: '1', properties: { lastmodifieddate: '2026-01-02T00:00:00Z' } }] };
  const call = async (_method: string, _path: string, body?: unknown) => {
    calls.push(body as (typeof calls)[number]);
    return { ...answer, paging: { next: { after: calls.length === 1 ? '9950' : '100' } } };
  };
  const since = new Date('2026-01-01T00:00:00Z');
  const first = await hubspot.contactPage(call, [], { cursor: null, since });
  await hubspot.contactPage(call, [], { cursor: first.cursor, since });
  expect(calls.map(({ filterGroups, after }) => [filterGroups[0]!.filters[0]!.value, after])).toEqual([
    [String(since.getTime()), undefined],
    [String(Date.parse('2026-01-02T00:00:00Z')), undefined],
  ]);
});

test('a merged contact is not returned for its old ID', async () => {
  const call = async () => ({ results: [{ id: '6', properties: { firstname: 'Ada' } }] });
  expect(await hubspot.contacts(call, [], ['7'])).toEqual([]);
  expect(await hubspot.contacts(call, [], ['6', '7'])).toHaveLength(1);
});

test('a value that the CRM does not offer, and a field that it does not let apps change, are refused', async () => {
  const call = async () => ({ id: '1', properties: {} });
  const field = { key: 'consent', label: 'Consent', choices: [{ id: 'true', label: 'Yes' }], is_writable: true };
  const contact = { id: '1', name: '', numbers: [], values: {}, update_date: null };
  await expect(hubspot.updateContact(call, [field], contact, { consent: 'Maybe' })).rejects.toThrow(/does not offer/);
  await expect(
    hubspot.updateContact(call, [{ ...field, is_writable: false }], contact, { consent: 'Yes' }),
  ).rejects.toBeInstanceOf(CrmError);
});

test('only a token of the connected company identifies a person', async () => {
  const call = async (_method: string, path: string) => (path.includes('details') ? { portalId: 2 } : {});
  await expect(hubspot.identify(call, { hub_id: 1, user_id: 3 })).rejects.toThrow(/another company/);
  await expect(hubspot.identify(call, { active: false })).rejects.toThrow();
});
