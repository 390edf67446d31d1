import { GATE_RULES, type RuleCheck } from '@parley/contract/messages/decisions.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { ANNA, BRUNO, createGate, FUNDS, type Gate, PRICE } from '../../test/gate.ts';
import { makeCompany, makeKey, makeUser } from '../../test/make.ts';
import { makeTemplate } from '../../test/templates.ts';
import { touchConversations } from '../thread/conversations.ts';

let gate: Gate;
beforeAll(async () => {
  gate = await createGate();
});
afterAll(() => gate.world.stop());
beforeEach(() => gate.renew());

describe('a message', () => {
  test('is sent once when two users resend the same message at the same time', async () => {
    const { user_id, token } = await makeUser(gate.world.kernel, gate.company.account_id, {
      permissions: { MESSAGES: 15 },
    });
    expect(user_id).not.toBe(gate.company.user_id);
    // The web app uses the same key for a failed message, no matter which user resends it.
    const headers = { 'idempotency-key': `resend-${newId()}` };
    const body = { from: gate.code, to: [ANNA], channel: 'SMS', text: 'Again' };
    const replies = await Promise.all(
      [gate.company.token, token, gate.company.token].map((who) =>
        gate.world.as(who).post('/v1/messages', body, headers),
      ),
    );
    expect(replies.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([]);
    const last = await gate.world.as(token).post('/v1/messages', body, headers);
    expect(last.status).toBe(200);
    const ids = replies.flatMap(({ status, body: { data } }) => (status === 200 ? [data[0].id] : []));
    expect(new Set([...ids, last.body.data[0].id]).size).toBe(1);
    expect(await gate.count('messages')).toBe(1);
  });

  test('contains the values of all placeholders of its template, and is refused with too few or too many', async () => {
    const template = await makeTemplate(gate.world.kernel, gate.company.account_id, {
      text: '{code} is your code, {first_name}. {promo:Bye}',
    });
    const send = (variables?: string[]) => gate.send({ text: undefined, template, variables });
    expect((await send(['481516', 'Ann', ''])).body.data[0].text).toBe('481516 is your code, Ann. Bye');
    const refused = [await send(), await send(['481516']), await send(['481516', 'Ann', 'x', 'y'])];
    expect(refused.map(({ body }) => body.errors[0].code)).toEqual([1514, 1514, 1569]);
    expect((await gate.send({ variables: ['481516'] })).body.errors[0]).toMatchObject({
      code: 1569,
      field: 'variables',
    });
    expect(await gate.count('messages')).toBe(1);
  });

  test('is stored with its queue row, hold, and event in one transaction', async () => {
    const key = await makeKey(gate.world.kernel, gate.company.account_id);
    gate.api = gate.world.as({ key });
    const reply = await gate.send({ to: ['+44 7400 000001', BRUNO], text: 'Grüße {x}', payload: 'order 7' });
    expect(reply.status).toBe(200);
    expect(reply.body.data).toHaveLength(2);
    const [first] = reply.body.data;
    expect(first).toMatchObject({
      account_id: gate.company.account_id,
      to: ANNA,
      from: gate.code,
      channel: 'SMS',
      status: 'enroute',
      direction: 'MT',
      source: 'api',
      encoding: 'GSM-7',
      segments_count: 1,
      country: 'GB',
      price: 0.04,
      price_micros: PRICE,
      charge: 'held',
      sender_id: gate.sender_id,
      user_id: null,
      conversation_id: null,
    });
    expect(Object.keys(first).slice(0, 2)).toEqual(['id', 'account_id']);
    const queued = await gate.world.kernel.db.rows(sql`
      select number, sender_address, priority, stage, connection_id is not null as routed,
             extract(epoch from expire_date - not_before)::int as seconds
      from dispatch where account_id = ${gate.company.account_id} order by message_id`);
    expect(queued).toEqual(
      [ANNA, BRUNO].map((number) => ({
        number,
        sender_address: gate.code,
        priority: 5,
        stage: 'queued',
        routed: true,
        seconds: 86_400,
      })),
    );
    expect(await gate.balance()).toMatchObject({ available_micros: FUNDS - 2 * PRICE, held_micros: 2 * PRICE });
    expect(await gate.count('holds')).toBe(1);
    const events = await gate.world.kernel.db.rows<{ type: string; payload: { id: string }; live: boolean }>(sql`
      select type, payload, live from events where account_id = ${gate.company.account_id} and type <> 'balance.changed'
      order by id`);
    expect(events.map((event) => [event.type, event.live, event.payload.id])).toEqual(
      reply.body.data.map((message: { id: string }) => ['message.created', true, message.id]),
    );
    const detail = (await gate.api.get(`/v1/messages/${first.id}`)).body.data;
    expect(detail).toMatchObject({
      ...first,
      payload: 'order 7',
      key_name: 'Test',
      user_name: null,
      attempts: 0,
      external_ids: [],
    });
    expect(detail.timeline).toMatchObject([{ status: 'enroute', source: 'gate' }]);
    const rules = new Map((detail.decisions as RuleCheck[]).map((check) => [check.rule, check]));
    expect([...rules.keys()]).toEqual(GATE_RULES);
    expect(rules.get('account')).toMatchObject({ result: 'passed', values: { status: 'VERIFIED' } });
    expect(rules.get('stop_list')).toMatchObject({ result: 'passed', values: { number: detail.to } });
    expect(rules.get('session')).toEqual({ rule: 'session', result: 'skipped', values: {} });
    expect(JSON.stringify(detail.decisions)).not.toMatch(/micros|price_/);
    await gate.expectSound();
  });

  test('is priced by its number of segments', async () => {
    const reply = await gate.send({ text: 'ж'.repeat(71) });
    expect(reply.body.data[0]).toMatchObject({ encoding: 'UCS-2', segments_count: 2, price_micros: 2 * PRICE });
    expect(await gate.balance()).toMatchObject({ held_micros: 2 * PRICE });
  });

  test('is sent once to a number that is listed twice', async () => {
    const reply = await gate.send({ to: [ANNA, `+${ANNA}`, BRUNO] });
    expect(reply.body.data.map((message: { to: string }) => message.to)).toEqual([ANNA, BRUNO]);
    expect(await gate.balance()).toMatchObject({ held_micros: 2 * PRICE });
  });

  test('can be scheduled', async () => {
    const schedule = new Date(Date.now() + 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
    const reply = await gate.send({ schedule, validity_seconds: 600 });
    expect(reply.body.data[0]).toMatchObject({ status: 'scheduled', schedule });
    const queued = await gate.world.kernel.db.one(sql`
      select not_before, extract(epoch from expire_date - not_before)::int as seconds from dispatch
      where account_id = ${gate.company.account_id}`);
    expect(queued).toEqual({ not_before: schedule, seconds: 600 });
  });

  test('can be sent to anyone who wrote to its sender, even from a number outside any numbering plan', async () => {
    const { account_id } = gate.company;
    expect((await gate.send({ to: '447700900123' })).body.errors[0].code).toBe(1523);
    await gate.world.kernel.db.tx(async (tx) => {
      const row = {
        ...{ account_id, id: newId(), channel: 'SMS', sender_id: gate.sender_id, number: '447700900123' },
        ...{ direction: 'MO' as const, text: 'Hi', status: 'received', create_date: tx.now, source: 'phone' },
      };
      await tx.run(sql`
        insert into messages (account_id, id, direction, channel, status, sender_id, "from", "to", number, country,
          text, segments_count, encoding, currency, source, create_date)
        values (${account_id}, ${row.id}, 'MO', 'SMS', 'received', ${row.sender_id}, ${row.number}, ${gate.code},
          ${row.number}, 'GB', 'Hi', 1, 'GSM-7', 'USD', 'phone', ${tx.now})`);
      await touchConversations(tx, [row]);
    });
    const [message] = (await gate.send({ to: '+447700900123' })).body.data;
    expect(message).toMatchObject({ to: '447700900123', country: 'GB', price_micros: PRICE });
    expect((await gate.send({ to: '447700900124' })).body.errors[0].code).toBe(1523);
  });

  test('opens a conversation when a user sends it', async () => {
    const [message] = (await gate.send()).body.data;
    expect(message).toMatchObject({ source: 'inbox', user_id: gate.company.user_id });
    expect(message.conversation_id).not.toBeNull();
  });
});

describe('canceling', () => {
  test('removes the message from the queue and releases its hold', async () => {
    const [{ id }] = (await gate.send()).body.data;
    expect((await gate.api.delete(`/v1/messages/${id}`)).status).toBe(204);
    expect((await gate.api.get(`/v1/messages/${id}`)).body.data).toMatchObject({
      status: 'canceled',
      charge: 'released',
    });
    expect(await gate.count('dispatch')).toBe(0);
    expect(await gate.balance()).toMatchObject({ available_micros: FUNDS, held_micros: 0 });
    const second = await gate.api.delete(`/v1/messages/${id}`);
    expect([second.status, second.body.errors[0].code]).toEqual([409, 1528]);
    await gate.expectSound();
  });

  test('fails once a worker has claimed the message', async () => {
    const [{ id }] = (await gate.send()).body.data;
    await gate.world.kernel.db.run(sql`update dispatch set stage = 'submitting' where message_id = ${id}`);
    expect((await gate.api.delete(`/v1/messages/${id}`)).body.errors[0].code).toBe(1528);
    expect((await gate.api.get(`/v1/messages/${id}`)).body.data).toMatchObject({ status: 'enroute', charge: 'held' });
  });

  test('returns not found for a missing message and for another account’s message', async () => {
    const [{ id }] = (await gate.send()).body.data;
    const otherApi = gate.world.as((await makeCompany(gate.world.kernel)).token);
    expect((await otherApi.delete(`/v1/messages/${id}`)).body.errors[0].code).toBe(1501);
    expect((await otherApi.get(`/v1/messages/${id}`)).body.errors[0].code).toBe(1501);
    expect((await gate.api.delete('/v1/messages/7')).body.errors[0].code).toBe(1502);
    expect(await gate.count('dispatch')).toBe(1);
  });
});
