import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueInvoices } from '../../billing/invoices/issue.ts';
import { heldClock } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { forgetRoutes } from '../../messages/messages.ts';
import { applyCarrierStatus, crowd, fanOutAll, makeStage, startCampaign } from '../../test/campaigns.ts';
import { makeCompany } from '../../test/make.ts';
import { type Caller, createWorld, type World } from '../../test/world.ts';
import { applyDuePlans } from '../prices/due_plans.ts';

const PEOPLE = 12;
const clock = heldClock(new Date());
let world: World;
let operator: Caller;
let connection_id: string;
beforeAll(async () => {
  world = await createWorld({ role: 'api', clock });
  const { db } = world.kernel;
  await db.run(sql`update margin_start set day = '2020-01-01'`);
  operator = world.as((await makeCompany(world.kernel, { operator: true })).token);
  await makeStage(world, crowd(1));
  ({ id: connection_id } = await db.one<{ id: string }>(sql`select id from connections`));
});
afterAll(() => world.stop());

const sum = async (statement: ReturnType<typeof sql>) => (await world.kernel.db.one<{ sum: number }>(statement)).sum;
async function setCost(cost_micros: number | null, cost_currency: string | null): Promise<void> {
  await world.kernel.db.run(sql`update routes set cost_micros = ${cost_micros}, cost_currency = ${cost_currency}`);
  forgetRoutes(world.kernel.db);
}

test('ledger, invoices, and margins agree to the cent across a price change in the middle of a campaign', async () => {
  const { db } = world.kernel;
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        first: fc.integer({ min: 0, max: PEOPLE }),
        before: fc.integer({ min: 1, max: 999_999 }),
        after: fc.integer({ min: 1, max: 999_999 }),
        cost: fc.integer({ min: 0, max: 99_999 }),
        failed: fc.integer({ min: 0, max: PEOPLE }),
        early: fc.boolean(),
      }),
      async ({ first, before, after, cost, failed, early }) => {
        await db.run(sql`update rates set price_micros = ${before} where account_id is null and country = 'GB'`);
        await setCost(cost, 'USD');
        const stage = await makeStage(world, crowd(PEOPLE), { balance_micros: 0 });
        const { account_id } = stage;
        const top_up = { amount_micros: 50_000_000, kind: 'top_up', reason: 'Bank transfer', reference: account_id };
        const paid = await operator.post(`/v1/accounts/${account_id}/top_ups`, top_up);
        if (paid.status !== 201) throw new Error(paid.text);
        const effective_date = new Date(clock.now().getTime() + 60_000).toISOString();
        const price = { channel: 'SMS', country: 'GB', currency: 'USD', price_micros: after };
        const plan = await operator.post('/v1/price_plans', { effective_date, notice_days: 0, price });
        if (before !== after) await operator.put(`/v1/price_plans/${plan.body.data.id}/announce`, {});
        const campaign = await startCampaign(stage);
        if (first > 0) await fanOutAll(world, campaign, first, 1);
        // Some messages are settled before the change, and all others after it.
        if (early) await settle(account_id, campaign, 3);
        clock.advance(60_000);
        await fanOutAll(world, campaign);
        await db.tx(applyDuePlans);
        await applyCarrierStatus(world, campaign, 'failed', { limit: failed, failure: 'rejected' });
        await settle(account_id, campaign, PEOPLE);

        const messages = await db.rows<{ price_micros: number; charge: string; is_early: boolean }>(sql`
          select price_micros, charge, create_date < ${new Date(effective_date)} as is_early
          from messages where account_id = ${account_id}`);
        expect(messages).toHaveLength(PEOPLE);
        for (const row of messages) expect(row.price_micros).toBe(row.is_early ? before : after);
        const settled = messages.filter(({ charge }) => charge === 'settled');
        const income = settled.reduce((all, row) => all + row.price_micros, 0);
        expect(
          await sum(sql`
            select coalesce(sum(amount_micros), 0)::bigint as sum from ledger
            where account_id = ${account_id} and kind = 'settle'`),
        ).toBe(income);
        const [margin] = (await operator.get('/v1/margins?group=account&page_size=1000')).body.data.filter(
          (row: { key: string }) => row.key === account_id,
        );
        if (settled.length > 0)
          expect(margin).toMatchObject({
            ...{ messages: settled.length, income_micros: income, cost_micros: settled.length * cost },
            ...{ margin_micros: income - settled.length * cost, uncosted_segments: 0 },
          });
        const { id: payment_id } = await db.one<{ id: string }>(
          sql`select id from payments where account_id = ${account_id}`,
        );
        await db.tx((tx) => issueInvoices(tx, account_id, payment_id));
        expect(
          await sum(sql`select sum(net_micros)::bigint as sum from invoices where account_id = ${account_id}`),
        ).toBe(50_000_000);
        const { available_micros, held_micros } = await db.one<{ available_micros: number; held_micros: number }>(
          sql`select available_micros, held_micros from balances where account_id = ${account_id}`,
        );
        expect([available_micros, held_micros]).toEqual([50_000_000 - income, 0]);
      },
    ),
    { numRuns: 6 },
  );
  expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
});

/** Messages leave over the connection and are delivered. */
async function settle(account_id: string, campaign: Parameters<typeof applyCarrierStatus>[1], limit: number) {
  await world.kernel.db.run(sql`update messages set connection_id = ${connection_id} where account_id = ${account_id}`);
  await applyCarrierStatus(world, campaign, 'sent', { limit });
  await applyCarrierStatus(world, campaign, 'delivered', { limit, of: 'sent' });
}

test('margins by connection and country agree, and a cost in another currency is unknown', async () => {
  const rows = async (group: string) => (await operator.get(`/v1/margins?group=${group}&page_size=1000`)).body.data;
  const income = async (group: string) =>
    (await rows(group)).reduce((all: number, row: { income_micros: number }) => all + row.income_micros, 0);
  expect(await income('connection')).toBe(await income('account'));
  expect(await income('country')).toBe(await income('account'));
  await setCost(1_000, 'EUR');
  const stage = await makeStage(world, crowd(2));
  const campaign = await startCampaign(stage);
  await fanOutAll(world, campaign);
  await settle(stage.account_id, campaign, 2);
  const [row] = (await rows('account')).filter(({ key }: { key: string }) => key === stage.account_id);
  expect(row).toMatchObject({ cost_micros: 0, uncosted_segments: 2 });
  expect((await rows('connection'))[0]).toMatchObject({ key: connection_id, name: expect.stringContaining('Carrier') });
  const { text } = await operator.get('/v1/margins/export?group=country');
  expect(text.split('\r\n')[1]).toMatch(/^GB,GB,USD,/);
  expect((await operator.get('/v1/margins?filter[to]=2020-01-01')).body.data).toEqual([]);
  expect((await stage.caller.get('/v1/margins')).status).toBe(403);
});
