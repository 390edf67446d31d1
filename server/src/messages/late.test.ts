import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { type ChatSender, connectionOf, makeChatSender, written } from '../test/chat.ts';
import { ANNA, createGate, type Gate } from '../test/gate.ts';
import { InboundIntake } from './inbound.ts';
import { gatherReports, retryUnmatched } from './reports.ts';
import { idOfTime, LATE_MS, toldTime } from './told_time.ts';

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
const on = async (channel: 'WHATSAPP' | 'VIBER') => {
  sender = await makeChatSender(gate.world.kernel, gate.company.account_id, channel);
};
const ago = (hours: number) => Date.now() - hours * HOUR;
const wire = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');
const writes = async (more: { text: string; at?: number }) =>
  intake.take(await connectionOf(gate.world.kernel, sender.connection_id), written(sender, ANNA, more));
const conversation = async () => (await gate.api.get('/v1/conversations')).body.data[0];
const thread = async () =>
  (await gate.api.get(`/v1/conversations/${(await conversation()).id}/messages`)).body.data as Record<string, never>[];
const answer = (text = 'Hi') =>
  gate.api.post('/v1/messages', {
    ...{ from: sender.sender_id, to: ANNA, text },
    channel: sender.code.startsWith('Harbour') ? 'VIBER' : 'WHATSAPP',
  });
const jobs = () =>
  db().rows(sql`
    select data->>'keyword' as keyword from pgboss.job
    where name = 'messages.answer_keyword' and data->>'account_id' = ${gate.company.account_id} order by created_on`);

test('a carrier’s time counts when it is neither of just now, nor of the future, nor of ages ago', () => {
  const now = new Date('2026-05-04T10:00:00Z');
  const told = (ms: number | undefined) => toldTime(ms === undefined ? ms : now.getTime() + ms, now).getTime() - +now;
  expect([undefined, -LATE_MS, 1, 365 * 24 * HOUR, -31 * 24 * HOUR].map(told)).toEqual([0, 0, 0, 0, 0]);
  expect([-LATE_MS - 1, -25 * HOUR, -30 * 24 * HOUR].map(told)).toEqual([-LATE_MS - 1, -25 * HOUR, -30 * 24 * HOUR]);
});

test('ids of the past are in the order they were asked for, and before all of today', () => {
  const [now, past] = [new Date(), new Date(ago(25))];
  const ids = [idOfTime(past, now), idOfTime(past, now), idOfTime(new Date(+past + 1), now), idOfTime(now, now)];
  expect([...ids].sort()).toEqual(ids);
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});

describe('what a person wrote and the carrier could not hand over', () => {
  test('25 hours ago stands at its time and opens nothing', async () => {
    await on('WHATSAPP');
    const at = ago(25);
    await writes({ text: 'Are you open on Sunday?', at });
    const found = await conversation();
    expect(found).toMatchObject({ unread_count: 1, timestamp: wire(at) });
    expect(found.session).toEqual({ open: false, until: wire(at + 24 * HOUR), limit_reached: false });
    const [message] = await thread();
    expect(message).toMatchObject({ create_date: wire(at), status: 'received' });
    const { timeline } = (await gate.api.get(`/v1/messages/${message!.id}`)).body.data;
    expect(timeline).toEqual([
      { at: expect.stringContaining(wire(at)), status: 'received', source: 'carrier', detail: expect.anything() },
    ]);
    expect((await answer()).body.errors[0].code).toBe(1547);
    await writes({ text: 'Hello?', at: ago(20) });
    expect((await answer()).status).toBe(200);
  });

  test('stands in the thread where it was said, and takes nothing back that came since', async () => {
    await on('WHATSAPP');
    await writes({ text: 'Today' });
    const { session } = await conversation();
    await answer('Ours');
    await writes({ text: 'Yesterday, first', at: ago(26) });
    await writes({ text: 'Yesterday, second', at: ago(26) + 1 });
    expect((await thread()).map(({ text }) => text)).toEqual([
      'Ours',
      'Today',
      'Yesterday, second',
      'Yesterday, first',
    ]);
    expect(await conversation()).toMatchObject({ session, last_message: { text: 'Ours' }, unread_count: 3 });
  });

  test('before our messages answers none of them', async () => {
    await on('VIBER');
    await writes({ text: 'Hello' });
    for (let n = 0; n < 10; n++) expect((await answer()).body.data[0].content.purpose).toBe('session');
    expect(await conversation()).toMatchObject({ session: { limit_reached: true } });
    await writes({ text: 'From the plane', at: ago(1) });
    expect(await conversation()).toMatchObject({ session: { limit_reached: true }, unread_count: 2 });
    await writes({ text: 'Now' });
    expect(await conversation()).toMatchObject({ session: { limit_reached: false } });
  });

  test('STOP counts, START only where nothing was written since, and neither is answered any more', async () => {
    await on('WHATSAPP');
    await writes({ text: 'STOP', at: ago(3) });
    expect(await conversation()).toMatchObject({ stopped: true });
    await writes({ text: 'START', at: ago(4) });
    expect(await conversation()).toMatchObject({ stopped: true });
    await writes({ text: 'START', at: ago(2) });
    expect(await conversation()).toMatchObject({ stopped: false });
    await writes({ text: 'HELP', at: ago(1) });
    expect(await jobs()).toEqual([]);
    await writes({ text: 'HELP' });
    expect(await jobs()).toEqual([{ keyword: 'help' }]);
  });
});

test('a report that comes hours later is told with the hour it is of, also where it had to wait for its message', async () => {
  await on('WHATSAPP');
  await writes({ text: 'Hello' });
  const { id } = (await answer()).body.data[0];
  const reports = gatherReports(db());
  const told = (status: 'sent' | 'delivered' | 'read', at?: number) =>
    reports.add({
      connection_id: sender.connection_id,
      report: {
        ...{ external_id: 'wamid.late', status, state: status, code: null, reference: null, number: ANNA },
        ...{ sender: sender.address, detail: {}, ...(at === undefined ? {} : { at }) },
      },
    });
  const at = ago(2);
  await told('delivered', at);
  await db().run(sql`
    insert into submissions (connection_id, external_id, account_id, message_id, part, parts)
    values (${sender.connection_id}, 'wamid.late', ${gate.company.account_id}, ${id}, 1, 1)`);
  await retryUnmatched(db(), '1 hour');
  await told('read', Date.now() + HOUR);
  const { timeline, status } = (await gate.api.get(`/v1/messages/${id}`)).body.data;
  expect(status).toBe('read');
  const of = (name: string) => timeline.find((entry: { status: string }) => entry.status === name).at.slice(0, 19);
  expect(of('delivered')).toBe(wire(at));
  expect(of('read') <= wire(Date.now())).toBe(true);
  await gate.sound();
});
