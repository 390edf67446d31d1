import { describe, expect, onTestFinished, test } from 'vitest';
import { SmppClient } from './client.ts';
import { STATUS } from './pdu.ts';
import type { BoundSession } from './server.ts';
import { message, outcome, startCarrier, startClient, toStates } from './test/carrier.ts';
import { listen, type RawPeer, until } from './test/raw.ts';

describe('a submit', () => {
  test('resolves with the response over a bind with the given settings', async () => {
    const smsc = await startCarrier();
    const { client: esme, changes } = startClient(smsc.port, { bind: 'transmitter', system_type: 'T', addr_ton: 1 });
    await until(() => esme.state === 'bound');
    expect(await esme.submit(message)).toMatchObject({ command_status: 0, message_id: 'm2' });
    expect(smsc.bound[0]!.bind_pdu).toMatchObject({
      command: 'bind_transmitter',
      system_type: 'T',
      addr_ton: 1,
      interface_version: 0x34,
    });
    expect(changes).toEqual([
      ['connecting', `127.0.0.1:${smsc.port}`],
      ['bound', 'transmitter as esme'],
    ]);
  });

  test('waits for a free window slot and starts in order', async () => {
    const smsc = await startCarrier();
    let open = 0;
    let max = 0;
    smsc.respond = async () => {
      max = Math.max(max, ++open);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
      open--;
      return { message_id: 'x' };
    };
    const { client: esme } = startClient(smsc.port, { window: 7 });
    expect([esme.free, esme.in_flight]).toEqual([0, 0]);
    await until(() => esme.state === 'bound');
    expect(esme.free).toBe(7);
    const all = Array.from({ length: 200 }, (_, i) => esme.submit({ ...message, source_addr: String(i) }));
    expect([esme.free, esme.in_flight]).toEqual([0, 7]);
    await Promise.all(all);
    expect(max).toBe(7);
    expect([esme.free, esme.in_flight]).toEqual([7, 0]);
    expect(smsc.submits.map((pdu) => Number(pdu.source_addr))).toEqual(Array.from({ length: 200 }, (_, i) => i));
  });

  test('is sent at close to the maximum rate without exceeding it', async () => {
    const smsc = await startCarrier();
    const times: number[] = [];
    smsc.respond = () => {
      times.push(performance.now());
      return { message_id: 'x' };
    };
    const { client: esme } = startClient(smsc.port, { window: 100, throughput: 200 });
    await until(() => esme.state === 'bound');
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 300 }, () => esme.submit(message)));
    const elapsed = performance.now() - startedAt;
    // 300 submits at 200 per second take 1.495 s, minus the timer delay that the rate limit may catch up on.
    expect(elapsed).toBeGreaterThan(1_400);
    expect(elapsed).toBeLessThan(10_000);
  });

  test('is rejected without a bind and on a receiver bind', async () => {
    const smsc = await startCarrier();
    const { client: esme } = startClient(smsc.port, { bind: 'receiver' });
    expect(await outcome(new SmppClient({ ...esme.options }).submit(message))).toContain('undefined');
    const unstarted = new SmppClient({ ...esme.options, bind: 'transceiver' });
    expect(await outcome(unstarted.submit(message))).toBe('closed, sent false');
    await until(() => esme.state === 'bound');
    expect(esme.free).toBe(0);
    await expect(esme.submit(message)).rejects.toThrow('receiver cannot submit');
  });

  test('times out without affecting others when its response is missing', async () => {
    const smsc = await startCarrier();
    smsc.respond = (pdu) => (pdu.source_addr === 'lost' ? null : { message_id: 'ok' });
    const { client: esme, changes } = startClient(smsc.port, { window: 2, response_timeout_ms: 1_500 });
    await until(() => esme.state === 'bound');
    const unanswered = outcome(esme.submit({ ...message, source_addr: 'lost' }));
    const others = await Promise.all(Array.from({ length: 10 }, () => esme.submit(message)));
    expect(others.map((pdu) => pdu.message_id)).toEqual(Array(10).fill('ok'));
    expect(await unanswered).toBe('timeout, sent true');
    expect(esme).toMatchObject({ state: 'bound', free: 2 });
    expect(toStates(changes)).toEqual(['connecting', 'bound']);
  });

  test('shares the bind with queries', async () => {
    const smsc = await startCarrier();
    const { client: esme } = startClient(smsc.port);
    await until(() => smsc.bound.length === 1 && esme.state === 'bound');
    smsc.bound[0]!.onRequest = (pdu) => ({ message_id: pdu.message_id!, message_state: 2 });
    expect(await esme.request({ command: 'query_sm', message_id: 'q' })).toMatchObject({ message_state: 2 });
  });
});

describe('a throttled client', () => {
  test.each([STATUS.ESME_RTHROTTLED, STATUS.ESME_RMSGQFUL])(
    'pauses longer after each status %i and then recovers',
    async (status) => {
      const smsc = await startCarrier();
      const times: number[] = [];
      smsc.respond = () => {
        times.push(performance.now());
        return times.length <= 3 ? { command_status: status } : { message_id: 'ok' };
      };
      const { client: esme, changes } = startClient(smsc.port, {
        window: 1,
        throttle: { min_ms: 40, max_ms: 1_000 },
        random: () => 1,
      });
      await until(() => esme.state === 'bound');
      const responses = [];
      for (let i = 0; i < 5; i++) {
        responses.push(esme.submit(message));
        if (i === 0) {
          await responses[0];
          expect(esme).toMatchObject({ state: 'throttled', free: 0 });
        }
      }
      const all = await Promise.all(responses);
      expect(all.map((pdu) => pdu.command_status)).toEqual([status, status, status, 0, 0]);
      const gaps = times.slice(1).map((time, index) => time - times[index]!);
      expect(gaps[0]).toBeGreaterThan(38);
      expect(gaps[1]).toBeGreaterThan(78);
      expect(gaps[2]).toBeGreaterThan(158);
      expect(gaps[3]).toBeLessThan(300);
      expect(toStates(changes)).toEqual(['connecting', 'bound', ...Array(3).fill(['throttled', 'bound']).flat()]);
      expect(changes[2]![1]).toMatch(/^ESME_R(THROTTLED|MSGQFUL); next submit in 40 ms$/);
    },
  );

  test('pauses only once when a whole window is rejected', async () => {
    const smsc = await startCarrier();
    let rejected = 0;
    smsc.respond = () => (rejected++ < 20 ? { command_status: STATUS.ESME_RTHROTTLED } : { message_id: 'ok' });
    const { client: esme, changes } = startClient(smsc.port, { window: 20, throttle: { min_ms: 30, max_ms: 1_000 } });
    await until(() => esme.state === 'bound');
    await Promise.all(Array.from({ length: 40 }, () => esme.submit(message)));
    expect(toStates(changes)).toEqual(['connecting', 'bound', 'throttled', 'bound']);
  });
});

describe('a delivery', () => {
  test('is acknowledged only after onDeliver resolves', async () => {
    const smsc = await startCarrier();
    const stored = Promise.withResolvers<void>();
    const { client: esme } = startClient(smsc.port);
    esme.onDeliver = (pdu) => {
      if (pdu.source_addr === 'slow') return stored.promise;
      if (pdu.source_addr === 'async') return Promise.reject(new Error('disk full'));
      if (pdu.source_addr === 'sync') throw new Error('invalid state');
    };
    await until(() => smsc.bound.length === 1);
    const [session] = smsc.bound as [BoundSession];
    const slow = session.deliver({ source_addr: 'slow' });
    let acknowledged = false;
    void slow.then(() => {
      acknowledged = true;
    });
    const others = ['async', 'sync', 'fine'].map((source_addr) => session.deliver({ source_addr }));
    expect((await Promise.all(others)).map((pdu) => pdu.command_status)).toEqual([0x64, 0x64, 0]);
    expect(acknowledged).toBe(false);
    stored.resolve();
    expect((await slow).command_status).toBe(0);
    expect((await session.deliver({ command: 'data_sm' })).command).toBe('data_sm_resp');
  });

  test('is rejected with a temporary error when onDeliver is missing or the delivery window is full', async () => {
    const smsc = await startCarrier({ window: 10 });
    const { client: esme } = startClient(smsc.port, { deliver_window: 3 });
    await until(() => smsc.bound.length === 1);
    expect((await smsc.bound[0]!.deliver({})).command_status).toBe(STATUS.ESME_RX_T_APPN);
    const stored = Promise.withResolvers<void>();
    esme.onDeliver = () => stored.promise;
    const all = Array.from({ length: 5 }, () => smsc.bound[0]!.deliver({}));
    expect((await all[4]!).command_status).toBe(STATUS.ESME_RMSGQFUL);
    stored.resolve();
    expect((await Promise.all(all)).map((pdu) => pdu.command_status)).toEqual([0, 0, 0, 0x14, 0x14]);
  });

  test('is not missed when it arrives in the same TCP segment as the bind response', async () => {
    const peers: RawPeer[] = [];
    const server = await listen((peer) => peers.push(peer));
    onTestFinished(() => server.close());
    const sources: string[] = [];
    startClient(server.port, { onDeliver: (pdu) => void sources.push(pdu.source_addr!) });
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
    expect(sources).toEqual(['first']);
  });
});
