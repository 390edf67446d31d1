import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { createGate, type Gate } from '../../test/gate.ts';
import { makeAudience, makeCompany, testNumber } from '../../test/make.ts';
import type { Reply } from '../../test/world.ts';
import { listStoppedNumbers, stopNumber } from '../audiences.ts';

let gate: Gate;
let next = 8_000;
let one: string;
let other: string;
beforeAll(async () => {
  gate = await createGate();
});
afterAll(async () => {
  await gate.expectSound();
  await gate.world.stop();
});
beforeEach(async () => {
  await gate.renew();
  one = testNumber(next++);
  other = testNumber(next++);
});

const code = (reply: Reply) => reply.body?.errors?.[0]?.code;
const person = async (number: string) => (await gate.api.get(`/v1/people/${number}`)).body.data;
const merge = (body: object = {}) => gate.api.post(`/v1/people/${one}/merges`, { person: other, ...body });
const numbers = async (audience_id: string) =>
  (await gate.api.get(`/v1/audiences/${audience_id}/contacts`)).body.data.map((row: { number: string }) => row.number);
const size = async (audience_id: string) =>
  (await gate.api.get(`/v1/audiences/${audience_id}`)).body.data.contacts_count;
const make = (people: Parameters<typeof makeAudience>[2]) =>
  makeAudience(gate.world.kernel, gate.company.account_id, people);

test('two people become one with everything of both, and an undo separates them again', async () => {
  const { account_id } = gate.company;
  const both = await make([{ number: one, first_name: 'Ann', last_name: 'Lee' }, { number: other }]);
  const only = await make([{ number: other, first_name: 'ann', last_name: 'LEE', custom1: 'VIP' }]);
  await gate.api.post('/v1/contact_fields', { key: 'town', label: 'Town', kind: 'text' });
  await gate.api.put(`/v1/people/${one}`, { tags: ['a'], fields: { town: 'York' } });
  await gate.api.put(`/v1/people/${other}`, { tags: ['b'], language: 'de', fields: { town: 'Bath' } });
  const earlier = { one: await person(one), other: await person(other) };
  await gate.send({ to: one });
  await gate.send({ to: other });
  const given = { channel: 'SMS', purpose: 'marketing', change: 'given', text: 'I want news' };
  await gate.api.post(`/v1/people/${other}/consents`, given);
  expect(
    (await gate.api.get(`/v1/people/${one}/duplicates`)).body.data.map((row: { number: string }) => row.number),
  ).toEqual([other]);

  const merged = await merge({ values: { first_name: 'Anna' } });
  expect(merged.status).toBe(201);
  const now = await person(other);
  expect(now).toMatchObject({
    ...{ id: earlier.one.id, number: one, other_numbers: [other], first_name: 'Anna', custom1: 'VIP', language: 'de' },
    ...{ tags: ['a', 'b'], fields: { town: 'York' } },
  });
  expect([await numbers(both), await numbers(only)]).toEqual([[one], [one]]);
  expect([await size(both), await size(only)]).toEqual([1, 1]);
  const timeline = (await gate.api.get(`/v1/people/${one}/timeline`)).body.data;
  expect(timeline.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['consent', 'message', 'message']);
  expect((await gate.api.get(`/v1/people/${one}/consents`)).body.data).toMatchObject([{ number: other }]);
  const records = (await gate.api.get(`/v1/people/${one}/records?page_size=100`)).body.data;
  expect(records.filter(({ name }: { name: string }) => name === 'number')).toHaveLength(2);
  expect((await gate.api.get(`/v1/people/${one}/duplicates`)).body.data).toEqual([]);
  expect(code(await merge())).toBe(2591);

  // A value that changes after the merge survives the undo.
  await gate.api.put(`/v1/people/${one}`, { last_name: 'Smith' });
  const [listed] = (await gate.api.get(`/v1/people/${one}/merges`)).body.data;
  expect(listed).toMatchObject({ id: merged.body.data.id, number: one, merged_number: other });
  const undo = () => gate.api.delete(`/v1/person_merges/${listed.id}`);
  expect((await undo()).status).toBe(204);
  expect(code(await undo())).toBe(2593);
  const { update_date: _, audiences: __, ...rest } = earlier.one;
  expect(await person(one)).toMatchObject({ ...rest, last_name: 'Smith' });
  const { update_date: ___, audiences: ____, ...others } = earlier.other;
  expect(await person(other)).toMatchObject(others);
  expect([(await numbers(both)).sort(), await numbers(only)]).toEqual([[one, other].sort(), [other]]);
  expect([await size(both), await size(only)]).toEqual([2, 1]);
  const audit = await gate.world.kernel.db.rows(sql`
    select action from audit_log where account_id = ${account_id} and action like 'person.%' order by id`);
  expect(audit).toEqual([{ action: 'person.merged' }, { action: 'person.unmerged' }]);
});

test('an opt-out of the other number stops the person, until the merge is undone', async () => {
  const { account_id } = gate.company;
  const { sender_id } = gate;
  const { db } = gate.world.kernel;
  await make([{ number: one }, { number: other }]);
  await db.tx((tx) => stopNumber(tx, { account_id, sender_id, number: other, reason: 'keyword' }));
  const stopped = async () => [...(await listStoppedNumbers(db, account_id, sender_id, [one, other]))];
  const { id } = (await merge()).body.data;
  expect((await stopped()).sort()).toEqual([one, other].sort());
  await gate.api.delete(`/v1/person_merges/${id}`);
  expect(await stopped()).toEqual([other]);
});

test('only one of several simultaneous merges of the same people succeeds', async () => {
  await make([{ number: one }, { number: other }]);
  const replies = await Promise.all([merge(), gate.api.post(`/v1/people/${other}/merges`, { person: one }), merge()]);
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const reply of replies.filter(({ status }) => status !== 201)) expect([2391, 2591]).toContain(code(reply));
});

test('a merge is refused for strangers, the same person, running campaigns, and erasures', async () => {
  const { account_id } = gate.company;
  const { db } = gate.world.kernel;
  const audience_id = await make([{ number: one }, { number: other }]);
  const stranger = await makeCompany(gate.world.kernel);
  await makeAudience(gate.world.kernel, stranger.account_id, [{ number: testNumber(next) }]);
  expect(code(await merge({ person: testNumber(next++) }))).toBe(2391);
  expect(code(await merge({ person: newId() }))).toBe(2391);
  expect((await merge({ person: '\u0000' })).status).toBe(400);
  expect(code(await merge({ person: '🎉' }))).toBe(2391);
  expect(code(await merge({ person: one }))).toBe(2591);
  expect(code(await merge({ values: { fields: { shoes: 1 } } }))).toBe(2380);
  await db.run(sql`
    insert into campaigns (account_id, id, name, channel, status, audience_id)
    values (${account_id}, ${newId()}, 'C', 'SMS', 'in_progress', ${audience_id})`);
  expect(code(await merge())).toBe(2592);
  await db.run(sql`delete from campaigns where account_id = ${account_id}`);
  await gate.api.post(`/v1/people/${other}/erasure`, { number: `+${other}` });
  expect(code(await merge())).toBe(2594);
  expect((await person(one)).other_numbers).toEqual([]);
});

test('an erasure of a merged person covers all numbers', async () => {
  await make([{ number: one }, { number: other }]);
  await merge();
  await gate.api.post(`/v1/people/${one}/erasure`, { number: `+${one}` });
  const rows = await gate.world.kernel.db.rows<{ number: string }>(sql`
    select number from person_erasures where account_id = ${gate.company.account_id} order by number`);
  expect(rows.map(({ number }) => number)).toEqual([one, other].sort());
});
