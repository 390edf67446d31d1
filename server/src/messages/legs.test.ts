/** Every order of reports, answers and times, told to a message with three ways: what must hold whatever is said. */
import { RANK, type Status } from '@parley/contract/messages/messages.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Change } from './change.ts';
import type { Standing } from './fold.ts';
import { dueOf, foldOrder, isOpen, isQueued, type Leg, type Order, type Prospect } from './legs.ts';

const CONNECTIONS = ['of WhatsApp', 'of Viber', 'of SMS'] as const;
const PRICES = [60, 30, 40];
const START = 1_800_000_000_000;
const EXPIRES = START + 600_000;

const leg = (place: number, trigger: Leg['trigger']): Leg => ({
  ...{
    channel: (['WHATSAPP', 'VIBER', 'SMS'] as const)[place]!,
    sender_id: `sender ${place}`,
    from: 'X',
    sender_address: 'X',
  },
  ...{ connection_id: CONNECTIONS[place]!, text: `Way ${place}`, type: 'text', content: null, template_id: null },
  ...{
    segments_count: 1,
    encoding: 'GSM-7',
    mccmnc: null,
    asked: null,
    prices: {},
    price_micros: PRICES[place]!,
  },
  ...{ trigger: place === 0 ? null : trigger, wait_seconds: place === 0 || trigger === 'failed' ? null : 60 },
  ...{ state: place === 0 ? 'in_effect' : 'waiting', reason: null, status: place === 0 ? 'enroute' : null },
  ...{ queued: place === 0 ? START : null, handed: null, paid: false },
});
const STANDING: Standing = {
  ...{
    channel: 'WHATSAPP',
    status: 'enroute',
    charge: 'held',
    failure: null,
    carrier_code: null,
    status_details: null,
  },
  ...{ connection_id: CONNECTIONS[0], possible_duplicate: false, told: 1 },
};
const MESSAGE = { account_id: 'a', message_id: 'm', source: 'carrier' };

type Event = { after: number; can: boolean[]; recallable: boolean } & (
  | { said: Status; by: number; accepted: boolean }
  | { said: 'due' }
);
const around = {
  after: fc.constantFrom(0, 1_000, 61_000, 300_000),
  can: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  recallable: fc.boolean(),
};
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ ...around, said: fc.constant('due' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      ...around,
      said: fc.constantFrom<Status>(
        'enroute',
        'sent',
        'delivered',
        'read',
        'failed',
        'rejected',
        'expired',
        'unsubscribed',
      ),
      by: fc.nat(2),
      accepted: fc.boolean(),
    }),
  },
);

interface Run {
  order: Order;
  standing: Standing;
  now: number;
}

function tell(run: Run, { after, can, recallable, ...what }: Event): Run & { paid: number | null } {
  const now = run.now + after;
  const prospects = new Map(
    can.map((may, place): [number, Prospect] => [
      place,
      may
        ? {
            refusal: null,
            purpose: null,
            price_micros: PRICES[place]!,
            connection_id: CONNECTIONS[place]!,
            from: 'X',
            sender_address: 'X',
          }
        : { refusal: 'It cannot' },
    ]),
  );
  const change: Change =
    what.said === 'due'
      ? { ...MESSAGE, status: 'enroute', due: true }
      : { ...MESSAGE, status: what.said, connection_id: CONNECTIONS[what.by]!, accepted: what.accepted };
  const { folded, order, paid_micros } = foldOrder(run.order, run.standing, [change], {
    ...{ now: new Date(now), expires: EXPIRES, prospects },
    recallable: recallable && isQueued(run.order),
  });
  const { entries, changed: _, ...standing } = folded;
  return { order, standing: { ...standing, told: standing.told + entries.length }, now, paid: paid_micros };
}

/** A carrier that never had it has nothing to say. */
const canSpeak = ({ order }: Run, one: Event): boolean => one.said === 'due' || order.legs[one.by]!.status !== null;

const triggers = fc.tuple(
  fc.constant(null),
  fc.constantFrom<Leg['trigger']>('failed', 'undelivered', 'unread'),
  fc.constantFrom<Leg['trigger']>('failed', 'undelivered', 'unread'),
);

describe('whatever is said, in whatever order', () => {
  test('no way begins twice, the status only rises, money is closed once', () => {
    fc.assert(
      fc.property(triggers, fc.array(event, { maxLength: 14 }), (wanted, events) => {
        let run: Run = {
          order: { legs: wanted.map((trigger, place) => leg(place, trigger)), current: 0 },
          standing: STANDING,
          now: START,
        };
        const begun = new Set([0]);
        let closed = 0;
        for (const one of events) {
          const was = run;
          if (!canSpeak(run, one)) continue;
          const next = tell(run, one);
          run = next;
          const { legs, current } = run.order;
          expect(RANK[run.standing.status]).toBeGreaterThanOrEqual(RANK[was.standing.status]);
          expect(legs.filter(({ state }) => state === 'in_effect')).toEqual([legs[current]]);
          if (current > was.order.current) {
            expect(begun.has(current)).toBe(false);
            expect(was.order.legs[current]!.state).toBe('waiting');
            expect(run.now).toBeLessThan(EXPIRES);
            // Only by a failure of what was in effect, or when its time was over.
            const due = dueOf(was.order, EXPIRES);
            const failed = one.said !== 'due' && RANK[one.said] === RANK.failed && one.by === was.order.current;
            expect(failed || (one.said === 'due' && due !== null && due <= run.now)).toBe(true);
            // What may have left already is not taken back for its time alone.
            if (one.said === 'due' && isQueued(was.order)) expect(one.recallable).toBe(true);
            begun.add(current);
          }
          // What was taken back had not left.
          if (current < was.order.current) expect(isQueued(was.order) && one.recallable).toBe(true);
          if (was.standing.charge === 'held' && run.standing.charge !== 'held') closed++;
          expect(run.standing.charge === 'held').toBe(closed === 0);
          if (closed === 0) expect(isOpen(run.order)).toBe(true);
          const settled = Math.max(...legs.filter(({ paid }) => paid).map(({ price_micros }) => price_micros));
          if (next.paid !== null) expect(next.paid).toBe(settled);
          expect(run.standing.charge === 'released' && Number.isFinite(settled)).toBe(false);
          // Something that arrived is never told as failed.
          if (legs.some(({ status }) => status === 'delivered' || status === 'read'))
            expect(RANK[run.standing.status]).toBeGreaterThanOrEqual(RANK.delivered);
        }
        expect(closed).toBeLessThanOrEqual(1);
        expect(run.standing.told).toBeLessThan(80);
      }),
      { numRuns: 3_000 },
    );
  });

  test('saying everything twice changes nothing more', () => {
    fc.assert(
      fc.property(triggers, fc.array(event, { maxLength: 10 }), (wanted, events) => {
        let run: Run = {
          order: { legs: wanted.map((trigger, place) => leg(place, trigger)), current: 0 },
          standing: STANDING,
          now: START,
        };
        for (const one of events) {
          if (!canSpeak(run, one)) continue;
          run = tell(run, one);
          if (one.said === 'due') continue;
          const again = tell(run, { ...one, after: 0 });
          expect(again.order.current).toBe(run.order.current);
          expect(again.standing.status).toBe(run.standing.status);
          expect(again.standing.charge).toBe(run.standing.charge);
        }
      }),
      { numRuns: 1_500 },
    );
  });

  test('all of it ends: after the last moment nothing is open but what is with a carrier', () => {
    fc.assert(
      fc.property(triggers, fc.array(event, { maxLength: 10 }), (wanted, events) => {
        let run: Run = {
          order: { legs: wanted.map((trigger, place) => leg(place, trigger)), current: 0 },
          standing: STANDING,
          now: START,
        };
        for (const one of events) if (canSpeak(run, one)) run = tell(run, one);
        const end = { after: EXPIRES, can: [true, true, true], recallable: false };
        // What the sweeps of a worker say when the time is over.
        if (isQueued(run.order)) run = tell(run, { ...end, said: 'expired', by: run.order.current, accepted: false });
        run = tell(run, { ...end, said: 'due' });
        expect(run.order.legs.some(({ state }) => state === 'waiting')).toBe(false);
        expect(dueOf(run.order, EXPIRES)).toBe(null);
        const { status, channel } = run.order.legs[run.order.current]!;
        if (run.standing.charge === 'held')
          expect([status, channel]).toEqual(['sent', expect.not.stringMatching('SMS')]);
      }),
      { numRuns: 1_500 },
    );
  });
});
