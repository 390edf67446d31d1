import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { ANNA, createGate, FUNDS, type Gate, PRICE } from '../../test/gate.ts';
import { makeAudience, makeSender } from '../../test/make.ts';
import { startWorkerProcess } from '../../test/worker.ts';
import { receiveMessages } from './intake.ts';
import { pruneKeywordReplies, replyToKeyword } from './keyword_replies.ts';

let gate: Gate;
let connection_id: string;
beforeAll(async () => {
  gate = await createGate();
  ({ id: connection_id } = await gate.world.kernel.db.one<{ id: string }>(sql`select id from connections limit 1`));
});
afterAll(async () => {
  await gate.expectSound();
  await gate.world.stop();
});
beforeEach(() => gate.renew());

const db = () => gate.world.kernel.db;
type Job = Parameters<typeof replyToKeyword>[1];
const jobs = () =>
  db().rows<{ id: string; data: Job }>(sql`
    select id, data from pgboss.job
    where name = 'messages.answer_keyword' and data->>'account_id' = ${gate.company.account_id} order by created_on`);
const done = new Set<string>();
async function runJobs(): Promise<void> {
  for (const { id, data } of await jobs())
    if (!done.has(id)) {
      done.add(id);
      await replyToKeyword(gate.world.kernel, data);
    }
}
const receive = (text: string, from = ANNA, to = gate.code) =>
  db().tx((tx) => receiveMessages(tx, [{ connection_id, channel: 'SMS', from, to, text, parts: 1, details: {} }]));
/** Receives a message and sends the replies to it. Returns the texts of all replies so far. */
async function write(text: string, from = ANNA, to = gate.code): Promise<string[]> {
  await receive(text, from, to);
  await runJobs();
  return replies();
}
const replies = async () =>
  (
    await db().rows<{ text: string }>(sql`
      select text from messages where account_id = ${gate.company.account_id} and source = 'reply' order by id`)
  ).map(({ text }) => text);
const add = async (fields: object) => {
  const { status, body } = await gate.api.post('/v1/keywords', fields);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
};
const stopped = async () =>
  (await gate.api.get('/v1/stop_list')).body.data.map(({ number }: { number: string }) => number);

describe('a keyword', () => {
  test('sends its reply with the person’s data, charged like any message', async () => {
    await gate.api.post('/v1/people', { number: `+${ANNA}`, first_name: '{url=https://a.example}' });
    await gate.api.post('/v1/people', { number: '+447400000009', first_name: 'Anna' });
    await add({ words: ['hours'], match: 'contains', reply: 'Hi {first_name:there}, we open at {custom1:nine}.' });
    expect(await write('Your HOURS please', '447400000009')).toEqual(['Hi Anna, we open at nine.']);
    expect(await gate.balance()).toMatchObject({ available_micros: FUNDS - PRICE, held_micros: PRICE });
    // Data of the person is not a link.
    expect((await write('hours?')).at(-1)).toBe('Hi {url=https://a.example}, we open at nine.');
    expect(await write('What time is it?')).toHaveLength(2);
  });

  test('applies to its senders and to the countries of its people', async () => {
    const other = await makeSender(gate.world.kernel, gate.company.account_id, { name: 'Other' });
    await add({ words: ['menu'], sender_ids: [other.sender_id], reply: 'Other' });
    await add({ words: ['menu'], countries: ['us'], reply: 'American' });
    await add({ words: ['menu'], reply: 'Everyone' });
    expect(await write('menu')).toEqual(['Everyone']);
    expect((await write('menu', '12025550143')).at(-1)).toBe('American');
    expect((await write('menu', ANNA, other.code)).at(-1)).toBe('Other');
  });

  test('that opts out stops campaigns, the API, and the inbox, with its own confirmation', async () => {
    await add({ words: ['no more', 'genug'], match: 'contains', effect: 'opt_out', reply: 'We will miss you.' });
    expect(await write('Genug davon!')).toEqual(['We will miss you.']);
    expect(await stopped()).toEqual([ANNA]);
    expect((await gate.send()).body.errors[0].code).toBe(1530);
    const conversation = (await gate.api.get('/v1/conversations')).body.data[0];
    expect(conversation.stopped).toBe(true);
    const audience = await makeAudience(gate.world.kernel, gate.company.account_id, [{ number: ANNA }]);
    const draft = { channel: 'SMS', from: gate.sender_id, audience, text: 'News' };
    const preview = (await gate.api.post('/v1/campaign_previews', draft)).body.data;
    expect(preview.counts).toMatchObject({ will_receive: 0, stop_list: 1 });
    // The second opt-out changes nothing and is not confirmed.
    expect(await write('genug')).toHaveLength(1);
  });

  test('that opts in records the consent with the exact text, and creates the person', async () => {
    await add({ words: ['join'], match: 'starts_with', effect: 'opt_in', reply: 'Welcome!' });
    expect(await write('Join the club')).toEqual(['Welcome!']);
    const consents = async () => (await gate.api.get(`/v1/people/${ANNA}/consents`)).body.data;
    expect(await consents()).toMatchObject([
      {
        ...{ channel: 'SMS', purpose: 'marketing', change: 'given', method: 'keyword' },
        ...{ text: 'Join the club', source: 'Keyword join', sender_id: gate.sender_id },
      },
    ]);
    expect((await gate.api.get(`/v1/people/${ANNA}`)).body.data).toMatchObject({ number: ANNA, country: 'GB' });
    // The consent is stored once, and again after it was withdrawn.
    await write('join');
    expect(await consents()).toHaveLength(1);
    await write('STOP');
    expect(await stopped()).toEqual([ANNA]);
    await write('join');
    expect((await consents()).map(({ change }: { change: string }) => change)).toEqual(['given', 'withdrawn', 'given']);
    expect(await stopped()).toEqual([]);
  });

  test('that opts in does not remove an entry that a user added', async () => {
    await gate.api.post('/v1/stop_list', { number: `+${ANNA}` });
    await add({ words: ['join'], effect: 'opt_in' });
    expect(await write('join')).toEqual([]);
    expect(await stopped()).toEqual([ANNA]);
    const { data } = (await gate.api.get(`/v1/people/${ANNA}/consents`)).body;
    expect(data.map(({ change }: { change: string }) => change)).toEqual(['withdrawn']);
  });

  test('labels the conversation, and a deleted label is left out', async () => {
    const label = async (name: string) => (await gate.api.post('/v1/labels', { name })).body.data.id;
    const [kept, deleted] = [await label('Orders'), await label('Old')];
    await add({ words: ['order'], match: 'contains', label_ids: [kept, deleted] });
    await gate.api.delete(`/v1/labels/${deleted}`);
    expect(await write('My order is late')).toEqual([]);
    expect((await gate.api.get('/v1/conversations')).body.data[0].label_ids).toEqual([kept]);
    expect(await jobs()).toEqual([]);
  });

  test('gets no reply when the gate refuses it, and the opt-out still counts', async () => {
    await gate.renew(0);
    await add({ words: ['hours'], reply: 'Nine' });
    expect(await write('hours')).toEqual([]);
    expect(await write('STOP please')).toEqual([]);
    expect(await stopped()).toEqual([ANNA]);
  });

  test('is not answered for people on the stop list, unless it is HELP', async () => {
    await add({ words: ['hours'], reply: 'Nine' });
    await write('STOP');
    expect(await write('hours')).toHaveLength(1);
    expect(await write('HELP')).toHaveLength(2);
  });
});

test('STOP, START, and HELP are answered in the language of the word or the country', async () => {
  await db().run(sql`update senders set brand = 'Harbour' where id = ${gate.sender_id}`);
  expect((await write('Arrêt'))[0]).toMatch(/^Harbour : vous êtes désabonné/);
  expect((await write('START')).at(-1)).toMatch(/^Harbour: You are subscribed/);
  await gate.api.post('/v1/people', { number: `+${ANNA}`, language: 'pl' });
  expect((await write('stop')).at(-1)).toMatch(/^Harbour: Nie będziemy/);
});

test('two programs that answer each other stop after five replies', async () => {
  await add({ words: ['thanks'], match: 'contains', reply: 'Thanks for writing!' });
  let [text, rounds] = ['Thanks', 0];
  for (; rounds < 12; rounds++) {
    const before = (await replies()).length;
    const all = await write(text);
    if (all.length === before) break;
    text = `Auto: ${all.at(-1)}`;
  }
  expect(rounds).toBe(5);
  // Opting out still works, and other people are still answered.
  await write('STOP');
  expect(await stopped()).toEqual([ANNA]);
  expect(await replies()).toHaveLength(5);
  expect(await write('thanks', '447400000077')).toHaveLength(6);
});

test('parallel messages of one person get no more replies than the limit', async () => {
  await add({ words: ['hi'], reply: 'Hello' });
  for (let n = 0; n < 8; n++) await receive('hi');
  await Promise.all((await jobs()).map(({ data }) => replyToKeyword(gate.world.kernel, data)));
  expect(await replies()).toHaveLength(5);
});

test('a rule of the inbox does not reply to a message that gets the reply of a keyword', async () => {
  await add({ words: ['hours'], reply: 'Nine' });
  const { applyRules, replyByRule } = await import('../../inbox/rules/apply.ts');
  const rule = { name: 'All', enabled: true, conditions: {}, actions: { reply: 'We will be with you soon.' } };
  await gate.api.post('/v1/inbox_rules', rule);
  await receive('hours');
  const conversation_id = (await gate.api.get('/v1/conversations')).body.data[0].id;
  await applyRules(gate.world.kernel, { account_id: gate.company.account_id, conversation_id });
  const [job] = await db().rows<{ data: Parameters<typeof replyByRule>[1] }>(sql`
    select data from pgboss.job
    where name = 'inbox.rule_reply' and data->>'account_id' = ${gate.company.account_id}`);
  await replyByRule(gate.world.kernel, job!.data);
  await runJobs();
  expect(await replies()).toEqual(['Nine']);
});

test('a reply is sent once when workers are killed before and after they accept it', async () => {
  await add({ words: ['hours'], reply: 'Nine' });
  // Earlier tests leave jobs behind.
  await db().run(sql`delete from pgboss.job where name = 'messages.answer_keyword'`);
  await receive('hours');
  const killAt = async (FAILPOINT: string) => {
    const { ended } = await startWorkerProcess(gate.world, { FAILPOINT });
    expect((await ended).signal).toBe('SIGKILL');
    // The queue gives the job of the dead worker to another one.
    const restored = await db().run(sql`
      update pgboss.job set state = 'retry', start_after = now()
      where name = 'messages.answer_keyword' and state = 'active'`);
    expect(restored).toBe(1);
  };
  await killAt('before_keyword_reply');
  expect(await replies()).toEqual([]);
  await killAt('after_keyword_reply');
  expect(await replies()).toEqual(['Nine']);
  await killAt('after_keyword_reply');
  expect(await replies()).toEqual(['Nine']);
  expect(await gate.count('holds')).toBe(1);
});

test('old marks of replies are deleted', async () => {
  await add({ words: ['hours'], reply: 'Nine' });
  await receive('hours');
  expect(await pruneKeywordReplies(db(), 100)).toBe(0);
  const { account_id } = gate.company;
  await db().run(sql`
    update keyword_replies set create_date = now() - interval '8 days' where account_id = ${account_id}`);
  expect(await pruneKeywordReplies(db(), 100)).toBe(1);
});

describe('the keywords of an account', () => {
  const code = ({ body }: { body: { errors?: { code: number }[] } }) => body.errors?.[0]?.code;

  test.each<[string, object, number]>([
    ['no words', { words: [], reply: 'Hi' }, 2491],
    ['a word without letters', { words: ['?!'], reply: 'Hi' }, 2491],
    ['a word that is too long', { words: ['x'.repeat(41)], reply: 'Hi' }, 2491],
    ['the word STOP with another meaning', { words: ['Stop!'], reply: 'Hi' }, 2492],
    ['the word START that opts out', { words: ['start'], effect: 'opt_out' }, 2492],
    ['no effect', { words: ['hours'] }, 2493],
    ['an unknown variable', { words: ['hours'], reply: 'Hi {firstname}' }, 2494],
    ['a reply of a keyword that only starts automations', { words: ['x'], reply: 'Hi', effect: 'automation' }, 2494],
    ['a reply that is too long', { words: ['hours'], reply: 'x'.repeat(1_001) }, 2494],
    ['an unknown sender', { words: ['hours'], reply: 'Hi', sender_ids: [newId()] }, 1402],
    ['an unknown label', { words: ['hours'], label_ids: [newId()] }, 2336],
  ])('refuse %s', async (_, body, expected) => {
    expect(code(await gate.api.post('/v1/keywords', body))).toBe(expected);
  });

  test('can be changed, moved, turned off, and deleted, but not by other accounts', async () => {
    const [first, second, third] = [
      await add({ words: ['a'], reply: 'A' }),
      await add({ words: ['b'], reply: 'B' }),
      await add({ words: ['c'], reply: 'C' }),
    ];
    const list = async () =>
      (await gate.api.get('/v1/keywords')).body.data.map(({ words }: { words: string[] }) => words[0]);
    const moved = await gate.api.put(`/v1/keywords/${third.id}`, { position: 1 });
    expect(moved.body.data).toMatchObject({ position: 1, words: ['c'], reply: 'C' });
    expect(await list()).toEqual(['c', 'a', 'b']);
    await gate.api.put(`/v1/keywords/${first.id}`, { words: ['d'], enabled: false });
    expect(await list()).toEqual(['c', 'd', 'b']);
    expect(await write('d')).toEqual([]);
    expect(code(await gate.api.put(`/v1/keywords/${first.id}`, { reply: null }))).toBe(2493);
    expect((await gate.api.delete(`/v1/keywords/${second.id}`)).status).toBe(204);
    expect(code(await gate.api.delete(`/v1/keywords/${second.id}`))).toBe(2490);
    const { api } = gate;
    await gate.renew();
    expect((await gate.api.get('/v1/keywords')).body.data).toEqual([]);
    expect(code(await gate.api.put(`/v1/keywords/${first.id}`, { enabled: true }))).toBe(2490);
    expect((await api.get('/v1/keywords')).body.data).toHaveLength(2);
  });

  test('are limited in number', async () => {
    await db().run(sql`
      insert into keywords (account_id, id, position, words, match, effect, reply)
      select ${gate.company.account_id}, gen_random_uuid(), n, array['w' || n], 'exact', 'none', 'Hi'
      from generate_series(1, 100) n`);
    expect(code(await gate.api.post('/v1/keywords', { words: ['more'], reply: 'Hi' }))).toBe(2495);
  });
});
