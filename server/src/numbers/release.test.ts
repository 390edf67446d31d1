import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashPassword } from '../auth/auth.ts';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { makeChatSender } from '../test/chat.ts';
import { makeCompany, makeSender, makeUser } from '../test/make.ts';
import { makeNumber } from '../test/senders.ts';
import { makeSubAccount } from '../test/team.ts';
import { createWorld, until, type World } from '../test/world.ts';
import { releaseNumbers } from './release.ts';
import { renewNumbers } from './rentals.ts';

const PASSWORD = 'Quartz-lantern-42';
let world: World;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());

const inventoryRow = (number: string) =>
  world.kernel.db.one<{ status: string; account_id: string | null }>(
    sql`select status, account_id from numbers where number = ${number}`,
  );
const cooledDown = (number: string) =>
  until(`${number} cools down`, async () => (await inventoryRow(number)).status === 'cooling');
const buy = async (token: string, code: string, price: { setup_micros?: number; monthly_micros?: number } = {}) => {
  await makeNumber(world.kernel, code, price);
  const bought = await world.as(token).post('/v1/senders', { type: 'mobile', code });
  expect(bought.status).toBe(201);
  return bought.body.data.id as string;
};

test('closing an account releases its numbers, ends their rentals, and logs each release', async () => {
  const operators = await makeCompany(world.kernel, { operator: true });
  const company = await makeCompany(world.kernel);
  const { account_id } = company;
  await world.kernel.db.run(sql`
    update logins set password_hash = ${await hashPassword(PASSWORD)} where id = ${company.user_id}`);
  const [first, second] = [await buy(company.token, '447700555001'), await buy(company.token, '447700555002')];
  const neighbour = await makeCompany(world.kernel);
  await buy(neighbour.token, '447700555003');
  const { company_name } = (await world.as(company.token).get('/v1/accounts/self')).body.data;
  const closing = await world
    .as(company.token)
    .post('/v1/accounts/self/closures', { company_name, current_password: PASSWORD });
  expect(closing.status).toBe(204);
  await cooledDown('447700555001');
  await cooledDown('447700555002');
  expect(await inventoryRow('447700555003')).toEqual({ status: 'taken', account_id: neighbour.account_id });
  const { db } = world.kernel;
  expect(
    await db.rows(sql`select 1 from number_rentals where account_id = ${account_id} and end_date is null`),
  ).toEqual([]);
  expect(await db.rows(sql`select 1 from inbound_addresses where account_id = ${account_id}`)).toEqual([]);
  expect(
    await db.rows(
      sql`select id, status, delete_date is not null as gone from senders where account_id = ${account_id} order by id`,
    ),
  ).toEqual([first, second].sort().map((id) => ({ id, status: 'canceled', gone: true })));
  const acts = await db.rows<{ name: string; detail: object }>(sql`
    select target_name as name, detail from audit_log where account_id = ${account_id} and action = 'number.released'
    order by number`);
  expect(acts.map(({ name }) => name).sort()).toEqual(['447700555001', '447700555002']);
  expect(acts[0]!.detail).toEqual({ months: 1, reason: 'The account was closed' });
  const events = await db.rows(sql`
    select 1 from events where account_id = ${operators.account_id} and type = 'inventory.changed'`);
  expect(events.length).toBeGreaterThanOrEqual(2);
  // A month later, nothing is due, and another run changes nothing.
  await db.run(sql`update number_rentals set renewal_date = now() - interval '1 day' where account_id = ${account_id}`);
  expect(await renewNumbers(world.kernel)).toEqual({ renewed: 0, late: 0, released: 0 });
  expect(await releaseNumbers(world.kernel, account_id)).toBe(0);
  expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);
});

test('closing a sub-account releases its numbers, unless the account is reopened first', async () => {
  const parent = await makeCompany(world.kernel);
  await world.kernel.db.run(sql`update logins set password_hash = null where id = ${parent.user_id}`);
  const account_id = await makeSubAccount(world.kernel, parent);
  const user = await makeUser(world.kernel, account_id, { permissions: { SENDERS: 15, NUMBERS: 15 } });
  await buy(user.token, '447700555004', { setup_micros: 0, monthly_micros: 0 });
  // The job runs after the account is reopened.
  expect(await releaseNumbers(world.kernel, account_id)).toBe(0);
  expect((await inventoryRow('447700555004')).status).toBe('taken');
  expect((await world.as(parent.token).delete(`/v1/accounts/self/subaccounts/${account_id}`)).status).toBe(204);
  await cooledDown('447700555004');
});

describe('a number used on WhatsApp', () => {
  const proveOwnership = (account_id: string, number: string) =>
    world.kernel.db.run(sql`
      insert into own_numbers (account_id, number, verify_date) values (${account_id}, ${number}, now())`);
  /** Creates a WhatsApp sender whose number has this origin. */
  async function addWhatsappSender(
    account_id: string,
    code: string,
    number_from: 'own' | 'account',
    status = 'available',
  ) {
    const { sender_id } = await makeChatSender(world.kernel, account_id, 'WHATSAPP', { code });
    await world.kernel.db.run(sql`update senders set status = ${status}, name = ${sender_id} where id = ${sender_id}`);
    await world.kernel.db.run(sql`
      insert into sender_registrations (account_id, sender_id, whatsapp, update_date)
      values (${account_id}, ${sender_id}, ${JSON.stringify({ number_from, phone_number: code })}::jsonb, now())`);
    return sender_id;
  }
  const readStatus = async (id: string) =>
    (await world.kernel.db.one<{ status: string }>(sql`select status from senders where id = ${id}`)).status;
  const readAddress = (id: string) =>
    world.kernel.db.maybeOne(sql`select address from inbound_addresses where sender_id = ${id}`);

  test('is also removed from WhatsApp, so its next owner can use it there', async () => {
    const company = await makeCompany(world.kernel);
    const { account_id } = company;
    const number = '447700555010';
    const id = await buy(company.token, number);
    await proveOwnership(account_id, number);
    const [sender, other] = [
      await addWhatsappSender(account_id, number, 'own'),
      await addWhatsappSender(account_id, '447700555011', 'account'),
    ];
    const api = world.as(company.token);
    expect((await api.delete(`/v1/senders/${id}`)).status).toBe(204);
    expect([await readStatus(sender), await readAddress(sender)]).toEqual(['canceled', null]);
    expect(await readStatus(other)).toBe('available');
    const { timeline } = (await api.get(`/v1/senders/${sender}`)).body.data;
    expect(timeline.at(-1)).toMatchObject({ kind: 'removed', text: `The number +${number} was removed` });
    const { db } = world.kernel;
    const acts = await db.rows<{ detail: { reason?: string } }>(sql`
      select detail from audit_log where account_id = ${account_id} and action = 'sender.removed'
        and target_id = ${sender}`);
    expect(acts.map(({ detail }) => detail.reason)).toEqual([`The number +${number} was removed`]);
    const events = await db.rows(sql`
      select 1 from events where account_id = ${account_id} and type = 'sender.removed'
        and payload->>'id' = ${sender}`);
    expect(events).toHaveLength(1);

    // The number has cooled down, and another account buys it.
    await db.run(sql`update numbers set status = 'free', free_date = null where number = ${number}`);
    const next = await makeCompany(world.kernel, { balance_micros: 9_000_000 });
    const nextCaller = world.as(next.token);
    expect((await nextCaller.post('/v1/senders', { type: 'mobile', code: number })).status).toBe(201);
    const begin = async (caller = nextCaller) =>
      (await caller.post('/v1/senders', { type: 'business', channel: 'WHATSAPP' })).body.data.id;
    const update = await nextCaller.put(`/v1/senders/${await begin()}/whatsapp`, {
      number_from: 'account',
      phone_number: `+${number}`,
    });
    expect(update.status).toBe(200);
    // An old proof of ownership no longer counts.
    const again = await begin(api);
    await api.put(`/v1/senders/${again}/whatsapp`, { number_from: 'own', phone_number: `+${number}` });
    expect((await api.get(`/v1/senders/${again}/preflight`)).body.data).toContainEqual(
      expect.objectContaining({ code: 'number_unverified' }),
    );
  });

  test('is released with its pending request when it is unpaid, but a draft is kept', async () => {
    const company = await makeCompany(world.kernel, { balance_micros: 3_000_000 });
    const { account_id } = company;
    const number = '447700555012';
    const id = await buy(company.token, number);
    const draft = await addWhatsappSender(account_id, number, 'account', 'unregistered');
    const pending = await addWhatsappSender(account_id, number, 'account', 'pending');
    await world.kernel.db.run(sql`
      insert into sender_requests (account_id, id, sender_id, kind, status, form, create_date, expected_date)
      values (${account_id}, ${newId()}, ${pending}, 'whatsapp', 'IN_PROCESS', '{}', now(), now())`);
    await world.kernel.db.run(sql`
      update number_rentals set renewal_date = now() - interval '9 days', grace_date = now() - interval '1 day'
      where account_id = ${account_id} and sender_id = ${id}`);
    await renewNumbers(world.kernel);
    expect([await readStatus(id), await readStatus(pending), await readStatus(draft)]).toEqual([
      'canceled',
      'canceled',
      'unregistered',
    ]);
    expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);
  });

  test('stays on WhatsApp when it is not from the inventory and its ownership is proven', async () => {
    const company = await makeCompany(world.kernel);
    const { account_id } = company;
    const api = world.as(company.token);
    const [otherNumber, ownNumber] = ['447700555013', '447700555014'];
    await proveOwnership(account_id, otherNumber);
    const senders = [
      await addWhatsappSender(account_id, otherNumber, 'own'),
      await addWhatsappSender(account_id, ownNumber, 'account'),
    ];
    for (const code of [otherNumber, ownNumber]) {
      const { sender_id } = await makeSender(world.kernel, account_id, { code });
      expect((await api.delete(`/v1/senders/${sender_id}`)).status).toBe(204);
    }
    expect(await Promise.all(senders.map(readStatus))).toEqual(['available', 'canceled']);
  });
});
