import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { type Caller, createWorld, type World } from '../test/world.ts';
import { type CreatedOperator, createOperator } from './operators.ts';

const PASSWORD = 'Quartz-lantern-42';
const EMAIL = 'first@operators.localhost';

let world: World;
beforeAll(async () => {
  world = await createWorld({ role: 'api' });
});
afterAll(() => world.stop());

const create = (email: string, renew = false): Promise<CreatedOperator> =>
  world.kernel.db.tx((tx) => createOperator(tx, email, { renew }));
async function createToken(email: string, renew = false): Promise<string> {
  const result = await create(email, renew);
  if (!('token' in result)) throw new Error(`no link: ${result.outcome}`);
  return result.token;
}
const accept = (token: string) =>
  world.as().post('/v1/users/self/invitations', { token, password: PASSWORD, first_name: 'Ada', last_name: 'Lund' });
const rowCount = async () => (await world.kernel.db.one<{ count: number }>(sql`select count(*) from users`)).count;

test('the first operator owns the operators’ account and must set up 2FA before anything opens', async () => {
  const token = await createToken(EMAIL);
  const preview = await world.as().get(`/v1/users/self/invitations/${token}`);
  expect(preview.body.data).toMatchObject({ company_name: 'Operators', email: EMAIL, existing: false });
  const joined = await accept(token);
  expect(joined.status).toBe(200);
  const operator: Caller = world.as(joined.body.data.access_token);
  expect((await operator.get('/v1/users/self')).body.data).toMatchObject({ is_owner: true, pending: 'second_factor' });
  const closed = await operator.get('/v1/accounts');
  expect(closed.status).toBe(403);
  expect((await operator.post('/v1/users/self/totp', { current_password: PASSWORD })).status).toBeLessThan(300);
  const mails = await world.kernel.db.rows(sql`select subject from mails where recipient = ${EMAIL}`);
  expect(mails, 'the operator is their own inviter and gets no email about joining').toEqual([]);
});

test('a link works only once', async () => {
  const token = await createToken('once@operators.localhost');
  expect((await accept(token)).status).toBe(200);
  const again = await accept(token);
  expect(again.status).toBeGreaterThanOrEqual(400);
  expect((await world.as().get(`/v1/users/self/invitations/${token}`)).body.errors[0].code).toBe(
    again.body.errors[0].code,
  );
});

test('a link stops working after a day', async () => {
  const token = await createToken('late@operators.localhost');
  await world.kernel.db.run(sql`
    update invitations set expire_date = expire_date - interval '25 hours' where email = 'late@operators.localhost'`);
  expect((await accept(token)).status).toBeGreaterThanOrEqual(400);
});

test('a second run changes nothing unless a new link is requested', async () => {
  const email = 'twice@operators.localhost';
  const first = await createToken(email);
  const before = await rowCount();
  expect(await create(email)).toEqual({ outcome: 'waiting' });
  expect((await world.as().get(`/v1/users/self/invitations/${first}`)).status).toBe(200);
  const second = await createToken(email, true);
  expect(await rowCount()).toBe(before);
  expect((await accept(first)).status).toBeGreaterThanOrEqual(400);
  expect((await accept(second)).status).toBe(200);
  expect(await create(email)).toEqual({ outcome: 'active' });
  expect(await create(email, true)).toEqual({ outcome: 'active' });
});

test('operators share one account with one owner, even when two commands run at the same time', async () => {
  const emails = ['left@operators.localhost', 'right@operators.localhost'];
  await Promise.all(emails.map((email) => create(email)));
  const { accounts, owners } = await world.kernel.db.one<{ accounts: number; owners: number }>(sql`
    select (select count(*) from accounts where kind = 'OPERATOR') as accounts,
           (select count(*) from users u join accounts a on a.id = u.account_id
            where a.kind = 'OPERATOR' and u.is_owner) as owners`);
  expect({ accounts, owners }).toEqual({ accounts: 1, owners: 1 });
});

test('the operators’ audit log records operators created from the command line', async () => {
  await createToken('logged@operators.localhost');
  const { action, target_name } = await world.kernel.db.one<{ action: string; target_name: string }>(sql`
    select action, target_name from audit_log order by create_date desc, number desc limit 1`);
  expect({ action, target_name }).toEqual({ action: 'operator.created', target_name: 'logged@operators.localhost' });
});
