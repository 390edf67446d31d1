import type { Failure } from '@parley/contract/messages/messages.ts';
import { NEXT, NEXT_CHARGE, REOPENS } from '@parley/contract/messages/sequences.ts';
import { isFinal, RANK, STATUSES, type Status } from '@parley/contract/messages/statuses.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sample } from '../../test/soak/soak.ts';
import type { Change } from './change.ts';
import { fold, MAX_TIMELINE_ENTRIES, type MessageState } from './status_fold.ts';

const NOW = new Date('2026-05-04T10:11:12.345Z');
const START: MessageState = {
  channel: 'SMS',
  status: 'enroute',
  charge: 'held',
  failure: null,
  carrier_code: null,
  status_details: null,
  connection_id: null,
  possible_duplicate: false,
  timeline_length: 1,
};
const change = (status: Status, overrides: Partial<Change> = {}): Change => ({
  account_id: 'a',
  message_id: 'm',
  status,
  source: 'carrier',
  ...overrides,
});
const CHAT: MessageState = { ...START, channel: 'WHATSAPP' };
/** Applies each batch to the result of the previous batch, as the database does. */
const foldBatches = (batches: readonly (readonly Change[])[], from: MessageState = START) =>
  batches.reduce<MessageState>((state, batch) => fold(state, batch, NOW), from);

/**
 * The truthful sequences of reports about one message: it is accepted or not, then reaches one final status, which a
 * proof of delivery may correct.
 */
const ends = fc.constantFrom<Change[]>(
  [],
  [change('delivered')],
  [change('delivered'), change('read')],
  [change('failed', { accepted: true, code: '001' })],
  [change('expired', { accepted: true })],
  [change('rejected', { accepted: true })],
  [change('expired', { accepted: true }), change('delivered')],
);
const acceptedHistory = ends.map((end) => [
  change('enroute', { text: 'Delayed' }),
  change('sent', { connection_id: 'c' }),
  ...end,
]);
const refusedHistory = fc
  .constantFrom<Status>('failed', 'rejected', 'expired', 'blocked', 'unsubscribed', 'canceled')
  .map((status) => [change('enroute', { text: 'Delayed' }), change(status, { failure: 'rejected', code: '0x45' })]);
const anyHistory = fc.oneof(acceptedHistory, refusedHistory);

describe('status changes in any order and batching', () => {
  test('lead to one final status and one charge when they are truthful', () => {
    const history = anyHistory.chain((changes) =>
      fc.record({
        changes: fc.constant(changes),
        repeated: fc.array(fc.constantFrom(...changes), { maxLength: 6 }),
        cuts: fc.array(fc.nat(12), { maxLength: 4 }),
        seed: fc.infiniteStream(fc.nat()),
      }),
    );
    fc.assert(
      fc.property(history, fc.constantFrom(START, CHAT), ({ changes, repeated, cuts, seed }, from) => {
        const plain = foldBatches([changes], from);
        const all = [...changes, ...repeated]
          .map((entry) => ({ one: entry, key: seed.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ one: entry }) => entry);
        const edges = [0, ...cuts.sort((a, b) => a - b).map((position) => Math.min(position, all.length)), all.length];
        const batches = edges.slice(1).map((edge, index) => all.slice(edges[index], edge));
        const shuffled = foldBatches(batches, from);
        expect(shuffled.status).toBe(plain.status);
        expect(shuffled.charge).toBe(plain.charge);
      }),
      sample(4_000, 40_000),
    );
  });

  const anyChange = fc.record({
    status: fc.constantFrom(...STATUSES),
    accepted: fc.boolean(),
    source: fc.constantFrom('carrier', 'worker'),
    failure: fc.constantFrom<Failure>('unknown', 'rejected', 'expired'),
    code: fc.option(fc.string({ maxLength: 4 }), { nil: undefined }),
  });
  test('lower a status only with proof of an unknown outcome, and never charge a message twice', () => {
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 20 }), fc.constantFrom(START, CHAT), (changes, from) => {
        let state: MessageState = from;
        const decided = from === CHAT ? RANK.failed : RANK.sent;
        for (const { code, ...fields } of changes) {
          const given = change(fields.status, { ...fields, ...(code === undefined ? {} : { code }) });
          const next = fold(state, [given], NOW);
          const isProof = state.failure === 'unknown' && fields.source === 'carrier';
          if (!isProof) expect(RANK[next.status]).toBeGreaterThanOrEqual(RANK[state.status]);
          const isReplaced = next.status !== state.status || next.failure !== state.failure;
          expect(next.changed).toBe(isReplaced || next.charge !== state.charge);
          if (state.charge === 'settled') expect(next.charge).toBe('settled');
          if (state.charge === 'released') expect(next.charge).not.toBe('held');
          if (state.charge === 'held' && RANK[next.status] >= decided) expect(next.charge).not.toBe('held');
          if (isReplaced) expect(next.entries[0]?.late).toBeUndefined();
          state = { ...next, timeline_length: state.timeline_length + next.entries.length };
        }
      }),
      sample(1_000, 10_000),
    );
  });
});

describe('a message', () => {
  test.each<[string, Change[], Partial<MessageState>]>([
    ['is charged when the carrier accepts it', [change('sent')], { status: 'sent', charge: 'settled' }],
    [
      'is not charged when the carrier rejects it',
      [change('rejected', { failure: 'rejected', code: '0x0B', text: 'Invalid destination' })],
      {
        status: 'rejected',
        charge: 'released',
        failure: 'rejected',
        carrier_code: '0x0B',
        status_details: 'Invalid destination',
      },
    ],
    [
      'is charged when a receipt reports a failure, because the carrier had accepted it',
      [change('failed', { accepted: true })],
      { status: 'failed', charge: 'settled' },
    ],
    [
      'becomes delivered and is charged when proof of delivery follows a failure',
      [change('failed', { failure: 'unknown', text: 'No response', source: 'worker' }), change('delivered')],
      { status: 'delivered', charge: 'settled', failure: null, status_details: null },
    ],
    [
      'becomes sent and is charged when the carrier reports it after its outcome was unknown',
      [change('failed', { failure: 'unknown', source: 'worker' }), change('sent', { connection_id: 'c' })],
      { status: 'sent', charge: 'settled', failure: null },
    ],
    [
      'becomes rejected when the carrier rejects it after it was given up',
      [
        change('failed', { failure: 'unknown', source: 'worker' }),
        change('rejected', { failure: 'rejected', code: '8' }),
      ],
      { status: 'rejected', charge: 'released', failure: 'rejected', carrier_code: '8' },
    ],
    [
      'is charged but stays failed when the carrier has only a part of it',
      [change('failed', { failure: 'unknown', source: 'worker' }), change('enroute', { accepted: true })],
      { status: 'failed', charge: 'settled', failure: 'unknown' },
    ],
    [
      'stays failed when a worker reports it as sent after its outcome was unknown',
      [change('failed', { failure: 'unknown', source: 'worker' }), change('sent', { source: 'worker' })],
      { status: 'failed', charge: 'released' },
    ],
    [
      'has an unknown outcome when it expires before it is sent again',
      [
        change('enroute', { possible_duplicate: true, source: 'worker' }),
        change('expired', { failure: 'expired', source: 'worker' }),
      ],
      { status: 'expired', charge: 'released', failure: 'unknown' },
    ],
    [
      'stays canceled when a delivery is reported',
      [change('canceled'), change('delivered')],
      { status: 'canceled', charge: 'released' },
    ],
    [
      'keeps its first failure',
      [change('expired'), change('failed', { code: '9' })],
      { status: 'expired', carrier_code: null },
    ],
    [
      'keeps its latest connection',
      [change('sent', { connection_id: 'c' }), change('delivered', { connection_id: 'd' })],
      { connection_id: 'd' },
    ],
    [
      'stays marked as a possible duplicate',
      [change('enroute', { possible_duplicate: true }), change('sent')],
      { possible_duplicate: true },
    ],
  ])('%s', (_, changes, expected) => {
    expect(foldBatches([changes])).toMatchObject(expected);
  });

  test.each<[string, Change[], Partial<MessageState>]>([
    ['is not charged yet when the carrier accepts it', [change('sent')], { status: 'sent', charge: 'held' }],
    [
      'is charged when it is delivered',
      [change('sent'), change('delivered')],
      { status: 'delivered', charge: 'settled' },
    ],
    [
      'is charged when it is read without a delivery receipt',
      [change('sent'), change('read')],
      { status: 'read', charge: 'settled' },
    ],
    [
      'stays read when its delivery is reported later',
      [change('read'), change('delivered'), change('sent')],
      { status: 'read', charge: 'settled' },
    ],
    [
      'is not charged when it fails after the carrier accepted it',
      [change('sent'), change('failed', { accepted: true, failure: 'rejected', code: '131026' })],
      { status: 'failed', charge: 'released', failure: 'rejected', carrier_code: '131026' },
    ],
    [
      'is not charged when it expires',
      [change('sent'), change('expired', { accepted: true })],
      { status: 'expired', charge: 'released' },
    ],
    [
      'is charged once when it is delivered after it expired',
      [change('sent'), change('expired', { accepted: true }), change('delivered'), change('read')],
      { status: 'read', charge: 'settled' },
    ],
    [
      'is charged when it is delivered after it failed',
      [change('sent'), change('failed', { accepted: true, failure: 'rejected' }), change('delivered')],
      { status: 'delivered', charge: 'settled', failure: null },
    ],
    [
      'is sent but not charged when the carrier reports it after its outcome was unknown',
      [change('failed', { failure: 'unknown', source: 'worker' }), change('sent')],
      { status: 'sent', charge: 'released', failure: null },
    ],
    [
      'stays read when a failure is reported later',
      [change('read'), change('failed')],
      { status: 'read', charge: 'settled' },
    ],
  ])('on a chat channel %s', (_, changes, expected) => {
    expect(foldBatches([changes], CHAT)).toMatchObject(expected);
  });

  test('keeps the order of reports and credible carrier times in its timeline, and marks late entries', () => {
    const at = (time: string) => ({ at: Date.parse(`2026-${time}Z`) });
    const { entries } = fold(
      START,
      [
        change('enroute', { text: 'Throttled', code: '0x58' }),
        change('delivered', { ...at('05-04T09:11:10'), detail: { stat: 'DELIVRD' } }),
        change('sent'),
        change('delivered', at('05-04T10:11:11')),
        change('delivered', at('05-05T10:11:11')),
        change('delivered', at('03-04T10:11:11')),
      ],
      NOW,
    );
    expect(entries).toEqual([
      { at: '2026-05-04 10:11:12.345', status: 'enroute', source: 'carrier', code: '0x58', text: 'Throttled' },
      { at: '2026-05-04 09:11:10.000', status: 'delivered', source: 'carrier', detail: { stat: 'DELIVRD' } },
      { at: '2026-05-04 10:11:12.345', status: 'sent', source: 'carrier', late: true },
      // Very recent, future and implausible times are replaced by the time of arrival.
      ...[1, 2, 3].map(() => ({
        at: '2026-05-04 10:11:12.345',
        status: 'delivered',
        source: 'carrier',
        late: true,
      })),
    ]);
  });

  test('limits repeated entries in its timeline but always records a status change', () => {
    const noise = Array.from({ length: 500 }, () => change('enroute'));
    const folded = fold(START, [...noise, change('sent')], NOW);
    expect(folded.entries).toHaveLength(MAX_TIMELINE_ENTRIES);
    expect(folded.entries.at(-1)).toMatchObject({ status: 'sent' });
  });
});

const PAIRS = STATUSES.flatMap((was) => STATUSES.map((now) => [was, now] as const));
/** The statuses on which each channel charges a message. */
const COUNTED_ON = {
  SMS: ['sent', 'delivered', 'read'],
  WHATSAPP: ['delivered', 'read'],
  VIBER: ['delivered', 'read'],
};

describe.each(Object.entries(COUNTED_ON))('on %s, a status', (channel, chargedBy) => {
  const stateAt = (status: Status, failure: Failure | null): MessageState => ({
    ...START,
    ...{ channel: channel as MessageState['channel'], status, failure },
    charge: chargedBy.includes(status) ? 'settled' : isFinal(status) ? 'released' : 'held',
  });

  test.each(PAIRS)('%s is followed by %s only when the table allows it', (was, now) => {
    for (const failure of [null, 'rejected', 'unknown'] as const) {
      const before = stateAt(was, failure);
      const after = fold(before, [change(now, { failure: 'rejected' })], NOW);
      const isOpen = failure === 'unknown' && RANK[was] === RANK.failed && REOPENS.includes(now);
      const isAllowed = NEXT[was].includes(now) || isOpen;
      expect(after.status).toBe(isAllowed ? now : was);
      const isProven = failure === 'unknown' && chargedBy.includes(now);
      const expected = chargedBy.includes(now) ? 'settled' : isFinal(now) ? 'released' : 'held';
      const isDue = (isAllowed || isProven) && NEXT_CHARGE[before.charge].includes(expected);
      expect(after.charge).toBe(isDue ? expected : before.charge);
    }
  });
});

test('the table of sequences agrees with the ranks of the statuses', () => {
  for (const [was, now] of PAIRS) expect(NEXT[was].includes(now), `${was} ${now}`).toBe(RANK[now] > RANK[was]);
});
