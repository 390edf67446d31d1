/**
 * Sign-in providers from the settings, with their OpenID discovery documents, cached for an hour. Failures are not
 * cached.
 */
import { Problem } from '@parley/contract/problem.ts';
import * as openid from 'openid-client';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Config } from '../../kernel/settings/config.ts';
import type { SignInProvider } from '../../kernel/settings/setting_kinds.ts';

const CACHE_MS = 3_600_000;
const TIMEOUT_SECONDS = 8;

const cache = new WeakMap<Config, Map<string, { until: number; configuration: Promise<openid.Configuration> }>>();

export function findProvider({ config }: Pick<Kernel, 'config'>, id: string): SignInProvider {
  const provider = config.SIGN_IN_PROVIDERS.find((one) => one.id === id);
  if (!provider) throw new Problem('SIGN_IN_PROVIDER_NOT_FOUND');
  return provider;
}

/** Problem SIGN_IN_PROVIDER_UNAVAILABLE: the provider cannot be reached, or does not match the setting. */
export async function loadConfiguration(kernel: Kernel, provider: SignInProvider): Promise<openid.Configuration> {
  let all = cache.get(kernel.config);
  if (!all) {
    all = new Map();
    cache.set(kernel.config, all);
  }
  const now = Date.now();
  let entry = all.get(provider.id);
  if (!entry || entry.until < now) {
    entry = { until: now + CACHE_MS, configuration: retryOnce(() => discover(provider)) };
    all.set(provider.id, entry);
  }
  try {
    return await entry.configuration;
  } catch (error) {
    if (all.get(provider.id) === entry) all.delete(provider.id);
    kernel.log.warn({ err: error, provider: provider.id }, 'sign-in provider discovery failed');
    throw new Problem('SIGN_IN_PROVIDER_UNAVAILABLE');
  }
}

async function discover({ issuer, client_id, client_secret }: SignInProvider): Promise<openid.Configuration> {
  // Only the local sandbox has no TLS; production settings refuse such an issuer.
  const isInsecure = issuer.startsWith('http://');
  const discovered = await openid.discovery(new URL(issuer), client_id, undefined, openid.None(), {
    timeout: TIMEOUT_SECONDS,
    ...(isInsecure ? { execute: [openid.allowInsecureRequests] } : {}),
  });
  const server = discovered.serverMetadata();
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const authentication = methods.includes('client_secret_post')
    ? openid.ClientSecretPost(client_secret)
    : openid.ClientSecretBasic(client_secret);
  const configuration = new openid.Configuration(server, client_id, undefined, authentication);
  configuration.timeout = TIMEOUT_SECONDS;
  if (isInsecure) openid.allowInsecureRequests(configuration);
  return configuration;
}

async function retryOnce<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch {
    return work();
  }
}
