import { STATUS } from '@parley/smpp/pdu.ts';
import { messageBody, Reassembly } from '@parley/smpp/reassembly.ts';
import { decodeText } from '@parley/smpp/text.ts';
import { describe, expect, test } from 'vitest';
import { type Box, type Business, openBox, pause, until } from '../test/box.ts';
import { findMagic, magicNumbers } from './magic.ts';

const number = (last: string) => `4477009009${last}`;

async function start(): Promise<{ box: Box; business: Business }> {
  const box = await openBox();
  return { box, business: await box.business() };
}

describe('a receipt', () => {
  const ends: [last: string, states: string[], status: string][] = [
    ['01', ['UNDELIVERABLE'], 'undelivered'],
    ['03', ['REJECTED'], 'rejected'],
    ['04', ['EXPIRED'], 'expired'],
    ['07', ['DELIVERED', 'DELIVERED'], 'delivered'],
    ['17', ['ACCEPTED', 'DELIVERED'], 'delivered'],
    ['18', ['UNDELIVERABLE', 'DELIVERED'], 'delivered'],
  ];
  test.each(ends)('for …9009%s reports %j', async (last, states, status) => {
    const { box, business } = await start();
    const [response] = await business.send(number(last), 'Hello');
    expect(response!.command_status).toBe(STATUS.ESME_ROK);
    await until(() => business.receipts.length >= states.length);
    await pause(60);
    expect(business.receiptStates(response!.message_id)).toEqual(states);
    expect((await box.thread(number(last)))[0].status).toBe(status);
    expect((await box.get('stats')).receipts.pending).toBe(0);
  });
});

describe('a submission', () => {
  const refusals: [last: string, status: number][] = [
    ['02', STATUS.ESME_RINVDSTADR],
    ['12', STATUS.ESME_RSYSERR],
    ['13', STATUS.ESME_RMSGQFUL],
  ];
  test.each(refusals)('to …9009%s is always refused with %i and not stored', async (last, status) => {
    const { box, business } = await start();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const [response] = await business.send(number(last), 'Hello');
      expect(response!.command_status).toBe(status);
    }
    expect((await box.get('submissions')).submissions).toEqual([]);
    expect(await box.thread(number(last))).toEqual([]);
  });

  test('to …900909 is throttled twice for each text and then accepted', async () => {
    const { box, business } = await start();
    const statuses = [];
    for (const text of ['One', 'One', 'One', 'Two']) {
      statuses.push((await business.send(number('09'), text))[0]!.command_status);
    }
    const throttled = STATUS.ESME_RTHROTTLED;
    expect(statuses).toEqual([throttled, throttled, STATUS.ESME_ROK, throttled]);
    expect((await box.get('stats')).refused).toEqual({ ESME_RTHROTTLED: 3 });
  });

  test('to …900920 is accepted after one system error', async () => {
    const { business } = await start();
    expect((await business.send(number('20'), 'Hello'))[0]!.command_status).toBe(STATUS.ESME_RSYSERR);
    expect((await business.send(number('20'), 'Hello'))[0]!.command_status).toBe(STATUS.ESME_ROK);
  });
});

describe('a message', () => {
  test('to …900905 is delivered without a receipt', async () => {
    const { box, business } = await start();
    await business.send(number('05'), 'Hello');
    await pause(200);
    expect(business.receipts).toEqual([]);
    expect((await box.thread(number('05')))[0]).toMatchObject({ text: 'Hello', status: 'delivered' });
  });

  test('to …900906 gets its receipt after 10 seconds', async () => {
    const { box, business } = await start();
    await business.send(number('06'), 'Hello');
    await pause(150);
    expect(business.receipts).toEqual([]);
    const [message] = [...box.sandbox.world.messages.kept.after(0)];
    expect(message?.kind === 'submission' && message.receipts_due - message.time).toBe(10_000);
  });

  test('to …900910 is delivered with a receipt but without a response', async () => {
    const { box, business } = await start();
    await expect(business.send(number('10'), 'Hello', { tlvs: { user_message_reference: 4711 } })).rejects.toThrow(
      /no response/i,
    );
    expect(business.receipts.map((receipt) => receipt.state)).toEqual(['DELIVERED']);
    expect(business.delivered[0]!.tlvs?.user_message_reference).toBe(4711);
    expect((await box.thread(number('10'))).map((message) => message.text)).toEqual(['Hello']);
  });

  test('to …900911 is not accepted and does not get a response', async () => {
    const { box, business } = await start();
    await expect(business.send(number('11'), 'Hello')).rejects.toThrow(/no response/i);
    expect((await box.get('stats')).accepted).toBe(0);
    expect(business.delivered).toEqual([]);
  });
});

test('a message to …900908 gets its receipt before the response', async () => {
  const { business } = await start();
  const order: string[] = [];
  business.onDeliver = () => void order.push('receipt');
  const [response] = await business.send(number('08'), 'Hello');
  order.push('response');
  expect(order).toEqual(['receipt', 'response']);
  expect(business.receiptStates(response!.message_id)).toEqual(['DELIVERED']);
});

test('a message to …900919 gets a receipt with only text', async () => {
  const { business } = await start();
  const [response] = await business.send(number('19'), 'Hello');
  await until(() => business.receipts.length === 1);
  expect(business.delivered[0]!.tlvs ?? {}).toEqual({});
  expect(business.receipts[0]).toMatchObject({ id: response!.message_id, state: 'DELIVERED' });
});

describe('the automatic phone', () => {
  test.each([
    ['14', 'STOP'],
    ['15', 'Thanks'],
  ])('…9009%s replies %s at most once every ten seconds', async (last, text) => {
    const { business } = await start();
    await business.send(number(last), 'One');
    await until(() => business.replies.length === 1);
    const reply = business.replies[0]!;
    expect(decodeText(messageBody(reply), reply.data_coding ?? 0)).toBe(text);
    expect(reply).toMatchObject({ source_addr: number(last), destination_addr: 'Parley' });
    await business.send(number(last), 'Two');
    await pause(500);
    expect(business.replies).toHaveLength(1);
  });

  test('…900916 replies in several parts that join into one text', async () => {
    const { box, business } = await start();
    await business.send(number('16'), 'Well?');
    await until(
      async () => (await box.thread(number('16'))).at(-1)?.status === 'delivered' && business.replies.length > 1,
    );
    const reassembly = new Reassembly();
    const message = business.replies.map((pdu) => reassembly.add(pdu)).find((result) => result !== null);
    const text = decodeText(message!.body, message!.pdus[0]!.data_coding ?? 0);
    expect(text).toMatch(/24 €\? Спасибо, до встречи 🙂$/);
    expect((await box.thread(number('16'))).at(-1).text).toBe(text);
  });
});

test('every magic ending is documented and applies only to full phone numbers', async () => {
  const { box } = await start();
  const { numbers, mailboxes } = await box.get('magic');
  expect(numbers).toHaveLength(20);
  expect(numbers.map((row: { ending: string }) => row.ending)).toEqual(magicNumbers.map((row) => row.ending));
  for (const row of numbers) {
    expect(row.ending).toMatch(/^9009\d\d$/);
    expect(row.what.length).toBeGreaterThan(10);
  }
  expect(mailboxes.length).toBe(2);
  expect(findMagic('900901')).toBeUndefined();
  expect(findMagic('12900901')).toBeUndefined();
  expect(findMagic('12029900901')?.title).toBe('Undelivered');
});

test('a message waits when it is sent to a magic phone that is off', async () => {
  const { box, business } = await start();
  await box.call('PUT', `phones/${number('01')}`, { state: 'off' });
  await business.send(number('01'), 'Hello');
  expect((await box.thread(number('01')))[0].status).toBe('waiting');
});
