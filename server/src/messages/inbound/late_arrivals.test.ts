import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type ChatSender, makeChatSender, makeIncoming, readConnection } from '../../test/chat.ts';
import { ANNA, createGate, type Gate } from '../../test/gate.ts';
import { idForTime, LATE_MS, reportedTime } from '../model/reported_time.ts';
import { createReportBatcher, retryUnmatched } from '../status/reports.ts';
import { InboundIntake } from './intake.ts';

const HOUR = 3_600_000;
let gate: Gate;
let sender: ChatSender;
let intake: InboundIntake;
beforeAll(async () => {
  gate = await createGate();
  intake = new InboundIntake(gate.world.kernel);
});
afterAll(() => gate.world.stop());
beforeEach(() => gate.renew());

const db = () => gate.world.kernel.db;
const useChannel = async (channel: 'WHATSAPP' | 'VIBER') => {
  sender = await makeChatSender(gate.world.kernel, gate.company.account_id, channel);
};
const ago = (hours: number) => Date.now() - hours * HOUR;
const wire = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');
const receive = async (fields: { text: string; at?: number }) =>
  intake.add(await readConnection(gate.world.kernel, sender.connection_id), makeIncoming(sender, ANNA, fields));
const conversation = async () => (await gate.api.get('/v1/conversations')).body.data[0];
const thread = async () =>
  (await gate.api.get(`/v1/conversations/${(await conversation()).id}/messages`)).body.data as Record<string, never>[];
const sendReply = (text = 'Hi') =>
  gate.api.post('/v1/messages', {
    ...{ from: sender.sender_id, to: ANNA, text },
    channel: sender.code.startsWith('Harbour') ? 'VIBER' : 'WHATSAPP',
  });
const jobs = () =>
  db().rows(sql`
    select data->>'keyword' as keyword from pgboss.job
    where name = 'messages.answer_keyword' and data->>'account_id' = ${gate.company.account_id} order by created_on`);

test('a carrier’s time is used unless it is very recent, in the future, or too old', () => {
  const now = new Date('2026-05-04T10:00:00Z');
  const offset = (ms: number | undefined) =>
    reportedTime(ms === undefined ? ms : now.getTime() + ms, now).getTime() - +now;
  expect([undefined, -LATE_MS, 1, 365 * 24 * HOUR, -31 * 24 * HOUR].map(offset)).toEqual([0, 0, 0, 0, 0]);
  expect([-LATE_MS - 1, -25 * HOUR, -30 * 24 * HOUR].map(offset)).toEqual([-LATE_MS - 1, -25 * HOUR, -30 * 24 * HOUR]);
});

test('ids for past times keep the order of the calls and sort before current ids', () => {
  const [now, yesterday] = [new Date(), new Date(ago(25))];
  const ids = [
    idForTime(yesterday, now),
    idForTime(yesterday, now),
    idForTime(new Date(+yesterday + 1), now),
    idForTime(now, now),
  ];
  expect([...ids].sort()).toEqual(ids);
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});

describe('a message that the carrier delivers late', () => {
  test('keeps its own time and does not open a session when it is 25 hours old', async () => {
    await useChannel('WHATSAPP');
    const at = ago(25);
    await receive({ text: 'Are you open on Sunday?', at });
    const current = await conversation();
    expect(current).toMatchObject({ unread_count: 1, timestamp: wire(at) });
    expect(current.session).toEqual({ open: false, until: wire(at + 24 * HOUR), limit_reached: false });
    const [message] = await thread();
    expect(message).toMatchObject({ create_date: wire(at), status: 'received' });
    const { timeline } = (await gate.api.get(`/v1/messages/${message!.id}`)).body.data;
    expect(timeline).toEqual([
      { at: expect.stringContaining(wire(at)), status: 'received', source: 'carrier', detail: expect.anything() },
    ]);
    expect((await sendReply()).body.errors[0].code).toBe(1547);
    await receive({ text: 'Hello?', at: ago(20) });
    expect((await sendReply()).status).toBe(200);
  });

  test('is sorted by its own time in the thread and does not override newer changes', async () => {
    await useChannel('WHATSAPP');
    await receive({ text: 'Today' });
    const { session } = await conversation();
    await sendReply('Ours');
    await receive({ text: 'Yesterday, first', at: ago(26) });
    await receive({ text: 'Yesterday, second', at: ago(26) + 1 });
    expect((await thread()).map(({ text }) => text)).toEqual([
      'Ours',
      'Today',
      'Yesterday, second',
      'Yesterday, first',
    ]);
    expect(await conversation()).toMatchObject({ session, last_message: { text: 'Ours' }, unread_count: 3 });
  });

  test('does not reset the session limit when it was written before our messages', async () => {
    await useChannel('VIBER');
    await receive({ text: 'Hello' });
    for (let n = 0; n < 10; n++) expect((await sendReply()).body.data[0].content.purpose).toBe('session');
    expect(await conversation()).toMatchObject({ session: { limit_reached: true } });
    await receive({ text: 'From the plane', at: ago(1) });
    expect(await conversation()).toMatchObject({ session: { limit_reached: true }, unread_count: 2 });
    await receive({ text: 'Now' });
    expect(await conversation()).toMatchObject({ session: { limit_reached: false } });
  });

  test('applies STOP, or START if nothing newer was written, without an automatic reply', async () => {
    await useChannel('WHATSAPP');
    await receive({ text: 'STOP', at: ago(3) });
    expect(await conversation()).toMatchObject({ stopped: true });
    await receive({ text: 'START', at: ago(4) });
    expect(await conversation()).toMatchObject({ stopped: true });
    await receive({ text: 'START', at: ago(2) });
    expect(await conversation()).toMatchObject({ stopped: false });
    await receive({ text: 'HELP', at: ago(1) });
    expect(await jobs()).toEqual([]);
    await receive({ text: 'HELP' });
    expect(await jobs()).toEqual([{ keyword: 'help' }]);
  });
});

test('a late report keeps its own time, even when it arrives before its message is submitted', async () => {
  await useChannel('WHATSAPP');
  await receive({ text: 'Hello' });
  const { id } = (await sendReply()).body.data[0];
  const reports = createReportBatcher(db());
  const offset = (status: 'sent' | 'delivered' | 'read', at?: number) =>
    reports.add({
      connection_id: sender.connection_id,
      report: {
        ...{ external_id: 'wamid.late', status, state: status, code: null, reference: null, number: ANNA },
        ...{ sender: sender.address, detail: {}, ...(at === undefined ? {} : { at }) },
      },
    });
  const at = ago(2);
  await offset('delivered', at);
  await db().run(sql`
    insert into submissions (connection_id, external_id, account_id, message_id, part, parts)
    values (${sender.connection_id}, 'wamid.late', ${gate.company.account_id}, ${id}, 1, 1)`);
  await retryUnmatched(db(), '1 hour');
  await offset('read', Date.now() + HOUR);
  const { timeline, status } = (await gate.api.get(`/v1/messages/${id}`)).body.data;
  expect(status).toBe('read');
  const readTime = (name: string) =>
    timeline.find((entry: { status: string }) => entry.status === name).at.slice(0, 19);
  expect(readTime('delivered')).toBe(wire(at));
  expect(readTime('read') <= wire(Date.now())).toBe(true);
  await gate.expectSound();
});
