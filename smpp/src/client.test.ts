import { describe, expect, test } from 'vitest';
import { SmppClient } from './client.ts';
import { STATUS } from './pdu.ts';
import type { BoundSession } from './server.ts';
import { carrier, cleanup, client, failure, message, states } from './test/carrier.ts';
import { listen, type RawPeer, until } from './test/raw.ts';

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
    expect(took).toBeLessThan(10_000);
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
      expect(gaps[3]).toBeLessThan(300);
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
