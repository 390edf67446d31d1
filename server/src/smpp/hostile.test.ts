/** Peers that break the protocol, flood the server, or never finish. */

import { STATUS } from '@parley/smpp/status.ts';
import { dial } from '@parley/smpp/test/raw.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCarrier, makeCompany, makeSender } from '../test/make.ts';
import { makeSmppCustomer, type SmppCustomer, smppPort, submitSm } from '../test/smpp/customer.ts';
import { createWorld, freePort, until, type World } from '../test/world.ts';

let world: World;
let customer: SmppCustomer;
let code: string;
beforeAll(async () => {
  world = await createWorld({ role: 'api', settings: { SMPP_PORT: String(await freePort()) } });
  await makeCarrier(world.kernel, { countries: ['GB'] });
  const company = await makeCompany(world.kernel);
  ({ code } = await makeSender(world.kernel, company.account_id));
  customer = await makeSmppCustomer(world, company, { max_binds: 50 });
});
afterAll(() => world.stop());

const works = async () => {
  const { peer, response } = await customer.bind();
  expect(response.command_status).toBe(0);
  expect(await peer.request(submitSm(code, '447400000001', 'Hi'))).toMatchObject({ command_status: 0 });
  peer.destroy();
};

test.each([
  ['a length of 0', '00000000000000040000000000000001'],
  ['a length of 2^31', '80000000000000040000000000000001'],
  ['a length below the header', '0000000f000000040000000000000001'],
  ['an HTTP request', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n').toString('hex')],
])('a peer that sends %s gets generic_nack and is disconnected, before and after a bind', async (_, hex) => {
  const early = await dial(smppPort(world));
  early.write(Buffer.from(hex, 'hex'));
  expect(await early.next()).toMatchObject({ command: 'generic_nack', command_status: STATUS.ESME_RINVCMDLEN });
  await early.closed;
  const { peer } = await customer.bind();
  peer.write(Buffer.from(hex, 'hex'));
  expect(await peer.next()).toMatchObject({ command: 'generic_nack', command_status: STATUS.ESME_RINVCMDLEN });
  await peer.closed;
  await works();
});

test('garbage in the body of a submit_sm never ends the process, and other sessions keep working', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (body) => {
      const { peer } = await customer.bind();
      const header = Buffer.alloc(16);
      header.writeUInt32BE(16 + body.length, 0);
      header.writeUInt32BE(4, 4);
      header.writeUInt32BE(9, 12);
      peer.write(Buffer.concat([header, body]));
      const response = await peer.next();
      expect(response).toMatchObject({ command: 'submit_sm_resp', sequence_number: 9 });
      expect(response!.command_status).not.toBe(0);
      peer.destroy();
    }),
    { numRuns: 40 },
  );
  await works();
});

test('connections that never bind are limited by address, and others can still bind', async () => {
  const loris = await Promise.all(Array.from({ length: 30 }, () => dial(smppPort(world))));
  for (const peer of loris) peer.write(Buffer.from([0, 0]));
  await until('the surplus is closed', () => loris.filter(({ socket }) => socket.destroyed).length >= 10);
  for (const peer of loris) peer.destroy();
  await until('their places are free', async () => {
    const { response, peer } = await customer.bind().catch(() => ({ response: null, peer: null }));
    peer?.destroy();
    return response?.command_status === 0;
  });
});

test('an address that guesses passwords is refused for a while', async () => {
  const statuses = new Set<number>();
  for (let n = 0; n < 40; n++) {
    const { peer, response } = await customer.bind({ password: `guess${n}` });
    statuses.add(response.command_status);
    peer.destroy();
  }
  expect([...statuses].sort((a, b) => a - b)).toEqual([STATUS.ESME_RINVPASWD, STATUS.ESME_RTHROTTLED]);
  await until('binds are accepted again', async () => {
    const { peer, response } = await customer.bind();
    peer.destroy();
    return response.command_status === 0;
  });
});

test('a program that does not read its responses is not buffered without a limit', async () => {
  const { peer } = await customer.bind();
  peer.socket.pause();
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 20_000; n++) peer.send(submitSm(code, '447400000001', 'x'.repeat(100)));
  await works();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(300_000_000);
  peer.destroy();
  await works();
});
