import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { type ChatSender, connectionOf, makeChatSender, written } from '../test/chat.ts';
import { ANNA, createGate, type Gate } from '../test/gate.ts';
import { InboundIntake } from './inbound.ts';
import { fetchFile } from './inbound_files.ts';
import { takeNotices } from './notices.ts';
import { gatherReports } from './reports.ts';

const ALIAS = 'US.13491208655302741918';
let gate: Gate;
let sender: ChatSender;
let intake: InboundIntake;
beforeAll(async () => {
  gate = await createGate();
  intake = new InboundIntake(gate.world.kernel);
});
afterAll(() => gate.world.stop());
beforeEach(async () => {
  await gate.renew();
  sender = await makeChatSender(gate.world.kernel, gate.company.account_id, 'WHATSAPP');
});

const db = () => gate.world.kernel.db;
const writes = async (from: string, more = {}) => {
  const connection = await connectionOf(gate.world.kernel, sender.connection_id);
  await intake.take(connection, written(sender, from, more));
};
const conversations = async () => (await gate.api.get('/v1/conversations')).body.data as Record<string, unknown>[];
const thread = async (id: unknown) =>
  (await gate.api.get(`/v1/conversations/${id}/messages`)).body.data as Record<string, never>[];
const answer = (to: string, text = 'Hi') =>
  gate.api.post('/v1/messages', { from: sender.sender_id, to, channel: 'WHATSAPP', text });

test('what the carrier tells again is the same message, whenever it comes; the same words under another id are another one', async () => {
  const again = { external_id: 'wamid.1', text: 'Hello' };
  await Promise.all([
    writes(ANNA, again),
    writes(ANNA, again),
    writes(ANNA, { ...again, session: crypto.randomUUID() }),
  ]);
  await writes(ANNA, again);
  await writes(ANNA, { external_id: 'wamid.2', text: 'Hello' });
  const [one, ...others] = await conversations();
  expect(others).toEqual([]);
  expect(one).toMatchObject({ unread_count: 2, channel: 'WHATSAPP', number: ANNA });
  expect((await thread(one!.id)).map(({ text, type, content }) => ({ text, type, content }))).toEqual([
    { text: 'Hello', type: 'text', content: null },
    { text: 'Hello', type: 'text', content: null },
  ]);
  const [{ id } = { id: '' }] = await thread(one!.id);
  expect((await gate.api.get(`/v1/messages/${id}`)).body.data).toMatchObject({
    external_ids: ['wamid.2'],
    encoding: 'UTF-8',
    segments_count: 1,
    connection_name: expect.any(String),
  });
  await gate.sound();
});

describe('a person without a number', () => {
  test('is known by the name the channel gave them, and can be answered', async () => {
    await writes(ALIAS, { profile_name: 'Anna B.' });
    const [one] = await conversations();
    expect(one).toMatchObject({
      number: ALIAS,
      alias: ALIAS,
      profile_name: 'Anna B.',
      country: 'US',
      contact_name: '',
    });
    const found = async (words: string) =>
      (await gate.api.get(`/v1/conversations?filter[search]=${words}`)).body.pagination.total;
    expect([await found('anna%20b'), await found('us.1349'), await found('bruno')]).toEqual([1, 1, 0]);
    const reply = await answer(ALIAS);
    expect(reply.body.data[0]).toMatchObject({ to: ALIAS, country: 'US', conversation_id: one!.id });
    expect((await answer('US.9999')).body.errors[0].code).toBe(1523);
    const queued = await db().one(sql`select number from dispatch where message_id = ${reply.body.data[0].id}`);
    expect(queued).toEqual({ number: ALIAS });
  });

  test('who shows the number later stays in the conversation, and is found by either', async () => {
    await writes(ALIAS);
    await writes(ANNA, { alias: ALIAS, profile_name: 'Anna' });
    const [one, ...others] = await conversations();
    expect(others).toEqual([]);
    expect(one).toMatchObject({ number: ALIAS, alias: ALIAS, unread_count: 2, profile_name: 'Anna' });
    expect((await answer(ALIAS)).body.data[0].conversation_id).toBe(one!.id);
  });

  test('who hides the number later stays in theirs, and is answered by number', async () => {
    await writes(ANNA, { alias: ALIAS });
    await writes(ALIAS);
    const [one, ...others] = await conversations();
    expect(others).toEqual([]);
    expect(one).toMatchObject({ number: ANNA, alias: ALIAS, unread_count: 2 });
    expect((await thread(one!.id)).map(({ from }) => from)).toEqual([ANNA, ANNA]);
    expect((await answer(ALIAS)).body.data[0]).toMatchObject({ to: ANNA, conversation_id: one!.id });
  });

  test('whose first two messages come at once has one conversation', async () => {
    await Promise.all(
      [0, 1, 2, 3, 4, 5].map(async (n) => {
        const own = new InboundIntake(gate.world.kernel);
        const connection = await connectionOf(gate.world.kernel, sender.connection_id);
        await own.take(connection, n % 2 ? written(sender, ANNA, { alias: ALIAS }) : written(sender, ALIAS));
      }),
    );
    const all = await conversations();
    expect(all.map(({ unread_count }) => unread_count)).toEqual([6]);
    await gate.sound();
  });

  test('of two people one name is only the first one’s', async () => {
    await writes(ANNA, { alias: ALIAS });
    await writes('447400000002', { alias: ALIAS });
    expect((await conversations()).map(({ number, alias }) => [number, alias]).sort()).toEqual([[ANNA, ALIAS]]);
  });
});

describe('what a message carries', () => {
  test('a pressed button and the message it answers', async () => {
    await writes(ANNA);
    const { id } = (await answer(ANNA, 'Coming?')).body.data[0];
    await db().run(sql`
      insert into submissions (connection_id, external_id, account_id, message_id, part, parts)
      values (${sender.connection_id}, 'wamid.ours', ${gate.company.account_id}, ${id}, 1, 1)`);
    const pressed = { text: 'Yes', value: 'yes-1' };
    await writes(ANNA, { text: 'Yes', content: { media: null, pressed, answers: 'wamid.ours' } });
    await writes(ANNA, { text: 'Hm', content: { media: null, pressed: null, answers: 'wamid.of-nobody' } });
    const [one] = await conversations();
    const [hm, yes] = await thread(one!.id);
    expect(yes).toMatchObject({ text: 'Yes', content: { pressed, answers: id } });
    expect(hm).toMatchObject({ text: 'Hm', content: { pressed: null, answers: null } });
  });

  test('a file is there as soon as the message is, and fetched by a job', async () => {
    const media = { type: 'image', source: 'media-1', content_type: 'image/jpeg', file_name: null } as const;
    await writes(ANNA, { text: '', content: { media, pressed: null, answers: null } });
    const [one] = await conversations();
    expect(one!.last_message).toMatchObject({ text: '', type: 'image' });
    const [message] = await thread(one!.id);
    expect(message).toMatchObject({
      type: 'image',
      text: '',
      status_details: null,
      content: { media_type: 'image', media_id: null, content_type: 'image/jpeg' },
    });
    const jobs = await db().rows<{ data: object }>(sql`
      select data from pgboss.job where name = 'messages.fetch_file' and data->>'message_id' = ${message!.id}`);
    expect(jobs).toEqual([
      { data: expect.objectContaining({ source: 'media-1', connection_id: sender.connection_id, tries: 0 }) },
    ]);
  });
});

test('a carrier that is away is asked for the file again, later and later, and not for ever', async () => {
  sender = await makeChatSender(gate.world.kernel, gate.company.account_id, 'WHATSAPP', {
    settings: { base_url: 'http://127.0.0.1:9' },
  });
  const media = { type: 'image', source: 'media-2', content_type: 'image/jpeg', file_name: null } as const;
  await writes(ANNA, { text: '', content: { media, pressed: null, answers: null } });
  const [one] = await conversations();
  const { id } = (await thread(one!.id))[0] as unknown as { id: string };
  const file = {
    ...media,
    account_id: gate.company.account_id,
    message_id: id,
    connection_id: sender.connection_id,
    channel: 'WHATSAPP',
  };
  const jobs = () =>
    db().rows<{ tries: number; seconds: number }>(sql`
      select (data->>'tries')::int as tries, round(extract(epoch from start_after - created_on))::int as seconds
      from pgboss.job where name = 'messages.fetch_file' and data->>'message_id' = ${id} order by tries`);
  await fetchFile(gate.world.kernel, { ...file, tries: 0 });
  await fetchFile(gate.world.kernel, { ...file, tries: 3 });
  expect((await jobs()).map(({ tries }) => tries)).toEqual([0, 1, 4]);
  const [, first, later] = await jobs();
  expect(first!.seconds).toBeLessThan(later!.seconds);
  expect((await thread(one!.id))[0]).toMatchObject({ status_details: null });
  await fetchFile(gate.world.kernel, { ...file, tries: 9 });
  expect((await thread(one!.id))[0]).toMatchObject({
    status_details: 'The file could not be fetched: the carrier did not hand it over',
  });
  // What is said is said: a job that comes late finds nothing to do.
  await fetchFile(gate.world.kernel, { ...file, tries: 1 });
  expect(await jobs()).toHaveLength(3);
});

describe('who wants no more', () => {
  test('says STOP on any channel, by word or by button, under any name', async () => {
    await writes(ANNA, { alias: ALIAS });
    const pressed = (text: string) => ({ text, content: { media: null, pressed: { text, value: '' }, answers: null } });
    await writes(ALIAS, pressed('Cancel'));
    expect((await answer(ANNA)).status).toBe(200);
    await writes(ALIAS, {
      text: 'Stop',
      content: { media: null, pressed: { text: 'Stop', value: 's' }, answers: null },
    });
    expect((await answer(ANNA)).body.errors[0].code).toBe(1530);
    expect((await answer(ALIAS)).body.errors[0].code).toBe(1530);
    expect((await conversations())[0]).toMatchObject({ stopped: true });
    await writes(ALIAS, { text: 'START' });
    expect((await answer(ANNA)).status).toBe(200);
  });

  test('tells the channel, which tells us', async () => {
    await writes(ANNA, { alias: ALIAS });
    const consent = (stopped: boolean, from = ALIAS, address = sender.address) =>
      db().tx((tx) => takeNotices(tx, sender.connection_id, [{ kind: 'consent', address, from, stopped }]));
    await consent(true);
    await consent(true);
    await consent(true, ANNA, 'somebody else');
    expect((await answer(ANNA)).body.errors[0].code).toBe(1530);
    const entries = (await gate.api.get('/v1/stop_list')).body.data as { number: string; reason: string }[];
    expect(entries.map(({ number, reason }) => [number, reason])).toEqual([[ANNA, 'carrier']]);
    await consent(false);
    expect((await answer(ANNA)).status).toBe(200);
  });
});

test('whoever of us reads a conversation lets the person know, once for all that waits', async () => {
  await writes(ANNA, { external_id: 'wamid.a' });
  await writes(ANNA, { external_id: 'wamid.b' });
  const [one] = await conversations();
  const read = () =>
    gate.api.put(`/v1/conversations/${one!.id}`, {
      last_read_timestamp: new Date(Date.now() + 60_000).toISOString().slice(0, 19).replace('T', ' '),
    });
  expect((await read()).body.data).toMatchObject({ unread_count: 0 });
  await read();
  const jobs = await db().rows(sql`
    select 1 as one from pgboss.job where name = 'messages.mark_read' and data->>'conversation_id' = ${one!.id as string}`);
  expect(jobs).toHaveLength(1);
});

test('statuses in any order: paid when it arrives, free when it does not, and read comes after delivered', async () => {
  await writes(ANNA);
  const reports = gatherReports(db());
  const told = (external_id: string, status: 'sent' | 'delivered' | 'read' | 'failed' | 'unsubscribed', more = {}) =>
    reports.add({
      connection_id: sender.connection_id,
      report: {
        external_id,
        status,
        state: status,
        code: null,
        reference: null,
        number: ANNA,
        sender: sender.address,
        detail: {},
        ...more,
      },
    });
  const sent = async (external_id: string) => {
    const { id } = (await answer(ANNA)).body.data[0];
    await db().run(sql`
      insert into submissions (connection_id, external_id, account_id, message_id, part, parts)
      values (${sender.connection_id}, ${external_id}, ${gate.company.account_id}, ${id}, 1, 1)`);
    await told(external_id, 'sent');
    return id as string;
  };
  const state = async (id: string) => {
    const { status, charge, failure, carrier_code, status_details } = (await gate.api.get(`/v1/messages/${id}`)).body
      .data;
    return { status, charge, failure, carrier_code, status_details };
  };
  const [arrives, fails, stops] = [await sent('wamid.x'), await sent('wamid.y'), await sent('wamid.z')];
  expect(await state(arrives)).toMatchObject({ status: 'sent', charge: 'held' });
  await gate.sound();

  await told('wamid.x', 'read');
  await told('wamid.x', 'delivered');
  expect(await state(arrives)).toMatchObject({ status: 'read', charge: 'settled' });
  await told('wamid.y', 'failed', {
    code: '131026',
    failure: { kind: 'rejected', text: 'The person is not on WhatsApp' },
  });
  expect(await state(fails)).toEqual({
    status: 'failed',
    charge: 'released',
    failure: 'rejected',
    carrier_code: '131026',
    status_details: 'The person is not on WhatsApp (carrier code 131026)',
  });
  await told('wamid.z', 'unsubscribed', { code: '131050', failure: { kind: 'opted_out', text: 'Does not want it' } });
  expect(await state(stops)).toMatchObject({ status: 'unsubscribed', charge: 'released', failure: 'opted_out' });
  expect(await gate.balance()).toMatchObject({ held_micros: 0 });
  await gate.sound();
});
