/** The TLS port. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SmppClient } from '@parley/smpp/client.ts';
import { STATUS } from '@parley/smpp/status.ts';
import { selfSigned } from '@parley/smpp/test/certificate.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { makeCompany } from '../test/make.ts';
import { makeSmppCustomer } from '../test/smpp/customer.ts';
import { createWorld, freePort, until, type World } from '../test/world.ts';

let world: World;
let folder: string;
let cert: string;
let tls_port: number;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-smpp-tls-'));
  const pair = selfSigned();
  ({ cert } = pair);
  const [cert_file, key_file] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  await writeFile(cert_file, cert);
  await writeFile(key_file, pair.key);
  tls_port = await freePort();
  world = await createWorld({
    role: 'api',
    settings: {
      SMPP_PORT: String(await freePort()),
      SMPP_TLS_PORT: String(tls_port),
      SMPP_TLS_CERT_FILE: cert_file,
      SMPP_TLS_KEY_FILE: key_file,
    },
  });
});
afterAll(async () => {
  await world.stop();
  await rm(folder, { recursive: true, force: true });
});

test('an account that requires TLS binds only on the TLS port', async () => {
  const company = await makeCompany(world.kernel);
  const { account, bind } = await makeSmppCustomer(world, company, { tls: true });
  expect((await bind()).response.command_status).toBe(STATUS.ESME_RBINDFAIL);
  const { system_id, password } = account;
  const tls = { ca: cert, servername: 'localhost' };
  const client = new SmppClient({ host: '127.0.0.1', port: tls_port, tls, system_id, password });
  onTestFinished(() => client.stop());
  client.start();
  await until('the program is bound', () => client.state === 'bound');
  const { body } = await world.as(company.token).get(`/v1/smpp_accounts/${account.id}/sessions`);
  expect(body.data).toMatchObject([{ tls: true, bind_type: 'transceiver' }]);
  expect((await world.as(company.token).get('/v1/smpp_server')).body.data).toMatchObject({ tls_port });
});

test('a connection without TLS to this port is closed', async () => {
  const { bind } = await makeSmppCustomer(world, await makeCompany(world.kernel));
  await expect(bind({ port: tls_port })).rejects.toThrow();
});
