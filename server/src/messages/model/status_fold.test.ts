import { RANK, STATUSES, type Status } from '@parley/contract/messages/messages.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
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
/** Applies each batch to the result of the previous batch, as the database does. */
const CHAT: MessageState = { ...START, channel: 'WHATSAPP' };
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

describe('in any order, repetition and batching', () => {
  test('truthful changes lead to one end with one charge', () => {
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
        // Released money is never charged again: even if a failure turns out to be wrong, the first report decides the
        // charge.
        const corrected =
          from === CHAT && changes.some(({ status }) => status === 'expired') && plain.status === 'delivered';
        if (corrected) expect(shuffled.charge).not.toBe('held');
        else expect(shuffled.charge).toBe(plain.charge);
      }),
      { numRuns: 20_000 },
    );
  });

  const anyChange = fc.record({
    status: fc.constantFrom(...STATUSES),
    accepted: fc.boolean(),
    code: fc.option(fc.string({ maxLength: 4 }), { nil: undefined }),
  });
  test('arbitrary changes never lower a status, close a charge twice, or record a rise that did not happen', () => {
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 20 }), fc.constantFrom(START, CHAT), (changes, from) => {
        let state: MessageState = from;
        const decided = from === CHAT ? RANK.failed : RANK.sent;
        for (const { status, accepted, code } of changes) {
          const next = fold(state, [change(status, { accepted, ...(code === undefined ? {} : { code }) })], NOW);
          expect(RANK[next.status]).toBeGreaterThanOrEqual(RANK[state.status]);
          expect(next.changed).toBe(next.status !== state.status);
          if (state.charge !== 'held') expect(next.charge).toBe(state.charge);
          if (RANK[next.status] >= decided) expect(next.charge).not.toBe('held');
          else expect(next.charge).toBe('held');
          if (next.changed) expect(next.entries[0]?.late).toBeUndefined();
          state = { ...next, timeline_length: state.timeline_length + next.entries.length };
        }
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('single rules', () => {
  test.each<[string, Change[], Partial<MessageState>]>([
    ['accepted by the carrier: charged', [change('sent')], { status: 'sent', charge: 'settled' }],
    [
      'rejected by the carrier: released',
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
      'a failure reported by receipt was accepted first: charged',
      [change('failed', { accepted: true })],
      { status: 'failed', charge: 'settled' },
    ],
    [
      'proof of delivery after the message expired: delivered and not charged',
      [change('failed', { failure: 'unknown', text: 'No response' }), change('delivered')],
      { status: 'delivered', charge: 'released', failure: null, status_details: null },
    ],
    [
      'a canceled message stays canceled',
      [change('canceled'), change('delivered')],
      { status: 'canceled', charge: 'released' },
    ],
    [
      'the first failure counts',
      [change('expired'), change('failed', { code: '9' })],
      { status: 'expired', carrier_code: null },
    ],
    [
      'the latest connection is kept',
      [change('sent', { connection_id: 'c' }), change('delivered', { connection_id: 'd' })],
      { connection_id: 'd' },
    ],
    [
      'a possible duplicate stays marked',
      [change('enroute', { possible_duplicate: true }), change('sent')],
      { possible_duplicate: true },
    ],
  ])('%s', (_, changes, expected) => {
    expect(foldBatches([changes])).toMatchObject(expected);
  });

  test.each<[string, Change[], Partial<MessageState>]>([
    ['accepted by the carrier: not charged yet', [change('sent')], { status: 'sent', charge: 'held' }],
    ['delivered: charged', [change('sent'), change('delivered')], { status: 'delivered', charge: 'settled' }],
    ['read and never delivered: charged', [change('sent'), change('read')], { status: 'read', charge: 'settled' }],
    [
      'delivered, reported after it was read',
      [change('read'), change('delivered'), change('sent')],
      { status: 'read', charge: 'settled' },
    ],
    [
      'failed after the carrier accepted it: released',
      [change('sent'), change('failed', { accepted: true, failure: 'rejected', code: '131026' })],
      { status: 'failed', charge: 'released', failure: 'rejected', carrier_code: '131026' },
    ],
    [
      'expired: released',
      [change('sent'), change('expired', { accepted: true })],
      { status: 'expired', charge: 'released' },
    ],
    [
      'delivered after the message expired: not charged',
      [change('sent'), change('expired', { accepted: true }), change('delivered')],
      { status: 'delivered', charge: 'released' },
    ],
    ['failed after it was read: read', [change('read'), change('failed')], { status: 'read', charge: 'settled' }],
  ])('charged on delivery: %s', (_, changes, expected) => {
    expect(foldBatches([changes], CHAT)).toMatchObject(expected);
  });

  test('the timeline keeps the order and the carrier’s times where they are credible, and marks late entries', () => {
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

  test('a carrier that repeats itself adds a limited number of entries, and a rise is always recorded', () => {
    const noise = Array.from({ length: 500 }, () => change('enroute'));
    const folded = fold(START, [...noise, change('sent')], NOW);
    expect(folded.entries).toHaveLength(MAX_TIMELINE_ENTRIES);
    expect(folded.entries.at(-1)).toMatchObject({ status: 'sent' });
  });
});
