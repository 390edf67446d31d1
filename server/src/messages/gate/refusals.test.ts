import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { ANNA, BRUNO, createGate, type Gate } from '../../test/gate.ts';
import { makeCompany, makeSender, makeUser } from '../../test/make.ts';
import { forgetRoutes } from '../routing/route_book.ts';

let gate: Gate;
beforeAll(async () => {
  gate = await createGate();
});
afterAll(() => gate.world.stop());
beforeEach(() => gate.renew());

describe('a request to send a message', () => {
  const cases: [string, object, number, number, string | undefined][] = [
    ['it has no sender', { from: '' }, 400, 1503, 'from'],
    ['its sender is unknown', { from: 'Unknown' }, 404, 1505, 'from'],
    ['it has no recipient', { to: [] }, 400, 1506, 'to'],
    ['it has eleven recipients', { to: Array.from({ length: 11 }, (_, i) => `44740000001${i}`) }, 400, 1507, 'to'],
    ['it has no text', { text: '' }, 400, 1508, 'text'],
    ['its text is only whitespace', { text: ' \n' }, 400, 1508, 'text'],
    ['its text has 1,001 characters', { text: 'a'.repeat(1_001) }, 400, 1510, 'text'],
    ['its channel is unknown', { channel: 'pigeon' }, 400, 1515, 'channel'],
    ['it sends an image by SMS', { type: 'image' }, 400, 1518, 'type'],
    ['it is scheduled in the past', { schedule: '2020-01-01 00:00:00' }, 400, 1522, 'schedule'],
    ['its scheduled time is invalid', { schedule: 'tomorrow' }, 400, 1522, 'schedule'],
    ['one of its numbers is invalid', { to: [ANNA, '12'] }, 400, 1523, 'to'],
    ['its payload is too long', { payload: 'x'.repeat(501) }, 400, 1705, 'payload'],
    ['the country has no price', { to: '4915112345678' }, 400, 1544, 'to'],
    ['its validity is one second', { validity_seconds: 1 }, 400, 1545, 'validity_seconds'],
    ['its text has more than 10 segments', { text: 'ж'.repeat(700) }, 400, 1546, 'text'],
  ];
  test.each(cases)('is rejected without side effects when %s', async (_, fields, status, problem, field) => {
    const reply = await gate.send(fields);
    expect(reply.status).toBe(status);
    expect(reply.body.errors[0]).toMatchObject({ code: problem, field });
    await gate.expectNoMessages();
  });

  test('is rejected when the account is unverified', async () => {
    await gate.world.kernel.db.run(
      sql`update accounts set status = 'UNVERIFIED' where id = ${gate.company.account_id}`,
    );
    const reply = await gate.send();
    expect([reply.status, reply.body.errors[0].code]).toEqual([403, 1524]);
    await gate.expectNoMessages();
  });

  test.each([
    ['pending', 1504],
    ['rejected', 1504],
    ['canceled', 1505],
  ])('is rejected when its sender is %s', async (status, problem) => {
    await gate.world.kernel.db.run(sql`update senders set status = ${status} where id = ${gate.sender_id}`);
    expect((await gate.send()).body.errors[0].code).toBe(problem);
    await gate.expectNoMessages();
  });

  test('is rejected when its sender belongs to another account, whether named by id or by code', async () => {
    const otherCompany = await makeCompany(gate.world.kernel);
    const other = await makeSender(gate.world.kernel, otherCompany.account_id);
    expect((await gate.send({ from: other.sender_id })).body.errors[0].code).toBe(1505);
    expect((await gate.send({ from: other.code })).body.errors[0].code).toBe(1505);
  });

  test('is rejected when its sender does not reach the country or no route does', async () => {
    await gate.world.kernel.db.run(sql`update senders set countries = '{US}' where id = ${gate.sender_id}`);
    expect((await gate.send()).body.errors[0].code).toBe(1543);
    expect((await gate.send({ to: '12025550123' })).status).toBe(200);
    await gate.world.kernel.db.run(sql`update routes set enabled = false`);
    forgetRoutes(gate.world.kernel.db);
    try {
      expect((await gate.send({ to: '12025550123' })).body.errors[0].code).toBe(1543);
    } finally {
      await gate.world.kernel.db.run(sql`update routes set enabled = true`);
      forgetRoutes(gate.world.kernel.db);
    }
  });

  test('is rejected when a recipient opted out of its sender or of all senders', async () => {
    const { account_id } = gate.company;
    const other = await makeSender(gate.world.kernel, account_id);
    const stop = (number: string, sender: string | null) =>
      gate.world.kernel.db.run(sql`
        insert into stop_list (account_id, id, number, sender_id, reason) values (${account_id}, ${newId()}, ${number},
          ${sender}, 'manual')`);
    await stop(ANNA, gate.sender_id);
    await stop(BRUNO, null);
    const reply = await gate.send({ to: ['447400000003', ANNA, BRUNO] });
    expect(reply.status).toBe(403);
    expect(
      reply.body.errors.map((error: { code: number; message: string }) => [error.code, error.message.split(': ')[1]]),
    ).toEqual([
      [1530, ANNA],
      [1530, BRUNO],
    ]);
    await gate.expectNoMessages();
    expect((await gate.send({ from: other.code })).status).toBe(200);
    expect((await gate.send({ from: other.code, to: BRUNO })).status).toBe(403);
  });

  test('is rejected when the balance does not cover all messages', async () => {
    const expensive = { to: [ANNA, BRUNO, '447400000003'], text: 'ж'.repeat(660) };
    const reply = await gate.send(expensive);
    expect([reply.status, reply.body.errors[0].code]).toEqual([402, 7909]);
    await gate.expectNoMessages();
    expect(await gate.count('events')).toBe(1);
  });

  test('is rejected when the user lacks permission to send', async () => {
    const reader = await makeUser(gate.world.kernel, gate.company.account_id, { permissions: { MESSAGES: 1 } });
    gate.api = gate.world.as(reader.token);
    const reply = await gate.send();
    expect([reply.status, reply.body.errors[0].code]).toEqual([403, 1136]);
  });
});
