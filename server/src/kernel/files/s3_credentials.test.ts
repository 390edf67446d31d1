/** Tests role credentials with a simulated platform and an object store that verifies them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { STORE_KEYS, startObjectStore } from '../../test/peers/object_store.ts';
import { createRoleCredentials, fixedCredentials } from './s3_credentials.ts';
import { s3Storage } from './storage_s3.ts';

const HOUR = 3_600_000;
let folder: string;
let platform: Server;
let origin: string;
let requests: string[] = [];
let respond: (request: IncomingMessage, body: string) => string | number;
/** The number of issued credentials. */
let issued = 0;
let lifetime = HOUR;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-role-'));
  platform = createServer(async (request, response) => {
    const body = await text(request);
    requests.push(`${request.method} ${request.url}`);
    const answer = respond(request, body);
    if (typeof answer === 'number') response.writeHead(answer).end('<Error><Code>ExpiredTokenException</Code></Error>');
    else response.end(answer);
  });
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;
});
afterAll(async () => {
  platform.closeAllConnections();
  await new Promise((resolve) => platform.close(resolve));
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  requests = [];
  issued = 0;
  lifetime = HOUR;
});

const issue = () => ({
  AccessKeyId: STORE_KEYS.access_key_id,
  SecretAccessKey: STORE_KEYS.secret_access_key,
  Token: `token ${++issued}`,
  Expiration: new Date(Date.now() + lifetime).toISOString(),
});
const container = () => createRoleCredentials({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${origin}/role` }, 'us-east-1');

test('an instance gets its role from the metadata service with a session token', async () => {
  respond = ({ url, headers }) => {
    if (url === '/latest/api/token') return headers['x-aws-ec2-metadata-token-ttl-seconds'] ? 'secret' : 400;
    if (headers['x-aws-ec2-metadata-token'] !== 'secret') return 401;
    return url!.endsWith('/security-credentials/') ? 'files\n' : JSON.stringify(issue());
  };
  const source = createRoleCredentials({ AWS_EC2_METADATA_SERVICE_ENDPOINT: origin }, 'us-east-1');
  expect(await source.get()).toMatchObject({ access_key_id: 'TESTACCESSKEY', session_token: 'token 1' });
  const path = '/latest/meta-data/iam/security-credentials/';
  expect(requests).toEqual(['PUT /latest/api/token', `GET ${path}`, `GET ${path}files`]);
});

test('a container gets its role with the token in its file', async () => {
  const file = join(folder, 'container');
  await writeFile(file, 'from the file\n');
  respond = ({ headers }) => (headers.authorization === 'from the file' ? JSON.stringify(issue()) : 403);
  const env = { AWS_CONTAINER_CREDENTIALS_FULL_URI: `${origin}/role`, AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file };
  expect(await createRoleCredentials(env, 'us-east-1').get()).toMatchObject({ session_token: 'token 1' });
});

test('a pod exchanges its current web identity for the role when it needs credentials', async () => {
  const file = join(folder, 'identity');
  const env = {
    AWS_WEB_IDENTITY_TOKEN_FILE: file,
    AWS_ROLE_ARN: 'arn:aws:iam::1:role/files',
    AWS_ENDPOINT_URL_STS: `${origin}/sts`,
  };
  const identities: (string | null)[] = [];
  respond = (_, body) => {
    const form = new URLSearchParams(body);
    identities.push(form.get('WebIdentityToken'));
    if (form.get('RoleArn') !== env.AWS_ROLE_ARN) return 400;
    const { AccessKeyId, SecretAccessKey, Token, Expiration } = issue();
    return `<Credentials><SessionToken>${Token}</SessionToken><AccessKeyId>${AccessKeyId}</AccessKeyId>
      <SecretAccessKey>${SecretAccessKey}</SecretAccessKey><Expiration>${Expiration}</Expiration></Credentials>`;
  };
  const source = createRoleCredentials(env, 'us-east-1');
  await writeFile(file, 'first');
  expect(await source.get()).toMatchObject({ session_token: 'token 1' });
  await writeFile(file, 'second');
  source.renew();
  expect(await source.get()).toMatchObject({ session_token: 'token 2' });
  expect(identities).toEqual(['first', 'second']);
});

test('credentials are loaded once when requests run in parallel, and again before they expire', async () => {
  respond = () => JSON.stringify(issue());
  let now = Date.now();
  const env = { AWS_CONTAINER_CREDENTIALS_FULL_URI: `${origin}/role` };
  const source = createRoleCredentials(env, 'us-east-1', () => now);
  await Promise.all([source.get(), source.get(), source.get()]);
  expect(issued).toBe(1);
  now += HOUR - 4 * 60_000;
  lifetime = 2 * HOUR;
  expect(await source.get()).toMatchObject({ session_token: 'token 2' });
});

test('credentials stay in use until they expire when the platform does not respond', async () => {
  respond = () => JSON.stringify(issue());
  let now = Date.now();
  const env = { AWS_CONTAINER_CREDENTIALS_FULL_URI: `${origin}/role` };
  const source = createRoleCredentials(env, 'us-east-1', () => now);
  await source.get();
  respond = () => 500;
  now += HOUR - 60_000;
  expect(await source.get()).toMatchObject({ session_token: 'token 1' });
  now += 2 * 60_000;
  await expect(source.get()).rejects.toThrow(/the role has no credentials: 127.0.0.1:\d+ responded with HTTP 500/);
});

test('a file is stored with new credentials when the store rejects the old ones', async () => {
  respond = () => JSON.stringify(issue());
  let accepted = 'token 1';
  const store = await startObjectStore('parley', () => accepted);
  const files = (credentials = container()) =>
    s3Storage({ credentials, region: 'us-east-1', bucket: 'parley', endpoint: store.url, folder }, [
      'secret'.repeat(6),
    ]);
  try {
    const storage = files();
    await storage.put('a', Readable.from(['abc']), { max_bytes: 3 });
    accepted = 'token 2';
    expect(await storage.exists('a')).toBe(true);
    accepted = 'fixed';
    const { access_key_id, secret_access_key } = STORE_KEYS;
    const fixed = (session_token: string) =>
      files(fixedCredentials({ access_key_id, secret_access_key, session_token }));
    expect(await fixed('fixed').exists('a')).toBe(true);
    await expect(fixed('other').open('a')).rejects.toThrow(/ExpiredToken/);
  } finally {
    await store.stop();
  }
});
