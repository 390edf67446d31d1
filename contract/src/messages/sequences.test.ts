import { describe, expect, test } from 'vitest';
import { isNewer, isReopening, NEXT, NEXT_CHARGE, REOPENS } from './sequences.ts';
import { STATUSES, type Status } from './statuses.ts';

const FAILURES: Status[] = ['failed', 'rejected', 'expired', 'blocked', 'unsubscribed'];
const follows = (was: Status, now: Status): boolean => isNewer({ status: was }, { status: now });
/** The statuses before which a message has not ended, in their order. */
const ON_THE_WAY: Status[] = ['scheduled', 'enroute', 'sent'];

describe('a status', () => {
  test('never follows itself', () => {
    expect(STATUSES.filter((status) => follows(status, status))).toEqual([]);
  });

  test('on the way to the recipient only moves forward', () => {
    for (const [was, before] of ON_THE_WAY.entries())
      for (const [now, after] of ON_THE_WAY.entries())
        expect(follows(before, after), `${before} to ${after}`).toBe(now > was && after !== 'scheduled');
  });

  test('can end in every way while the message is on its way', () => {
    const ends: Status[] = [...FAILURES, 'delivered', 'read', 'canceled', 'received'];
    for (const before of ON_THE_WAY)
      expect(
        ends.filter((end) => !follows(before, end)),
        before,
      ).toEqual([]);
  });

  test('of a failure is replaced by proof of delivery, and by no other failure', () => {
    for (const failure of FAILURES) {
      expect([follows(failure, 'delivered'), follows(failure, 'read')], failure).toEqual([true, true]);
      for (const other of [...FAILURES, ...ON_THE_WAY])
        expect(follows(failure, other), `${failure} ${other}`).toBe(false);
      expect([follows(failure, 'canceled'), follows(failure, 'received')], failure).toEqual([true, true]);
    }
  });

  test('of a delivered message can only become read, canceled, or received', () => {
    expect(STATUSES.filter((now) => follows('delivered', now))).toEqual(['read', 'canceled', 'received']);
    expect(STATUSES.filter((now) => follows('read', now))).toEqual(['canceled', 'received']);
  });

  test('of a canceled or received message is final', () => {
    expect([NEXT.canceled, NEXT.received]).toEqual([[], []]);
  });
});

describe('an unknown outcome', () => {
  const unknown = { status: 'failed', failure: 'unknown' } as const;

  test('is replaced by what the carrier reports later', () => {
    for (const status of STATUSES) expect(isReopening(unknown, { status }), status).toBe(REOPENS.includes(status));
    expect([...REOPENS].sort()).toEqual(['expired', 'failed', 'rejected', 'sent', 'unsubscribed']);
    expect(isNewer(unknown, { status: 'sent' })).toBe(true);
    expect(isNewer(unknown, { status: 'failed', failure: 'invalid' })).toBe(true);
  });

  test('is not replaced by another unknown outcome', () => {
    expect(isReopening(unknown, unknown)).toBe(false);
    expect(isNewer(unknown, { status: 'sent', failure: 'unknown' })).toBe(false);
  });

  test('reopens only messages that have failed', () => {
    const reopened = STATUSES.filter((status) => isReopening({ status, failure: 'unknown' }, { status: 'sent' }));
    expect(reopened.sort()).toEqual([...FAILURES].sort());
  });

  test('is the only failure that reopens a message', () => {
    for (const failure of ['invalid', 'expired', null, undefined])
      expect(isReopening({ status: 'failed', failure }, { status: 'sent' })).toBe(false);
  });
});

test('a hold is closed once, and only a released charge can be settled later', () => {
  expect(NEXT_CHARGE).toEqual({ none: [], held: ['settled', 'released'], settled: [], released: ['settled'] });
});
