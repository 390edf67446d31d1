import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { type Json, openBox, until } from '../test/box.ts';
import { signature } from './webhooks.ts';

const KEY = { authorization: 'Bearer sk_test_sandbox' };

async function openStripe() {
  const box = await openBox();
  const call = async (method: string, path: string, fields: Record<string, string> = {}, headers = {}) => {
    const response = await fetch(`http://127.0.0.1:${box.sandbox.ports.http}/v1/${path}`, {
      method,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      ...(method === 'POST' ? { body: new URLSearchParams(fields).toString() } : {}),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
  };
  const start = (headers = {}) =>
    call(
      'POST',
      'payment_intents',
      { amount: '5000', currency: 'usd', 'metadata[payment_id]': 'p1' },
      { ...KEY, ...headers },
    );
  const confirm = (intent: { id: string; client_secret: string }, number: string, secret = intent.client_secret) =>
    call('POST', `payment_intents/${intent.id}/confirm`, {
      key: 'pk_test_sandbox',
      client_secret: secret,
      'payment_method_data[card][number]': number,
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '2040',
    });
  return { box, call, start, confirm };
}

test('a repeated call with the same idempotency key returns the stored response', async () => {
  const { start, call } = await openStripe();
  const [first, second] = [await start({ 'idempotency-key': 'k' }), await start({ 'idempotency-key': 'k' })];
  expect(second.body.id).toBe(first.body.id);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  const other = await call(
    'POST',
    'payment_intents',
    { amount: '1', currency: 'usd' },
    { ...KEY, 'idempotency-key': 'k' },
  );
  expect([other.status, other.body.error.type]).toEqual([400, 'idempotency_error']);
});

test('magic cards are declined, challenged, or accepted, and only with the right secret', async () => {
  const { start, confirm, call } = await openStripe();
  const { body: intent } = await start();
  expect((await confirm(intent, '4242424242424242', 'wrong')).status).toBe(401);
  const declined = await confirm(intent, '4000000000009995');
  expect([declined.status, declined.body.error.decline_code]).toEqual([402, 'insufficient_funds']);
  expect((await confirm(intent, '1234123412341234')).body.error.code).toBe('incorrect_number');
  expect((await confirm(intent, '4000000000003220')).body.status).toBe('requires_action');
  const fields = { key: 'pk_test_sandbox', client_secret: intent.client_secret, result: 'succeeded' };
  expect((await call('POST', `payment_intents/${intent.id}/authenticate`, fields)).body.status).toBe('succeeded');
  const read = await call('GET', `payment_intents/${intent.id}?expand[0]=latest_charge`, {}, KEY);
  expect(read.body.latest_charge).toMatchObject({ amount: 5000, amount_refunded: 0 });
  expect(read.body.metadata).toEqual({ payment_id: 'p1' });
});

test('webhooks are signed and repeated until they are accepted', async () => {
  const { box, start, confirm } = await openStripe();
  const received: { signature: string; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    received.push({ signature: String(request.headers['stripe-signature']), body });
    response.writeHead(received.length === 1 ? 500 : 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address() as { port: number };
  await box.call('PUT', 'stripe/webhook', { url: `http://127.0.0.1:${address.port}/`, secret: 'whsec_test' });
  await confirm((await start()).body, '4242424242424242');
  await until(() => received.length >= 3);
  const types = received.map(({ body }) => JSON.parse(body).type);
  expect(new Set(types)).toEqual(new Set(['charge.succeeded', 'payment_intent.succeeded']));
  const [, seconds = ''] = /^t=(\d+),/.exec(received[0]!.signature) ?? [];
  expect(received[0]!.signature).toBe(signature('whsec_test', received[0]!.body, Number(seconds)));
});
