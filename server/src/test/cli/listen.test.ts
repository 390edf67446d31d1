/** `parley listen` and `parley tail`: connections break, programs are killed, and keys are revoked. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageStatusChanged } from '@parley/contract/messages/messages.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { verifyWebhook } from '../../../../sdk/src/index.ts';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { emit } from '../../kernel/live/events.ts';
import { type Company, makeCompany, makeKey } from '../make.ts';
import { createWorld, freePort, until, type World } from '../world.ts';
import { makeCable, makeProgram, type Program, removeHome } from './program.ts';

let world: World;
let company: Company;
let key: string;
beforeAll(async () => {
  world = await createWorld();
  company = await makeCompany(world.kernel);
  key = await makeKey(world.kernel, company.account_id);
});
afterAll(() => world?.stop());

async function newProgram(url = world.url): Promise<Program> {
  const program = await makeProgram({ PARLEY_URL: url, PARLEY_API_KEY: key });
  onTestFinished(() => removeHome(program));
  return program;
}

interface Received {
  body: string;
  headers: Record<string, string | string[] | undefined>;
}

interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** The texts of the received messages, each once, in the order of their first arrival. */
  texts(): string[];
  server: Server;
}

/** A program of the customer. `respond` returns the status, or null to break the connection. */
async function makeReceiver(respond: (count: number) => number | null = () => 200, port = 0): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      received.push({ body, headers: request.headers });
      const status = respond(received.length);
      if (status === null) request.socket.destroy();
      else response.writeHead(status, status === 302 ? { location: 'http://127.0.0.1:9/' } : {}).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    texts: () => [...new Set(received.map(({ body }) => String(JSON.parse(body).data.text)))],
    server,
  };
}

const report = (text: string, status = 'delivered') =>
  world.kernel.db.tx(async (tx) => {
    const message = {
      ...{ id: newId(), account_id: company.account_id, direction: 'MT', channel: 'SMS', from: 'Shop', status, text },
      ...{ to: '447700900123', create_date: '2030-01-01 10:00:00', update_date: '2030-01-01 10:00:05' },
    };
    emit(tx, messageStatusChanged, company.account_id, message as never);
  });
const numbers = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `event ${first + index}`);

test('listen forwards events in order, signed with the secret that it prints', async () => {
  const program = await newProgram();
  const receiver = await makeReceiver((count) => (count === 1 ? 302 : count === 2 ? 500 : 200));
  const listener = program.start(['listen', '--forward-to', receiver.url, '--json']);
  await until('the listener is ready', () => listener.lines().length > 0);
  const secret = String(listener.lines()[0]!.secret);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  await report('Zoë 👋 \u001b[31m', 'sent');
  for (const text of numbers(2, 4)) await report(text);
  await until('the events arrived', () => receiver.received.length === 4);
  for (const { body, headers } of receiver.received) {
    const event = await verifyWebhook({ body, headers, secret });
    expect(event.type).toMatch(/^message\.(sent|delivered)$/);
  }
  expect(receiver.texts()).toEqual(['Zoë 👋 \u001b[31m', ...numbers(2, 4)]);
  await until('the events are shown', () => listener.lines().length === 5);
  expect(
    listener
      .lines()
      .slice(1)
      .map(({ status }) => status),
  ).toEqual([302, 500, 200, 200]);
  const { code } = await listener.stop();
  expect(code).toBe(130);
  const { stdout } = await program.run(['listen', '--forward-to', receiver.url, '--print-secret']);
  expect(stdout).toBe(`${secret}\n`);
});

test('listen continues after its connection broke, and after it was killed, and loses no event', async () => {
  const cable = await makeCable(world.url);
  const program = await newProgram(cable.url);
  const receiver = await makeReceiver();
  const args = ['listen', '--forward-to', receiver.url];
  let listener = program.start(args);
  await listener.shows('Signing secret');
  await report('event 1');
  await until('the first event arrived', () => receiver.received.length === 1);
  cable.cut();
  await listener.shows('Reconnecting');
  for (const text of numbers(2, 5)) await report(text);
  cable.restore();
  await listener.shows('Reconnected');
  await until('the missed events arrived', () => receiver.texts().length === 5);
  for (const round of [0, 1, 2]) {
    const first = 6 + round * 5;
    const writing = (async () => {
      for (const text of numbers(first, first + 4)) await report(text);
    })();
    await until('an event of the round arrived', () => receiver.texts().length >= first);
    listener.child.kill('SIGKILL');
    await listener.finished;
    await writing;
    listener = program.start(args);
    await listener.shows('Continuing after');
    await until('all events of the round arrived', () => receiver.texts().length === first + 4);
  }
  expect(receiver.texts()).toEqual(numbers(1, 20));
  const ids = new Map(
    receiver.received.map(({ body, headers }) => [headers['webhook-id'], JSON.parse(body).data.text]),
  );
  expect(ids.size).toBe(20);
  await listener.stop();
});

test('listen waits for a receiver that is not running, and sends again after a broken response', async () => {
  const program = await newProgram();
  const port = await freePort();
  const listener = program.start(['listen', '--forward-to', `127.0.0.1:${port}/hook`]);
  await listener.shows('Signing secret');
  await report('early');
  await listener.shows('Waiting for');
  const receiver = await makeReceiver((count) => (count === 1 ? null : 200), port);
  await until('the event arrived again', () => receiver.received.length === 2);
  const [first, second] = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(second).toBe(first);
  await listener.stop();
});

test('a revoked key ends listen and tail with its own exit code', async () => {
  const revoked = await makeKey(world.kernel, company.account_id);
  const program = await newProgram();
  const receiver = await makeReceiver();
  const env = { PARLEY_API_KEY: revoked };
  const programs = [program.start(['listen', '--forward-to', receiver.url], env), program.start(['tail'], env)];
  await programs[0]!.shows('Signing secret');
  await programs[1]!.shows('Following');
  await world.kernel.db.run(sql`
    delete from api_keys where account_id = ${company.account_id} and hint = ${revoked.slice(-4)}`);
  await report('secret');
  for (const { finished } of programs) {
    const { code, stderr, stdout } = await finished;
    expect([code, stderr]).toEqual([3, expect.stringContaining('code 1101')]);
    expect(stdout).not.toContain('message.delivered');
  }
  expect(receiver.received).toEqual([]);
});

test('tail shows each message on one line, continues after a lost connection, and obeys its filters', async () => {
  const cable = await makeCable(world.url);
  const program = await newProgram(cable.url);
  const tail = program.start(['tail', '--since', '1m', '--number', '+44 7700 900123']);
  const json = program.start(['tail', '--channel', 'viber', '--json']);
  await tail.shows('Following');
  await json.shows('Following');
  await report('line one\nline two\u001b[2J\u202eevil 👩‍👩‍👧');
  await tail.shows('line one line two[2Jevil 👩‍👩‍👧');
  expect(tail.output.stdout).not.toContain('\u001b');
  expect(tail.output.stdout).toMatch(/delivered +SMS +Shop → 447700900123/);
  cable.cut();
  await report('while offline');
  await tail.shows('Reconnecting');
  cable.restore();
  await tail.shows('while offline');
  expect((await tail.stop()).code).toBe(130);
  expect((await json.stop('SIGTERM')).stdout).toBe('');
});

test('an example reaches listen', async () => {
  const program = await newProgram();
  const receiver = await makeReceiver();
  const listener = program.start(['listen', '--forward-to', receiver.url, '--events', 'message.received']);
  await listener.shows('Signing secret');
  expect((await program.run(['trigger', 'message.failed'])).code).toBe(0);
  expect((await program.run(['trigger', 'message.received'])).code).toBe(0);
  await until('the example arrived', () => receiver.received.length === 1);
  expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({ type: 'message.received', data: { example: true } });
  await listener.stop();
});
