import { RANK, STATUSES, type Status } from '@parley/contract/messages/messages.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Change } from './change.ts';
import { fold, type Standing, TIMELINE_MOST } from './fold.ts';

const NOW = new Date('2026-05-04T10:11:12.345Z');
const START: Standing = {
  channel: 'SMS',
  status: 'enroute',
  charge: 'held',
  failure: null,
  carrier_code: null,
  status_details: null,
  connection_id: null,
  possible_duplicate: false,
  told: 1,
};
const change = (status: Status, more: Partial<Change> = {}): Change => ({
  account_id: 'a',
  message_id: 'm',
  status,
  source: 'carrier',
  ...more,
});
/** Applies each batch to what the one before has left, as the database does. */
const CHAT: Standing = { ...START, channel: 'WHATSAPP' };
const through = (batches: readonly (readonly Change[])[], from: Standing = START) =>
  batches.reduce<Standing>((standing, batch) => fold(standing, batch, NOW), from);

/** What a carrier and we can truthfully say about one message: it took it or not, and then one end, maybe corrected by a proof of delivery. */
const ends = fc.constantFrom<Change[]>(
  [],
  [change('delivered')],
  [change('delivered'), change('read')],
  [change('failed', { accepted: true, code: '001' })],
  [change('expired', { accepted: true })],
  [change('rejected', { accepted: true })],
  [change('expired', { accepted: true }), change('delivered')],
);
const taken = ends.map((end) => [
  change('enroute', { text: 'Put off' }),
  change('sent', { connection_id: 'c' }),
  ...end,
]);
const refused = fc
  .constantFrom<Status>('failed', 'rejected', 'expired', 'blocked', 'unsubscribed', 'canceled')
  .map((status) => [change('enroute', { text: 'Put off' }), change(status, { failure: 'rejected', code: '0x45' })]);
const story = fc.oneof(taken, refused);

describe('whatever the order, the repetition and the batches', () => {
  test('a story about a message ends in one way, with one charge', () => {
    const told = story.chain((changes) =>
      fc.record({
        changes: fc.constant(changes),
        repeated: fc.array(fc.constantFrom(...changes), { maxLength: 6 }),
        cuts: fc.array(fc.nat(12), { maxLength: 4 }),
        seed: fc.infiniteStream(fc.nat()),
      }),
    );
    fc.assert(
      fc.property(told, fc.constantFrom(START, CHAT), ({ changes, repeated, cuts, seed }, from) => {
        const plain = through([changes], from);
        const all = [...changes, ...repeated]
          .map((one) => ({ one, key: seed.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ one }) => one);
        const edges = [0, ...cuts.sort((a, b) => a - b).map((cut) => Math.min(cut, all.length)), all.length];
        const batches = edges.slice(1).map((edge, index) => all.slice(edges[index], edge));
        const shuffled = through(batches, from);
        expect(shuffled.status).toBe(plain.status);
        // What was given back is not taken again: of a failure that turns out to be none, the one that is heard first decides.
        const corrected =
          from === CHAT && changes.some(({ status }) => status === 'expired') && plain.status === 'delivered';
        if (corrected) expect(shuffled.charge).not.toBe('held');
        else expect(shuffled.charge).toBe(plain.charge);
      }),
      { numRuns: 20_000 },
    );
  });

  const anything = fc.record({
    status: fc.constantFrom(...STATUSES),
    accepted: fc.boolean(),
    code: fc.option(fc.string({ maxLength: 4 }), { nil: undefined }),
  });
  test('anything said at all never takes a status back, closes a charge twice, or tells of a rise that was none', () => {
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 20 }), fc.constantFrom(START, CHAT), (said, from) => {
        let standing: Standing = from;
        const decided = from === CHAT ? RANK.failed : RANK.sent;
        for (const { status, accepted, code } of said) {
          const next = fold(standing, [change(status, { accepted, ...(code === undefined ? {} : { code }) })], NOW);
          expect(RANK[next.status]).toBeGreaterThanOrEqual(RANK[standing.status]);
          expect(next.changed).toBe(next.status !== standing.status);
          if (standing.charge !== 'held') expect(next.charge).toBe(standing.charge);
          if (RANK[next.status] >= decided) expect(next.charge).not.toBe('held');
          else expect(next.charge).toBe('held');
          if (next.changed) expect(next.entries[0]?.late).toBeUndefined();
          standing = { ...next, told: standing.told + next.entries.length };
        }
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('the rules one by one', () => {
  test.each<[string, Change[], Partial<Standing>]>([
    ['taken by the carrier: paid', [change('sent')], { status: 'sent', charge: 'settled' }],
    [
      'refused by the carrier: money back',
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
      'a failure reported by receipt was taken first: paid',
      [change('failed', { accepted: true })],
      { status: 'failed', charge: 'settled' },
    ],
    [
      'proof of delivery after we had given up: delivered, and still free',
      [change('failed', { failure: 'unknown', text: 'No answer' }), change('delivered')],
      { status: 'delivered', charge: 'released', failure: null, status_details: null },
    ],
    ['called back is for ever', [change('canceled'), change('delivered')], { status: 'canceled', charge: 'released' }],
    [
      'the first failure stands',
      [change('expired'), change('failed', { code: '9' })],
      { status: 'expired', carrier_code: null },
    ],
    [
      'a line that carried it is remembered',
      [change('sent', { connection_id: 'c' }), change('delivered', { connection_id: 'd' })],
      { connection_id: 'd' },
    ],
    [
      'a possible duplicate stays one',
      [change('enroute', { possible_duplicate: true }), change('sent')],
      { possible_duplicate: true },
    ],
  ])('%s', (_, changes, expected) => {
    expect(through([changes])).toMatchObject(expected);
  });

  test.each<[string, Change[], Partial<Standing>]>([
    ['taken by the carrier: not paid yet', [change('sent')], { status: 'sent', charge: 'held' }],
    ['delivered: paid', [change('sent'), change('delivered')], { status: 'delivered', charge: 'settled' }],
    ['read and never delivered: paid', [change('sent'), change('read')], { status: 'read', charge: 'settled' }],
    [
      'delivered, and said so after it was read',
      [change('read'), change('delivered'), change('sent')],
      { status: 'read', charge: 'settled' },
    ],
    [
      'failed after the carrier had it: money back',
      [change('sent'), change('failed', { accepted: true, failure: 'rejected', code: '131026' })],
      { status: 'failed', charge: 'released', failure: 'rejected', carrier_code: '131026' },
    ],
    [
      'expired: money back',
      [change('sent'), change('expired', { accepted: true })],
      { status: 'expired', charge: 'released' },
    ],
    [
      'delivered after we had given up: free',
      [change('sent'), change('expired', { accepted: true }), change('delivered')],
      { status: 'delivered', charge: 'released' },
    ],
    ['failed after it was read: read', [change('read'), change('failed')], { status: 'read', charge: 'settled' }],
  ])('where only what arrives is paid for — %s', (_, changes, expected) => {
    expect(through([changes], CHAT)).toMatchObject(expected);
  });

  test('the timeline tells everything in order, with the carrier’s time where that is believed, and marks what came too late', () => {
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
      // Just now, in the future and beyond belief: when it was heard of.
      ...[1, 2, 3].map(() => ({
        at: '2026-05-04 10:11:12.345',
        status: 'delivered',
        source: 'carrier',
        late: true,
      })),
    ]);
  });

  test('a carrier that repeats itself does not fill the database, and a rise is told even then', () => {
    const noise = Array.from({ length: 500 }, () => change('enroute'));
    const folded = fold(START, [...noise, change('sent')], NOW);
    expect(folded.entries).toHaveLength(TIMELINE_MOST);
    expect(folded.entries.at(-1)).toMatchObject({ status: 'sent' });
  });
});
