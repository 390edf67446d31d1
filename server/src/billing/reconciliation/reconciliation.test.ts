import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { makeCompany } from '../../test/make.ts';
import { CARDS, createPaymentWorld, type PaymentWorld, pay, reportPaid } from '../../test/payments.ts';
import { type Caller, type Reply, until } from '../../test/world.ts';
import { findProvider } from '../cards/cards.ts';
import { reconcile } from './run.ts';

let folder: string;
let world: PaymentWorld;
let operator: Caller;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-reconciliation-'));
  world = await createPaymentWorld(folder);
  operator = world.as((await makeCompany(world.kernel, { operator: true })).token);
});
afterAll(async () => {
  await world.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The provider's API counts in whole seconds, so a payment of this second is not part of the range yet. */
const compareAll = () => reconcile(world.kernel, -2_000);
const code = (reply: Reply) => reply.body.errors[0]!.code;
const listDifferences = async (filter = '') =>
  (await operator.get(`/v1/payment_differences?page_size=100${filter}`)).body.data as {
    id: string;
    kind: string;
    status: string;
    ours: string;
    theirs: string;
    payment_id: string | null;
    provider_id: string;
  }[];
const about = async (payment_id: string) => (await listDifferences()).filter((row) => row.payment_id === payment_id);
const findProviderId = async (id: string) =>
  (await world.kernel.db.one<{ provider_id: string }>(sql`select provider_id from payments where id = ${id}`))
    .provider_id;
const isSound = async (except: readonly string[] = []) =>
  expect((await world.examine()).filter(({ ok, id }) => !ok && !except.includes(id))).toEqual([]);

async function makeCustomer() {
  const company = await makeCompany(world.kernel, { balance_micros: 0 });
  const caller = world.as(company.token);
  const balance = async () => (await caller.get(`/v1/balances/${company.account_id}`)).body.data;
  const payment = async (id: string) => (await caller.get(`/v1/payments/${id}`)).body.data;
  return { ...company, caller, balance, payment };
}

/** Creates a payment directly at the provider, as another program does. */
async function payElsewhere(metadata: Record<string, string>, amount = 5_000) {
  const response = await fetch(`${world.browser.url}/v1/payment_intents`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_test_sandbox', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      amount: String(amount),
      currency: 'usd',
      ...Object.fromEntries(Object.entries(metadata).map(([key, value]) => [`metadata[${key}]`, value])),
    }).toString(),
  });
  const intent = (await response.json()) as { id: string; client_secret: string };
  await world.browser.confirm(intent.client_secret, { number: CARDS.lost });
  return intent.id;
}

test('a payment whose webhooks are lost is found and settled exactly once', async () => {
  const { caller, balance, payment } = await makeCustomer();
  const { id } = await pay(world, caller, CARDS.lost);
  expect((await payment(id)).status).toBe('PENDING');
  await Promise.all([compareAll(), compareAll()]);
  expect((await payment(id)).status).toBe('FROZEN');
  expect(await about(id)).toMatchObject([{ kind: 'status', ours: 'PENDING', theirs: 'succeeded', status: 'settled' }]);
  await compareAll();
  await reportPaid(caller, id);
  expect(await about(id)).toHaveLength(1);
  expect(await balance()).toMatchObject({ frozen_micros: 50_000_000 });
  await isSound();
});

test('refunds and disputes whose webhooks are lost are settled', async () => {
  const { caller, payment, balance } = await makeCustomer();
  const [refunded, disputed] = [await pay(world, caller, CARDS.lost), await pay(world, caller, CARDS.lost)];
  await compareAll();
  await world.browser.call('POST', `payments/${await findProviderId(refunded.id)}/refund`);
  const dispute = await world.browser.call('POST', `payments/${await findProviderId(disputed.id)}/dispute`);
  expect((await payment(refunded.id)).status).toBe('FROZEN');
  await compareAll();
  expect((await payment(refunded.id)).status).toBe('REFUNDED');
  expect((await payment(disputed.id)).dispute).toBe('open');
  expect((await about(refunded.id)).map(({ kind, status }) => [kind, status])).toContainEqual(['refunded', 'settled']);
  expect((await about(disputed.id)).map(({ kind, status }) => [kind, status])).toContainEqual(['dispute', 'settled']);
  expect(await balance()).toMatchObject({ balance: 0, pending_balance: 0 });
  // The decision is made after the time in which the provider lists the dispute.
  await world.browser.call('PUT', 'webhook', { url: '', secret: 'whsec_sandbox' });
  await world.browser.call('PUT', `disputes/${dispute.id}`, { status: 'won' });
  await world.kernel.db.run(sql`
    insert into reconciliations (id, from_date, until_date)
    values (${newId()}, now() + interval '1 day', now() + interval '1 day')`);
  await compareAll();
  await world.browser.call('PUT', 'webhook', {
    url: `${world.url}/callbacks/payments/stripe`,
    secret: 'whsec_sandbox',
  });
  await world.kernel.db.run(sql`delete from reconciliations where until_date > now()`);
  expect((await payment(disputed.id)).dispute).toBe('won');
  expect(await balance()).toMatchObject({ frozen_micros: 50_000_000 });
  await isSound();
});

test('a dispute that was opened and won without any report changes no balance', async () => {
  const { caller, balance, payment } = await makeCustomer();
  const { id } = await pay(world, caller, CARDS.lost);
  await compareAll();
  const dispute = await world.browser.call('POST', `payments/${await findProviderId(id)}/dispute`);
  await world.browser.call('PUT', `disputes/${dispute.id}`, { status: 'won' });
  await compareAll();
  await until('the dispute is won', async () => (await payment(id)).dispute === 'won');
  expect(await balance()).toMatchObject({ frozen_micros: 50_000_000 });
  await isSound();
});

test('an operator resolves payments that exist only at the provider, and they stay resolved', async () => {
  const provider_id = await payElsewhere({ order: '\u{1F600}', account_id: "0'; drop", payment_id: newId() });
  await compareAll();
  const find = async () => (await listDifferences()).filter((row) => row.provider_id === provider_id);
  const [found] = await find();
  expect(found).toMatchObject({ kind: 'missing_here', theirs: '50.00 USD', status: 'open', payment_id: null });
  expect((await world.examine()).filter(({ ok }) => !ok).map(({ id }) => id)).toEqual(['M9']);
  const path = `/v1/payment_differences/${found!.id}`;
  expect((await operator.put(path, { reason: 'x' })).status).toBe(400);
  const both = await Promise.all([1, 2].map(() => operator.put(path, { reason: 'The shop uses the same account' })));
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(code(await operator.put(path, { reason: 'Again' }))).toBe(2541);
  expect(code(await operator.put(`/v1/payment_differences/${newId()}`, { reason: 'Again' }))).toBe(2540);
  await compareAll();
  expect(await find()).toMatchObject([{ status: 'resolved' }]);
  await isSound();
});

test('a difference stays open until a comparison no longer finds it', async () => {
  const { account_id, caller } = await makeCustomer();
  const [other, lost] = [await pay(world, caller, CARDS.ok), await pay(world, caller, CARDS.ok)];
  for (const { id } of [other, lost]) await reportPaid(caller, id);
  const provider_ids = [await findProviderId(other.id), await findProviderId(lost.id)];
  const setId = (id: string, provider_id: string) =>
    world.kernel.db.run(sql`
      update payments set provider_id = ${provider_id} where account_id = ${account_id} and id = ${id}`);
  await setId(other.id, await payElsewhere({ account_id, payment_id: other.id }, 4_900));
  await setId(lost.id, 'pi_lost');
  await compareAll();
  expect(await about(other.id)).toMatchObject([{ kind: 'amount', ours: '50.00 USD', theirs: '49.00 USD' }]);
  expect(await about(lost.id)).toMatchObject([{ kind: 'missing_there', ours: '50.00 USD', status: 'open' }]);
  await setId(other.id, provider_ids[0]!);
  await setId(lost.id, provider_ids[1]!);
  await compareAll();
  expect((await about(lost.id))[0]).toMatchObject({ status: 'settled' });
  const open = await listDifferences('&filter[statuses]=open');
  for (const { id } of open) await operator.put(`/v1/payment_differences/${id}`, { reason: 'Test' });
  await isSound();
});

test('a comparison continues after the last stored page when its worker dies', async () => {
  const { caller } = await makeCustomer();
  await pay(world, caller, CARDS.ok);
  const started = await operator.post('/v1/reconciliations');
  expect(started.status).toBe(201);
  await until('the comparison ends', async () => {
    const { data } = (await operator.get('/v1/reconciliations')).body;
    return data[0].end_date !== null;
  });
  const id = newId();
  await world.kernel.db.run(sql`
    insert into reconciliations (id, from_date, until_date, stage, payments_count)
    values (${id}, now() - interval '1 day', now() + interval '2 seconds', 'disputes', 7)`);
  await compareAll();
  expect((await operator.get('/v1/reconciliations')).body.data[0]).toMatchObject({ id, payments_count: 7 });
  await isSound();
});

test('operators get one email about differences, and customers cannot see them', async () => {
  await payElsewhere({});
  await compareAll();
  await until('an email is queued', async () => {
    const mails = await world.kernel.db.rows(sql`select 1 from mails where dedupe_key like 'reconciliation %'`);
    return mails.length > 0;
  });
  const { caller } = await makeCustomer();
  expect((await caller.get('/v1/payment_differences')).status).toBe(403);
  expect((await caller.post('/v1/reconciliations')).status).toBe(403);
});

test('a comparison ends when the provider lists a refund of an unknown payment', async () => {
  const provider = (await findProvider(world.kernel))!;
  const { listChanges } = provider;
  provider.listChanges = async (kind, range) =>
    kind === 'refunds' ? { provider_ids: ['pi_forgotten'], cursor: null } : listChanges(kind, range);
  try {
    await compareAll();
  } finally {
    provider.listChanges = listChanges;
  }
  expect((await operator.get('/v1/reconciliations')).body.data[0].end_date).not.toBeNull();
});

test('a comparison fails instead of reading the same page forever, and continues later', async () => {
  const provider = (await findProvider(world.kernel))!;
  const { listPayments } = provider;
  let pages = 0;
  provider.listPayments = async () => {
    if (++pages > 5) throw new Error('read too often');
    return { payments: [], cursor: 'pi_same' };
  };
  try {
    await expect(compareAll()).rejects.toThrow('repeats a page');
  } finally {
    provider.listPayments = listPayments;
  }
  await world.kernel.db.run(sql`update reconciliations set position = null where end_date is null`);
  await compareAll();
  expect((await operator.get('/v1/reconciliations')).body.data[0].end_date).not.toBeNull();
});
