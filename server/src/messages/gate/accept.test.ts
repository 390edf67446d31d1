import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { ANNA, BRUNO, createGate, type Gate, PRICE } from '../../test/gate.ts';
import { accept } from '../messages.ts';

let gate: Gate;
beforeAll(async () => {
  gate = await createGate();
});
afterAll(() => gate.world.stop());
beforeEach(() => gate.renew());

describe('the gate', () => {
  test('accepts 5 of 32 concurrent requests when the balance covers only 5', async () => {
    await gate.renew(5 * PRICE + 1);
    const replies = await Promise.all(
      Array.from({ length: 32 }, (_, i) => gate.send({ to: `4474000001${String(i).padStart(2, '0')}` })),
    );
    expect(replies.map((reply) => reply.status).sort()).toEqual([...Array(5).fill(200), ...Array(27).fill(402)]);
    expect(await gate.count('messages')).toBe(5);
    expect(await gate.balance()).toMatchObject({ available_micros: 1, held_micros: 5 * PRICE });
    await gate.expectSound();
  });

  test('creates one message per Idempotency-Key, no matter how often the request is sent', async () => {
    const headers = { 'idempotency-key': 'order-7' };
    const replies = await Promise.all(Array.from({ length: 16 }, () => gate.send({}, headers)));
    const acceptedReplies = replies.filter((reply) => reply.status === 200);
    for (const reply of replies)
      if (reply.status !== 200) expect([reply.status, reply.body.errors[0].code]).toEqual([409, 1010]);
    const repeated = await gate.send({}, headers);
    // The replies are equal byte for byte, so clients that compare the response text see no difference.
    for (const reply of acceptedReplies) expect(reply.text).toBe(repeated.text);
    expect(repeated.status).toBe(200);
    expect(await gate.count('messages')).toBe(1);
    const other = await gate.send({ text: 'Something else' }, headers);
    expect([other.status, other.body.errors[0].code]).toEqual([422, 1011]);
    expect(await gate.count('messages')).toBe(1);
  });

  test('does not store a rejection under the Idempotency-Key, so a retry can succeed', async () => {
    const headers = { 'idempotency-key': 'order-8' };
    expect((await gate.send({ to: '12' }, headers)).status).toBe(400);
    expect((await gate.send({}, headers)).status).toBe(200);
  });

  test('rejects a second request with the same key while the first is running', async () => {
    const { db } = gate.world.kernel;
    await db.tx(async (tx) => {
      await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`${gate.company.account_id} order-9`}, 42))`);
      const reply = await gate.send({}, { 'idempotency-key': 'order-9' });
      expect([reply.status, reply.body.errors[0].code]).toEqual([409, 1010]);
    });
  });

  test('skips rejected recipients of a campaign, reports the reasons, and opens one hold', async () => {
    const { account_id } = gate.company;
    await gate.world.kernel.db.run(sql`
      insert into stop_list (account_id, id, number, reason) values (${account_id}, ${newId()}, ${BRUNO}, 'keyword')`);
    const campaign_id = newId();
    const result = await gate.world.kernel.db.tx((tx) =>
      accept(tx, gate.world.kernel, {
        account_id,
        channel: 'SMS',
        from: gate.sender_id,
        source: 'campaign',
        refusal: 'skip',
        campaign_id,
        recipients: [
          { to: ANNA, country: 'GB', text: 'Hello Anna' },
          { to: BRUNO, country: 'GB', text: 'Hello Bruno' },
          { to: '4915112345678', country: 'DE', text: 'Hallo' },
          { to: '447400000003', country: 'GB', text: 'ж'.repeat(700) },
          { to: '447400000004', country: 'GB', text: 'Hello '.repeat(30) },
          { to: 'nonsense', text: 'Hello' },
        ],
      }),
    );
    expect(result.accepted.map((message) => [message.to, message.segments_count])).toEqual([
      [ANNA, 1],
      ['447400000004', 2],
    ]);
    expect(result.refused).toEqual([
      { index: 1, number: BRUNO, code: 'RECIPIENT_BLOCKED' },
      { index: 2, number: '4915112345678', code: 'PRICE_NOT_FOUND' },
      { index: 3, number: '447400000003', code: 'MESSAGE_SEGMENTS_LIMIT_EXCEEDED' },
      { index: 5, number: 'nonsense', code: 'RECIPIENTS_INVALID' },
    ]);
    expect(result.total_micros).toBe(3 * PRICE);
    expect(await gate.count('holds')).toBe(1);
    const types = await gate.world.kernel.db.rows<{ type: string }>(
      sql`select distinct type from events where account_id = ${account_id}`,
    );
    expect(types.map((row) => row.type)).toEqual(['balance.changed']);
    await gate.expectSound();
  });

  test('does not open a hold for a campaign when every recipient is rejected', async () => {
    const result = await gate.world.kernel.db.tx((tx) =>
      accept(tx, gate.world.kernel, {
        ...{
          account_id: gate.company.account_id,
          channel: 'SMS',
          from: gate.sender_id,
          source: 'campaign',
          refusal: 'skip',
        },
        campaign_id: newId(),
        recipients: [{ to: 'nonsense', text: 'Hello' }],
      }),
    );
    expect(result).toEqual({
      accepted: [],
      refused: [{ index: 0, number: 'nonsense', code: 'RECIPIENTS_INVALID' }],
      hold_id: null,
      total_micros: 0,
      waits_from: null,
      waits_for: null,
    });
    await gate.expectNoMessages();
  });
});
