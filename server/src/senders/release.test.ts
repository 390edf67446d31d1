import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashPassword } from '../auth/auth.ts';
import { sql } from '../kernel/db.ts';
import { makeCompany, makeUser } from '../test/make.ts';
import { makeNumber } from '../test/senders.ts';
import { makeSubAccount } from '../test/team.ts';
import { createWorld, until, type World } from '../test/world.ts';
import { releaseNumbers } from './release.ts';
import { renewNumbers } from './rentals.ts';

const PASSWORD = 'Quartz-lantern-42';
let world: World;

beforeAll(async () => {
  world = await createWorld();
}, 60_000);
afterAll(() => world.stop());

const stock = (number: string) =>
  world.kernel.db.one<{ status: string; account_id: string | null }>(
    sql`select status, account_id from numbers where number = ${number}`,
  );
const rested = (number: string) =>
  until(`${number} rests`, async () => (await stock(number)).status === 'cooling', 45_000);
const buy = async (token: string, code: string, price: { setup_micros?: number; monthly_micros?: number } = {}) => {
  await makeNumber(world.kernel, code, price);
  const bought = await world.as(token).post('/v1/senders', { type: 'mobile', code });
  expect(bought.status).toBe(201);
  return bought.body.data.id as string;
};

test('whoever closes their account gives back its numbers: no more rent, nothing arrives, written down and told', async () => {
  const operators = await makeCompany(world.kernel, { operator: true });
  const company = await makeCompany(world.kernel);
  const { account_id } = company;
  await world.kernel.db.run(sql`
    update logins set password_hash = ${await hashPassword(PASSWORD)} where id = ${company.user_id}`);
  const [first, second] = [await buy(company.token, '447700555001'), await buy(company.token, '447700555002')];
  const neighbour = await makeCompany(world.kernel);
  await buy(neighbour.token, '447700555003');
  const { company_name } = (await world.as(company.token).get('/v1/accounts/self')).body.data;
  const closed = await world
    .as(company.token)
    .post('/v1/accounts/self/closures', { company_name, current_password: PASSWORD });
  expect(closed.status).toBe(204);
  await rested('447700555001');
  await rested('447700555002');
  expect(await stock('447700555003')).toEqual({ status: 'taken', account_id: neighbour.account_id });
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
    select target_name as name, detail from audit_log where account_id = ${account_id} and action = 'number.released' order by number`);
  expect(acts.map(({ name }) => name).sort()).toEqual(['447700555001', '447700555002']);
  expect(acts[0]!.detail).toEqual({ months: 1, reason: 'The account was closed' });
  const told = await db.rows(sql`
    select 1 from events where account_id = ${operators.account_id} and type = 'inventory.changed'`);
  expect(told.length).toBeGreaterThanOrEqual(2);
  // A month later there is nothing to renew, and running again does nothing.
  await db.run(sql`update number_rentals set renewal_date = now() - interval '1 day' where account_id = ${account_id}`);
  expect(await renewNumbers(world.kernel)).toEqual({ renewed: 0, late: 0, released: 0 });
  expect(await releaseNumbers(world.kernel, account_id)).toBe(0);
  expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);
});

test('a sub-account that its parent closes gives back its own; one that is open again keeps them', async () => {
  const parent = await makeCompany(world.kernel);
  const account_id = await makeSubAccount(world.kernel, parent);
  const user = await makeUser(world.kernel, account_id, { permissions: { SENDERS: 15, NUMBERS: 15 } });
  await buy(user.token, '447700555004', { setup_micros: 0, monthly_micros: 0 });
  // Asked for, and open again before it came to that.
  expect(await releaseNumbers(world.kernel, account_id)).toBe(0);
  expect((await stock('447700555004')).status).toBe('taken');
  expect((await world.as(parent.token).delete(`/v1/accounts/self/subaccounts/${account_id}`)).status).toBe(204);
  await rested('447700555004');
});
