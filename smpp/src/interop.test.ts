/** Runs both roles against an independent implementation over real sockets, with and without TLS. */

import type { Server } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { destinationFields, parseAddress, sourceFields } from './address.ts';
import { type MultipartMode, split } from './multipart.ts';
import { type Pdu, STATUS } from './pdu.ts';
import { Reassembly } from './reassembly.ts';
import { formatReceipt, parseReceipt } from './receipt.ts';
import { startCarrier, startClient } from './test/carrier.ts';
import { selfSigned } from './test/certificate.ts';
import { type PeerMessage, type PeerPdu, type PeerSession, peer, request } from './test/peer.ts';
import { until } from './test/raw.ts';
import { decodeText, wireAlphabet } from './text.ts';
import { relativeTime } from './time.ts';

const LONG = 'Große Neuigkeiten {1}: alles für €1! '.repeat(9);
const UNICODE = 'Привет, мир! 😀 '.repeat(12);

describe('the client with an npm "smpp" server', () => {
  type PeerServer = { port: number; sessions: PeerSession[]; submits: PeerPdu[] };
  async function startPeerServer(options: object = {}): Promise<PeerServer> {
    const peerServer: PeerServer = { port: 0, sessions: [], submits: [] };
    const server: Server = peer.createServer(options, (session) => {
      peerServer.sessions.push(session);
      session.on('error', () => session.destroy());
      for (const bind of ['bind_transceiver', 'bind_transmitter', 'bind_receiver']) {
        session.on(bind, (pdu) => {
          const status = pdu.password === 'secret' ? 0 : STATUS.ESME_RINVPASWD;
          session.send(pdu.response({ command_status: status, system_id: 'peer' }));
          if (status) session.close();
        });
      }
      session.on('submit_sm', (pdu) => {
        peerServer.submits.push(pdu);
        session.send(pdu.response({ message_id: `t${peerServer.submits.length}` }));
      });
      session.on('query_sm', (pdu) => session.send(pdu.response({ message_id: pdu.message_id, message_state: 2 })));
      session.on('enquire_link', (pdu) => session.send(pdu.response()));
      session.on('unbind', (pdu) => {
        session.send(pdu.response());
        session.close();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    peerServer.port = (server.address() as { port: number }).port;
    onTestFinished(() => {
      for (const session of peerServer.sessions) session.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    });
    return peerServer;
  }
  const readText = (pdu: PeerPdu) => (pdu.short_message as PeerMessage).message;

  test.each(['transceiver', 'transmitter', 'receiver'] as const)(
    'binds as %s and reports why a bind is rejected',
    async (bind) => {
      const smsc = await startPeerServer();
      const { client: esme } = startClient(smsc.port, { bind });
      await until(() => esme.state === 'bound');
      const rejected = startClient(smsc.port, { bind, password: 'no' });
      await until(() => rejected.client.state === 'waiting');
      expect(rejected.client.detail).toContain('ESME_RINVPASWD');
    },
  );

  test('submits every field unchanged', async () => {
    const smsc = await startPeerServer();
    const { client: esme } = startClient(smsc.port);
    await until(() => esme.state === 'bound');
    const response = await esme.submit({
      ...sourceFields('Parley'),
      ...destinationFields('+374 91 234567'),
      registered_delivery: 1,
      validity_period: relativeTime(3_600),
      ...split('Hi @ {you} é', 'udh8', { alphabet: 'gsm7', reference: 1 })[0],
      tlvs: { user_message_reference: 4_711 },
    });
    expect(response).toMatchObject({ command_status: 0, message_id: 't1' });
    expect(smsc.submits[0]).toMatchObject({
      source_addr_ton: 5,
      source_addr: 'Parley',
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      destination_addr: '37491234567',
      registered_delivery: 1,
      data_coding: 0,
      user_message_reference: 4_711,
    });
    expect(readText(smsc.submits[0]!)).toBe('Hi @ {you} é');
    expect(((smsc.submits[0]!.validity_period as Date).getTime() - Date.now()) / 60_000).toBeCloseTo(60, 0);
    expect(await esme.request({ command: 'query_sm', message_id: 't1' })).toMatchObject({ message_state: 2 });
  });

  test.each(['udh8', 'udh16', 'sar', 'payload'] as const)('sends complete long messages in %s mode', async (mode) => {
    const smsc = await startPeerServer();
    const { client: esme } = startClient(smsc.port, { window: 50 });
    await until(() => esme.state === 'bound');
    for (const text of [LONG, UNICODE]) {
      smsc.submits.length = 0;
      const { alphabet } = wireAlphabet(text, 'gsm7');
      const parts = split(text, mode, { alphabet, reference: 300 });
      await Promise.all(parts.map((fields) => esme.submit(fields)));
      expect(smsc.submits).toHaveLength(parts.length);
      const received =
        mode === 'payload'
          ? (smsc.submits[0]!.message_payload as PeerMessage).message
          : smsc.submits.map((pdu) => readText(pdu)).join('');
      expect(received).toBe(text);
      if (mode.startsWith('udh')) {
        const udh = (smsc.submits[0]!.short_message as PeerMessage).udh![0]!;
        expect([...udh]).toEqual(
          mode === 'udh8' ? [0, 3, 300 & 0xff, parts.length, 1] : [8, 4, 1, 44, parts.length, 1],
        );
      }
    }
  });

  test('receives receipts, messages, and long messages', async () => {
    const smsc = await startPeerServer();
    const deliveries: Pdu[] = [];
    const { client: esme } = startClient(smsc.port, { onDeliver: (pdu) => void deliveries.push(pdu) });
    await until(() => esme.state === 'bound');
    const [session] = smsc.sessions as [PeerSession];
    const text = 'id:00A1 sub:001 dlvrd:001 submit date:2607151200 done date:2607151201 stat:DELIVRD err:000 text:Hi';
    const responses = await Promise.all([
      request(session, 'deliver_sm', { esm_class: 4, short_message: text }),
      request(session, 'deliver_sm', { esm_class: 4, receipted_message_id: 'b', message_state: 5 }),
      request(session, 'deliver_sm', { source_addr: '37499', data_coding: 8, short_message: 'Да 😀' }),
      request(session, 'data_sm', { source_addr: '37499', message_payload: { message: LONG } }),
      ...[0, 1, 2].map((index) =>
        request(session, 'deliver_sm', {
          source_addr: '37498',
          esm_class: 0x40,
          data_coding: 8,
          short_message: { udh: Buffer.from([5, 0, 3, 9, 3, 3 - index]), message: `часть ${3 - index}. ` },
        }),
      ),
    ]);
    expect(responses.map((pdu) => pdu.command_status)).toEqual(Array(7).fill(0));
    expect(parseReceipt(deliveries[0]!)).toMatchObject({ id: '00A1', state: 'DELIVERED' });
    expect(parseReceipt(deliveries[1]!)).toMatchObject({ id: 'b', state: 'UNDELIVERABLE' });
    const reassembly = new Reassembly();
    const texts = deliveries.slice(2).flatMap((pdu) => {
      const message = reassembly.add(pdu);
      return message ? [decodeText(message.body, message.pdus[0]!.data_coding!)] : [];
    });
    expect(texts[0]).toBe('Да 😀');
    expect(texts.slice(2)).toEqual(['часть 1. часть 2. часть 3. ']);
    // The npm package "smpp" declares GSM-7 octets as data_coding 1. A connection setting corrects this.
    const declared = deliveries.find((pdu) => pdu.command === 'data_sm');
    expect(declared!.data_coding).toBe(1);
    expect(decodeText(declared!.tlvs!.message_payload!, 1, { data_codings: { 1: 'gsm7' } })).toBe(LONG);
  });

  test('sends enquire_link, submits, and unbinds over TLS', async () => {
    const { key, cert } = selfSigned();
    const smsc = await startPeerServer({ key, cert });
    let enquiries = 0;
    const { client: esme } = startClient(smsc.port, { tls: { ca: cert }, enquire_link_ms: 20 });
    await until(() => esme.state === 'bound');
    smsc.sessions[0]!.on('enquire_link', () => enquiries++);
    await until(() => enquiries >= 2);
    expect((await request(smsc.sessions[0]!, 'enquire_link')).command).toBe('enquire_link_resp');
    await Promise.all(Array.from({ length: 300 }, () => esme.submit({ short_message: Buffer.from('x') })));
    let unbound = false;
    smsc.sessions[0]!.on('unbind', () => {
      unbound = true;
    });
    await esme.stop();
    expect(unbound).toBe(true);
  });
});

describe('the server with an npm "smpp" client', () => {
  async function dialServer(port: number, options: Record<string, unknown> = {}): Promise<PeerSession> {
    const session = peer.connect({ url: `smpp://127.0.0.1:${port}`, ...options });
    session.on('error', () => session.destroy());
    onTestFinished(() => session.destroy());
    await new Promise<void>((resolve) => session.on(options.tls ? 'secureConnect' : 'connect', () => resolve()));
    return session;
  }
  const credentials = { system_id: 'esme', password: 'secret' };

  test('handles binds, rejected binds, enquire_link, and unbind', async () => {
    const smsc = await startCarrier();
    const stranger = await dialServer(smsc.port);
    expect((await request(stranger, 'bind_transceiver', { ...credentials, password: 'x' })).command_status).toBe(0x0e);
    for (const bind of ['bind_transceiver', 'bind_transmitter', 'bind_receiver'] as const) {
      const session = await dialServer(smsc.port);
      expect(await request(session, bind, credentials)).toMatchObject({ command_status: 0, system_id: 'smsc' });
      expect((await request(session, 'enquire_link')).command).toBe('enquire_link_resp');
      expect((await request(session, 'unbind')).command).toBe('unbind_resp');
    }
    await until(() => smsc.bound.every((session) => !session.open));
  });

  test('receives long messages that can be reassembled', async () => {
    const smsc = await startCarrier();
    const session = await dialServer(smsc.port);
    await request(session, 'bind_transceiver', credentials);
    const parts = [1, 2].map((part) => ({
      ...{ source_addr: 'Parley', destination_addr: '37499', esm_class: 0x40, data_coding: 8 },
      short_message: { udh: Buffer.from([6, 8, 4, 1, 2, 2, part]), message: `Часть ${part}` },
    }));
    const responses = await Promise.all([
      ...parts.map((fields) => request(session, 'submit_sm', fields)),
      request(session, 'submit_sm', {
        message_payload: { message: LONG },
        data_coding: 0,
        validity_period: new Date(),
      }),
    ]);
    expect(responses.map((pdu) => pdu.command_status)).toEqual([0, 0, 0]);
    expect(responses[0]!.message_id).toMatch(/^m\d+$/);
    const reassembly = new Reassembly();
    expect(reassembly.add(smsc.submits[0]!)).toBeNull();
    expect(decodeText(reassembly.add(smsc.submits[1]!)!.body, 8)).toBe('Часть 1Часть 2');
    expect(decodeText(reassembly.add(smsc.submits[2]!)!.body, 0)).toBe(LONG);
  });

  test.each<MultipartMode>(['udh8', 'udh16', 'sar', 'payload'])(
    'delivers receipts and long messages in %s mode',
    async (mode) => {
      const smsc = await startCarrier();
      const session = await dialServer(smsc.port);
      const deliveries: PeerPdu[] = [];
      session.on('deliver_sm', (pdu) => {
        deliveries.push(pdu);
        session.send(pdu.response());
      });
      await request(session, 'bind_transceiver', credentials);
      const date = new Date('2026-07-15T12:00:00Z');
      await smsc.bound[0]!.deliver({
        ...formatReceipt({ id: 'm7', state: 'DELIVERED', submit_date: date, done_date: date }),
        source_addr: parseAddress('+37499').addr,
      });
      expect(deliveries[0]).toMatchObject({ esm_class: 4, receipted_message_id: 'm7', message_state: 2 });
      expect((deliveries[0]!.short_message as PeerMessage).message).toContain(
        'id:m7 sub:001 dlvrd:001 submit date:2607151200',
      );
      const parts = split(UNICODE, mode, { alphabet: 'ucs2', reference: 1 });
      for (const fields of parts) expect((await smsc.bound[0]!.deliver(fields)).command_status).toBe(0);
      const body = deliveries
        .slice(1)
        .map((pdu) => ((mode === 'payload' ? pdu.message_payload : pdu.short_message) as PeerMessage).message);
      expect(body.join('')).toBe(UNICODE);
    },
  );

  test('handles 500 concurrent requests over TLS', async () => {
    const { key, cert } = selfSigned();
    const smsc = await startCarrier({ tls: { key, cert } });
    const session = await dialServer(smsc.port, { tls: true, ca: cert, url: `ssmpp://127.0.0.1:${smsc.port}` });
    await request(session, 'bind_transceiver', credentials);
    const responses = await Promise.all(
      Array.from({ length: 500 }, (_, i) =>
        request(session, 'submit_sm', { destination_addr: String(i), short_message: 'x' }),
      ),
    );
    expect(new Set(responses.map((pdu) => pdu.message_id)).size).toBe(500);
  });
});
