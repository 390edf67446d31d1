// Both roles against an independent implementation, over real sockets, plain and TLS.

import type { Server } from 'node:net';
import { describe, expect, test } from 'vitest';
import { addressOf, destinationFields, sourceFields } from './address.ts';
import { type MultipartMode, Reassembly, split } from './multipart.ts';
import { type Pdu, STATUS } from './pdu.ts';
import { formatReceipt, parseReceipt } from './receipt.ts';
import { carrier, cleanup, client } from './test/carrier.ts';
import { selfSigned } from './test/certificate.ts';
import { ask, type PeerMessage, type PeerPdu, type PeerSession, peer } from './test/peer.ts';
import { until } from './test/raw.ts';
import { decodeText, wireAlphabet } from './text.ts';
import { relativeTime } from './time.ts';

const LONG = 'Große Neuigkeiten {1}: alles für €1! '.repeat(9);
const UNICODE = 'Привет, мир! 😀 '.repeat(12);

describe('our client, their server', () => {
  type Theirs = { port: number; sessions: PeerSession[]; got: PeerPdu[] };
  async function theirs(options: object = {}): Promise<Theirs> {
    const it: Theirs = { port: 0, sessions: [], got: [] };
    const server: Server = peer.createServer(options, (session) => {
      it.sessions.push(session);
      session.on('error', () => session.destroy());
      for (const bind of ['bind_transceiver', 'bind_transmitter', 'bind_receiver']) {
        session.on(bind, (pdu) => {
          const status = pdu.password === 'secret' ? 0 : STATUS.ESME_RINVPASWD;
          session.send(pdu.response({ command_status: status, system_id: 'theirs' }));
          if (status) session.close();
        });
      }
      session.on('submit_sm', (pdu) => {
        it.got.push(pdu);
        session.send(pdu.response({ message_id: `t${it.got.length}` }));
      });
      session.on('query_sm', (pdu) => session.send(pdu.response({ message_id: pdu.message_id, message_state: 2 })));
      session.on('enquire_link', (pdu) => session.send(pdu.response()));
      session.on('unbind', (pdu) => {
        session.send(pdu.response());
        session.close();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    it.port = (server.address() as { port: number }).port;
    cleanup.push(() => {
      for (const session of it.sessions) session.destroy();
      return new Promise((resolve) => server.close(resolve));
    });
    return it;
  }
  const textOf = (pdu: PeerPdu) => (pdu.short_message as PeerMessage).message;

  test.each(['transceiver', 'transmitter', 'receiver'] as const)('binds as %s, and hears why not', async (bind) => {
    const there = await theirs();
    const { client: esme } = client(there.port, { bind });
    await until(() => esme.state === 'bound');
    const refused = client(there.port, { bind, password: 'no' });
    await until(() => refused.client.state === 'waiting');
    expect(refused.client.detail).toContain('ESME_RINVPASWD');
  });

  test('submits every field as it was meant', async () => {
    const there = await theirs();
    const { client: esme } = client(there.port);
    await until(() => esme.state === 'bound');
    const answer = await esme.submit({
      ...sourceFields('Parley'),
      ...destinationFields('+374 91 234567'),
      registered_delivery: 1,
      validity_period: relativeTime(3_600),
      ...split('Hi @ {you} é', 'udh8', { alphabet: 'gsm7', reference: 1 })[0],
      tlvs: { user_message_reference: 4_711 },
    });
    expect(answer).toMatchObject({ command_status: 0, message_id: 't1' });
    expect(there.got[0]).toMatchObject({
      source_addr_ton: 5,
      source_addr: 'Parley',
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      destination_addr: '37491234567',
      registered_delivery: 1,
      data_coding: 0,
      user_message_reference: 4_711,
    });
    expect(textOf(there.got[0]!)).toBe('Hi @ {you} é');
    expect(((there.got[0]!.validity_period as Date).getTime() - Date.now()) / 60_000).toBeCloseTo(60, 0);
    expect(await esme.request({ command: 'query_sm', message_id: 't1' })).toMatchObject({ message_state: 2 });
  });

  test.each(['udh8', 'udh16', 'sar', 'payload'] as const)('long messages by %s arrive whole', async (mode) => {
    const there = await theirs();
    const { client: esme } = client(there.port, { window: 50 });
    await until(() => esme.state === 'bound');
    for (const text of [LONG, UNICODE]) {
      there.got.length = 0;
      const { alphabet } = wireAlphabet(text, 'gsm7');
      const parts = split(text, mode, { alphabet, reference: 300 });
      await Promise.all(parts.map((fields) => esme.submit(fields)));
      expect(there.got).toHaveLength(parts.length);
      const whole =
        mode === 'payload'
          ? (there.got[0]!.message_payload as PeerMessage).message
          : there.got.map((pdu) => textOf(pdu)).join('');
      expect(whole).toBe(text);
      if (mode.startsWith('udh')) {
        const udh = (there.got[0]!.short_message as PeerMessage).udh![0]!;
        expect([...udh]).toEqual(
          mode === 'udh8' ? [0, 3, 300 & 0xff, parts.length, 1] : [8, 4, 1, 44, parts.length, 1],
        );
      }
    }
  });

  test('takes receipts and messages, long ones too', async () => {
    const there = await theirs();
    const got: Pdu[] = [];
    const { client: esme } = client(there.port, { onDeliver: (pdu) => void got.push(pdu) });
    await until(() => esme.state === 'bound');
    const [session] = there.sessions as [PeerSession];
    const text = 'id:00A1 sub:001 dlvrd:001 submit date:2607151200 done date:2607151201 stat:DELIVRD err:000 text:Hi';
    const answers = await Promise.all([
      ask(session, 'deliver_sm', { esm_class: 4, short_message: text }),
      ask(session, 'deliver_sm', { esm_class: 4, receipted_message_id: 'b', message_state: 5 }),
      ask(session, 'deliver_sm', { source_addr: '37499', data_coding: 8, short_message: 'Да 😀' }),
      ask(session, 'data_sm', { source_addr: '37499', message_payload: { message: LONG } }),
      ...[0, 1, 2].map((index) =>
        ask(session, 'deliver_sm', {
          source_addr: '37498',
          esm_class: 0x40,
          data_coding: 8,
          short_message: { udh: Buffer.from([5, 0, 3, 9, 3, 3 - index]), message: `часть ${3 - index}. ` },
        }),
      ),
    ]);
    expect(answers.map((pdu) => pdu.command_status)).toEqual(Array(7).fill(0));
    expect(parseReceipt(got[0]!)).toMatchObject({ id: '00A1', state: 'DELIVERED' });
    expect(parseReceipt(got[1]!)).toMatchObject({ id: 'b', state: 'UNDELIVERABLE' });
    const reassembly = new Reassembly();
    const texts = got.slice(2).flatMap((pdu) => {
      const whole = reassembly.add(pdu);
      return whole ? [decodeText(whole.body, whole.pdus[0]!.data_coding!)] : [];
    });
    expect(texts[0]).toBe('Да 😀');
    expect(texts.slice(2)).toEqual(['часть 1. часть 2. часть 3. ']);
    // Their habit: GSM-7 octets declared as data_coding 1, which a setting of the connection can allow for.
    const declared = got.find((pdu) => pdu.command === 'data_sm');
    expect(declared!.data_coding).toBe(1);
    expect(decodeText(declared!.tlvs!.message_payload!, 1, { data_codings: { 1: 'gsm7' } })).toBe(LONG);
  });

  test('keeps the line, unbinds, and works over TLS', async () => {
    const { key, cert } = selfSigned();
    const there = await theirs({ key, cert });
    let enquiries = 0;
    const { client: esme } = client(there.port, { tls: { ca: cert }, enquire_link_ms: 20 });
    await until(() => esme.state === 'bound');
    there.sessions[0]!.on('enquire_link', () => enquiries++);
    await until(() => enquiries >= 2);
    expect((await ask(there.sessions[0]!, 'enquire_link')).command).toBe('enquire_link_resp');
    await Promise.all(Array.from({ length: 300 }, () => esme.submit({ short_message: Buffer.from('x') })));
    let unbound = false;
    there.sessions[0]!.on('unbind', () => {
      unbound = true;
    });
    await esme.stop();
    expect(unbound).toBe(true);
  });
});

describe('their client, our server', () => {
  async function dialled(port: number, more: Record<string, unknown> = {}): Promise<PeerSession> {
    const session = peer.connect({ url: `smpp://127.0.0.1:${port}`, ...more });
    session.on('error', () => session.destroy());
    cleanup.push(() => session.destroy());
    await new Promise<void>((resolve) => session.on(more.tls ? 'secureConnect' : 'connect', () => resolve()));
    return session;
  }
  const credentials = { system_id: 'esme', password: 'secret' };

  test('binds, is refused, enquires, unbinds', async () => {
    const smsc = await carrier();
    const stranger = await dialled(smsc.port);
    expect((await ask(stranger, 'bind_transceiver', { ...credentials, password: 'x' })).command_status).toBe(0x0e);
    for (const bind of ['bind_transceiver', 'bind_transmitter', 'bind_receiver'] as const) {
      const session = await dialled(smsc.port);
      expect(await ask(session, bind, credentials)).toMatchObject({ command_status: 0, system_id: 'smsc' });
      expect((await ask(session, 'enquire_link')).command).toBe('enquire_link_resp');
      expect((await ask(session, 'unbind')).command).toBe('unbind_resp');
    }
    await until(() => smsc.bound.every((session) => !session.open));
  });

  test('submits long messages that we put together', async () => {
    const smsc = await carrier();
    const session = await dialled(smsc.port);
    await ask(session, 'bind_transceiver', credentials);
    const parts = [1, 2].map((part) => ({
      ...{ source_addr: 'Parley', destination_addr: '37499', esm_class: 0x40, data_coding: 8 },
      short_message: { udh: Buffer.from([6, 8, 4, 1, 2, 2, part]), message: `Часть ${part}` },
    }));
    const answers = await Promise.all([
      ...parts.map((fields) => ask(session, 'submit_sm', fields)),
      ask(session, 'submit_sm', { message_payload: { message: LONG }, data_coding: 0, validity_period: new Date() }),
    ]);
    expect(answers.map((pdu) => pdu.command_status)).toEqual([0, 0, 0]);
    expect(answers[0]!.message_id).toMatch(/^m\d+$/);
    const reassembly = new Reassembly();
    expect(reassembly.add(smsc.submits[0]!)).toBeNull();
    expect(decodeText(reassembly.add(smsc.submits[1]!)!.body, 8)).toBe('Часть 1Часть 2');
    expect(decodeText(reassembly.add(smsc.submits[2]!)!.body, 0)).toBe(LONG);
  });

  test.each<MultipartMode>(['udh8', 'udh16', 'sar', 'payload'])(
    'gets receipts and long messages by %s',
    async (mode) => {
      const smsc = await carrier();
      const session = await dialled(smsc.port);
      const got: PeerPdu[] = [];
      session.on('deliver_sm', (pdu) => {
        got.push(pdu);
        session.send(pdu.response());
      });
      await ask(session, 'bind_transceiver', credentials);
      const date = new Date('2026-07-15T12:00:00Z');
      await smsc.bound[0]!.deliver({
        ...formatReceipt({ id: 'm7', state: 'DELIVERED', submit_date: date, done_date: date }),
        source_addr: addressOf('+37499').addr,
      });
      expect(got[0]).toMatchObject({ esm_class: 4, receipted_message_id: 'm7', message_state: 2 });
      expect((got[0]!.short_message as PeerMessage).message).toContain(
        'id:m7 sub:001 dlvrd:001 submit date:2607151200',
      );
      const parts = split(UNICODE, mode, { alphabet: 'ucs2', reference: 1 });
      for (const fields of parts) expect((await smsc.bound[0]!.deliver(fields)).command_status).toBe(0);
      const body = got
        .slice(1)
        .map((pdu) => ((mode === 'payload' ? pdu.message_payload : pdu.short_message) as PeerMessage).message);
      expect(body.join('')).toBe(UNICODE);
    },
  );

  test('over TLS, with hundreds under way', async () => {
    const { key, cert } = selfSigned();
    const smsc = await carrier({ tls: { key, cert } });
    const session = await dialled(smsc.port, { tls: true, ca: cert, url: `ssmpp://127.0.0.1:${smsc.port}` });
    await ask(session, 'bind_transceiver', credentials);
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, i) =>
        ask(session, 'submit_sm', { destination_addr: String(i), short_message: 'x' }),
      ),
    );
    expect(new Set(answers.map((pdu) => pdu.message_id)).size).toBe(500);
  });
});
