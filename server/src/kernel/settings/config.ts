/**
 * Settings come only from the environment. They are read once, here, into a frozen object. An empty value counts as
 * missing.
 */
import { existsSync } from 'node:fs';
import type { z } from 'zod';
import type { Setting } from './setting_kinds.ts';
import { SETTINGS } from './settings.ts';

type Settings = typeof SETTINGS;
type Given = { readonly [K in keyof Settings]: Settings[K]['schema'] extends z.ZodType<infer T, string> ? T : never };
export type Config = Given & { readonly PUBLIC_URL: string; readonly ADMIN_URL: string; readonly LINK_URL: string };

export class ConfigError extends Error {
  readonly lines: readonly string[];
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'ConfigError';
    this.lines = lines;
  }
}

/** Returns all settings, or throws a ConfigError with one line per invalid setting. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const lines: string[] = [];
  const values: Record<string, unknown> = {};
  const demo = env.MODE?.trim() === 'demo';
  for (const [name, row] of Object.entries<Setting>(SETTINGS)) {
    const input = env[name]?.trim() || (row.lowercase && env[name.toLowerCase()]?.trim()) || null;
    const value = input ?? (demo && row.demo !== undefined ? row.demo : row.fallback);
    if (value === null) {
      values[name] = null;
      continue;
    }
    const parsed = row.schema.safeParse(value);
    if (parsed.success) values[name] = parsed.data;
    else lines.push(`${name} ${parsed.error.issues[0]!.message}${row.secret ? '' : ` (it is "${value}")`}`);
  }
  if (lines.length > 0) throw new ConfigError(lines);
  const config = withAddresses(values as unknown as Given);
  lines.push(...contradictions(config, values.PUBLIC_URL !== null));
  if (lines.length > 0) throw new ConfigError(lines);
  return config;
}

function withAddresses(given: Given): Config {
  const PUBLIC_URL = given.PUBLIC_URL ?? `http://localhost:${given.PORT}`;
  const ADMIN_URL = given.ADMIN_URL ?? PUBLIC_URL.replace('://', '://admin.');
  const SMPP_PORT = given.SMPP_PORT ?? (given.MODE === 'demo' ? sandboxPorts(given).smtp + 1 : null);
  return Object.freeze({ ...given, PUBLIC_URL, ADMIN_URL, LINK_URL: given.LINK_URL ?? PUBLIC_URL, SMPP_PORT });
}

function contradictions(config: Config, hasAddress: boolean): string[] {
  const lines: string[] = [];
  if (config.MODE === 'production') {
    if (config.DATABASE_URL === null)
      lines.push(
        'DATABASE_URL is required in production: postgresql://user:password@host:5432/database, or "embedded"',
      );
    if (!hasAddress)
      lines.push('PUBLIC_URL is required in production: the URL of the app in emails and links, such as https://...');
    if (config.OUTBOUND_ALLOW_CIDRS.length > 0 && !config.OUTBOUND_ALLOW_PRIVATE)
      lines.push(
        'OUTBOUND_ALLOW_CIDRS opens private networks to customers: set OUTBOUND_ALLOW_PRIVATE=yes to confirm it',
      );
    for (const { id, issuer } of config.SIGN_IN_PROVIDERS)
      if (!issuer.startsWith('https://')) lines.push(`SIGN_IN_PROVIDERS: the issuer of ${id} must begin with https://`);
    for (const { id, url } of config.CRM_APPS)
      if (url !== null && !url.startsWith('https://'))
        lines.push(`CRM_APPS: the URL of ${id} must begin with https://`);
    for (const name of ['STRIPE_API_URL', 'STRIPE_SCRIPT_URL'] as const)
      if (!config[name].startsWith('https://')) lines.push(`${name} must begin with https://`);
    if (config.FAILPOINT !== null) lines.push('FAILPOINT is for tests and not allowed in production');
  }
  if (config.MODE === 'demo') {
    const taken = Object.values(sandboxPorts(config));
    if (taken.includes(config.PORT)) lines.push(`PORT and SANDBOX_PORT overlap: the sandbox uses ${taken.join(', ')}`);
  }
  if (config.DATABASE_URL === 'embedded' && config.DATABASE_DIRECT_URL !== null)
    lines.push('DATABASE_DIRECT_URL is not for the embedded database');
  const hasKeys = config.S3_ACCESS_KEY_ID !== null && config.S3_SECRET_ACCESS_KEY !== null;
  if (config.S3_BUCKET !== null && config.S3_CREDENTIALS === 'keys' && !hasKeys)
    lines.push('S3_BUCKET requires S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or S3_CREDENTIALS=role');
  const keys = [config.STRIPE_SECRET_KEY, config.STRIPE_PUBLISHABLE_KEY, config.STRIPE_WEBHOOK_SECRET];
  if (keys.includes(null) && keys.some((key) => key !== null))
    lines.push('STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, and STRIPE_WEBHOOK_SECRET require each other');
  if ((config.DKIM_SELECTOR === null) !== (config.DKIM_KEY_FILE === null))
    lines.push('DKIM_SELECTOR and DKIM_KEY_FILE require each other');
  if (config.DKIM_KEY_FILE !== null && !existsSync(config.DKIM_KEY_FILE))
    lines.push(`DKIM_KEY_FILE does not exist: ${config.DKIM_KEY_FILE}`);
  if (config.LOOKUP_PROVIDER !== 'none' && (config.LOOKUP_URL === null || config.LOOKUP_SECRET === null))
    lines.push('LOOKUP_PROVIDER requires LOOKUP_URL and LOOKUP_SECRET');
  if (config.METRICS_PORT === config.PORT) lines.push('METRICS_PORT and PORT are the same');
  lines.push(...smppContradictions(config));
  return lines;
}

function smppContradictions(config: Config): string[] {
  const lines: string[] = [];
  const files = [config.SMPP_TLS_CERT_FILE, config.SMPP_TLS_KEY_FILE];
  if (config.SMPP_TLS_PORT !== null && files.includes(null))
    lines.push('SMPP_TLS_PORT requires SMPP_TLS_CERT_FILE and SMPP_TLS_KEY_FILE');
  for (const file of files) if (file !== null && !existsSync(file)) lines.push(`SMPP_TLS file does not exist: ${file}`);
  const own = [config.SMPP_PORT, config.SMPP_TLS_PORT].filter((port) => port !== null);
  const others = [config.PORT, config.METRICS_PORT];
  if (own.some((port) => others.includes(port)) || new Set(own).size < own.length)
    lines.push('SMPP_PORT and SMPP_TLS_PORT must differ from the other ports');
  return lines;
}

/** Describes settings that work but are not safe in production, one line each. */
export function warnings(config: Config): string[] {
  const lines = (['PUBLIC_URL', 'ADMIN_URL'] as const)
    .filter((name) => !config[name].startsWith('https://'))
    .map((name) => `${name} does not begin with https://: passwords and messages can be read in transit`);
  if (config.MODE === 'production' && config.SMPP_PORT !== null)
    lines.push('SMPP_PORT has no TLS: passwords and messages of SMPP programs can be read in transit');
  if (config.SMTP_URL === null) lines.push('SMTP_URL is not set: emails wait in the outbox');
  return lines;
}

/** Returns the sandbox's ports by protocol. */
export function sandboxPorts(config: Pick<Config, 'SANDBOX_PORT'>): {
  http: number;
  smpp: number;
  smpps: number;
  smtp: number;
} {
  const first = config.SANDBOX_PORT;
  return { http: first, smpp: first + 1, smpps: first + 2, smtp: first + 3 };
}

/**
 * True if the address belongs to the sandbox. The sandbox only simulates carriers, so production refuses connections to
 * it.
 */
export function isSandbox(config: Pick<Config, 'SANDBOX_PORT'>, host: string, at: number): boolean {
  return isLoopback(host) && Object.values(sandboxPorts(config)).includes(at);
}

/** True if the host is any name or address of this machine. */
export const isLoopback = (host: string): boolean =>
  /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[?::1\]?|0\.0\.0\.0)$/i.test(host);
