/**
 * Providers of sign-ins: what the setting says of them, and what they say of themselves (OpenID discovery), asked once an hour. One that is away is
 * asked again at the next sign-in.
 */
import { Problem } from '@parley/contract/problem.ts';
import * as openid from 'openid-client';
import type { Kernel } from '../kernel/kernel.ts';
import type { Config } from '../kernel/settings/config.ts';
import type { SignInProvider } from '../kernel/settings/setting_kinds.ts';

const KNOWN_MS = 3_600_000;
const TIMEOUT_SECONDS = 8;

const known = new WeakMap<Config, Map<string, { until: number; configuration: Promise<openid.Configuration> }>>();

export function providerOf({ config }: Pick<Kernel, 'config'>, id: string): SignInProvider {
  const provider = config.SIGN_IN_PROVIDERS.find((one) => one.id === id);
  if (!provider) throw new Problem('SIGN_IN_PROVIDER_NOT_FOUND');
  return provider;
}

/** Problem SIGN_IN_PROVIDER_UNAVAILABLE: it cannot be reached, or is not what the setting says. */
export async function configurationOf(kernel: Kernel, provider: SignInProvider): Promise<openid.Configuration> {
  let all = known.get(kernel.config);
  if (!all) {
    all = new Map();
    known.set(kernel.config, all);
  }
  const now = Date.now();
  let entry = all.get(provider.id);
  if (!entry || entry.until < now) {
    entry = { until: now + KNOWN_MS, configuration: twice(() => discover(provider)) };
    all.set(provider.id, entry);
  }
  try {
    return await entry.configuration;
  } catch (error) {
    if (all.get(provider.id) === entry) all.delete(provider.id);
    kernel.log.warn({ err: error, provider: provider.id }, 'sign-in provider');
    throw new Problem('SIGN_IN_PROVIDER_UNAVAILABLE');
  }
}

async function discover({ issuer, client_id, client_secret }: SignInProvider): Promise<openid.Configuration> {
  // Production takes no issuer without TLS; a sandbox on this machine has none.
  const plain = issuer.startsWith('http://');
  const found = await openid.discovery(new URL(issuer), client_id, undefined, openid.None(), {
    timeout: TIMEOUT_SECONDS,
    ...(plain ? { execute: [openid.allowInsecureRequests] } : {}),
  });
  const server = found.serverMetadata();
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const authentication = methods.includes('client_secret_post')
    ? openid.ClientSecretPost(client_secret)
    : openid.ClientSecretBasic(client_secret);
  const configuration = new openid.Configuration(server, client_id, undefined, authentication);
  configuration.timeout = TIMEOUT_SECONDS;
  if (plain) openid.allowInsecureRequests(configuration);
  return configuration;
}

async function twice<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch {
    return work();
  }
}
