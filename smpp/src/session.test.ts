import { afterEach, describe, expect, test } from 'vitest';
import { encodePdu, type Pdu, type PduDraft, STATUS } from './pdu.ts';
import { type CloseReason, Session, type SessionError, type SessionOptions } from './session.ts';
import { dial, listen, type RawPeer, until } from './test/raw.ts';

type Ended = { session: Session; peer: RawPeer; reason: () => CloseReason | undefined };
const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const run of cleanup.splice(0)) await run();
});

/** A session of ours on one end, a peer without rules on the other. */
async function pair(options: SessionOptions = {}): Promise<Ended> {
  const accepted = Promise.withResolvers<RawPeer>();
  const server = await listen(accepted.resolve);
  const dialled = await dial(server.port);
  const peer = await accepted.promise;
  dialled.socket.removeAllListeners('data');
  let reason: CloseReason | undefined;
  const session = new Session(dialled.socket, {
    enquire_link_ms: 0,
    ...options,
    onClose: (why) => {
      reason = why;
      options.onClose?.(why);
    },
  });
  cleanup.push(() => session.destroy(), server.close);
  return { session, peer, reason: () => reason };
}
const submit: PduDraft = { command: 'submit_sm', destination_addr: '1' };
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'resolved',
    (error: SessionError) => `${error.kind}, sent ${error.sent}`,
  );

describe('requests', () => {
  test('resolve with their own answer, in whatever order the answers come', async () => {
    const { session, peer } = await pair();
    const both = Promise.all([session.request(submit), session.request(submit)]);
    const first = (await peer.next())!;
    const second = (await peer.next())!;
    peer.send({ command: 'submit_sm_resp', sequence_number: second.sequence_number, message_id: 'b' });
    peer.send({ command: 'submit_sm_resp', sequence_number: first.sequence_number, message_id: 'a' });
    expect((await both).map((pdu) => pdu.message_id)).toEqual(['a', 'b']);
    expect(session.pending).toBe(0);
  });

  test('resolve with a refusal too, and a nack is never a success', async () => {
    const { session, peer } = await pair();
    const answers = Promise.all([session.request(submit), session.request(submit)]);
    peer.send({ command: 'generic_nack', sequence_number: (await peer.next())!.sequence_number, command_status: 3 });
    peer.send({ command: 'generic_nack', sequence_number: (await peer.next())!.sequence_number, command_status: 0 });
    expect((await answers).map((pdu) => pdu.command_status)).toEqual([3, STATUS.ESME_RUNKNOWNERR]);
  });

  test('reject at their time, and the answer that still comes is reported with its request', async () => {
    const late: [Pdu, PduDraft][] = [];
    const { session, peer } = await pair({ onLateResponse: (...both) => late.push(both) });
    const slow = { ...submit, destination_addr: 'slow' };
    const started = performance.now();
    const outcomes = [
      failure(session.request(slow, { timeout_ms: 40 })),
      failure(session.request(submit, { timeout_ms: 80 })),
    ];
    expect(await outcomes[0]).toBe('timeout, sent true');
    expect(performance.now() - started).toBeGreaterThan(38);
    const asked = (await peer.next())!;
    const other = (await peer.next())!;
    peer.send({ command: 'submit_sm_resp', sequence_number: other.sequence_number, message_id: 'in time' });
    expect(await outcomes[1]).toBe('resolved');
    peer.send({ command: 'submit_sm_resp', sequence_number: asked.sequence_number, message_id: 'late' });
    await until(() => late.length === 1);
    expect(late[0]![0].message_id).toBe('late');
    expect(late[0]![1]).toBe(slow);
    expect(session.open).toBe(true);
  });

  test('reject when the answer cannot be read, and the session goes on', async () => {
    const { session, peer } = await pair();
    const outcome = failure(session.request(submit));
    const { sequence_number } = (await peer.next())!;
    const answer = encodePdu({ command: 'submit_sm_resp', sequence_number, message_id: 'abc' });
    peer.write(Buffer.from(answer).fill('x', answer.length - 1));
    expect(await outcome).toBe('malformed, sent true');
    const next = session.request(submit);
    peer.send({ command: 'submit_sm_resp', sequence_number: (await peer.next())!.sequence_number, message_id: 'ok' });
    expect((await next).message_id).toBe('ok');
  });

  test('are not settled by an answer to something else', async () => {
    const { session, peer } = await pair();
    const outcome = failure(session.request(submit, { timeout_ms: 60 }));
    const { sequence_number } = (await peer.next())!;
    peer.send({ command: 'enquire_link_resp', sequence_number }, { command: 'query_sm_resp', sequence_number });
    expect(await outcome).toBe('timeout, sent true');
  });

  test('all settle when the line goes, and say whether they had left', async () => {
    const { session, peer, reason } = await pair();
    const left = [session.request(submit), session.request(submit)].map(failure);
    await peer.next();
    const kept = failure(session.request(submit));
    session.destroy();
    const refused = failure(session.request(submit));
    expect(await Promise.all([...left, kept, refused])).toEqual([
      'closed, sent true',
      'closed, sent true',
      'closed, sent false',
      'closed, sent false',
    ]);
    await until(() => reason() !== undefined);
    expect(session.pending).toBe(0);
  });

  test('that cannot be written reject at once', async () => {
    const { session } = await pair();
    await expect(session.request({ ...submit, short_message: Buffer.alloc(255) })).rejects.toThrow('ESME_RINVMSGLEN');
    expect(session.pending).toBe(0);
  });
});

describe('the line', () => {
  test('PDUs of one turn leave in one write', async () => {
    const { session, peer } = await pair();
    const chunks: Buffer[] = [];
    peer.socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    for (let i = 0; i < 50; i++) session.request(submit).catch(() => undefined);
    await until(() => peer.received.length === 50);
    expect(chunks).toHaveLength(1);
  });

  test('is tried when idle, stays while answered, and closes when not', async () => {
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

  test('is not tried while the peer talks', async () => {
    const { peer, reason } = await pair({ enquire_link_ms: 250, enquire_link_timeout_ms: 250 });
    for (let i = 1; i <= 25; i++) {
      peer.send({ command: 'enquire_link', sequence_number: i });
      expect((await peer.next())!.command).toBe('enquire_link_resp');
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    expect(reason()).toBeUndefined();
  });

  test('says why it ended: unbound by the peer, by us, lost, or framing lost', async () => {
    const byPeer = await pair();
    expect(await byPeer.peer.ask({ command: 'unbind', sequence_number: 1 })).toMatchObject({ command: 'unbind_resp' });
    await byPeer.peer.closed;
    const byUs = await pair();
    const unbound = byUs.session.unbind(1_000);
    byUs.peer.send({ command: 'unbind_resp', sequence_number: (await byUs.peer.next())!.sequence_number });
    await unbound;
    const deaf = await pair();
    await deaf.session.unbind(30);
    const lost = await pair();
    lost.peer.destroy();
    const confused = await pair();
    confused.peer.write('nonsense nonsense');
    const all = [byPeer, byUs, deaf, lost, confused];
    await until(() => all.every((one) => one.reason() !== undefined));
    expect(all.map((one) => one.reason()!.kind)).toEqual(['unbound', 'unbound', 'unbound', 'lost', 'protocol']);
  });

  test('both may unbind at once', async () => {
    const server = await listen((accepted) => {
      accepted.socket.removeAllListeners('data');
      const other = new Session(accepted.socket, { enquire_link_ms: 0, onClose: () => ended.push('other') });
      setTimeout(() => void other.unbind(), 20);
    });
    const ended: string[] = [];
    const peer = await dial(server.port);
    peer.socket.removeAllListeners('data');
    const ours = new Session(peer.socket, { enquire_link_ms: 0, onClose: () => ended.push('ours') });
    setTimeout(() => void ours.unbind(), 20);
    await until(() => ended.length === 2, 1_900);
    await server.close();
  });

  test('a peer that does not read is not read from, and its answers do not pile up without end', async () => {
    const answer: PduDraft = { command: 'query_sm_resp', message_id: 'x'.repeat(64) };
    const session: { of?: Session } = {};
    let requests = 0;
    const { session: ours, peer } = await pair({
      onRequest: (pdu) => {
        requests++;
        session.of!.respond(pdu, {
          message_id: answer.message_id!,
          final_date: '',
          other_tlvs: [{ tag: 0x1400, value: Buffer.alloc(1_000) }],
        });
      },
    });
    session.of = ours;
    peer.socket.pause();
    const batch = Buffer.concat(
      Array.from({ length: 500 }, (_, i) => encodePdu({ command: 'query_sm', sequence_number: i + 1 })),
    );
    let written = 0;
    const pump = () => {
      while (written < 60 && peer.socket.write(batch)) written++;
    };
    peer.socket.on('drain', pump);
    pump();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(ours.socket.isPaused()).toBe(true);
    // What one chunk can ask for, not the 33 MB of all of it.
    expect(ours.socket.writableLength).toBeLessThan(10 * 1024 * 1024);
    const before = requests;
    peer.socket.resume();
    await until(() => requests > before && !ours.socket.isPaused());
    await until(() => peer.received.length === requests && requests >= 500);
  });
});
