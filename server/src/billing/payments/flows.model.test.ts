/**
 * Random interleavings of whole payment flows: customers who pay, operators who release and refund, disputes, and
 * automatic top-ups. Any call of the provider can be lost before or after it acts, and webhooks can be lost, repeated,
 * and late. `npm run soak` plays 1,000 of them.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { makeCompany } from '../../test/make.ts';
import { CARDS, createPaymentWorld, type PaymentWorld, reportPaid } from '../../test/payments.ts';
import { type Loss, type LossyProvider, startLossyProvider } from '../../test/peers/lossy_provider.ts';
import { sample } from '../../test/soak/soak.ts';
import type { Caller } from '../../test/world.ts';
import { charge } from '../billing.ts';
import { findProvider } from '../cards/cards.ts';
import { ProviderError, type ProviderPayment } from '../cards/provider.ts';
import { checkBalance } from '../low_balance/low_balance.ts';
import { syncPayment } from './sync.ts';

let folder: string;
let world: PaymentWorld;
let provider: LossyProvider;
let operator: Caller;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-payment-flows-'));
  const findUrl = async (sandbox: string) => {
    provider = await startLossyProvider(sandbox);
    return provider.url;
  };
  const settings = { REQUESTS_PER_SECOND: '100000' };
  world = await createPaymentWorld(folder, { role: 'api', settings, findUrl });
  operator = world.as((await makeCompany(world.kernel, { operator: true })).token);
  // The test decides which webhooks arrive, and when.
  await world.browser.call('PUT', 'webhook', { url: '', secret: 'whsec_sandbox' });
});
afterAll(async () => {
  await world.stop();
  await provider.stop();
  await rm(folder, { recursive: true, force: true });
});

const THRESHOLD = 50_000_000;
const loss = fc.constantFrom<Loss>('none', 'none', 'request', 'response');
const card = fc.constantFrom('ok', 'declined', 'challenge', 'failed challenge');
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('pay'), loss, card, cents: fc.integer({ min: 2_700, max: 20_000 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('report'), loss, index: fc.nat(5) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('webhook'),
      loss,
      index: fc.nat(5),
      copies: fc.integer({ min: 1, max: 2 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('release'), index: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refund'), loss, index: fc.nat(5), part: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('dispute'), index: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('decide'), index: fc.nat(5), won: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('spend'), cents: fc.integer({ min: 100, max: 9_000 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('check'), loss, copies: fc.integer({ min: 1, max: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait') }) },
);
interface Step {
  kind: string;
  loss?: Loss;
  index?: number;
  copies?: number;
  cents?: number;
  card?: string;
  part?: boolean;
  won?: boolean;
}

interface Stored {
  id: string;
  type: string;
  status: string;
  provider_id: string | null;
  amount_micros: number;
  tax_micros: number;
}

/** A customer with a saved card and automatic top-up, and what it can do. */
async function openAccount() {
  const { account_id, token } = await makeCompany(world.kernel, { balance_micros: 100_000_000 });
  const caller = world.as(token);
  const setup = (await caller.get('/v1/setup_intents')).body.data;
  await world.browser.confirm(setup.client_secret, { number: CARDS.ok });
  const saved = (await caller.post('/v1/payment_methods', { setup_intent: setup.id })).body.data;
  const settings = {
    enabled: true,
    threshold_micros: THRESHOLD,
    amount_micros: 30_000_000,
    payment_method_id: saved.id,
  };
  const limits = { daily_limit: 10, monthly_limit_micros: 900_000_000 };
  expect((await caller.put(`/v1/balances/${account_id}`, { ...settings, ...limits })).status).toBe(200);
  const payments = () =>
    world.kernel.db.rows<Stored>(sql`
      select id, type, status, provider_id, amount_micros, tax_micros from payments
      where account_id = ${account_id} order by id`);
  return { account_id, caller, payments };
}
type Account = Awaited<ReturnType<typeof openAccount>>;

const ignoreLoss = (error: unknown) => {
  if (!(error instanceof ProviderError)) throw error;
};

/** Starts a payment, repeating the request if the first one failed, and confirms it in the browser. */
async function pay({ caller }: Account, { loss: lost = 'none', card: chosen, cents }: Step, n: number): Promise<void> {
  const start = () =>
    caller.post('/v1/payment_intents', { amount_micros: cents! * 10_000 }, { 'idempotency-key': `pay-${n}` });
  provider.lose(lost);
  const first = await start();
  provider.lose('none');
  const started = first.status === 201 ? first : await start();
  expect(started.status).toBe(201);
  const numbers: Record<string, string> = { ok: CARDS.ok, declined: CARDS.declined };
  const number = numbers[chosen!] ?? CARDS.challenge;
  await world.browser.confirm(started.body.data.client_secret, { number }, chosen !== 'failed challenge');
}

const readDisputes = async (id: string): Promise<{ id: string; status: string }[]> => {
  const headers = { authorization: 'Bearer sk_test_sandbox' };
  const response = await fetch(`${world.browser.url}/v1/disputes?payment_intent=${id}`, { headers });
  return ((await response.json()) as { data: { id: string; status: string }[] }).data;
};

async function take(account: Account, one: Step, n: number): Promise<void> {
  const { account_id, caller, payments } = account;
  if (one.kind === 'pay') return pay(account, one, n);
  if (one.kind === 'spend') {
    const spending = { account_id, amount_micros: one.cents! * 10_000, key: `spend-${n}`, note: 'Spent in this test' };
    // A balance that is too low refuses it.
    await world.kernel.db.tx((tx) => charge(tx, spending)).catch(() => {});
    return;
  }
  if (one.kind === 'wait') {
    await world.kernel.db.run(sql`
      update payments set create_date = create_date - interval '11 minutes' where account_id = ${account_id}`);
    await world.kernel.db.run(sql`update auto_top_ups set next_date = null where account_id = ${account_id}`);
    return;
  }
  provider.lose(one.loss ?? 'none');
  if (one.kind === 'check') {
    const check = () => checkBalance(world.kernel, account_id).catch(ignoreLoss);
    await Promise.all(Array.from({ length: one.copies! }, check));
    return;
  }
  const stored = await payments();
  const row = stored[one.index! % Math.max(1, stored.length)];
  if (!row?.provider_id) return;
  const { id, provider_id } = row;
  const act = (what: string, body?: object) => operator.post(`/v1/accounts/${account_id}/payments/${id}/${what}`, body);
  if (one.kind === 'report') await reportPaid(caller, id);
  else if (one.kind === 'webhook')
    await Promise.all(
      Array.from({ length: one.copies! }, () => syncPayment(world.kernel, provider_id).catch(ignoreLoss)),
    );
  else if (one.kind === 'release') await act('release');
  else if (one.kind === 'refund')
    await act('refund', { reason: 'Test', ...(one.part ? { amount_micros: 10_000_000 } : {}) });
  else if (
    one.kind === 'dispute' &&
    row.status !== 'PENDING' &&
    row.status !== 'FAILED' &&
    (await readDisputes(provider_id)).length === 0
  )
    await world.browser.call('POST', `payments/${provider_id}/dispute`);
  else if (one.kind === 'decide')
    for (const { id: dispute, status } of await readDisputes(provider_id))
      if (status === 'needs_response')
        await world.browser.call('PUT', `disputes/${dispute}`, { status: one.won ? 'won' : 'lost' });
}

/** What the account keeps of a payment according to the provider, in cents of its amount without tax. */
function keptCents({ status, refunded_cents, dispute, amount_cents }: ProviderPayment, row: Stored): number {
  if (status !== 'succeeded' || dispute === 'open' || dispute === 'lost' || refunded_cents >= amount_cents) return 0;
  const net = row.amount_micros / 10_000;
  return net - Math.floor((refunded_cents * net) / amount_cents);
}

/** The balance is the sum of the ledger after every commit. */
async function expectBalanced(account_id: string): Promise<void> {
  const { available, booked, frozen, in_review } = await world.kernel.db.one<Record<string, number>>(sql`
    select b.available_micros as available, b.frozen_micros as frozen,
           sum(case when l.credit = 'available' then amount_micros when l.debit = 'available' then -amount_micros
             else 0 end)::bigint as booked,
           sum(case when l.credit = 'frozen' then amount_micros when l.debit = 'frozen' then -amount_micros
             else 0 end)::bigint as in_review
    from balances b join ledger l using (account_id) where b.account_id = ${account_id}
    group by 1, 2`);
  expect([available, frozen]).toEqual([booked, in_review]);
}

async function play(steps: readonly Step[]): Promise<void> {
  const account = await openAccount();
  const { account_id, payments } = account;
  for (const [n, one] of steps.entries()) {
    await take(account, one, n);
    provider.lose('none');
    await expectBalanced(account_id);
  }
  // Everything that a loss has interrupted is continued, as the jobs do.
  await checkBalance(world.kernel, account_id);
  const stored = await payments();
  for (const { provider_id } of stored) if (provider_id !== null) await syncPayment(world.kernel, provider_id);
  const known = new Map((await payments()).map((row) => [row.id, row]));
  const api = (await findProvider(world.kernel))!;
  const range = { from: new Date(Date.now() - 3_600_000), until: new Date(Date.now() + 60_000), cursor: null };
  const { payments: atProvider } = await api.listPayments(range);
  const own = atProvider.filter((state) => state.account_id === account_id);
  expect(new Set(own.map(({ payment_id }) => payment_id)).size, 'one charge for each payment').toBe(own.length);
  for (const state of own) {
    const row = known.get(state.payment_id)!;
    const { kept } = await world.kernel.db.one<{ kept: number }>(sql`
      select coalesce(sum(case when debit = 'outside' then amount_micros when credit = 'outside' then -amount_micros
        else 0 end), 0)::bigint as kept from ledger where account_id = ${account_id} and payment_id = ${row.id}`);
    expect(kept, JSON.stringify(state)).toBe(keptCents(state, row) * 10_000);
  }
  const topUps = [...known.values()].filter(({ type }) => type === 'Auto Top Up');
  const waits = steps.filter(({ kind }) => kind === 'wait').length;
  expect(topUps.length, 'one top-up per crossing').toBeLessThanOrEqual(waits + 1);
}

test('the ledger agrees with the provider after any interleaving of payment flows', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 20 }), play), sample(8, 1_000));
  expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
});
