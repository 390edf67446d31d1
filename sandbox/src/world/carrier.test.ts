import { STATUS } from '@parley/smpp/pdu.ts';
import { describe, expect, test } from 'vitest';
import { Problem } from '../problem.ts';
import { openBox, pause, until } from '../test/box.ts';
import { changeCarrier, defaultCarrier, Throttle } from './carrier.ts';

const phone = '447700123456';

describe('receipts', () => {
  test('arrive after the configured delay', async () => {
    const box = await openBox();
    const business = await box.business();
    await box.carrier({ receipt_delay_ms: 300 });
    const start = Date.now();
    await business.send(phone, 'Hello');
    expect((await box.thread(phone))[0].status).toBe('delivered');
    await until(() => business.receipts.length === 1);
    expect(Date.now() - start).toBeGreaterThanOrEqual(298);
  });

  test('are never sent when 100% are lost', async () => {
    const box = await openBox();
    const business = await box.business();
    await box.carrier({ receipts_lost_percent: 100 });
    await business.send(phone, 'Hello');
    await pause(150);
    expect(business.receipts).toEqual([]);
    const stats = await box.get('stats');
    expect(stats.by_outcome.delivered).toBe(1);
    expect(stats.receipts).toEqual({ sent: 0, acked: 0, pending: 0 });
  });

  test('are sent twice when 100% are duplicated', async () => {
    const box = await openBox();
    const business = await box.business();
    await box.carrier({ receipts_twice_percent: 100 });
    const [response] = await business.send(phone, 'Hello');
    await until(() => business.receipts.length === 2);
    expect(business.receiptStates(response!.message_id)).toEqual(['DELIVERED', 'DELIVERED']);
  });

  test('arrive out of order when the setting is on', async () => {
    const box = await openBox();
    const business = await box.business();
    await box.carrier({ out_of_order: true });
    const ids: string[] = [];
    for (let at = 0; at < 12; at += 1) ids.push((await business.send(phone, `Message ${at}`))[0]!.message_id!);
    await until(() => business.receipts.length === 12);
    const receivedIds = business.receipts.map((receipt) => receipt.id);
    expect([...receivedIds].sort()).toEqual([...ids].sort());
    expect(receivedIds).not.toEqual(ids);
    expect(receivedIds.indexOf(ids[0]!)).toBeGreaterThan(receivedIds.indexOf(ids[1]!));
  });

  test('omit the reference when the setting is off', async () => {
    const box = await openBox();
    const business = await box.business();
    await box.carrier({ echo_reference: false });
    await business.send(phone, 'Hello', { tlvs: { user_message_reference: 5 } });
    await until(() => business.receipts.length === 1);
    expect(business.delivered[0]!.tlvs?.user_message_reference).toBeUndefined();
  });

  test.each([
    ['decimal', /^\d{15}$/, /^\d{15}$/],
    ['hex', /^[0-9A-F]{12}$/, /^[0-9A-F]{12}$/],
    ['mixed', /^[0-9A-F]{12}$/, /^\d{15}$/],
  ])('use message ids in %s format', async (id_format, inResponse, inReceipt) => {
    const box = await openBox();
    const business = await box.business();
    await box.carrier({ id_format });
    const [response] = await business.send(phone, 'Hello');
    await until(() => business.receipts.length === 1);
    expect(response!.message_id).toMatch(inResponse);
    expect(business.receipts[0]!.id).toMatch(inReceipt);
    const value = (id: string) => Number.parseInt(id, id.length === 15 ? 10 : 16);
    expect(value(business.receipts[0]!.id)).toBe(value(response!.message_id!));
    const query = { command: 'query_sm', message_id: response!.message_id!, source_addr: 'Parley' } as const;
    expect((await business.client.request(query)).message_state).toBe(2);
  });
});

describe('responses', () => {
  test('arrive after the configured delay', async () => {
    const box = await openBox();
    const business = await box.business();
    await box.carrier({ response_delay_ms: 200 });
    const start = Date.now();
    await business.send(phone, 'Hello');
    expect(Date.now() - start).toBeGreaterThanOrEqual(198);
  });

  test('can be lost even though the message is accepted', async () => {
    const box = await openBox();
    const business = await box.business({ response_timeout_ms: 300 });
    await box.carrier({ responses_lost_percent: 100 });
    await expect(business.send(phone, 'Hello')).rejects.toThrow(/no response/i);
    expect(business.receipts).toHaveLength(1);
    expect((await box.get('stats')).accepted).toBe(1);
  });

  test('return ESME_RTHROTTLED above the rate limit', async () => {
    const box = await openBox();
    const business = await box.business();
    await box.carrier({ throttle_per_second: 5 });
    const statuses: number[] = [];
    for (let at = 0; at < 8; at += 1) statuses.push((await business.send(phone, `${at}`))[0]!.command_status);
    expect(statuses.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
    expect(statuses.slice(5)).toContain(STATUS.ESME_RTHROTTLED);
    const stats = await box.get('stats');
    expect(stats.accepted + stats.refused.ESME_RTHROTTLED).toBe(8);
  });
});

describe('binds', () => {
  test('never have more deliveries in flight than the window allows', async () => {
    const box = await openBox();
    const business = await box.business();
    await box.carrier({ window: 3 });
    let [inFlight, maxInFlight] = [0, 0];
    business.onDeliver = async () => {
      inFlight += 1;
      maxInFlight = Math.max(maxInFlight, inFlight);
      await pause(10);
      inFlight -= 1;
    };
    for (let at = 0; at < 12; at += 1) await business.send(phone, `Message ${at}`);
    await until(() => business.receipts.length === 12);
    expect(maxInFlight).toBe(3);
  });

  test('can be disconnected without an unbind and refused for a while', async () => {
    const box = await openBox();
    const [first, second] = [await box.business(), await box.business({ system_id: 'other' })];
    const { body } = await box.call('POST', 'carrier/cut', { for_ms: 400 });
    expect(body.cut).toBe(2);
    const refusedUntil = Date.parse(body.refusing_binds_until);
    expect((await box.get('stats')).binds).toEqual([]);
    await until(() => first.client.state !== 'bound' && second.client.state !== 'bound');
    await until(() => first.client.state === 'bound' && second.client.state === 'bound');
    expect(Date.now()).toBeGreaterThanOrEqual(refusedUntil);
    expect((await box.get('stats')).refusing_binds_until).toBeNull();
  });

  test('do not lose receipts when they are disconnected during deliveries', async () => {
    const box = await openBox();
    const business = await box.business();
    let isBlocked = true;
    business.onDeliver = async () => {
      while (isBlocked) await pause(5);
    };
    const ids: string[] = [];
    for (let at = 0; at < 20; at += 1) ids.push((await business.send(phone, `Message ${at}`))[0]!.message_id!);
    await until(async () => (await box.get('stats')).binds[0].in_flight === 20);
    await box.call('POST', 'carrier/cut');
    isBlocked = false;
    business.delivered = [];
    await until(() => business.receipts.length >= 20 && business.client.state === 'bound');
    await until(async () => (await box.get('stats')).receipts.pending === 0);
    expect(new Set(business.receipts.map((receipt) => receipt.id))).toEqual(new Set(ids));
  });
});

test('a refused receipt is resent and does not delay other receipts', async () => {
  const box = await openBox();
  const business = await box.business();
  let refusals = 2;
  business.onDeliver = (pdu) => {
    if (pdu.short_message!.includes('Unwanted') && refusals-- > 0) throw new Error('temporarily unavailable');
  };
  await business.send(phone, 'Unwanted');
  await business.send(phone, 'Welcome');
  await until(() => business.receipts.length === 2);
  expect(business.receipts.map((receipt) => receipt.text)).toEqual(['Welcome', 'Unwanted']);
  expect((await box.get('stats')).receipts).toEqual({ sent: 4, acked: 2, pending: 0 });
});

test('a receipt without a response is resent', async () => {
  const box = await openBox({ answer_timeout_ms: 150 });
  const business = await box.business();
  let first = true;
  business.onDeliver = async () => {
    if (!first) return;
    first = false;
    await pause(400);
  };
  const [response] = await business.send(phone, 'Hello');
  await until(async () => (await box.get('stats')).receipts.pending === 0);
  expect(business.receiptStates(response!.message_id)[0]).toBe('DELIVERED');
  expect((await box.get('stats')).receipts).toMatchObject({ sent: 2, acked: 1 });
});

describe('settings', () => {
  const invalidFields: [field: string, body: unknown][] = [
    ['receipt_delay_ms', { receipt_delay_ms: -1 }],
    ['receipts_lost_percent', { receipts_lost_percent: 101 }],
    ['receipts_twice_percent', { receipts_twice_percent: 1.5 }],
    ['out_of_order', { out_of_order: 'yes' }],
    ['id_format', { id_format: 'octal' }],
    ['window', { window: 0 }],
    [
      'accounts',
      {
        accounts: [
          { system_id: 'a', password: '1' },
          { system_id: 'a', password: '2' },
        ],
      },
    ],
    ['password', { accounts: [{ system_id: 'a', password: 'far too long' }] }],
    ['speed', { speed: 1 }],
  ];
  test.each(invalidFields)('do not change when %s is invalid', (field, body) => {
    const before = defaultCarrier();
    const change = () => changeCarrier(before, body);
    expect(change).toThrow(Problem);
    expect(change).toThrow(expect.objectContaining({ status: 422, field }));
    expect(before).toEqual(defaultCarrier());
  });

  test('can be changed one by one and reset to the defaults', async () => {
    const box = await openBox();
    const { body } = await box.carrier({ receipts_lost_percent: 30, out_of_order: true });
    expect(body).toMatchObject({ receipts_lost_percent: 30, out_of_order: true, window: 100, receipt_delay_ms: 0 });
    const defaults = await box.get('carrier/usual');
    expect((await box.carrier(defaults)).body).toEqual(defaults);
    expect(await box.get('carrier')).toEqual(defaults);
  });
});

test('the throttle allows a one-second burst and refills evenly', () => {
  const throttle = new Throttle();
  const take = (now: number) => throttle.take('acme', 10, now);
  expect(Array.from({ length: 12 }, () => take(1000)).filter(Boolean)).toHaveLength(10);
  expect(take(1099)).toBe(false);
  expect(take(1100)).toBe(true);
  expect(Array.from({ length: 20 }, () => take(9000)).filter(Boolean)).toHaveLength(10);
  expect(throttle.take('acme', 0, 9000)).toBe(true);
});
