/** Random histories of payments: reports can be lost, repeated, and out of order, and work can crash at any step. */

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { makeCompany } from '../../test/make.ts';
import { sample } from '../../test/soak/soak.ts';
import { createWorld, type World } from '../../test/world.ts';
import type { ProviderPayment } from '../cards/provider.ts';
import { insertPayment, lockPayment } from './queries.ts';
import { applyState, releaseFrozen } from './settle.ts';

let world: World;
let account_id: string;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  ({ account_id } = await makeCompany(world.kernel, { balance_micros: 0 }));
});
afterAll(() => world.stop());

const AMOUNT_CENTS = 3_000;
const TAX_CENTS = 571;
const TOTAL_CENTS = AMOUNT_CENTS + TAX_CENTS;

/** A step of the payment at the provider, or a report about one of its states so far. */
const step = fc.oneof(
  fc.constant({ kind: 'succeed' as const }),
  fc.constant({ kind: 'fail' as const }),
  fc.record({ kind: fc.constant('refund' as const), cents: fc.integer({ min: 1, max: TOTAL_CENTS }) }),
  fc.constant({ kind: 'dispute' as const }),
  fc.record({ kind: fc.constant('decide' as const), won: fc.boolean() }),
  fc.constant({ kind: 'release' as const }),
  fc.record({
    kind: fc.constant('report' as const),
    age: fc.nat(3),
    crash: fc.boolean(),
    copies: fc.integer({ min: 1, max: 2 }),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const nextState = (state: ProviderPayment, { kind, ...detail }: Step): ProviderPayment => {
  const isPaid = state.status === 'succeeded';
  if (kind === 'succeed' && !isPaid) return { ...state, status: 'succeeded' };
  if (kind === 'fail' && !isPaid) return { ...state, status: 'failed', failure: 'Declined' };
  if (kind === 'refund' && isPaid && state.dispute !== 'open' && state.dispute !== 'lost')
    return {
      ...state,
      refunded_cents: Math.min(TOTAL_CENTS, state.refunded_cents + (detail as { cents: number }).cents),
    };
  if (kind === 'dispute' && isPaid && state.dispute === null) return { ...state, dispute: 'open' };
  if (kind === 'decide' && state.dispute === 'open')
    return { ...state, dispute: (detail as { won: boolean }).won ? 'won' : 'lost' };
  return state;
};

const apply = (state: ProviderPayment, crash: boolean) =>
  world.kernel.db
    .tx(async (tx) => {
      await applyState(tx, state);
      if (crash) throw new Error('crash');
    })
    .catch((error: Error) => {
      if (error.message !== 'crash') throw error;
    });

const release = (id: string) =>
  world.kernel.db.tx(async (tx) => {
    const row = await lockPayment(tx, account_id, id);
    if (row?.status === 'FROZEN' && row.dispute !== 'open') await releaseFrozen(tx, row);
  });

/**
 * The part of the payment that the account keeps, according to the provider. Partial refunds return whole cents of the
 * amount.
 */
function keptCents({ status, refunded_cents, dispute }: ProviderPayment): number {
  if (status !== 'succeeded' || dispute === 'open' || dispute === 'lost' || refunded_cents >= TOTAL_CENTS) return 0;
  return AMOUNT_CENTS - Math.floor((refunded_cents * AMOUNT_CENTS) / TOTAL_CENTS);
}

async function play(steps: readonly Step[]): Promise<void> {
  const id = newId();
  await world.kernel.db.tx((tx) =>
    insertPayment(tx, {
      ...{ account_id, id, type: 'Credit Card', currency: 'USD', tax_rate: 19.03 },
      amount_micros: AMOUNT_CENTS * 10_000,
      tax_micros: TAX_CENTS * 10_000,
    }),
  );
  const card = { provider_id: 'pm_1', brand: 'visa', last4: '4242', exp_month: 1, exp_year: 2040, fingerprint: id };
  const history: ProviderPayment[] = [
    {
      ...{ provider_id: `pi_${id}`, account_id, payment_id: id, status: 'open', amount_cents: TOTAL_CENTS },
      ...{ currency: 'USD', refunded_cents: 0, dispute: null, card, saved: false, failure: null },
    },
  ];
  for (const one of steps) {
    if (one.kind === 'release') await release(id);
    else if (one.kind === 'report') {
      const state = history[Math.max(0, history.length - 1 - one.age)]!;
      for (let copy = 0; copy < one.copies; copy++) await apply(state, one.crash);
    } else history.push(nextState(history.at(-1)!, one));
  }
  const last = history.at(-1)!;
  await apply(last, false);
  await apply(last, false);
  const { kept } = await world.kernel.db.one<{ kept: number }>(sql`
    select coalesce(sum(case when debit = 'outside' then amount_micros when credit = 'outside' then -amount_micros
      else 0 end), 0)::bigint as kept from ledger where account_id = ${account_id} and payment_id = ${id}`);
  expect(kept).toBe(keptCents(last) * 10_000);
}

test('the ledger agrees with the provider after any history of a payment', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), (steps) => play([{ kind: 'succeed' }, ...steps])),
    sample(15, 300),
  );
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 8 }), play), sample(15, 300));
  expect((await world.examine()).filter(({ ok }) => !ok)).toEqual([]);
});
