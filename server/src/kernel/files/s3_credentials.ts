/**
 * The credentials for the object store: fixed keys, or temporary credentials of a role. The sources of a role are
 * those that Amazon defines, in this order: a web identity (Kubernetes), the container, and the instance. Temporary
 * credentials are replaced before they expire.
 */
import { readFile } from 'node:fs/promises';
import { fetchThroughProxy } from '../http/forward_proxy.ts';

export interface S3Credentials {
  access_key_id: string;
  secret_access_key: string;
  session_token: string | null;
}

export interface CredentialSource {
  get(): Promise<S3Credentials>;
  /** Called when the store rejects the credentials. Returns false if no other credentials can exist. */
  renew(): boolean;
}

export const fixedCredentials = (credentials: S3Credentials): CredentialSource => ({
  get: async () => credentials,
  renew: () => false,
});

interface Temporary extends S3Credentials {
  expires: number;
}

/** Credentials are replaced this long before they expire. */
const AHEAD_MS = 5 * 60_000;
const RETRY_MS = 30_000;
const TIMEOUT_MS = 5_000;
const CONTAINER = 'http://169.254.170.2';
const INSTANCE = 'http://169.254.169.254';

/** The environment variables that the platform sets for programs that use a role. */
export type RoleEnvironment = Readonly<Record<string, string | undefined>>;

export function createRoleCredentials(env: RoleEnvironment, region: string, now = Date.now): CredentialSource {
  let current: Temporary | null = null;
  let loading: Promise<Temporary> | null = null;
  let nextTry = 0;
  const load = (): Promise<Temporary> => {
    loading ??= loadRole(env, region)
      .then((loaded) => {
        current = loaded;
        return loaded;
      })
      .finally(() => {
        loading = null;
      });
    return loading;
  };
  return {
    async get() {
      const left = current ? current.expires - now() : 0;
      if (current && left > 0 && (left > AHEAD_MS || now() < nextTry)) return current;
      nextTry = now() + RETRY_MS;
      const expiring = current;
      return load().catch((error: Error) => {
        if (expiring && expiring.expires > now()) return expiring;
        throw new Error(`object store: the role has no credentials: ${error.message}`, { cause: error });
      });
    },
    renew() {
      current = null;
      return true;
    },
  };
}

function loadRole(env: RoleEnvironment, region: string): Promise<Temporary> {
  if (env.AWS_WEB_IDENTITY_TOKEN_FILE && env.AWS_ROLE_ARN) return loadWebIdentity(env, region);
  if (env.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI || env.AWS_CONTAINER_CREDENTIALS_FULL_URI) return loadContainer(env);
  return loadInstance(env);
}

/** https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html */
async function loadWebIdentity(env: RoleEnvironment, region: string): Promise<Temporary> {
  // The platform replaces the token, so the file is read each time.
  const token = (await readFile(env.AWS_WEB_IDENTITY_TOKEN_FILE!, 'utf8')).trim();
  const body = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: env.AWS_ROLE_ARN!,
    RoleSessionName: env.AWS_ROLE_SESSION_NAME || 'parley',
    WebIdentityToken: token,
  });
  const response = await fetchThroughProxy(env.AWS_ENDPOINT_URL_STS || `https://sts.${region}.amazonaws.com/`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  const read = (name: string) => new RegExp(`<${name}>([^<]+)</${name}>`).exec(text)?.[1];
  if (!response.ok) throw new Error(`STS refused the role: ${read('Code') ?? `HTTP ${response.status}`}`);
  return temporary(read('AccessKeyId'), read('SecretAccessKey'), read('SessionToken'), read('Expiration'));
}

/** https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html */
async function loadContainer(env: RoleEnvironment): Promise<Temporary> {
  const relative = env.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI;
  const url = relative ? `${CONTAINER}${relative}` : env.AWS_CONTAINER_CREDENTIALS_FULL_URI!;
  const file = env.AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE;
  const token = file ? (await readFile(file, 'utf8')).trim() : env.AWS_CONTAINER_AUTHORIZATION_TOKEN;
  return readJson(await askPlatform(url, { headers: token ? { authorization: token } : {} }));
}

/** https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instance-metadata-security-credentials.html */
async function loadInstance(env: RoleEnvironment): Promise<Temporary> {
  const base = (env.AWS_EC2_METADATA_SERVICE_ENDPOINT || INSTANCE).replace(/\/$/, '');
  const ttl = { 'x-aws-ec2-metadata-token-ttl-seconds': '300' };
  const token = await askPlatform(`${base}/latest/api/token`, { method: 'PUT', headers: ttl });
  const headers = { 'x-aws-ec2-metadata-token': token };
  const roles = `${base}/latest/meta-data/iam/security-credentials/`;
  const [role = ''] = (await askPlatform(roles, { headers })).split('\n');
  return readJson(await askPlatform(`${roles}${role.trim()}`, { headers }));
}

/** Requests to the platform bypass the proxy, because it is on the network of this machine. */
async function askPlatform(url: string, init: RequestInit): Promise<string> {
  const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${new URL(url).host} responded with HTTP ${response.status}`);
  return response.text();
}

function readJson(text: string): Temporary {
  const { AccessKeyId, SecretAccessKey, Token, Expiration } = JSON.parse(text) as Record<string, string | undefined>;
  return temporary(AccessKeyId, SecretAccessKey, Token, Expiration);
}

function temporary(id?: string, secret?: string, token?: string, expiration?: string): Temporary {
  const expires = Date.parse(expiration ?? '');
  if (!id || !secret || !token || Number.isNaN(expires)) throw new Error('the response has no credentials');
  return { access_key_id: id, secret_access_key: secret, session_token: token, expires };
}
