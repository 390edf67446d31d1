import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Command, encodePdu, type PduDraft, STATUS, statusName } from './pdu.ts';
import { type BoundSession, createSmppServer, type ServerOptions, type SmppServer } from './server.ts';
import { anyPdu } from './test/pdus.ts';
import { dial, type RawPeer, until } from './test/raw.ts';

const bind = (overrides: Partial<PduDraft> = {}): PduDraft => ({
  command: 'bind_transceiver',
  sequence_number: 1,
  system_id: 'esme',
  password: 'secret',
  interface_version: 0x34,
  ...overrides,
});
const submit = (overrides: Partial<PduDraft> = {}): PduDraft => ({
  command: 'submit_sm',
  sequence_number: 2,
  source_addr: 'Parley',
  destination_addr: '37491234567',
  short_message: Buffer.from('hi'),
  ...overrides,
});

let server: SmppServer;
let port: number;
let bound: BoundSession[];
const peers: RawPeer[] = [];

async function start(overrides: Partial<ServerOptions> = {}): Promise<void> {
  bound = [];
  server = createSmppServer({
    authenticate: (pdu) => (pdu.password === 'secret' ? STATUS.ESME_ROK : STATUS.ESME_RINVPASWD),
    onBound: (session) => {
      bound.push(session);
      session.onSubmit = (pdu) => ({ message_id: `id-${pdu.sequence_number}` });
    },
    enquire_link_ms: 0,
    ...overrides,
  });
  port = await server.listen(0, '127.0.0.1');
}

async function connect(): Promise<RawPeer> {
  const peer = await dial(port);
  peers.push(peer);
  return peer;
}

async function bindClient(overrides: Partial<PduDraft> = {}): Promise<RawPeer> {
  const peer = await connect();
  expect(await peer.request(bind(overrides))).toMatchObject({ command_status: 0, system_id: 'smsc' });
  return peer;
}

beforeEach(() => start());
afterEach(async () => {
  for (const peer of peers.splice(0)) peer.destroy();
  await server.close(50);
});

describe('a bind', () => {
  test("returns the server's name and allows submits", async () => {
    const peer = await bindClient();
    expect(await peer.request(submit())).toMatchObject({
      command: 'submit_sm_resp',
      command_status: 0,
      message_id: 'id-2',
    });
    expect(server.sessions.size).toBe(1);
    expect(bound[0]).toMatchObject({ bind: 'transceiver', system_id: 'esme', open: true });
  });

  test('is rejected with the status from authenticate, and the connection is closed', async () => {
    const peer = await connect();
    expect(await peer.request(bind({ password: 'guess' }))).toMatchObject({ command_status: STATUS.ESME_RINVPASWD });
    await peer.closed;
    expect(server.sessions.size).toBe(0);
  });

  test('is rejected with a system error if authenticate throws', async () => {
    await server.close();
    await start({ authenticate: () => Promise.reject(new Error('database unavailable')) });
    const peer = await connect();
    expect(await peer.request(bind())).toMatchObject({ command_status: STATUS.ESME_RSYSERR });
    await peer.closed;
  });

  test('must be the first request and cannot be repeated', async () => {
    const peer = await connect();
    expect(await peer.request(submit())).toMatchObject({
      command: 'submit_sm_resp',
      command_status: STATUS.ESME_RINVBNDSTS,
    });
    expect(await peer.request(bind())).toMatchObject({ command_status: 0 });
    expect(await peer.request(bind())).toMatchObject({
      command: 'bind_transceiver_resp',
      command_status: STATUS.ESME_RALYBND,
    });
    expect(await peer.request(submit())).toMatchObject({ message_id: 'id-2' });
  });

  test('cannot submit as a receiver or receive deliveries as a transmitter', async () => {
    const receiver = await bindClient({ command: 'bind_receiver' });
    expect(await receiver.request(submit())).toMatchObject({ command_status: STATUS.ESME_RINVBNDSTS });
    await bindClient({ command: 'bind_transmitter' });
    await expect(bound[1]!.deliver({})).rejects.toThrow('cannot receive deliveries');
    expect([bound[0]!.free, bound[1]!.free]).toEqual([10, 0]);
  });

  test('must arrive before the timeout, or the connection is closed', async () => {
    await server.close();
    await start({ bind_timeout_ms: 40 });
    const peer = await connect();
    const chatty = await connect();
    const bad = setInterval(() => chatty.send({ command: 'enquire_link', sequence_number: 1 }), 10);
    await Promise.all([peer.closed, chatty.closed]);
    clearInterval(bad);
    await until(() => server.connections === 0);
  });
});

describe('a bound session', () => {
  test("sends the application's response, or a system error when it fails", async () => {
    const peer = await bindClient();
    bound[0]!.onSubmit = async (pdu) => {
      if (pdu.sequence_number === 10) return null;
      if (pdu.sequence_number === 11) throw new Error('failed');
      if (pdu.sequence_number === 12) return { message_id: 'x'.repeat(70) };
      return { command_status: STATUS.ESME_RTHROTTLED, tlvs: { additional_status_info_text: 'slow down' } };
    };
    peer.send(...[10, 11, 12, 13].map((sequence_number) => submit({ sequence_number })));
    await until(() => peer.received.length === 3);
    expect(peer.received.map((pdu) => [pdu.sequence_number, statusName(pdu.command_status)])).toEqual([
      [11, 'ESME_RSYSERR'],
      [12, 'ESME_RSYSERR'],
      [13, 'ESME_RTHROTTLED'],
    ]);
    expect(peer.received[2]!.tlvs).toEqual({ additional_status_info_text: 'slow down' });
  });

  test.each<[Command, string]>([
    ['query_sm', 'ESME_RQUERYFAIL'],
    ['cancel_sm', 'ESME_RCANCELFAIL'],
    ['replace_sm', 'ESME_RREPLACEFAIL'],
    ['deliver_sm', 'ESME_RINVCMDID'],
  ])('responds to %s even if the application does not handle it', async (command, status) => {
    const peer = await bindClient();
    const response = await peer.request({ command, sequence_number: 5 });
    expect(response).toMatchObject({ command: `${command}_resp`, sequence_number: 5 });
    expect(statusName(response!.command_status)).toBe(status);
  });

  test('passes queries to the application', async () => {
    const peer = await bindClient();
    bound[0]!.onRequest = (pdu) => ({ message_id: pdu.message_id!, message_state: 2 });
    const response = await peer.request({ command: 'query_sm', sequence_number: 5, message_id: 'm' });
    expect(response).toMatchObject({ command: 'query_sm_resp', message_id: 'm', message_state: 2 });
  });

  test('responds to enquire_link and unbind automatically', async () => {
    const peer = await bindClient();
    expect(await peer.request({ command: 'enquire_link', sequence_number: 8 })).toMatchObject({
      command: 'enquire_link_resp',
    });
    expect(await peer.request({ command: 'unbind', sequence_number: 9 })).toMatchObject({
      command: 'unbind_resp',
      sequence_number: 9,
    });
    await peer.closed;
    await until(() => server.sessions.size === 0);
  });

  test('keeps deliveries within the window and settles them when the connection breaks', async () => {
    const peer = await bindClient();
    const results = Array.from({ length: 25 }, (_, i) => bound[0]!.deliver({ source_addr: String(i) }));
    const completion = Promise.allSettled(results);
    await until(() => peer.received.length === 10);
    expect(bound[0]).toMatchObject({ in_flight: 10, free: 0 });
    for (const pdu of peer.received.splice(0, 4)) {
      peer.send({ command: 'deliver_sm_resp', sequence_number: pdu.sequence_number });
    }
    await until(() => peer.received.length === 10);
    expect(bound[0]!.in_flight).toBe(10);
    peer.destroy();
    const outcomes = (await completion).map((outcome) =>
      outcome.status === 'fulfilled' ? 'ok' : `closed, sent ${outcome.reason.sent}`,
    );
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(4);
    expect(outcomes.filter((outcome) => outcome === 'closed, sent true')).toHaveLength(10);
    expect(outcomes.filter((outcome) => outcome === 'closed, sent false')).toHaveLength(11);
  });

  test('is unbound when the server closes, or disconnected if the peer does not respond', async () => {
    const responsive = await bindClient();
    const peer = await bindClient();
    const closing = server.close(100);
    expect(await responsive.next()).toMatchObject({ command: 'unbind' });
    responsive.send({ command: 'unbind_resp', sequence_number: 1 });
    await Promise.all([responsive.closed, peer.closed, closing]);
    expect([server.sessions.size, server.connections]).toEqual([0, 0]);
  });
});

const header = (length: number, id = 4, sequence = 77) => {
  const octets = Buffer.alloc(16);
  [length, id, 0, sequence].forEach((value, index) => {
    octets.writeUInt32BE(value >>> 0, index * 4);
  });
  return octets;
};
const frame = (id: number, body: Buffer | string) => {
  const octets = typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
  return Buffer.concat([header(16 + octets.length, id), octets]);
};
const validBody = encodePdu(submit()).subarray(16);
const patchBody = (at: number, value: number) => Buffer.from(validBody).fill(value, at, at + 1);
const SM_LENGTH = validBody.length - 3;
const tail = (hex: string) => Buffer.concat([validBody, Buffer.from(hex, 'hex')]);

describe('the server', () => {
  const fatal: [string, Buffer][] = [
    ...[0, 3, 4, 8, 15, 0x7fffffff, 0xffffffff].map((length): [string, Buffer] => [
      `a length of ${length}`,
      header(length),
    ]),
    ['an HTTP request', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
    ['a TLS handshake', Buffer.from('16030100c8010000c40303', 'hex')],
  ];
  test.each(fatal)('responds to %s with generic_nack and disconnects, before and after the bind', async (_, octets) => {
    for (const peer of [await connect(), await bindClient()]) {
      peer.write(octets);
      expect(await peer.next()).toMatchObject({
        command: 'generic_nack',
        command_status: STATUS.ESME_RINVCMDLEN,
        sequence_number: 0,
      });
      await peer.closed;
    }
    await until(() => server.connections === 0);
    expect(server.sessions.size).toBe(0);
  });

  const recoverable: [string, Buffer, Command, string][] = [
    ['an unknown command', frame(0x777, ''), 'generic_nack', 'ESME_RINVCMDID'],
    ['a truncated submit_sm', frame(4, validBody.subarray(0, 9)), 'submit_sm_resp', 'ESME_RINVCMDLEN'],
    ['an empty submit_sm', frame(4, ''), 'submit_sm_resp', 'ESME_RINVCMDLEN'],
    ['an sm_length of 255 with two octets', frame(4, patchBody(SM_LENGTH, 255)), 'submit_sm_resp', 'ESME_RINVCMDLEN'],
    ['a parameter longer than the PDU', frame(4, tail('0424ffff00')), 'submit_sm_resp', 'ESME_RINVOPTPARSTREAM'],
    ['an int16 of one octet', frame(4, tail('0204000105')), 'submit_sm_resp', 'ESME_RINVPARLEN'],
    ['an address without a NUL', frame(4, `\0\x01\x01${'1'.repeat(40)}`), 'submit_sm_resp', 'ESME_RINVSRCADR'],
    [
      'the validity period 1R',
      frame(4, '\0\x01\x011\0\x01\x012\0\0\0\0\x001R\0\0\0\0\0\0'),
      'submit_sm_resp',
      'ESME_RINVEXPIRY',
    ],
    ['255 truncated destinations', frame(0x21, '\0\0\0s\0\xff\x01\x01'), 'submit_multi_resp', 'ESME_RINVCMDLEN'],
    [
      'a user data header longer than the text',
      frame(4, Buffer.concat([validBody.subarray(0, SM_LENGTH - 9), Buffer.from('400000000001000000024848', 'hex')])),
      'submit_sm_resp',
      'ESME_RINVESMCLASS',
    ],
    ['an enquire_link with a body', frame(0x15, 'x'), 'enquire_link_resp', 'ESME_RINVCMDLEN'],
    [
      'a bind with a system_id that is too long',
      frame(9, `${'a'.repeat(30)}\0\0\0\0\0\0\0`),
      'bind_transceiver_resp',
      'ESME_RINVSYSID',
    ],
  ];
  test.each(recoverable)(
    'responds to %s with an error and keeps the session open',
    async (_, octets, command, status) => {
      for (const peer of [await connect(), await bindClient()]) {
        peer.write(octets);
        const response = await peer.next();
        expect(response).toMatchObject({ command, sequence_number: 77 });
        expect(statusName(response!.command_status)).toBe(status);
        expect(await peer.request({ command: 'enquire_link', sequence_number: 3 })).toMatchObject({
          command: 'enquire_link_resp',
          sequence_number: 3,
        });
      }
    },
  );

  test('ignores unexpected responses, even malformed ones', async () => {
    const peer = await bindClient();
    peer.send({ command: 'deliver_sm_resp', sequence_number: 500 }, { command: 'generic_nack', sequence_number: 501 });
    peer.write(frame(0x80000005, 'no end'));
    peer.write(frame(0x80000777, ''));
    expect(await peer.request(submit())).toMatchObject({ message_id: 'id-2' });
  });

  test('responds to any random input or closes the connection', async () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map((octets) => Buffer.from(octets)),
      anyPdu.map((pdu) => encodePdu(pdu)),
      fc.tuple(anyPdu, fc.nat(), fc.nat(7)).map(([pdu, at, bit]) => {
        const octets = encodePdu(pdu);
        octets[at % octets.length]! ^= 1 << bit;
        return octets;
      }),
    );
    await server.close();
    await start({ max_pdu: 2_000 });
    // Enough enquire_link PDUs to fill any length that a damaged header announces, plus more that must get a response.
    const enquiry = encodePdu({ command: 'enquire_link', sequence_number: 9_999 });
    const filler = Buffer.concat(Array.from({ length: 2_000 / 16 + 2 }, () => enquiry));
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(piece, { minLength: 1, maxLength: 6 }), async (asClient, pieces) => {
        const peer = asClient ? await bindClient() : await connect();
        for (const octets of pieces) peer.write(octets);
        peer.write(filler);
        const alive = (async () => {
          for (;;) {
            const pdu = await peer.next();
            if (!pdu || pdu.sequence_number === 9_999) return;
          }
        })();
        await Promise.race([alive, peer.closed]);
        peer.destroy();
      }),
      { numRuns: 300 },
    );
    await until(() => server.connections === 0);
    expect(server.sessions.size).toBe(0);
  });
});
