/**
 * Loads the sign-in providers from the settings. Their OpenID discovery documents are cached for an hour. Failures are
 * not cached.
 */
import { Problem } from '@parley/contract/problem.ts';
import * as openid from 'openid-client';
import { fetchThroughProxy } from '../../kernel/http/forward_proxy.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Config } from '../../kernel/settings/config.ts';
import type { SignInProvider } from '../../kernel/settings/setting_kinds.ts';

const CACHE_MS = 3_600_000;
const TIMEOUT_SECONDS = 8;

const cache = new WeakMap<Config, Map<string, { until: number; configuration: Promise<openid.Configuration> }>>();

export function findProvider({ config }: Pick<Kernel, 'config'>, id: string): SignInProvider {
  const provider = config.SIGN_IN_PROVIDERS.find((candidate) => candidate.id === id);
  if (!provider) throw new Problem('SIGN_IN_PROVIDER_NOT_FOUND');
  return provider;
}

/** Throws SIGN_IN_PROVIDER_UNAVAILABLE if the provider cannot be reached or does not match the settings. */
export async function loadConfiguration(kernel: Kernel, provider: SignInProvider): Promise<openid.Configuration> {
  let configurations = cache.get(kernel.config);
  if (!configurations) {
    configurations = new Map();
    cache.set(kernel.config, configurations);
  }
  const now = Date.now();
  let entry = configurations.get(provider.id);
  if (!entry || entry.until < now) {
    entry = { until: now + CACHE_MS, configuration: retryOnce(() => discover(provider)) };
    configurations.set(provider.id, entry);
  }
  try {
    return await entry.configuration;
  } catch (error) {
    if (configurations.get(provider.id) === entry) configurations.delete(provider.id);
    kernel.log.warn({ err: error, provider: provider.id }, 'sign-in provider discovery failed');
    throw new Problem('SIGN_IN_PROVIDER_UNAVAILABLE');
  }
}

async function discover({ issuer, client_id, client_secret }: SignInProvider): Promise<openid.Configuration> {
  // Only the local sandbox has no TLS. The production settings refuse an issuer without TLS.
  const isInsecure = issuer.startsWith('http://');
  const discovered = await openid.discovery(new URL(issuer), client_id, undefined, openid.None(), {
    timeout: TIMEOUT_SECONDS,
    [openid.customFetch]: fetchThroughProxy,
    ...(isInsecure ? { execute: [openid.allowInsecureRequests] } : {}),
  });
  const server = discovered.serverMetadata();
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const authentication = methods.includes('client_secret_post')
    ? openid.ClientSecretPost(client_secret)
    : openid.ClientSecretBasic(client_secret);
  const configuration = new openid.Configuration(server, client_id, undefined, authentication);
  // Without this, the library trusts the connection to the provider instead of the signature.
  openid.enableNonRepudiationChecks(configuration);
  configuration.timeout = TIMEOUT_SECONDS;
  configuration[openid.customFetch] = fetchThroughProxy;
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
