import { connect as connectTcp } from 'node:net';
import { STATUS } from '@parley/smpp/pdu.ts';
import { messageBody, Reassembly } from '@parley/smpp/reassembly.ts';
import { parseReceipt } from '@parley/smpp/receipt.ts';
import { Session } from '@parley/smpp/session.ts';
import { DATA_CODING, decodeText, encodeText } from '@parley/smpp/text.ts';
import { relativeTime } from '@parley/smpp/time.ts';
import { buildUdh } from '@parley/smpp/udh.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Business, openBox, pause, until } from '../test/box.ts';

const phone = '447700123456';
const replyText = (business: Business, at = 0) => {
  const pdu = business.replies[at]!;
  return decodeText(messageBody(pdu), pdu.data_coding ?? 0);
};

describe('a bind', () => {
  test('is accepted for any system_id, but only with the password "sandbox"', async () => {
    const box = await openBox();
    await box.business({ system_id: 'anyone' });
    const status = await bindStatus(box.sandbox.ports.smpp, 'anyone', 'wrong');
    expect(status).toBe(STATUS.ESME_RINVPASWD);
    const { binds } = await box.get('stats');
    expect(binds).toHaveLength(1);
    expect(binds[0]).toMatchObject({ system_id: 'anyone', bind: 'transceiver', tls: false });
  });

  test('is accepted only for configured accounts when accounts are set', async () => {
    const box = await openBox();
    await box.carrier({ accounts: [{ system_id: 'acme', password: 'secret' }] });
    expect(await bindStatus(box.sandbox.ports.smpp, 'acme', 'sandbox')).toBe(STATUS.ESME_RINVPASWD);
    expect(await bindStatus(box.sandbox.ports.smpp, 'other', 'secret')).toBe(STATUS.ESME_RINVPASWD);
    expect(await bindStatus(box.sandbox.ports.smpp, 'acme', 'secret')).toBe(STATUS.ESME_ROK);
  });

  test('works over TLS with a certificate that a client can trust', async () => {
    const box = await openBox();
    const { body: ca } = await box.call('GET', 'carrier/certificate');
    const { smpp_tls: port } = box.sandbox.ports;
    const business = await box.business({ port, tls: { ca, servername: 'localhost' } });
    const [response] = await business.send(phone, 'Secretly');
    await until(() => business.receiptStates(response!.message_id).length === 1);
    expect((await box.get('stats')).binds[0].tls).toBe(true);
  });

  test('responds to enquire_link and ends with unbind', async () => {
    const box = await openBox();
    const session = await openSession(box.sandbox.ports.smpp);
    const bound = await session.request({ command: 'bind_transceiver', system_id: 'acme', password: 'sandbox' });
    expect(bound.command_status).toBe(STATUS.ESME_ROK);
    expect((await session.request({ command: 'enquire_link' })).command).toBe('enquire_link_resp');
    await session.unbind();
    await until(async () => (await box.get('stats')).binds.length === 0);
  });

  test('distributes receipts for a transmitter across the receivers with the same system_id', async () => {
    const box = await openBox();
    const transmitter = await box.business({ bind: 'transmitter' });
    const receivers = [await box.business({ bind: 'receiver' }), await box.business({ bind: 'receiver' })];
    const stranger = await box.business({ system_id: 'stranger' });
    for (let at = 0; at < 10; at += 1) await transmitter.send(phone, `Message ${at}`);
    await until(() => receivers[0]!.receipts.length + receivers[1]!.receipts.length === 10);
    expect(receivers.map((receiver) => receiver.receipts.length)).toEqual([5, 5]);
    expect(transmitter.delivered).toEqual([]);
    expect(stranger.delivered).toEqual([]);
  });
});

describe('a submission', () => {
  test('appears on the phone and in the API and gets a receipt with TLVs and text', async () => {
    const box = await openBox();
    const business = await box.business();
    const [response] = await business.send(phone, 'Hello', { tlvs: { user_message_reference: 7 } });
    await until(() => business.receipts.length === 1);
    const pdu = business.delivered[0]!;
    expect(pdu).toMatchObject({ esm_class: 4, source_addr: phone, source_addr_ton: 1, destination_addr: 'Parley' });
    expect(pdu.tlvs).toMatchObject({
      receipted_message_id: response!.message_id,
      message_state: 2,
      user_message_reference: 7,
    });
    const text = pdu.short_message!.toString('latin1');
    expect(text).toMatch(
      new RegExp(`^id:${response!.message_id} sub:001 dlvrd:001 .* stat:DELIVRD err:000 text:Hello$`),
    );
    const [submission] = (await box.get(`submissions?to=${phone}`)).submissions;
    expect(submission).toMatchObject({
      message_id: response!.message_id,
      system_id: 'acme',
      from: 'Parley',
      to: phone,
      text: 'Hello',
      reference: 7,
      part: 1,
      parts: 1,
      outcome: 'delivered',
      receipts: 1,
    });
    expect(submission.sequence_number).toBeGreaterThan(0);
    const [message] = await box.thread(phone);
    expect(message).toMatchObject({ direction: 'to_phone', from: 'Parley', text: 'Hello', status: 'delivered' });
  });

  test('produces only the receipts that registered_delivery requests', async () => {
    const box = await openBox();
    const business = await box.business();
    await business.send(phone, 'None', { registered_delivery: 0 });
    await business.send(phone, 'Failures only', { registered_delivery: 2 });
    await business.send('447700900901', 'Failures only', { registered_delivery: 2 });
    await business.send('447700900901', 'Success only', { registered_delivery: 3 });
    await business.send('447700900917', 'Success, and states on the way', { registered_delivery: 0x13 });
    await until(() => business.receipts.length === 3);
    await pause(50);
    expect(business.receipts.map(({ state, text }) => [state, text])).toEqual([
      ['UNDELIVERABLE', 'Failures only'],
      ['ACCEPTED', 'Success, and states'],
      ['DELIVERED', 'Success, and states'],
    ]);
  });

  test.each([
    ['GSM-7', 'Price: 5 € {now} @ 100 %', encodeText('Price: 5 € {now} @ 100 %', 'gsm7').bytes, DATA_CODING.gsm7],
    ['Latin-1', 'Überraschung für ç', encodeText('Überraschung für ç', 'latin1').bytes, DATA_CODING.latin1],
    ['UCS-2', 'Բարև 🙂', encodeText('Բարև 🙂', 'ucs2').bytes, DATA_CODING.ucs2],
    ['ASCII', 'plain', encodeText('plain', 'ascii').bytes, DATA_CODING.ascii],
  ])('is decoded when it is encoded in %s', async (_name, text, short_message, data_coding) => {
    const box = await openBox();
    const business = await box.business();
    await business.send(phone, 'x', { short_message, data_coding });
    expect((await box.thread(phone))[0].text).toBe(text);
  });

  test.each(['udh8', 'udh16', 'sar', 'payload'] as const)(
    'becomes one message when a long text is sent in %s mode',
    async (mode) => {
      const box = await openBox();
      const business = await box.business();
      const text = `${'A long story. '.repeat(20)}The end €`;
      const responses = await business.send(phone, text, {}, mode);
      const thread = await box.thread(phone);
      expect(thread).toHaveLength(1);
      expect(thread[0]).toMatchObject({ text, status: 'delivered', parts: mode === 'payload' ? 1 : 2 });
      expect(thread[0].message_ids).toEqual(responses.map((response) => response.message_id));
      await until(() => business.receipts.length === responses.length);
      const { submissions } = await box.get('submissions');
      expect(submissions.map((row: { part: number }) => row.part)).toEqual(responses.map((_, at) => at + 1));
      expect((await box.get('stats')).incomplete).toBe(0);
    },
  );

  test('is joined when it is split within an emoji and arrives out of order', async () => {
    const box = await openBox();
    const business = await box.business();
    const octets = encodeText('ab🙂cd', 'ucs2').bytes;
    const part = (body: Buffer, number: number) => ({
      short_message: Buffer.concat([buildUdh({ reference: 9, total: 2, part: number, bits: 8 }), body]),
      esm_class: 0x40,
      data_coding: DATA_CODING.ucs2,
    });
    await business.send(phone, 'x', part(octets.subarray(6), 2));
    expect(await box.thread(phone)).toEqual([]);
    expect((await box.get('stats')).incomplete).toBe(1);
    await business.send(phone, 'x', part(octets.subarray(0, 6), 1));
    expect((await box.thread(phone))[0].text).toBe('ab🙂cd');
  });

  test('is refused when an address is invalid or the user data header is malformed', async () => {
    const box = await openBox();
    const business = await box.business();
    const status = async (fields: object, to = phone) => (await business.send(to, 'Hello', fields))[0]!.command_status;
    expect(await status({}, 'Bob')).toBe(STATUS.ESME_RINVDSTADR);
    expect(await status({}, '12')).toBe(STATUS.ESME_RINVDSTADR);
    expect(await status({ source_addr: '' })).toBe(STATUS.ESME_RINVSRCADR);
    expect(await status({ esm_class: 0x40, short_message: Buffer.from([200, 1]) })).toBe(STATUS.ESME_RINVESMCLASS);
    expect(await status({ validity_period: '' }, '+447700123456')).toBe(STATUS.ESME_ROK);
    expect((await box.get('stats')).accepted).toBe(1);
  });

  test('can be queried by its id, but only by its sender', async () => {
    const box = await openBox();
    const [business, stranger] = [await box.business(), await box.business({ system_id: 'stranger' })];
    await box.call('PUT', 'phones/447700123457', { state: 'off' });
    const [delivered] = await business.send(phone, 'Hello');
    const [waiting] = await business.send('447700123457', 'Hello');
    const query = (who: Business, message_id: string) =>
      who.client.request({ command: 'query_sm', message_id, source_addr: 'Parley' });
    expect(await query(business, delivered!.message_id!)).toMatchObject({ command_status: 0, message_state: 2 });
    expect(await query(business, waiting!.message_id!)).toMatchObject({ message_state: 1, final_date: '' });
    expect((await query(stranger, delivered!.message_id!)).command_status).toBe(STATUS.ESME_RQUERYFAIL);
    expect((await query(business, 'nonsense')).command_status).toBe(STATUS.ESME_RQUERYFAIL);
  });
});

describe('a phone', () => {
  const ends: [status: string, state: string, states: string[]][] = [
    ['undelivered', 'out_of_reach', ['UNDELIVERABLE']],
    ['rejected', 'reject', ['REJECTED']],
    ['delivered', 'on', ['DELIVERED']],
  ];
  test.each(ends)('leaves a message %s when its state is %s', async (status, state, states) => {
    const box = await openBox();
    const business = await box.business();
    await box.call('PUT', `phones/${phone}`, { state });
    const [response] = await business.send(phone, 'Hello');
    await until(() => business.receipts.length === 1);
    expect(business.receiptStates(response!.message_id)).toEqual(states);
    expect((await box.thread(phone))[0].status).toBe(status);
  });

  test('refuses messages or leaves them undelivered when it is full, depending on the setting', async () => {
    const box = await openBox();
    const business = await box.business();
    await box.call('PUT', `phones/${phone}`, { state: 'full' });
    expect((await business.send(phone, 'Hello'))[0]!.command_status).toBe(STATUS.ESME_RMSGQFUL);
    await box.carrier({ full_phone: 'undelivered' });
    expect((await business.send(phone, 'Hello'))[0]!.command_status).toBe(STATUS.ESME_ROK);
    await until(() => business.receipts[0]?.state === 'UNDELIVERABLE');
  });

  test('receives its waiting messages when it is turned on', async () => {
    const box = await openBox();
    const business = await box.business();
    await box.call('PUT', `phones/${phone}`, { state: 'off' });
    const [response] = await business.send(phone, 'Hello');
    await pause(100);
    expect(business.receipts).toEqual([]);
    expect((await box.get(`phones/${phone}/messages`)).phone).toMatchObject({ state: 'off', waiting: 1 });
    await box.call('PUT', `phones/${phone}`, { state: 'on' });
    await until(() => business.receiptStates(response!.message_id).includes('DELIVERED'));
    expect((await box.thread(phone))[0].status).toBe('delivered');
  });

  test('lets messages expire after the configured time or validity period while it is off', async () => {
    const box = await openBox();
    const business = await box.business();
    await box.call('PUT', `phones/${phone}`, { state: 'off' });
    const [shortLived] = await business.send(phone, 'Valid for a second', { validity_period: relativeTime(1) });
    const [longLived] = await business.send(phone, 'Valid for five minutes');
    await until(() => business.receiptStates(shortLived!.message_id).includes('EXPIRED'));
    expect(business.receiptStates(longLived!.message_id)).toEqual([]);
    await box.carrier({ expire_after_ms: 50 });
    const [expiring] = await business.send(phone, 'Valid briefly');
    await until(() => business.receiptStates(expiring!.message_id).includes('EXPIRED'));
    expect((await box.get('stats')).by_outcome).toMatchObject({ expired: 2, waiting: 1 });
  });

  test('replies to the account that wrote to it, even when other accounts are bound', async () => {
    const box = await openBox();
    const [stranger, business] = [await box.business({ system_id: 'stranger' }), await box.business()];
    await business.send(phone, 'Hello');
    const { status, body } = await box.call('POST', `phones/${phone}/messages`, { to: 'Parley', text: 'Ja, gerne ü' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ direction: 'from_phone', from: phone, to: 'Parley', status: 'waiting' });
    await until(() => business.replies.length === 1);
    expect(replyText(business)).toBe('Ja, gerne ü');
    expect(business.replies[0]).toMatchObject({ source_addr: phone, source_addr_ton: 1, destination_addr: 'Parley' });
    expect(parseReceipt(business.replies[0]!)).toBeNull();
    await until(async () => (await box.thread(phone)).at(-1).status === 'delivered');
    expect(stranger.delivered).toEqual([]);
  });

  test.each([
    ['GSM-7', 'I have a lot to say. '.repeat(15)],
    ['Unicode', 'Мне есть что сказать 🙂 '.repeat(8)],
  ])('sends a long %s reply in parts', async (_name, text) => {
    const box = await openBox();
    const business = await box.business();
    await box.call('POST', `phones/${phone}/messages`, { channel: 'SMS', to: '1234', text });
    const reassembly = new Reassembly();
    await until(() => business.replies.length === 3);
    const message = business.replies.map((pdu) => reassembly.add(pdu)).find((result) => result !== null);
    expect(business.replies.every((pdu) => pdu.esm_class === 0x40 && pdu.destination_addr === '1234')).toBe(true);
    expect(decodeText(message!.body, message!.pdus[0]!.data_coding ?? 0)).toBe(text);
  });

  test('can send a message before any receiver binds', async () => {
    const box = await openBox();
    await box.call('POST', `phones/${phone}/messages`, { to: '1234', text: 'Anybody?' });
    await box.business({ bind: 'transmitter' });
    await pause(50);
    expect((await box.get('stats')).replies).toEqual({ sent: 0, acked: 0, pending: 1 });
    const business = await box.business({ bind: 'receiver' });
    await until(() => business.replies.length === 1);
    expect(replyText(business)).toBe('Anybody?');
  });
});

function openSession(port: number): Promise<Session> {
  const socket = connectTcp(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  return new Promise((resolve) => socket.once('connect', () => resolve(new Session(socket))));
}

async function bindStatus(port: number, system_id: string, password: string): Promise<number> {
  const session = await openSession(port);
  return (await session.request({ command: 'bind_transceiver', system_id, password })).command_status;
}
