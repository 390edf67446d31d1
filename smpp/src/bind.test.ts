import { describe, expect, test } from 'vitest';
import type { Answer } from './server.ts';
import { carrier, cleanup, client, failure, message, states } from './test/carrier.ts';
import { selfSigned } from './test/certificate.ts';
import { listen, type RawPeer, until } from './test/raw.ts';

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
    await Promise.all([bound.client.stop(40), bound.client.stop(40)]);
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
