import { afterEach, describe, expect, test } from 'vitest';
import { encodePdu, type Pdu, type PduDraft, STATUS } from './pdu.ts';
import { type CloseReason, Session, type SessionError, type SessionOptions } from './session.ts';
import { dial, listen, type RawPeer, until } from './test/raw.ts';

type Pair = { session: Session; peer: RawPeer; reason: () => CloseReason | undefined };
const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const run of cleanup.splice(0)) await run();
});

/** Connects a session to a peer that may break every rule. */
async function pair(options: SessionOptions = {}): Promise<Pair> {
  const connection = Promise.withResolvers<RawPeer>();
  const server = await listen(connection.resolve);
  const dialed = await dial(server.port);
  const peer = await connection.promise;
  dialed.socket.removeAllListeners('data');
  let reason: CloseReason | undefined;
  const session = new Session(dialed.socket, {
    enquire_link_ms: 0,
    ...options,
    onClose: (closeReason) => {
      reason = closeReason;
      options.onClose?.(closeReason);
    },
  });
  cleanup.push(() => session.destroy(), server.close);
  return { session, peer, reason: () => reason };
}
const submit: PduDraft = { command: 'submit_sm', destination_addr: '1' };
const settlement = (promise: Promise<unknown>) =>
  promise.then(
    () => 'resolved',
    (error: SessionError) => `${error.kind}, sent ${error.sent}`,
  );

describe('a request', () => {
  test('resolves with its own response, in whatever order responses arrive', async () => {
    const { session, peer } = await pair();
    const responses = Promise.all([session.request(submit), session.request(submit)]);
    const first = (await peer.next())!;
    const second = (await peer.next())!;
    peer.send({ command: 'submit_sm_resp', sequence_number: second.sequence_number, message_id: 'b' });
    peer.send({ command: 'submit_sm_resp', sequence_number: first.sequence_number, message_id: 'a' });
    expect((await responses).map((pdu) => pdu.message_id)).toEqual(['a', 'b']);
    expect(session.pending).toBe(0);
  });

  test('resolves with an error response and never treats generic_nack as a success', async () => {
    const { session, peer } = await pair();
    const responses = Promise.all([session.request(submit), session.request(submit)]);
    peer.send({ command: 'generic_nack', sequence_number: (await peer.next())!.sequence_number, command_status: 3 });
    peer.send({ command: 'generic_nack', sequence_number: (await peer.next())!.sequence_number, command_status: 0 });
    expect((await responses).map((pdu) => pdu.command_status)).toEqual([3, STATUS.ESME_RUNKNOWNERR]);
  });

  test('rejects at its timeout, and a late response is reported with the request', async () => {
    const lateResponses: [Pdu, PduDraft][] = [];
    const { session, peer } = await pair({ onLateResponse: (...response) => lateResponses.push(response) });
    const slow = { ...submit, destination_addr: 'slow' };
    const startedAt = performance.now();
    const outcomes = [settlement(session.request(slow, { timeout_ms: 40 })), settlement(session.request(submit))];
    expect(await outcomes[0]).toBe('timeout, sent true');
    expect(performance.now() - startedAt).toBeGreaterThan(38);
    const first = (await peer.next())!;
    const other = (await peer.next())!;
    peer.send({ command: 'submit_sm_resp', sequence_number: other.sequence_number, message_id: 'in time' });
    expect(await outcomes[1]).toBe('resolved');
    peer.send({ command: 'submit_sm_resp', sequence_number: first.sequence_number, message_id: 'late' });
    await until(() => lateResponses.length === 1);
    expect(lateResponses[0]![0].message_id).toBe('late');
    expect(lateResponses[0]![1]).toBe(slow);
    expect(session.open).toBe(true);
  });

  test('rejects if its response cannot be decoded, and the session continues', async () => {
    const { session, peer } = await pair();
    const outcome = settlement(session.request(submit));
    const { sequence_number } = (await peer.next())!;
    const response = encodePdu({ command: 'submit_sm_resp', sequence_number, message_id: 'abc' });
    peer.write(Buffer.from(response).fill('x', response.length - 1));
    expect(await outcome).toBe('malformed, sent true');
    const next = session.request(submit);
    peer.send({ command: 'submit_sm_resp', sequence_number: (await peer.next())!.sequence_number, message_id: 'ok' });
    expect((await next).message_id).toBe('ok');
  });

  test('is not settled by a response to a different command', async () => {
    const { session, peer } = await pair();
    const outcome = settlement(session.request(submit, { timeout_ms: 60 }));
    const { sequence_number } = (await peer.next())!;
    peer.send({ command: 'enquire_link_resp', sequence_number }, { command: 'query_sm_resp', sequence_number });
    expect(await outcome).toBe('timeout, sent true');
  });

  test('rejects when the connection breaks and reports whether it was sent', async () => {
    const { session, peer, reason } = await pair();
    const outcomes = [session.request(submit), session.request(submit)].map(settlement);
    await peer.next();
    const queued = settlement(session.request(submit));
    session.destroy();
    const rejected = settlement(session.request(submit));
    expect(await Promise.all([...outcomes, queued, rejected])).toEqual([
      'closed, sent true',
      'closed, sent true',
      'closed, sent false',
      'closed, sent false',
    ]);
    await until(() => reason() !== undefined);
    expect(session.pending).toBe(0);
  });

  test('rejects immediately if it cannot be encoded', async () => {
    const { session } = await pair();
    await expect(session.request({ ...submit, short_message: Buffer.alloc(255) })).rejects.toThrow('ESME_RINVMSGLEN');
    expect(session.pending).toBe(0);
  });
});

describe('a session', () => {
  test('writes all PDUs from one event loop turn in a single chunk', async () => {
    const { session, peer } = await pair();
    const chunks: Buffer[] = [];
    peer.socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    for (let i = 0; i < 50; i++) session.request(submit).catch(() => undefined);
    await until(() => peer.received.length === 50);
    expect(chunks).toHaveLength(1);
  });

  test('sends enquire_link when idle and closes if the response is missing', async () => {
    const { peer, reason } = await pair({ enquire_link_ms: 30, enquire_link_timeout_ms: 300 });
    for (let i = 0; i < 3; i++) {
      const enquiry = (await peer.next())!;
      expect(enquiry.command).toBe('enquire_link');
      peer.send({ command: 'enquire_link_resp', sequence_number: enquiry.sequence_number });
    }
    expect(reason()).toBeUndefined();
    await peer.closed;
    await until(() => reason() !== undefined);
    expect(reason()!.kind).toBe('silent');
  });

  test('does not send enquire_link while the peer sends PDUs', async () => {
    const { peer, reason } = await pair({ enquire_link_ms: 250, enquire_link_timeout_ms: 250 });
    for (let i = 1; i <= 25; i++) {
      peer.send({ command: 'enquire_link', sequence_number: i });
      expect((await peer.next())!.command).toBe('enquire_link_resp');
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    expect(reason()).toBeUndefined();
  });

  test('reports why it closed', async () => {
    const byPeer = await pair();
    expect(await byPeer.peer.request({ command: 'unbind', sequence_number: 1 })).toMatchObject({
      command: 'unbind_resp',
    });
    await byPeer.peer.closed;
    const bySelf = await pair();
    const unbound = bySelf.session.unbind(1_000);
    bySelf.peer.send({ command: 'unbind_resp', sequence_number: (await bySelf.peer.next())!.sequence_number });
    await unbound;
    const silentPair = await pair();
    await silentPair.session.unbind(30);
    const lostPair = await pair();
    lostPair.peer.destroy();
    const confused = await pair();
    confused.peer.write('nonsense nonsense');
    const all = [byPeer, bySelf, silentPair, lostPair, confused];
    await until(() => all.every((session) => session.reason() !== undefined));
    expect(all.map((session) => session.reason()!.kind)).toEqual(['unbound', 'unbound', 'unbound', 'lost', 'protocol']);
  });

  test('closes when both sides unbind at the same time', async () => {
    const server = await listen((connection) => {
      connection.socket.removeAllListeners('data');
      const other = new Session(connection.socket, { enquire_link_ms: 0, onClose: () => closed.push('other') });
      setTimeout(() => void other.unbind(), 20);
    });
    const closed: string[] = [];
    const peer = await dial(server.port);
    peer.socket.removeAllListeners('data');
    const session = new Session(peer.socket, { enquire_link_ms: 0, onClose: () => closed.push('ours') });
    setTimeout(() => void session.unbind(), 20);
    await until(() => closed.length === 2, 1_900);
    await server.close();
  });

  test('stops reading from a peer that does not read its responses', async () => {
    const response: PduDraft = { command: 'query_sm_resp', message_id: 'x'.repeat(64) };
    const holder: { session?: Session } = {};
    let requests = 0;
    const { session, peer } = await pair({
      onRequest: (pdu) => {
        requests++;
        holder.session!.respond(pdu, {
          message_id: response.message_id!,
          final_date: '',
          other_tlvs: [{ tag: 0x1400, value: Buffer.alloc(1_000) }],
        });
      },
    });
    holder.session = session;
    peer.socket.pause();
    const batch = Buffer.concat(
      Array.from({ length: 500 }, (_, i) => encodePdu({ command: 'query_sm', sequence_number: i + 1 })),
    );
    let writes = 0;
    const pump = () => {
      while (writes < 60 && peer.socket.write(batch)) writes++;
    };
    peer.socket.on('drain', pump);
    pump();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(session.socket.isPaused()).toBe(true);
    // Only one chunk of requests is in memory, not the 33 MB of all responses.
    expect(session.socket.writableLength).toBeLessThan(10 * 1024 * 1024);
    const before = requests;
    peer.socket.resume();
    await until(() => requests > before && !session.socket.isPaused());
    await until(() => peer.received.length === requests && requests >= 500);
  });
});
