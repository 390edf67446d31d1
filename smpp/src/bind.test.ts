import { describe, expect, onTestFinished, test } from 'vitest';
import type { ResponseFields } from './server.ts';
import { message, outcome, startCarrier, startClient, toStates } from './test/carrier.ts';
import { selfSigned } from './test/certificate.ts';
import { listen, type RawPeer, until } from './test/raw.ts';

describe('a client', () => {
  test('reconnects after the connection breaks and settles all open requests immediately', async () => {
    const smsc = await startCarrier();
    smsc.respond = () => null;
    const { client: esme, changes } = startClient(smsc.port, { window: 3 });
    await until(() => esme.state === 'bound');
    const all = Promise.all(Array.from({ length: 5 }, () => outcome(esme.submit(message))));
    await until(() => smsc.submits.length === 3);
    smsc.bound[0]!.destroy();
    expect(await all).toEqual([...Array(3).fill('closed, sent true'), ...Array(2).fill('closed, sent false')]);
    smsc.respond = () => ({ message_id: 'again' });
    await until(() => smsc.bound.length === 2 && esme.state === 'bound');
    expect(await esme.submit(message)).toMatchObject({ message_id: 'again' });
    expect(toStates(changes)).toEqual(['connecting', 'bound', 'waiting', 'connecting', 'bound']);
  });

  test('backs off exponentially with full jitter until the carrier is back', async () => {
    const smsc = await startCarrier();
    await smsc.close();
    const { client: esme, changes } = startClient(smsc.port, {
      reconnect: { min_ms: 16, max_ms: 64 },
      random: () => 0.5,
    });
    await until(() => changes.filter(([state]) => state === 'waiting').length === 5);
    const delays = changes.flatMap(([state, detail]) =>
      state === 'waiting' ? [Number(/in (\d+) ms/.exec(detail)![1])] : [],
    );
    expect(delays.slice(0, 5)).toEqual([8, 16, 32, 32, 32]);
    expect(changes[1]![1]).toContain('ECONNREFUSED');
    await startCarrier({}, smsc.port);
    await until(() => esme.state === 'bound');
  });

  test('retries slowly after a wrong password and reports the reason', async () => {
    const smsc = await startCarrier();
    const { changes } = startClient(smsc.port, {
      password: 'guess',
      reconnect: { min_ms: 1, max_ms: 100 },
      random: () => 0,
    });
    await until(() => toStates(changes).filter((state) => state === 'waiting').length === 2);
    expect(changes.filter(([state]) => state === 'waiting')[0]![1]).toBe(
      'Bind rejected: ESME_RINVPASWD; next attempt in 50 ms',
    );
    expect(toStates(changes)).not.toContain('bound');
  });

  test('reconnects when a peer accepts the connection and sends nothing or garbage', async () => {
    let connections = 0;
    const server = await listen((peer) => {
      if (connections++ > 0) peer.write('HTTP/1.1 400 Bad Request\r\n\r\n');
    });
    onTestFinished(() => server.close());
    const { changes } = startClient(server.port, { connect_timeout_ms: 50 });
    await until(() => toStates(changes).filter((state) => state === 'waiting').length === 2);
    const reasons = changes.flatMap(([state, detail]) => (state === 'waiting' ? [detail] : []));
    expect(reasons[0]).toContain('No response to bind_transceiver');
    expect(reasons[1]).toContain('Bind failed: command_length');
  });

  test('reconnects when the carrier stops responding', async () => {
    const peers: RawPeer[] = [];
    const server = await listen((peer) => peers.push(peer));
    onTestFinished(() => server.close());
    const { client: esme, changes } = startClient(server.port, { enquire_link_ms: 30, enquire_link_timeout_ms: 40 });
    await until(() => peers.length === 1);
    peers[0]!.send({
      command: 'bind_transceiver_resp',
      sequence_number: (await peers[0]!.next())!.sequence_number,
    });
    await until(() => esme.state === 'bound');
    expect(await outcome(esme.submit(message))).toBe('closed, sent true');
    await until(() => toStates(changes).includes('waiting'));
    expect(changes.find(([state]) => state === 'waiting')![1]).toContain('enquire_link');
  });

  test('reconnects after the carrier unbinds', async () => {
    const smsc = await startCarrier();
    const { client: esme } = startClient(smsc.port);
    await until(() => esme.state === 'bound');
    await smsc.bound[0]!.unbind();
    await until(() => smsc.bound.length === 2 && esme.state === 'bound');
  });
});

describe('a stopping client', () => {
  test('finishes open requests, rejects new ones, and unbinds', async () => {
    const smsc = await startCarrier();
    const response = Promise.withResolvers<ResponseFields>();
    smsc.respond = () => response.promise;
    const { client: esme, changes } = startClient(smsc.port, { window: 1 });
    await until(() => esme.state === 'bound');
    const first = esme.submit(message);
    const queued = outcome(esme.submit(message));
    await until(() => smsc.submits.length === 1);
    const closeReasons: string[] = [];
    smsc.bound[0]!.onClose = (reason) => closeReasons.push(reason.kind);
    const stopping = esme.stop(1_000);
    expect(await queued).toBe('closed, sent false');
    expect(await outcome(esme.submit(message))).toBe('closed, sent false');
    response.resolve({ message_id: 'done' });
    expect((await first).message_id).toBe('done');
    await stopping;
    await until(() => closeReasons.length === 1);
    expect(closeReasons).toEqual(['unbound']);
    expect(toStates(changes)).toEqual(['connecting', 'bound', 'stopped']);
  });

  test('waits no longer than the limit in any state', async () => {
    const smsc = await startCarrier();
    smsc.respond = () => null;
    const bound = startClient(smsc.port);
    await until(() => bound.client.state === 'bound');
    const unanswered = outcome(bound.client.submit(message));
    await Promise.all([bound.client.stop(40), bound.client.stop(40)]);
    expect(await unanswered).toBe('closed, sent true');

    const silentServer = await listen(() => undefined);
    onTestFinished(() => silentServer.close());
    const binding = startClient(silentServer.port);
    await until(() => binding.client.state === 'connecting');
    await binding.client.stop();
    const waiting = startClient(1, { reconnect: { min_ms: 60_000, max_ms: 60_000 }, random: () => 1 });
    await until(() => waiting.client.state === 'waiting');
    await waiting.client.stop();
    expect([binding.client.state, waiting.client.state]).toEqual(['stopped', 'stopped']);
  });

  test('can be restarted', async () => {
    const smsc = await startCarrier();
    const { client: esme } = startClient(smsc.port);
    await until(() => esme.state === 'bound');
    await esme.stop();
    esme.start();
    await until(() => esme.state === 'bound');
    expect(await esme.submit(message)).toMatchObject({ command_status: 0 });
  });
});

describe('a TLS client', () => {
  test('binds and submits if the certificate is trusted', async () => {
    const { key, cert } = selfSigned();
    const smsc = await startCarrier({ tls: { key, cert } });
    const { client: esme } = startClient(smsc.port, { host: 'localhost', tls: { ca: cert } });
    await until(() => esme.state === 'bound');
    expect(await esme.submit(message)).toMatchObject({ command_status: 0 });
    await Promise.all(Array.from({ length: 500 }, () => esme.submit(message)));
  });

  test('does not bind with an untrusted certificate or to a peer without TLS', async () => {
    const { key, cert } = selfSigned();
    const smsc = await startCarrier({ tls: { key, cert } });
    const untrusting = startClient(smsc.port, { tls: true });
    await until(() => toStates(untrusting.changes).includes('waiting'));
    expect(untrusting.changes[1]![1]).toMatch(/self.signed/);
    const plain = await startCarrier();
    const tlsToPlain = startClient(plain.port, { tls: { ca: cert } });
    await until(() => toStates(tlsToPlain.changes).includes('waiting'));
    const plainToTls = startClient(smsc.port, { connect_timeout_ms: 300 });
    await until(() => toStates(plainToTls.changes).includes('waiting'));
    expect(toStates([...tlsToPlain.changes, ...plainToTls.changes])).not.toContain('bound');
  });
});
