import { once } from 'node:events';
import { createServer } from 'node:http';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { lookupRoutes } from './routes.ts';

test('Infobip’s results arrive in two callbacks, and the first one is repeated', async () => {
  const api = fastify();
  lookupRoutes(api);
  const bodies: { results: { to: string; status: { groupName: string } }[] }[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    bodies.push(JSON.parse(Buffer.concat(parts).toString()));
    response.end();
    server.emit('callback');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const accepted = await api.inject({
    method: 'POST',
    url: '/infobip/number/1/notify',
    headers: { authorization: 'App key' },
    payload: { to: ['447400000100', '447400000105'], notifyUrl: `http://127.0.0.1:${port}` },
  });
  expect(accepted.statusCode).toBe(200);
  while (bodies.length < 3) await once(server, 'callback');
  server.close();
  expect(bodies.map(({ results }) => results.map(({ to, status }) => `${to} ${status.groupName}`))).toEqual([
    ['447400000100 UNDELIVERABLE'],
    ['447400000105 DELIVERED'],
    ['447400000100 UNDELIVERABLE'],
  ]);
  await api.close();
});

test('Twilio’s results depend on the last two digits of the number', async () => {
  const api = fastify();
  lookupRoutes(api);
  const find = async (number: string) =>
    (
      await api.inject({ url: `/twilio/v2/PhoneNumbers/${number}`, headers: { authorization: 'Basic eDp5' } })
    ).json() as { valid: boolean; line_type_intelligence: { type: string } | null };
  expect((await find('%2B447400000100')).valid).toBe(false);
  expect((await find('%2B447400000101')).line_type_intelligence?.type).toBe('landline');
  expect((await find('%2B447400000105')).line_type_intelligence?.type).toBe('mobile');
  expect((await api.inject({ url: '/twilio/v2/PhoneNumbers/1' })).statusCode).toBe(401);
  await api.close();
});
