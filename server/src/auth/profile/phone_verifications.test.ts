import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { heldClock } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { mailTo, textTo } from '../../test/mailbox.ts';
import { type Company, makeCarrier, makeCompany, makeKey, makeSender, makeUser } from '../../test/make.ts';
import { createWorld, type Reply, until, type World } from '../../test/world.ts';

const clock = heldClock(new Date());
let world: World;
let operators: Company;
let owner: Company;
let next = 0;

beforeAll(async () => {
  world = await createWorld({ clock });
  await makeCarrier(world.kernel, { countries: ['GB'] });
  operators = await makeCompany(world.kernel, { operator: true });
  await makeSender(world.kernel, operators.account_id, { code: '447700900999' });
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.kernel.db.run(sql`delete from code_sends`);
  owner = await makeCompany(world.kernel);
  await world.kernel.db.run(sql`update logins set status = 'EMAIL_VERIFIED' where id = ${owner.user_id}`);
});

const MINUTE = 60_000;
// Returns phone numbers that are far apart, because neighboring numbers share a limit.
const number = () => `4474${String(++next).padStart(4, '0')}0100`;
const codes = (reply: Reply): unknown[] => [reply.status, reply.body?.errors?.[0].code];
const requestCode = (phone_number: string, token = owner.token) =>
  world.as(token).post('/v1/phone_verifications', { phone_number });
const give = (id: string, code: string, token = owner.token) =>
  world.as(token).put(`/v1/phone_verifications/${id}`, { code });
const codeTo = async (to: string, count = 1) => /^\d{6}/.exec((await textTo(world.kernel, to, count)).text)![0];
const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('a phone number', () => {
  it('is reported to one person as taken at most twenty times per hour', async () => {
    const takenNumber = number();
    const other = await makeUser(world.kernel, owner.account_id);
    await world.kernel.db.run(sql`
      update logins set phone_number = ${takenNumber}, status = 'PHONE_VERIFIED' where id = ${other.user_id}`);
    for (let attempt = 0; attempt < 20; attempt++) expect(codes(await requestCode(takenNumber))).toEqual([409, 1802]);
    expect(codes(await requestCode(takenNumber))[1]).toBe(1801);
    expect(codes(await requestCode(number()))[1]).toBe(1801);
    clock.advance(61 * MINUTE);
    expect((await requestCode(number())).status).toBe(201);
  });

  it('does not receive a code after one person requests ten codes within an hour', async () => {
    for (let count = 0; count < 10; count++) expect((await requestCode(number())).status).toBe(201);
    expect(codes(await requestCode(number()))[1]).toBe(1801);
  });

  it('is verified with a code from the operators’ sender, which unlocks the account', async () => {
    const me = world.as(owner.token);
    expect(codes(await me.get('/v1/audiences'))).toEqual([403, 1141]);
    const phone = number();
    const reply = await requestCode(`0${phone.slice(2)}`);
    expect(reply.status).toBe(201);
    const message = await textTo(world.kernel, phone);
    expect(message).toEqual({
      text: expect.stringMatching(/^\d{6} is your Parley code\. It expires in 10 minutes and works once\.$/),
      source: 'verification',
    });
    const { db } = world.kernel;
    expect(await db.rows(sql`select account_id, "from", charge from messages where number = ${phone}`)).toEqual([
      { account_id: operators.account_id, from: '447700900999', charge: 'held' },
    ]);
    const code = message.text.slice(0, 6);
    const stored = await db.rows<{ text: string }>(sql`
      select to_jsonb(m)::text as text from messages m union all select to_jsonb(d)::text from dispatch d
      union all select to_jsonb(e)::text from events e union all select data::text from pgboss.job
      union all select to_jsonb(l)::text from audit_log l union all select to_jsonb(v)::text from verifications v`);
    expect(stored.some(({ text }) => text.includes('****** is your Parley code.'))).toBe(true);
    expect(stored.filter(({ text }) => new RegExp(`"${code}|${code} is your`).test(text))).toEqual([]);
    expect((await give(reply.body.data.id, code)).status).toBe(204);
    expect((await me.get('/v1/users/self')).body.data).toMatchObject({
      status: 'PHONE_VERIFIED',
      phone_number: phone,
      pending: null,
    });
    expect((await me.get('/v1/audiences')).status).toBe(200);
    expect(await db.rows(sql`select action, detail from audit_log where account_id = ${owner.account_id}`)).toEqual([
      { action: 'phone.verified', detail: { number: `+44******0100` } },
    ]);
    const events = await db.rows<{ type: string }>(sql`
      select type from events where account_id = ${owner.account_id} and type = 'session.changed'`);
    expect(events.length).toBe(1);
    expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);
  });

  it('changes only after the new one is verified, and the old number and mailbox are notified', async () => {
    const old = number();
    await world.kernel.db.run(sql`
      update logins set phone_number = ${old}, status = 'PHONE_VERIFIED' where id = ${owner.user_id}`);
    const newNumber = number();
    const reply = await requestCode(`+${newNumber}`);
    const me = world.as(owner.token);
    expect((await me.get('/v1/users/self')).body.data).toMatchObject({ phone_number: old, status: 'PHONE_VERIFIED' });
    expect((await give(reply.body.data.id, await codeTo(newNumber))).status).toBe(204);
    expect((await me.get('/v1/users/self')).body.data).toMatchObject({
      phone_number: newNumber,
      status: 'PHONE_VERIFIED',
    });
    expect((await textTo(world.kernel, old)).text).toContain('was changed');
    const mail = await mailTo(world.kernel, `${owner.user_id}@test.localhost`);
    expect(mail.subject).toBe('Your phone number was changed');
    expect(mail.text).not.toContain(newNumber);
  });

  it('gets messages in the name of the brand that the user sees, without a link', async () => {
    const { db } = world.kernel;
    const parent = await makeCompany(world.kernel);
    await db.run(sql`update accounts set parent_id = ${parent.account_id} where id = ${owner.account_id}`);
    await db.run(sql`insert into brands (account_id, name) values (${parent.account_id}, 'Acme: acme.example')`);
    const [old, newNumber] = [number(), number()];
    await db.run(sql`
      update logins set phone_number = ${old}, status = 'PHONE_VERIFIED' where id = ${owner.user_id}`);
    const { body } = await requestCode(newNumber);
    expect((await textTo(world.kernel, newNumber)).text).toContain(' is your Acme acme example code. ');
    await give(body.data.id, await codeTo(newNumber));
    expect((await textTo(world.kernel, old)).text).toContain('your Acme acme example account was changed');
  });

  it('is verified by only one of 32 concurrent requests', async () => {
    const phone = number();
    const { body } = await requestCode(phone);
    const code = await codeTo(phone);
    const all = await Promise.all(Array.from({ length: 32 }, () => give(body.data.id, code)));
    expect(all.filter(({ status }) => status === 204).length).toBe(1);
    expect(new Set(all.filter(({ status }) => status !== 204).map((reply) => codes(reply)[1]))).toEqual(
      new Set([1140]),
    );
  });

  it('accepts only the newest code, for five attempts and ten minutes', async () => {
    const phone = number();
    const first = (await requestCode(phone)).body.data.id;
    const code = await codeTo(phone);
    for (let index = 0; index < 5; index++) expect(codes(await give(first, wrongCode(code)))).toEqual([400, 1125]);
    expect(codes(await give(first, code))).toEqual([410, 1140]);
    expect(codes(await requestCode(phone))).toEqual([409, 1167]);
    clock.advance(MINUTE);
    const second = (await requestCode(phone)).body.data.id;
    const newer = await codeTo(phone, 2);
    clock.advance(10 * MINUTE + 1_000);
    expect(codes(await give(second, newer))).toEqual([410, 1140]);
  });

  it('is rejected when another user has it, even if they verified it after the code was sent', async () => {
    const takenNumber = number();
    const other = await makeCompany(world.kernel);
    await world.kernel.db.run(sql`update logins set phone_number = ${takenNumber} where id = ${other.user_id}`);
    expect(codes(await requestCode(takenNumber))).toEqual([409, 1802]);
    const phone = number();
    const ownId = (await requestCode(phone)).body.data.id;
    const code = await codeTo(phone);
    await world.kernel.db.run(sql`update logins set phone_number = ${phone} where id = ${other.user_id}`);
    expect(codes(await give(ownId, code))).toEqual([409, 1802]);
  });

  it('cannot be verified by another person or an API key', async () => {
    const phone = number();
    const { id } = (await requestCode(phone)).body.data;
    const stranger = await makeCompany(world.kernel);
    expect(codes(await give(id, await codeTo(phone), stranger.token))).toEqual([404, 1110]);
    const key = { key: await makeKey(world.kernel, owner.account_id) };
    expect(codes(await world.as(key).post('/v1/phone_verifications', { phone_number: phone }))).toEqual([403, 1136]);
  });

  it.each([
    ['is too short', '123'],
    ['is a premium-rate number', '+449098790000'],
    ['is a toll-free number', '+448001111111'],
    ['has an extension', '+442071838750 ext. 12'],
    ['contains other text', 'call 07400123456'],
  ])('is rejected when it %s', async (_, text) => {
    expect(codes(await requestCode(text))).toEqual([400, 7910]);
  });
});

describe('phone verification', () => {
  it('applies a shared limit to neighboring numbers', async () => {
    const prefix = '44749900';
    const limit = world.kernel.config.PHONE_CODES_NEIGHBOURS_HOUR;
    const results: unknown[] = [];
    for (let index = 0; index <= limit; index++) {
      const colleague = await makeUser(world.kernel, owner.account_id, { owner: false });
      results.push(codes(await requestCode(`${prefix}${String(1_000 + index)}`, colleague.token)));
    }
    expect(results.slice(0, -1)).toEqual(Array(limit).fill([201, undefined]));
    expect(results.at(-1)).toEqual([429, 1801]);
  });

  it('limits requests for one number, even when they are concurrent', async () => {
    const phone = number();
    const people = await Promise.all(Array.from({ length: 16 }, () => makeUser(world.kernel, owner.account_id)));
    const all = await Promise.all(people.map(({ token }) => requestCode(phone, token)));
    expect(all.filter(({ status }) => status === 201).length).toBe(1);
    expect(all.filter((reply) => codes(reply)[1] === 1167).length).toBe(15);
  });

  it('fails with problem 1801, either immediately without a sender or once sending fails', async () => {
    const { db } = world.kernel;
    await db.run(sql`update senders set status = 'canceled' where account_id = ${operators.account_id}`);
    expect(codes(await requestCode(number()))).toEqual([429, 1801]);
    await db.run(sql`update senders set status = 'available' where account_id = ${operators.account_id}`);
    // Messages to this country have no price, so the code cannot be sent.
    const reply = await requestCode('+33612345678');
    expect(reply.status).toBe(201);
    await until('the failure is known', async () => {
      const { failed } = await db.one<{ failed: boolean }>(sql`
        select detail ? 'failed' as failed from verifications where id = ${reply.body.data.id}`);
      return failed;
    });
    expect(codes(await give(reply.body.data.id, '123456'))).toEqual([429, 1801]);
  });
});
