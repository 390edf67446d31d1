import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type ChatSender, makeChatSender, makeIncoming, readConnection } from '../../test/chat.ts';
import { ANNA, createGate, type Gate } from '../../test/gate.ts';
import { makeCompany, makeSender } from '../../test/make.ts';
import { createReportBatcher } from '../status/reports.ts';
import { fetchFile } from './files.ts';
import { InboundIntake } from './intake.ts';
import { applyNotices } from './notices.ts';

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
const receive = async (from: string, fields = {}) => {
  const connection = await readConnection(gate.world.kernel, sender.connection_id);
  await intake.add(connection, makeIncoming(sender, from, fields));
};
const conversations = async () => (await gate.api.get('/v1/conversations')).body.data as Record<string, unknown>[];
const thread = async (id: unknown) =>
  (await gate.api.get(`/v1/conversations/${id}/messages`)).body.data as Record<string, never>[];
const sendReply = (to: string, text = 'Hi') =>
  gate.api.post('/v1/messages', { from: sender.sender_id, to, channel: 'WHATSAPP', text });

test('a message is stored once per carrier id, and the same text with a new id is stored again', async () => {
  const repeated = { external_id: 'wamid.1', text: 'Hello' };
  await Promise.all([
    receive(ANNA, repeated),
    receive(ANNA, repeated),
    receive(ANNA, { ...repeated, session: crypto.randomUUID() }),
  ]);
  await receive(ANNA, repeated);
  await receive(ANNA, { external_id: 'wamid.2', text: 'Hello' });
  const [conversation, ...otherConversations] = await conversations();
  expect(otherConversations).toEqual([]);
  expect(conversation).toMatchObject({ unread_count: 2, channel: 'WHATSAPP', number: ANNA });
  expect((await thread(conversation!.id)).map(({ text, type, content }) => ({ text, type, content }))).toEqual([
    { text: 'Hello', type: 'text', content: null },
    { text: 'Hello', type: 'text', content: null },
  ]);
  const [{ id } = { id: '' }] = await thread(conversation!.id);
  expect((await gate.api.get(`/v1/messages/${id}`)).body.data).toMatchObject({
    external_ids: ['wamid.2'],
    encoding: 'UTF-8',
    segments_count: 1,
    connection_name: expect.any(String),
  });
  await gate.expectSound();
});

describe('a person without a number', () => {
  test('is identified by their alias and can receive replies', async () => {
    await receive(ALIAS, { profile_name: 'Anna B.' });
    const [conversation] = await conversations();
    expect(conversation).toMatchObject({
      number: ALIAS,
      alias: ALIAS,
      profile_name: 'Anna B.',
      country: 'US',
      contact_name: '',
    });
    const countFound = async (text: string) =>
      (await gate.api.get(`/v1/conversations?filter[search]=${text}`)).body.pagination.total;
    expect([await countFound('anna%20b'), await countFound('us.1349'), await countFound('bruno')]).toEqual([1, 1, 0]);
    const reply = await sendReply(ALIAS);
    expect(reply.body.data[0]).toMatchObject({ to: ALIAS, country: 'US', conversation_id: conversation!.id });
    expect((await sendReply('US.9999')).body.errors[0].code).toBe(1523);
    const queued = await db().one(sql`select number from dispatch where message_id = ${reply.body.data[0].id}`);
    expect(queued).toEqual({ number: ALIAS });
  });

  test('stays in the same conversation after revealing their number', async () => {
    await receive(ALIAS);
    await receive(ANNA, { alias: ALIAS, profile_name: 'Anna' });
    const [conversation, ...otherConversations] = await conversations();
    expect(otherConversations).toEqual([]);
    expect(conversation).toMatchObject({ number: ALIAS, alias: ALIAS, unread_count: 2, profile_name: 'Anna' });
    expect((await sendReply(ALIAS)).body.data[0].conversation_id).toBe(conversation!.id);
  });

  test('stays in the same conversation after hiding their number, and replies use the number', async () => {
    await receive(ANNA, { alias: ALIAS });
    await receive(ALIAS);
    const [conversation, ...otherConversations] = await conversations();
    expect(otherConversations).toEqual([]);
    expect(conversation).toMatchObject({ number: ANNA, alias: ALIAS, unread_count: 2 });
    expect((await thread(conversation!.id)).map(({ from }) => from)).toEqual([ANNA, ANNA]);
    expect((await sendReply(ALIAS)).body.data[0]).toMatchObject({ to: ANNA, conversation_id: conversation!.id });
  });

  test('has the conversation of the number if the ID is stored about a person', async () => {
    const person = { number: ANNA, channel_ids: { WHATSAPP: ALIAS } };
    const audience = { name: 'Regulars', channel: 'WHATSAPP', contacts: [{ ...person, first_name: 'Anna' }] };
    await gate.api.post('/v1/audiences', audience);
    await receive(ALIAS);
    const [conversation] = await conversations();
    expect(conversation).toMatchObject({ number: ANNA, alias: ALIAS, contact_name: 'Anna' });
    expect((await sendReply(ALIAS)).body.data[0]).toMatchObject({ to: ANNA, conversation_id: conversation!.id });
    await receive(ANNA);
    expect((await conversations()).map(({ unread_count }) => unread_count)).toEqual([2]);
  });

  test('keeps the conversation under the ID if the ID is stored later', async () => {
    await receive(ALIAS);
    const contacts = [{ number: ANNA, first_name: 'Anna', channel_ids: { WHATSAPP: ALIAS } }];
    await gate.api.post('/v1/audiences', { name: 'Regulars', channel: 'WHATSAPP', contacts });
    await receive(ALIAS);
    expect(await conversations()).toMatchObject([{ number: ALIAS, contact_name: 'Anna', unread_count: 2 }]);
  });

  test('has one conversation even when their first messages arrive concurrently', async () => {
    await Promise.all(
      [0, 1, 2, 3, 4, 5].map(async (n) => {
        const ownIntake = new InboundIntake(gate.world.kernel);
        const connection = await readConnection(gate.world.kernel, sender.connection_id);
        await ownIntake.add(
          connection,
          n % 2 ? makeIncoming(sender, ANNA, { alias: ALIAS }) : makeIncoming(sender, ALIAS),
        );
      }),
    );
    const all = await conversations();
    expect(all.map(({ unread_count }) => unread_count)).toEqual([6]);
    await gate.expectSound();
  });

  test('keeps their alias when another person reports the same one', async () => {
    await receive(ANNA, { alias: ALIAS });
    await receive('447400000002', { alias: ALIAS });
    expect((await conversations()).map(({ number, alias }) => [number, alias]).sort()).toEqual([[ANNA, ALIAS]]);
  });
});

describe('an inbound message', () => {
  test('includes the pressed button and the message it replies to', async () => {
    await receive(ANNA);
    const { id } = (await sendReply(ANNA, 'Coming?')).body.data[0];
    await db().run(sql`
      insert into submissions (connection_id, external_id, account_id, message_id, part, parts)
      values (${sender.connection_id}, 'wamid.ours', ${gate.company.account_id}, ${id}, 1, 1)`);
    const button = { text: 'Yes', value: 'yes-1' };
    await receive(ANNA, { text: 'Yes', content: { media: null, pressed: button, answers: 'wamid.ours' } });
    await receive(ANNA, { text: 'Hm', content: { media: null, pressed: null, answers: 'wamid.of-nobody' } });
    const [conversation] = await conversations();
    const [first, second] = await thread(conversation!.id);
    expect(second).toMatchObject({ text: 'Yes', content: { pressed: button, answers: id } });
    expect(first).toMatchObject({ text: 'Hm', content: { pressed: null, answers: null } });
  });

  test('starts a job that fetches its file', async () => {
    const media = { type: 'image', source: 'media-1', content_type: 'image/jpeg', file_name: null } as const;
    await receive(ANNA, { text: '', content: { media, pressed: null, answers: null } });
    const [conversation] = await conversations();
    expect(conversation!.last_message).toMatchObject({ text: '', type: 'image' });
    const [message] = await thread(conversation!.id);
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

test('a file from an unreachable carrier is retried with backoff up to a limit', async () => {
  sender = await makeChatSender(gate.world.kernel, gate.company.account_id, 'WHATSAPP', {
    settings: { base_url: 'http://127.0.0.1:9' },
  });
  const media = { type: 'image', source: 'media-2', content_type: 'image/jpeg', file_name: null } as const;
  await receive(ANNA, { text: '', content: { media, pressed: null, answers: null } });
  const [conversation] = await conversations();
  const { id } = (await thread(conversation!.id))[0] as unknown as { id: string };
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
  const [, first, last] = await jobs();
  expect(first!.seconds).toBeLessThan(last!.seconds);
  expect((await thread(conversation!.id))[0]).toMatchObject({ status_details: null });
  await fetchFile(gate.world.kernel, { ...file, tries: 9 });
  expect((await thread(conversation!.id))[0]).toMatchObject({
    status_details: 'The file could not be fetched: the carrier did not provide it',
  });
  // The failure is final, so a late job does not schedule a retry.
  await fetchFile(gate.world.kernel, { ...file, tries: 1 });
  expect(await jobs()).toHaveLength(3);
});

describe('opting out', () => {
  test('works with STOP as a text or a button, from a number or an alias', async () => {
    await receive(ANNA, { alias: ALIAS });
    const makePress = (text: string) => ({
      text,
      content: { media: null, pressed: { text, value: '' }, answers: null },
    });
    await receive(ALIAS, makePress('Cancel'));
    expect((await sendReply(ANNA)).status).toBe(200);
    await receive(ALIAS, {
      text: 'Stop',
      content: { media: null, pressed: { text: 'Stop', value: 's' }, answers: null },
    });
    expect((await sendReply(ANNA)).body.errors[0].code).toBe(1530);
    expect((await sendReply(ALIAS)).body.errors[0].code).toBe(1530);
    expect((await conversations())[0]).toMatchObject({ stopped: true });
    await receive(ALIAS, { text: 'START' });
    expect((await sendReply(ANNA)).status).toBe(200);
  });

  test('works through the channel’s own opt-out notice', async () => {
    await receive(ANNA, { alias: ALIAS });
    const consent = (isStopped: boolean, from = ALIAS, address = sender.address) =>
      db().tx((tx) => applyNotices(tx, sender.connection_id, [{ kind: 'consent', address, from, stopped: isStopped }]));
    await consent(true);
    await consent(true);
    await consent(true, ANNA, 'another address');
    expect((await sendReply(ANNA)).body.errors[0].code).toBe(1530);
    const entries = (await gate.api.get('/v1/stop_list')).body.data as { number: string; reason: string }[];
    expect(entries.map(({ number, reason }) => [number, reason])).toEqual([[ANNA, 'carrier']]);
    await consent(false);
    expect((await sendReply(ANNA)).status).toBe(200);
  });

  test('reaches the live sender when deleted senders had its address before', async () => {
    const { account_id } = await makeCompany(gate.world.kernel);
    const { sender_id } = await makeSender(gate.world.kernel, account_id, { channel: 'WHATSAPP', status: 'canceled' });
    await db().run(sql`
      update senders set delete_date = now(), connection_id = ${sender.connection_id},
        carrier_address = ${sender.address} where account_id = ${account_id} and id = ${sender_id}`);
    await receive(ANNA);
    await db().tx((tx) =>
      applyNotices(tx, sender.connection_id, [{ kind: 'consent', address: sender.address, from: ANNA, stopped: true }]),
    );
    const entries = (await gate.api.get('/v1/stop_list')).body.data as { number: string; reason: string }[];
    expect(entries.map(({ number, reason }) => [number, reason])).toEqual([[ANNA, 'carrier']]);
  });
});

test('reading a conversation sends one read receipt for all unread messages', async () => {
  await receive(ANNA, { external_id: 'wamid.a' });
  await receive(ANNA, { external_id: 'wamid.b' });
  const [conversation] = await conversations();
  const readEntries = () =>
    gate.api.put(`/v1/conversations/${conversation!.id}`, {
      last_read_timestamp: new Date(Date.now() + 60_000).toISOString().slice(0, 19).replace('T', ' '),
    });
  expect((await readEntries()).body.data).toMatchObject({ unread_count: 0 });
  await readEntries();
  const jobs = await db().rows(sql`
    select 1 as one from pgboss.job where name = 'messages.mark_read'
      and data->>'conversation_id' = ${conversation!.id as string}`);
  expect(jobs).toHaveLength(1);
});

test('a message is charged on delivery but not on failure, in whatever order its statuses arrive', async () => {
  await receive(ANNA);
  const reports = createReportBatcher(db());
  const reportStatus = (
    external_id: string,
    status: 'sent' | 'delivered' | 'read' | 'failed' | 'unsubscribed',
    fields = {},
  ) =>
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
        ...fields,
      },
    });
  const findSent = async (external_id: string) => {
    const { id } = (await sendReply(ANNA)).body.data[0];
    await db().run(sql`
      insert into submissions (connection_id, external_id, account_id, message_id, part, parts)
      values (${sender.connection_id}, ${external_id}, ${gate.company.account_id}, ${id}, 1, 1)`);
    await reportStatus(external_id, 'sent');
    return id as string;
  };
  const state = async (id: string) => {
    const { status, charge, failure, carrier_code, status_details } = (await gate.api.get(`/v1/messages/${id}`)).body
      .data;
    return { status, charge, failure, carrier_code, status_details };
  };
  const [arrives, fails, stops] = [await findSent('wamid.x'), await findSent('wamid.y'), await findSent('wamid.z')];
  expect(await state(arrives)).toMatchObject({ status: 'sent', charge: 'held' });
  await gate.expectSound();

  await reportStatus('wamid.x', 'read');
  await reportStatus('wamid.x', 'delivered');
  expect(await state(arrives)).toMatchObject({ status: 'read', charge: 'settled' });
  await reportStatus('wamid.y', 'failed', {
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
  await reportStatus('wamid.z', 'unsubscribed', {
    code: '131050',
    failure: { kind: 'opted_out', text: 'The recipient declined marketing' },
  });
  expect(await state(stops)).toMatchObject({ status: 'unsubscribed', charge: 'released', failure: 'opted_out' });
  expect(await gate.balance()).toMatchObject({ held_micros: 0 });
  await gate.expectSound();
});
