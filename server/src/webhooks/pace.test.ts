/** The limits of the parallel requests, without a clock or a network. */
import { expect, test } from 'vitest';
import { Pace } from './pace.ts';

const webhook = (id: string, account_id = `account of ${id}`, failures = 0) => ({ id, account_id, failures });

/** Claims and starts as many deliveries as the pace permits. */
function fill(pace: Pace, to: ReturnType<typeof webhook>): { claimed: number; started: number } {
  const kind = pace.kind(to);
  const claimed = Math.max(0, pace.planRooms()(to));
  for (let count = 0; count < claimed; count++) pace.addClaimed(to, kind, 1);
  let started = 0;
  for (; started < claimed && pace.canStart(to); started++) pace.addRunning(to, kind, 1);
  return { claimed, started };
}

const prove = (pace: Pace, to: ReturnType<typeof webhook>) => {
  for (let response = 0; response < 30; response++) pace.record(to, true, 5);
};

test('a webhook starts with two requests and gets one more with each fast response, up to 20', () => {
  const pace = new Pace();
  const shop = webhook('shop');
  expect(fill(pace, shop)).toEqual({ claimed: 2, started: 2 });
  pace.record(shop, true, 5);
  expect(pace.kind(shop)).toBe('proven');
  expect(fill(pace, shop)).toEqual({ claimed: 13, started: 1 });
  prove(pace, shop);
  expect(fill(pace, shop)).toEqual({ claimed: 85, started: 17 });
});

test('a webhook that fails gets one request, and one that responds slowly two', () => {
  const pace = new Pace();
  const [failing, slow] = [webhook('shop 1'), webhook('shop 2')];
  for (const one of [failing, slow]) prove(pace, one);
  pace.record(failing, false, 5);
  pace.record(slow, true, 3_000);
  expect(pace.ids('failing', 'slow')).toEqual(['shop 1', 'shop 2']);
  expect(fill(pace, failing)).toEqual({ claimed: 1, started: 1 });
  expect(fill(pace, slow)).toEqual({ claimed: 2, started: 2 });
  expect(pace.full().full_webhooks).toEqual(['shop 1', 'shop 2']);
  // The webhook's row has the failure, so this process need not remember it.
  pace.forgetFailure('shop 1');
  expect(pace.kind({ ...failing, failures: 1 })).toBe('failing');
  expect(pace.kind(failing)).toBe('unproven');
});

test('webhooks that never responded leave all requests of proven ones', () => {
  const pace = new Pace();
  const dead = Array.from({ length: 80 }, (_, index) => webhook(`dead ${index}`));
  expect(dead.reduce((sum, one) => sum + fill(pace, one).started, 0)).toBe(100);
  expect(pace.isFull('unproven')).toBe(true);
  const shop = webhook('shop');
  prove(pace, shop);
  expect(fill(pace, shop)).toEqual({ claimed: 100, started: 20 });
});

test('the webhooks of one account share 60 requests and 300 claimed deliveries', () => {
  const pace = new Pace();
  const all = Array.from({ length: 5 }, (_, index) => webhook(`webhook ${index}`, 'account'));
  for (const one of all) prove(pace, one);
  const filled = all.map((one) => fill(pace, one));
  expect(filled.map(({ started }) => started)).toEqual([20, 20, 20, 0, 0]);
  expect(filled.map(({ claimed }) => claimed)).toEqual([100, 100, 100, 0, 0]);
  expect(pace.full()).toEqual({
    full_webhooks: ['webhook 0', 'webhook 1', 'webhook 2'],
    full_accounts: ['account'],
  });
  expect(pace.isShareFull(all[4]!)).toBe(true);
  pace.addRunning(all[0]!, 'proven', -1);
  expect(pace.canStart(all[4]!)).toBe(true);
});

test('one claim plans no more than the account and the kind have left', () => {
  const pace = new Pace();
  const rooms = pace.planRooms();
  const planned = Array.from({ length: 60 }, (_, index) => rooms(webhook(`new ${index}`)));
  expect(planned.reduce((sum, room) => sum + room, 0)).toBe(100);
});
