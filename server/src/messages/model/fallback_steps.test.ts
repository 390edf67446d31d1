/** Tries random orders of reports, responses, and timers on a message with three steps and checks the invariants. */
import { RANK, type Status } from '@parley/contract/messages/statuses.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Change } from './change.ts';
import {
  dueTime,
  type FallbackPlan,
  type FallbackStep,
  foldPlan,
  isOpen,
  isQueued,
  type StepCheck,
} from './fallback_steps.ts';
import type { MessageState } from './status_fold.ts';

const CONNECTIONS = ['of WhatsApp', 'of Viber', 'of SMS'] as const;
const PRICES = [60, 30, 40];
const START = 1_800_000_000_000;
const EXPIRES = START + 600_000;

const makeStep = (place: number, trigger: FallbackStep['trigger']): FallbackStep => ({
  ...{
    channel: (['WHATSAPP', 'VIBER', 'SMS'] as const)[place]!,
    sender_id: `sender ${place}`,
    from: 'X',
    sender_address: 'X',
  },
  ...{ connection_id: CONNECTIONS[place]!, text: `Step ${place}`, type: 'text', content: null, template_id: null },
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
const MESSAGE_STATE: MessageState = {
  ...{
    channel: 'WHATSAPP',
    status: 'enroute',
    charge: 'held',
    failure: null,
    carrier_code: null,
    status_details: null,
  },
  ...{ connection_id: CONNECTIONS[0], possible_duplicate: false, timeline_length: 1 },
};
const MESSAGE = { account_id: 'a', message_id: 'm', source: 'carrier' };

type Event = { after: number; allowed: boolean[]; recallable: boolean } & (
  | { reported: Status; by: number; accepted: boolean }
  | { reported: 'due' }
);
const context = {
  after: fc.constantFrom(0, 1_000, 61_000, 300_000),
  allowed: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  recallable: fc.boolean(),
};
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ ...context, reported: fc.constant('due' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      ...context,
      reported: fc.constantFrom<Status>(
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
  plan: FallbackPlan;
  message: MessageState;
  time: number;
}

function applyEvent(run: Run, { after, allowed, recallable, ...kind }: Event): Run & { paid: number | null } {
  const time = run.time + after;
  const checks = new Map(
    allowed.map((may, place): [number, StepCheck] => [
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
        : { refusal: 'Not possible' },
    ]),
  );
  const change: Change =
    kind.reported === 'due'
      ? { ...MESSAGE, status: 'enroute', due: true }
      : { ...MESSAGE, status: kind.reported, connection_id: CONNECTIONS[kind.by]!, accepted: kind.accepted };
  const { folded, plan, paid_micros } = foldPlan(run.plan, run.message, [change], {
    ...{ now: new Date(time), expires: EXPIRES, checks },
    can_recall: recallable && isQueued(run.plan),
  });
  const { entries, changed: _, ...message } = folded;
  return {
    plan: plan,
    message: { ...message, timeline_length: message.timeline_length + entries.length },
    time,
    paid: paid_micros,
  };
}

/** A carrier reports only on messages that it has received. */
const canReport = ({ plan }: Run, event: Event): boolean =>
  event.reported === 'due' || plan.steps[event.by]!.status !== null;

const triggers = fc.tuple(
  fc.constant(null),
  fc.constantFrom<FallbackStep['trigger']>('failed', 'undelivered', 'unread'),
  fc.constantFrom<FallbackStep['trigger']>('failed', 'undelivered', 'unread'),
);

describe('changes in any order', () => {
  test('never start a step twice, lower the status, or close the charge twice', () => {
    fc.assert(
      fc.property(triggers, fc.array(event, { maxLength: 14 }), (stepTriggers, events) => {
        let run: Run = {
          plan: { steps: stepTriggers.map((trigger, place) => makeStep(place, trigger)), current: 0 },
          message: MESSAGE_STATE,
          time: START,
        };
        const startedSteps = new Set([0]);
        let closings = 0;
        for (const event of events) {
          const previous = run;
          if (!canReport(run, event)) continue;
          const next = applyEvent(run, event);
          run = next;
          const { steps, current } = run.plan;
          expect(RANK[run.message.status]).toBeGreaterThanOrEqual(RANK[previous.message.status]);
          expect(steps.filter(({ state }) => state === 'in_effect')).toEqual([steps[current]]);
          if (current > previous.plan.current) {
            expect(startedSteps.has(current)).toBe(false);
            expect(previous.plan.steps[current]!.state).toBe('waiting');
            expect(run.time).toBeLessThan(EXPIRES);
            // A step starts only after the step in effect has failed or its time is up.
            const due = dueTime(previous.plan, EXPIRES);
            const failed =
              event.reported !== 'due' && RANK[event.reported] === RANK.failed && event.by === previous.plan.current;
            expect(failed || (event.reported === 'due' && due !== null && due <= run.time)).toBe(true);
            // A step that may have been sent is not withdrawn by a timer.
            if (event.reported === 'due' && isQueued(previous.plan)) expect(event.recallable).toBe(true);
            startedSteps.add(current);
          }
          // A withdrawn step must never have been sent.
          if (current < previous.plan.current) expect(isQueued(previous.plan) && event.recallable).toBe(true);
          if (previous.message.charge === 'held' && run.message.charge !== 'held') closings++;
          expect(run.message.charge === 'held').toBe(closings === 0);
          if (closings === 0) expect(isOpen(run.plan)).toBe(true);
          const highestPrice = Math.max(...steps.filter(({ paid }) => paid).map(({ price_micros }) => price_micros));
          if (next.paid !== null) expect(next.paid).toBe(highestPrice);
          expect(run.message.charge === 'released' && Number.isFinite(highestPrice)).toBe(false);
          // A delivered message must never end as failed.
          if (steps.some(({ status }) => status === 'delivered' || status === 'read'))
            expect(RANK[run.message.status]).toBeGreaterThanOrEqual(RANK.delivered);
        }
        expect(closings).toBeLessThanOrEqual(1);
        expect(run.message.timeline_length).toBeLessThan(80);
      }),
      { numRuns: 3_000 },
    );
  });

  test('have no effect when they are repeated', () => {
    fc.assert(
      fc.property(triggers, fc.array(event, { maxLength: 10 }), (stepTriggers, events) => {
        let run: Run = {
          plan: { steps: stepTriggers.map((trigger, place) => makeStep(place, trigger)), current: 0 },
          message: MESSAGE_STATE,
          time: START,
        };
        for (const event of events) {
          if (!canReport(run, event)) continue;
          run = applyEvent(run, event);
          if (event.reported === 'due') continue;
          const repeated = applyEvent(run, { ...event, after: 0 });
          expect(repeated.plan.current).toBe(run.plan.current);
          expect(repeated.message.status).toBe(run.message.status);
          expect(repeated.message.charge).toBe(run.message.charge);
        }
      }),
      { numRuns: 1_500 },
    );
  });

  test('leave no step open after the message expires, except one that a carrier has', () => {
    fc.assert(
      fc.property(triggers, fc.array(event, { maxLength: 10 }), (stepTriggers, events) => {
        let run: Run = {
          plan: { steps: stepTriggers.map((trigger, place) => makeStep(place, trigger)), current: 0 },
          message: MESSAGE_STATE,
          time: START,
        };
        for (const event of events) if (canReport(run, event)) run = applyEvent(run, event);
        const end = { after: EXPIRES, allowed: [true, true, true], recallable: false };
        // A worker's recovery tasks make these changes when the message expires.
        if (isQueued(run.plan))
          run = applyEvent(run, { ...end, reported: 'expired', by: run.plan.current, accepted: false });
        run = applyEvent(run, { ...end, reported: 'due' });
        expect(run.plan.steps.some(({ state }) => state === 'waiting')).toBe(false);
        expect(dueTime(run.plan, EXPIRES)).toBe(null);
        const { status, channel } = run.plan.steps[run.plan.current]!;
        if (run.message.charge === 'held')
          expect([status, channel]).toEqual(['sent', expect.not.stringMatching('SMS')]);
      }),
      { numRuns: 1_500 },
    );
  });
});
