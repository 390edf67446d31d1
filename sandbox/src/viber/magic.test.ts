import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { until } from '../test/box.ts';
import { openReceiver } from '../test/receiver.ts';
import { bareDigits, openViber, token, type ViberSender } from '../test/viber.ts';
import { findViberMagic, viberMagicNumbers } from './magic.ts';

const number = (last: string) => `4477009007${last}`;
const waitUntilIdle = (business: ViberSender) =>
  until(async () => (await business.box.get('viber/stats')).callbacks.pending === 0);

test.each([
  ['01', 9],
  ['02', 8],
  ['03', 10],
  ['04', 1],
  ['05', 7],
  ['22', 13],
  ['23', 21],
  ['24', 27],
])('a message to …9007%s is always refused with status %i', async (last, status) => {
  const business = await openViber();
  for (let attempt = 0; attempt < 3; attempt += 1) {
    expect(await business.send({ dest: number(last) })).toMatchObject({ status });
  }
  expect(await business.box.thread(number(last))).toEqual([]);
});

test.each([
  ['07', [2]],
  ['10', [0, 0, 1, 1]],
  ['11', [1]],
  ['12', [1, 0]],
  ['13', [0]],
])('a message to …9007%s triggers the callbacks %j', async (last, statuses) => {
  const business = await openViber();
  const { message_token } = await business.send({ dest: number(last) });
  await until(() => business.callbackStatuses(message_token).length === statuses.length);
  await waitUntilIdle(business);
  expect(business.callbackStatuses(message_token).sort()).toEqual([...statuses].sort());
  if (last === '12') expect(business.callbackStatuses(message_token)).toEqual([1, 0]);
});

test('a message to …900706 is accepted after one internal error', async () => {
  const business = await openViber();
  expect(await business.send({ dest: number('06') })).toMatchObject({ status: 1 });
  expect(await business.send({ dest: number('06') })).toMatchObject({ status: 0 });
});

test('a message to …900708 is delivered and seen without callbacks', async () => {
  const business = await openViber();
  await business.send({ dest: number('08') });
  await until(async () => (await business.box.thread(number('08')))[0].status === 'read');
  expect((await business.box.get('viber/stats')).callbacks).toMatchObject({ sent: 0, pending: 0 });
});

test('a message to …900709 is delivered after 10 seconds', async () => {
  const business = await openViber();
  await business.send({ dest: number('09') });
  const [message] = await business.box.thread(number('09'));
  expect(Date.parse(message.history[0].time) - Date.parse(message.time)).toBeGreaterThan(9_900);
});

test('a message to …900714 first triggers a callback with an incorrect signature', async () => {
  const business = await openViber();
  const signed = (body: string) => createHmac('sha256', token).update(body).digest('hex');
  const results: boolean[] = [];
  business.receiver.respond = ({ body, headers }) => {
    results.push(headers['x-viber-content-signature'] === signed(body));
    return results.at(-1) ? 200 : 401;
  };
  await business.box.call('PUT', `phones/${number('14')}`, { reads: 'never' });
  const { message_token } = await business.send({ dest: number('14') });
  await waitUntilIdle(business);
  expect(business.callbackStatuses(message_token)).toEqual([0, 0]);
  expect(results).toEqual([false, true]);
});

describe('a message without a response', () => {
  test('is accepted by …900715 but not by …900716', async () => {
    const business = await openViber();
    await expect(business.send({ dest: number('15') })).rejects.toThrow();
    await until(async () => (await business.box.thread(number('15')))[0]?.status === 'read');
    await expect(business.send({ dest: number('16') })).rejects.toThrow();
    expect((await business.box.get('viber/stats')).accepted).toBe(1);
  });
});

describe('the automatic phone', () => {
  test.each([
    ['17', 'STOP'],
    ['18', 'Thanks'],
  ])('…9007%s replies %s at most once every ten seconds', async (last, text) => {
    const business = await openViber();
    await business.send({ dest: number(last) });
    await until(() => business.messages.length === 1);
    expect(business.messages[0]).toMatchObject({ phone_number: number(last), message: { text, tracking_data: 't-1' } });
    await business.send({ dest: number(last) });
    await until(async () => (await business.box.thread(number(last))).at(-1).status === 'read');
    expect((await business.box.get('viber/stats')).from_phone).toBe(1);
  });

  test('…900719 replies with a valid picture', async () => {
    const business = await openViber();
    await business.send({ dest: number('19') });
    await until(() => business.messages.length === 1);
    const response = await fetch(business.messages[0]!.message.media);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
  });

  test('…900720 blocks the service, which receives a callback and is refused from then on', async () => {
    const business = await openViber();
    await business.send({ dest: number('20') });
    await until(() => business.receiver.received.some(({ json }) => json.event === 'unsubscribed'));
    expect(await business.send({ dest: number('20') })).toMatchObject({ status: 8 });
  });

  test('…900721 presses the button', async () => {
    const business = await openViber();
    const shop = await openReceiver('/s/1');
    const { message_token } = await business.send({
      dest: number('21'),
      type: 209,
      message: { '#caption': 'Open', '#action': shop.url },
    });
    await until(() => shop.received.length === 1);
    const [message] = (await business.box.get(`viber/messages?to=${number('21')}`)).messages;
    expect(message).toMatchObject({ message_token, pressed: [0] });
    expect(bareDigits(shop.url, 'message_token')).toBeUndefined();
  });
});

test('every magic ending is documented and differs from the SMS endings', async () => {
  const { box } = await openViber();
  const magic = await box.get('magic');
  expect(magic.viber.map(({ ending }: { ending: string }) => ending)).toEqual(
    viberMagicNumbers.map((row) => row.ending),
  );
  const sms = new Set(magic.numbers.map(({ ending }: { ending: string }) => ending));
  for (const { ending, what: description } of viberMagicNumbers) {
    expect(ending).toMatch(/^9007\d\d$/);
    expect(sms.has(ending)).toBe(false);
    expect(description.length).toBeGreaterThan(10);
  }
  expect(findViberMagic('900701')).toBeUndefined();
  expect(findViberMagic('12029900701')?.title).toBe('Not on Viber');
});
