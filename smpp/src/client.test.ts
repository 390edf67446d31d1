import { afterEach, describe, expect, test } from 'vitest';
import { type ClientOptions, type ClientState, type SessionError, SmppClient } from './client.ts';
import { type Pdu, STATUS } from './pdu.ts';
import { type Answer, type BoundSession, createSmppServer, type ServerOptions } from './server.ts';
import { selfSigned } from './test/certificate.ts';
import { listen, type RawPeer, until } from './test/raw.ts';

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const run of cleanup.splice(0).reverse()) await run();
});

type Carrier = {
  port: number;
  bound: BoundSession[];
  submits: Pdu[];
  answer: (pdu: Pdu) => Answer | Promise<Answer>;
  close: () => Promise<void>;
};

async function carrier(more: Partial<ServerOptions> = {}, port = 0): Promise<Carrier> {
  const it: Carrier = {
    port,
    bound: [],
    submits: [],
    answer: (pdu) => ({ message_id: `m${pdu.sequence_number}` }),
    close: () => server.close(50),
  };
  const server = createSmppServer({
    authenticate: (bind) => (bind.password === 'secret' ? 0 : STATUS.ESME_RINVPASWD),
    onBound: (session) => {
      it.bound.push(session);
      session.onSubmit = (pdu) => {
        it.submits.push(pdu);
        return it.answer(pdu);
      };
    },
    enquire_link_ms: 0,
    ...more,
  });
  it.port = await server.listen(port, '127.0.0.1');
  cleanup.push(it.close);
  return it;
}

type Seen = [ClientState, string];
function client(port: number, more: Partial<ClientOptions> = {}): { client: SmppClient; seen: Seen[] } {
  const seen: Seen[] = [];
  const made = new SmppClient({
    host: '127.0.0.1',
    port,
    system_id: 'esme',
    password: 'secret',
    enquire_link_ms: 0,
    reconnect: { min_ms: 10, max_ms: 40 },
    onState: (state, detail) => seen.push([state, detail]),
    ...more,
  });
  cleanup.push(() => made.stop(50));
  made.start();
  return { client: made, seen };
}
const states = (seen: Seen[]) => seen.map(([state]) => state);
const message = { destination_addr: '37491234567', short_message: Buffer.from('hi') };
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'resolved',
    (error: SessionError) => `${error.kind}, sent ${error.sent}`,
  );

describe('submitting', () => {
  test('binds as told and resolves with the answer', async () => {
    const smsc = await carrier();
    const { client: esme, seen } = client(smsc.port, { bind: 'transmitter', system_type: 'T', addr_ton: 1 });
    await until(() => esme.state === 'bound');
    expect(await esme.submit(message)).toMatchObject({ command_status: 0, message_id: 'm2' });
    expect(smsc.bound[0]!.bind_pdu).toMatchObject({
      command: 'bind_transmitter',
      system_type: 'T',
      addr_ton: 1,
      interface_version: 0x34,
    });
    expect(seen).toEqual([
      ['connecting', `127.0.0.1:${smsc.port}`],
      ['bound', 'transmitter as esme'],
    ]);
  });

  test('never exceeds the window, starts in order, and reports what is free', async () => {
    const smsc = await carrier();
    let open = 0;
    let most = 0;
    smsc.answer = async () => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
      open--;
      return { message_id: 'x' };
    };
    const { client: esme } = client(smsc.port, { window: 7 });
    expect([esme.free, esme.in_flight]).toEqual([0, 0]);
    await until(() => esme.state === 'bound');
    expect(esme.free).toBe(7);
    const all = Array.from({ length: 200 }, (_, i) => esme.submit({ ...message, source_addr: String(i) }));
    expect([esme.free, esme.in_flight]).toEqual([0, 7]);
    await Promise.all(all);
    expect(most).toBe(7);
    expect([esme.free, esme.in_flight]).toEqual([7, 0]);
    expect(smsc.submits.map((pdu) => Number(pdu.source_addr))).toEqual(Array.from({ length: 200 }, (_, i) => i));
  });

  test('keeps to its rate in every second, and near it', async () => {
    const smsc = await carrier();
    const times: number[] = [];
    smsc.answer = () => {
      times.push(performance.now());
      return { message_id: 'x' };
    };
    const { client: esme } = client(smsc.port, { window: 100, throughput: 200 });
    await until(() => esme.state === 'bound');
    const started = performance.now();
    await Promise.all(Array.from({ length: 300 }, () => esme.submit(message)));
    const took = performance.now() - started;
    // 300 at 200 a second need 1.495 s less what timers may catch up.
    expect(took).toBeGreaterThan(1_400);
    expect(took).toBeLessThan(3_000);
  });

  test('is refused while not bound, and by a receiver', async () => {
    const smsc = await carrier();
    const { client: esme } = client(smsc.port, { bind: 'receiver' });
    expect(await failure(new SmppClient({ ...esme.options }).submit(message))).toContain('undefined');
    const idle = new SmppClient({ ...esme.options, bind: 'transceiver' });
    expect(await failure(idle.submit(message))).toBe('closed, sent false');
    await until(() => esme.state === 'bound');
    expect(esme.free).toBe(0);
    await expect(esme.submit(message)).rejects.toThrow('receiver cannot submit');
  });

  test('an answer that never comes costs its own submit only', async () => {
    const smsc = await carrier();
    smsc.answer = (pdu) => (pdu.source_addr === 'lost' ? null : { message_id: 'ok' });
    const { client: esme, seen } = client(smsc.port, { window: 2, response_timeout_ms: 60 });
    await until(() => esme.state === 'bound');
    const lost = failure(esme.submit({ ...message, source_addr: 'lost' }));
    const others = await Promise.all(Array.from({ length: 10 }, () => esme.submit(message)));
    expect(others.map((pdu) => pdu.message_id)).toEqual(Array(10).fill('ok'));
    expect(await lost).toBe('timeout, sent true');
    expect(esme).toMatchObject({ state: 'bound', free: 2 });
    expect(states(seen)).toEqual(['connecting', 'bound']);
  });

  test('queries share the bind', async () => {
    const smsc = await carrier();
    const { client: esme } = client(smsc.port);
    await until(() => smsc.bound.length === 1 && esme.state === 'bound');
    smsc.bound[0]!.onRequest = (pdu) => ({ message_id: pdu.message_id!, message_state: 2 });
    expect(await esme.request({ command: 'query_sm', message_id: 'q' })).toMatchObject({ message_state: 2 });
  });
});

describe('throttling', () => {
  test.each([STATUS.ESME_RTHROTTLED, STATUS.ESME_RMSGQFUL])(
    'status %i pauses, longer each time, then recovers',
    async (status) => {
      const smsc = await carrier();
      const times: number[] = [];
      smsc.answer = () => {
        times.push(performance.now());
        return times.length <= 3 ? { command_status: status } : { message_id: 'ok' };
      };
      const { client: esme, seen } = client(smsc.port, {
        window: 1,
        throttle: { min_ms: 40, max_ms: 1_000 },
        random: () => 1,
      });
      await until(() => esme.state === 'bound');
      const answers = [];
      for (let i = 0; i < 5; i++) {
        answers.push(esme.submit(message));
        if (i === 0) {
          await answers[0];
          expect(esme).toMatchObject({ state: 'throttled', free: 0 });
        }
      }
      const all = await Promise.all(answers);
      expect(all.map((pdu) => pdu.command_status)).toEqual([status, status, status, 0, 0]);
      const gaps = times.slice(1).map((time, index) => time - times[index]!);
      expect(gaps[0]).toBeGreaterThan(38);
      expect(gaps[1]).toBeGreaterThan(78);
      expect(gaps[2]).toBeGreaterThan(158);
      expect(gaps[3]).toBeLessThan(100);
      expect(states(seen)).toEqual(['connecting', 'bound', ...Array(3).fill(['throttled', 'bound']).flat()]);
      expect(seen[2]![1]).toMatch(/^ESME_R(THROTTLED|MSGQFUL); next submit in 40 ms$/);
    },
  );

  test('a whole window refused at once is one pause', async () => {
    const smsc = await carrier();
    let refused = 0;
    smsc.answer = () => (refused++ < 20 ? { command_status: STATUS.ESME_RTHROTTLED } : { message_id: 'ok' });
    const { client: esme, seen } = client(smsc.port, { window: 20, throttle: { min_ms: 30, max_ms: 1_000 } });
    await until(() => esme.state === 'bound');
    await Promise.all(Array.from({ length: 40 }, () => esme.submit(message)));
    expect(states(seen)).toEqual(['connecting', 'bound', 'throttled', 'bound']);
  });
});

describe('deliveries', () => {
  test('are acknowledged only when taken in', async () => {
    const smsc = await carrier();
    const taken = Promise.withResolvers<void>();
    const { client: esme } = client(smsc.port);
    esme.onDeliver = (pdu) => {
      if (pdu.source_addr === 'slow') return taken.promise;
      if (pdu.source_addr === 'async') return Promise.reject(new Error('disk full'));
      if (pdu.source_addr === 'sync') throw new Error('bug');
    };
    await until(() => smsc.bound.length === 1);
    const [session] = smsc.bound as [BoundSession];
    const slow = session.deliver({ source_addr: 'slow' });
    let answered = false;
    void slow.then(() => {
      answered = true;
    });
    const others = ['async', 'sync', 'fine'].map((source_addr) => session.deliver({ source_addr }));
    expect((await Promise.all(others)).map((pdu) => pdu.command_status)).toEqual([0x64, 0x64, 0]);
    expect(answered).toBe(false);
    taken.resolve();
    expect((await slow).command_status).toBe(0);
    expect((await session.deliver({ command: 'data_sm' })).command).toBe('data_sm_resp');
  });

  test('without anyone to take them are refused for now; too many at once too', async () => {
    const smsc = await carrier({ window: 10 });
    const { client: esme } = client(smsc.port, { deliver_window: 3 });
    await until(() => smsc.bound.length === 1);
    expect((await smsc.bound[0]!.deliver({})).command_status).toBe(STATUS.ESME_RX_T_APPN);
    const taken = Promise.withResolvers<void>();
    esme.onDeliver = () => taken.promise;
    const all = Array.from({ length: 5 }, () => smsc.bound[0]!.deliver({}));
    expect((await all[4]!).command_status).toBe(STATUS.ESME_RMSGQFUL);
    taken.resolve();
    expect((await Promise.all(all)).map((pdu) => pdu.command_status)).toEqual([0, 0, 0, 0x14, 0x14]);
  });

  test('a delivery in the same segment as the bind response is not missed', async () => {
    const peers: RawPeer[] = [];
    const server = await listen((peer) => peers.push(peer));
    cleanup.push(server.close);
    const got: string[] = [];
    client(server.port, { onDeliver: (pdu) => void got.push(pdu.source_addr!) });
    await until(() => peers.length === 1);
    const { sequence_number } = (await peers[0]!.next())!;
    peers[0]!.send(
      { command: 'bind_transceiver_resp', sequence_number },
      { command: 'deliver_sm', sequence_number: 1, source_addr: 'first' },
      { command: 'alert_notification', sequence_number: 2 },
      { command: 'submit_sm', sequence_number: 3 },
    );
    expect(await peers[0]!.next()).toMatchObject({ command: 'submit_sm_resp', command_status: STATUS.ESME_RINVCMDID });
    expect(await peers[0]!.next()).toMatchObject({ command: 'deliver_sm_resp', command_status: 0 });
    expect(got).toEqual(['first']);
  });
});

describe('the bind', () => {
  test('comes back after the line is cut; everything under way settles at once', async () => {
    const smsc = await carrier();
    smsc.answer = () => null;
    const { client: esme, seen } = client(smsc.port, { window: 3 });
    await until(() => esme.state === 'bound');
    const all = Promise.all(Array.from({ length: 5 }, () => failure(esme.submit(message))));
    await until(() => smsc.submits.length === 3);
    smsc.bound[0]!.destroy();
    expect(await all).toEqual([...Array(3).fill('closed, sent true'), ...Array(2).fill('closed, sent false')]);
    smsc.answer = () => ({ message_id: 'again' });
    await until(() => smsc.bound.length === 2 && esme.state === 'bound');
    expect(await esme.submit(message)).toMatchObject({ message_id: 'again' });
    expect(states(seen)).toEqual(['connecting', 'bound', 'waiting', 'connecting', 'bound']);
  });

  test('backs off by doubling with full jitter while nobody is there, then finds the carrier', async () => {
    const there = await carrier();
    await there.close();
    const { client: esme, seen } = client(there.port, { reconnect: { min_ms: 16, max_ms: 64 }, random: () => 0.5 });
    await until(() => seen.filter(([state]) => state === 'waiting').length === 5);
    const delays = seen.flatMap(([state, detail]) =>
      state === 'waiting' ? [Number(/in (\d+) ms/.exec(detail)![1])] : [],
    );
    expect(delays.slice(0, 5)).toEqual([8, 16, 32, 32, 32]);
    expect(seen[1]![1]).toContain('ECONNREFUSED');
    await carrier({}, there.port);
    await until(() => esme.state === 'bound');
  });

  test('a wrong password is retried slowly, with the reason', async () => {
    const smsc = await carrier();
    const { seen } = client(smsc.port, { password: 'guess', reconnect: { min_ms: 1, max_ms: 100 }, random: () => 0 });
    await until(() => states(seen).filter((state) => state === 'waiting').length === 2);
    expect(seen.filter(([state]) => state === 'waiting')[0]![1]).toBe(
      'Bind refused: ESME_RINVPASWD; next attempt in 50 ms',
    );
    expect(states(seen)).not.toContain('bound');
  });

  test('a peer that accepts and says nothing, or nonsense, is given up and tried again', async () => {
    let connections = 0;
    const server = await listen((peer) => {
      if (connections++ > 0) peer.write('HTTP/1.1 400 Bad Request\r\n\r\n');
    });
    cleanup.push(server.close);
    const { seen } = client(server.port, { connect_timeout_ms: 50 });
    await until(() => states(seen).filter((state) => state === 'waiting').length === 2);
    const reasons = seen.flatMap(([state, detail]) => (state === 'waiting' ? [detail] : []));
    expect(reasons[0]).toContain('No answer to bind_transceiver');
    expect(reasons[1]).toContain('Bind failed: command_length');
  });

  test('a carrier that falls silent is noticed', async () => {
    const peers: RawPeer[] = [];
    const server = await listen((peer) => peers.push(peer));
    cleanup.push(server.close);
    const { client: esme, seen } = client(server.port, { enquire_link_ms: 30, enquire_link_timeout_ms: 40 });
    await until(() => peers.length === 1);
    peers[0]!.send({
      command: 'bind_transceiver_resp',
      sequence_number: (await peers[0]!.next())!.sequence_number,
    });
    await until(() => esme.state === 'bound');
    const asked = failure(esme.submit(message));
    expect(await asked).toBe('closed, sent true');
    await until(() => states(seen).includes('waiting'));
    expect(seen.find(([state]) => state === 'waiting')![1]).toContain('enquire_link');
  });

  test('the carrier unbinding is answered, and the bind comes back', async () => {
    const smsc = await carrier();
    const { client: esme } = client(smsc.port);
    await until(() => esme.state === 'bound');
    await smsc.bound[0]!.unbind();
    await until(() => smsc.bound.length === 2 && esme.state === 'bound');
  });
});

describe('stopping', () => {
  test('lets what is under way finish, takes nothing new, unbinds', async () => {
    const smsc = await carrier();
    const answer = Promise.withResolvers<Answer>();
    smsc.answer = () => answer.promise;
    const { client: esme, seen } = client(smsc.port, { window: 1 });
    await until(() => esme.state === 'bound');
    const first = esme.submit(message);
    const queued = failure(esme.submit(message));
    await until(() => smsc.submits.length === 1);
    const ended: string[] = [];
    smsc.bound[0]!.onClose = (reason) => ended.push(reason.kind);
    const stopped = esme.stop(1_000);
    expect(await queued).toBe('closed, sent false');
    expect(await failure(esme.submit(message))).toBe('closed, sent false');
    answer.resolve({ message_id: 'done' });
    expect((await first).message_id).toBe('done');
    await stopped;
    await until(() => ended.length === 1);
    expect(ended).toEqual(['unbound']);
    expect(states(seen)).toEqual(['connecting', 'bound', 'stopped']);
  });

  test('does not wait longer than told, and works in every state', async () => {
    const smsc = await carrier();
    smsc.answer = () => null;
    const bound = client(smsc.port);
    await until(() => bound.client.state === 'bound');
    const stuck = failure(bound.client.submit(message));
    const started = performance.now();
    await Promise.all([bound.client.stop(40), bound.client.stop(40)]);
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(await stuck).toBe('closed, sent true');

    const mute = await listen(() => undefined);
    cleanup.push(mute.close);
    const binding = client(mute.port);
    await until(() => binding.client.state === 'connecting');
    await binding.client.stop();
    const nobody = client(1, { reconnect: { min_ms: 60_000, max_ms: 60_000 }, random: () => 1 });
    await until(() => nobody.client.state === 'waiting');
    await nobody.client.stop();
    expect([binding.client.state, nobody.client.state]).toEqual(['stopped', 'stopped']);
  });

  test('can be started again', async () => {
    const smsc = await carrier();
    const { client: esme } = client(smsc.port);
    await until(() => esme.state === 'bound');
    await esme.stop();
    esme.start();
    await until(() => esme.state === 'bound');
    expect(await esme.submit(message)).toMatchObject({ command_status: 0 });
  });
});

describe('over TLS', () => {
  test('binds and submits when the certificate is trusted', async () => {
    const { key, cert } = selfSigned();
    const smsc = await carrier({ tls: { key, cert } });
    const { client: esme } = client(smsc.port, { host: 'localhost', tls: { ca: cert } });
    await until(() => esme.state === 'bound');
    expect(await esme.submit(message)).toMatchObject({ command_status: 0 });
    await Promise.all(Array.from({ length: 500 }, () => esme.submit(message)));
  });

  test('says why when it is not, or when the other side does not speak TLS', async () => {
    const { key, cert } = selfSigned();
    const smsc = await carrier({ tls: { key, cert } });
    const stranger = client(smsc.port, { tls: true });
    await until(() => states(stranger.seen).includes('waiting'));
    expect(stranger.seen[1]![1]).toMatch(/self.signed/);
    const plain = await carrier();
    const mistaken = client(plain.port, { tls: { ca: cert } });
    await until(() => states(mistaken.seen).includes('waiting'));
    const other = client(smsc.port, { connect_timeout_ms: 300 });
    await until(() => states(other.seen).includes('waiting'));
    expect(states([...mistaken.seen, ...other.seen])).not.toContain('bound');
  });
});
