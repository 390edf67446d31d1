import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createDirectory, openBox, until } from '../test/box.ts';
import { startProgram } from '../test/program.ts';
import { openReceiver, type Received } from '../test/receiver.ts';
import { bareDigits, openViber, request, token, type ViberSender } from '../test/viber.ts';

const phone = '447700123456';
const isSigned = ({ body, headers }: Received) =>
  headers['x-viber-content-signature'] === createHmac('sha256', token).update(body).digest('hex');
const waitUntilIdle = (business: ViberSender) =>
  until(async () => (await business.box.get('viber/stats')).callbacks.pending === 0, 20_000);

describe('callbacks', () => {
  test('are retried until the response is HTTP 200', async () => {
    const business = await openViber();
    const responses = [302, 204, 0];
    business.receiver.respond = () => {
      const status = responses.shift() ?? 200;
      if (status === 0) throw new Error('connection cut');
      return status;
    };
    await business.box.call('PUT', `phones/${phone}`, { reads: 'never' });
    const { message_token } = await business.send();
    await waitUntilIdle(business);
    expect(business.callbackStatuses(message_token)).toEqual([0, 0, 0, 0]);
    expect(new Set(business.receiver.received.map(({ body }) => body)).size).toBe(1);
  });

  test('are not delayed by another callback that is refused', async () => {
    const business = await openViber();
    let stuck: string | undefined;
    business.receiver.respond = ({ body }) => {
      stuck ??= bareDigits(body, 'message_token');
      return bareDigits(body, 'message_token') === stuck ? 500 : 200;
    };
    await business.send();
    await until(() => stuck !== undefined);
    const { message_token } = await business.send({ dest: '447700123457' });
    await until(() => business.callbackStatuses(message_token).length === 2);
    expect((await business.box.get('viber/stats')).callbacks.pending).toBe(2);
  });

  test('can be lost, duplicated, or signed incorrectly, depending on the settings', async () => {
    const business = await openViber();
    await business.settings({ callbacks_lost_percent: 100 });
    const lostMessage = await business.send();
    await until(async () => (await business.box.thread(phone))[0].status === 'read');
    await business.settings({ callbacks_lost_percent: 0, callbacks_twice_percent: 100 });
    const duplicated = await business.send();
    await until(() => business.callbackStatuses(duplicated.message_token).length === 4);
    expect(business.callbackStatuses(lostMessage.message_token)).toEqual([]);
    await business.settings({ callbacks_twice_percent: 0, bad_signature_percent: 100 });
    business.receiver.respond = (request) => (isSigned(request) ? 200 : 401);
    const wronglySigned = await business.send();
    await until(() => business.callbackStatuses(wronglySigned.message_token).length === 4);
    await waitUntilIdle(business);
    const about = business.receiver.received.filter(
      ({ body }) => bareDigits(body, 'message_token') === wronglySigned.message_token,
    );
    expect(about.map(isSigned).sort()).toEqual([false, false, true, true]);
    expect((await business.box.get('viber/stats')).callbacks.wrong_signature_accepted).toBe(0);
  });

  test('can arrive out of order, and "seen" can arrive without "delivered"', async () => {
    const business = await openViber();
    await business.settings({ out_of_order: true });
    const { message_token } = await business.send();
    await until(() => business.callbackStatuses(message_token).length === 2);
    await business.settings({ out_of_order: false, seen_without_delivered: true });
    const readMessage = await business.send();
    await until(() => business.callbackStatuses(readMessage.message_token).length === 1);
    await waitUntilIdle(business);
    expect(business.callbackStatuses(readMessage.message_token)).toEqual([1]);
  });

  test('are not sent when the service has no callback URL', async () => {
    const business = await openViber();
    await business.box.call('PUT', 'viber/services/30001', { callback_url: '' });
    await business.send();
    await business.write(phone, { text: 'Hello?' });
    await until(async () => (await business.box.thread(phone))[0].status === 'read');
    expect((await business.box.get('viber/stats')).callbacks).toMatchObject({ sent: 0, pending: 0 });
  });
});

describe('send_message', () => {
  test('is refused with the configured status', async () => {
    const business = await openViber();
    await business.settings({ refused_percent: 100, refused_status: 7 });
    expect(await business.send()).toMatchObject({ status: 7 });
    await business.settings({ refused_percent: 0 });
    expect(await business.send()).toMatchObject({ status: 0 });
  });

  test('is accepted even if the connection is cut before the response', async () => {
    const business = await openViber();
    await business.settings({ answers_lost_percent: 100 });
    await expect(business.send()).rejects.toThrow();
    await until(async () => (await business.box.thread(phone)).length === 1);
    await until(() => business.receiver.received.length === 2);
  });

  test('returns its response after the configured delay', async () => {
    const business = await openViber();
    await business.settings({ answer_delay_ms: 120 });
    const before = performance.now();
    await business.send();
    expect(performance.now() - before).toBeGreaterThan(110);
  });
});

describe('a restart', () => {
  test('restores services, settings, sessions, and pending callbacks', async () => {
    const business = await openViber();
    const { box, receiver } = business;
    receiver.respond = () => 503;
    await business.settings({ messages_unanswered: 2 });
    await box.call('POST', 'viber/services', { name: 'Acme' });
    await business.write(phone, { text: 'Hello?' });
    const { message_token, session_id } = await business.send({ type: 306 });
    await box.call('PUT', 'phones/447700123458', { viber_blocked: [30001] });
    await until(() => business.callbackStatuses(message_token).length >= 2);
    await box.sandbox.close();

    receiver.received.length = 0;
    receiver.respond = () => 200;
    business.box = await openBox({}, box.data_dir);
    await until(() => business.callbackStatuses(message_token).length === 2 && business.messages.length === 1);
    await until(() => receiver.received.some(({ json }) => json.event === 'unsubscribed'));
    await waitUntilIdle(business);
    expect((await business.box.get('viber/services')).services.map(({ name }: { name: string }) => name)).toEqual([
      'Parley',
      'Acme',
    ]);
    expect(await business.send({ type: 306 })).toMatchObject({ status: 0, session_id });
    expect(await business.send({ type: 306 })).toMatchObject({ status: 21 });
    await waitUntilIdle(business);
    const count = receiver.received.length;
    await business.box.sandbox.close();

    // Acknowledged callbacks are not sent again.
    business.box = await openBox({}, box.data_dir);
    await waitUntilIdle(business);
    expect(receiver.received.filter(({ json }) => json.event).length).toBe(1);
    expect(receiver.received.length).toBe(count);
  });

  test('preserves the expiration time of a waiting message', async () => {
    const business = await openViber();
    await business.box.call('PUT', `phones/${phone}`, { state: 'off' });
    const { message_token } = await business.send({ ttl: 30 });
    const { world } = business.box.sandbox;
    const waiting = [...world.messages.kept.after(0)].at(-1)!;
    // Half a minute is too long for a test, so the expiry in the journal is set to now.
    await business.box.sandbox.close();
    for (const name of readdirSync(business.box.data_dir).filter((file) => file.endsWith('.jsonl'))) {
      const path = `${business.box.data_dir}/${name}`;
      const expires = waiting.kind === 'chat' ? Number(waiting.extra?.expires) : 0;
      writeFileSync(path, readFileSync(path, 'utf8').replace(`"expires":${expires}`, `"expires":${Date.now()}`));
    }
    business.box = await openBox({}, business.box.data_dir);
    await until(() => business.callbackStatuses(message_token).length === 1);
    expect(business.callbackStatuses(message_token)).toEqual([2]);
    const [message] = await business.box.thread(phone);
    expect(message).toMatchObject({ status: 'failed', error: { title: 'Expired before it could be delivered' } });
  });

  test('sends the callbacks for every accepted message after the process is killed', async () => {
    const receiver = await openReceiver();
    const env = { SANDBOX_DATA_DIR: createDirectory(), VIBER_CALLBACK_URL: receiver.url, VIBER_AUTH_TOKEN: 'mine' };
    receiver.respond = () => 500;
    const program = await startProgram(env);
    const acceptedTokens: string[] = [];
    const send = async (at: number) => {
      const response = await fetch(`http://127.0.0.1:${program.ports.http}/viber/vibersrvc/1/send_message`, {
        method: 'POST',
        body: JSON.stringify(request({ dest: `4477001${10_000 + at}`, seq: at })),
      });
      const message_token = bareDigits(await response.text(), 'message_token');
      if (message_token) acceptedTokens.push(message_token);
      if (acceptedTokens.length === 60) program.process.kill('SIGKILL');
    };
    await Promise.allSettled(Array.from({ length: 200 }, (_, at) => send(at)));
    await program.exited;
    receiver.received.length = 0;
    receiver.respond = () => 200;
    const again = await startProgram(env);
    const receivedTokens = () => new Set(receiver.received.map(({ body }) => bareDigits(body, 'message_token')));
    expect(acceptedTokens.length).toBeGreaterThanOrEqual(60);
    await until(() => acceptedTokens.every((message_token) => receivedTokens().has(message_token)), 20_000);
    expect(receiver.received[0]!.headers['x-viber-content-signature']).toBe(
      createHmac('sha256', 'mine').update(receiver.received[0]!.body).digest('hex'),
    );
    again.process.kill('SIGTERM');
    expect((await again.exited).code).toBe(0);
  });
});
