/** The TLS port. */
import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { SmppClient } from '@parley/smpp/client.ts';
import { createSmppServer } from '@parley/smpp/server.ts';
import { STATUS } from '@parley/smpp/status.ts';
import { selfSigned } from '@parley/smpp/test/certificate.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { makeCompany } from '../test/make.ts';
import { makeSmppCustomer } from '../test/smpp/customer.ts';
import { createWorld, freePort, until, type World } from '../test/world.ts';
import { type CertificatePair, followCertificate } from './certificate.ts';

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

test('a renewed certificate replaces the current one, and an unusable one does not', async () => {
  const files = { SMPP_TLS_CERT_FILE: join(folder, 'new.pem'), SMPP_TLS_KEY_FILE: join(folder, 'new-key.pem') };
  const write = async (pair: CertificatePair) => {
    await writeFile(files.SMPP_TLS_CERT_FILE, pair.cert);
    await writeFile(files.SMPP_TLS_KEY_FILE, pair.key);
  };
  const [first, second] = [selfSigned(), selfSigned()];
  const logs: string[] = [];
  const log = {
    info: (_: object, text: string) => logs.push(text),
    error: (_: object, text: string) => logs.push(text),
  };
  const server = createSmppServer({ system_id: 'Parley', authenticate: async () => STATUS.ESME_RBINDFAIL, tls: first });
  const port = await server.listen(0, '127.0.0.1');
  onTestFinished(() => server.close(0));
  const reader = followCertificate({ config: files, log } as never, server, first);
  onTestFinished(() => reader.stop());
  const served = () =>
    new Promise<string>((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
        resolve(new X509Certificate(socket.getPeerX509Certificate()!.raw).fingerprint256);
        socket.destroy();
      }).on('error', reject);
    });
  const fingerprint = ({ cert }: CertificatePair) => new X509Certificate(cert).fingerprint256;

  await write(first);
  reader.check();
  expect(await served()).toBe(fingerprint(first));
  await write({ cert: second.cert, key: first.key });
  reader.check();
  reader.check();
  expect(await served(), 'the key belongs to another certificate').toBe(fingerprint(first));
  expect(logs, 'the same error is logged once').toEqual(['SMPP certificate not replaced']);
  await write(second);
  reader.check();
  expect(await served()).toBe(fingerprint(second));
  await rm(files.SMPP_TLS_CERT_FILE);
  reader.check();
  expect(await served()).toBe(fingerprint(second));
  expect(logs).toEqual(['SMPP certificate not replaced', 'SMPP certificate replaced', 'SMPP certificate not replaced']);
});

test('a connection without TLS to this port is closed', async () => {
  const { bind } = await makeSmppCustomer(world, await makeCompany(world.kernel));
  await expect(bind({ port: tls_port })).rejects.toThrow();
});
