/** The server and the key that commands use: from the environment, or else from `parley login`. */
import { createParley, type Options, type Parley } from '@parley/sdk';
import { loginPath, readJson } from './files.ts';
import { CliError, EXIT, usageError } from './problems.ts';
import { VERSION } from './version.ts';

export interface Login {
  url: string;
  key: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export async function readLogin(env: Environment): Promise<Login> {
  const { PARLEY_URL, PARLEY_API_KEY } = env;
  if (PARLEY_URL && PARLEY_API_KEY) return { url: checkUrl(PARLEY_URL), key: checkKey(PARLEY_API_KEY) };
  const stored = await readStored(env);
  if (PARLEY_API_KEY && stored) return { url: stored.url, key: checkKey(PARLEY_API_KEY) };
  if (PARLEY_URL && stored && checkUrl(PARLEY_URL) !== stored.url)
    // The stored key is for another server, so this server must not get it.
    throw new CliError(`The stored key belongs to ${stored.url}. Set PARLEY_API_KEY for ${PARLEY_URL}.`, EXIT.key);
  if (stored) return stored;
  throw new CliError('You are not signed in. Run `parley login`, or set PARLEY_URL and PARLEY_API_KEY.', EXIT.key);
}

async function readStored(env: Environment): Promise<Login | null> {
  const stored = await readJson(loginPath(env));
  if (!stored) return null;
  return { url: checkUrl(String(stored.url)), key: checkKey(String(stored.key)) };
}

/** Returns the address without a path. */
export function checkUrl(text: string): string {
  const url = URL.parse?.(text) ?? parseUrl(text);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password || url.search || url.hash)
    throw usageError(`${JSON.stringify(text)} is not the URL of a server. Example: https://parley.example.com`);
  return `${url.origin}${url.pathname}`.replace(/(\/v1)?\/*$/, '');
}

function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** Headers cannot contain other characters. */
export function checkKey(text: string): string {
  const key = text.trim();
  if (!/^[\x21-\x7e]{8,200}$/.test(key)) throw usageError('This is not an API key. Copy it from APIs, Keys.');
  return key;
}

export const isTestKey = (key: string): boolean => key.startsWith('parley_test_');

/** Identifies a key without revealing it. */
export const maskKey = (key: string): string => `${isTestKey(key) ? 'parley_test_' : ''}…${key.slice(-4)}`;

/** A redirect could send the key to another server, so it is an error. */
export const request = (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
  const headers = new Headers(init.headers);
  headers.set('user-agent', `parley-cli/${VERSION}`);
  return fetch(url, { ...init, headers, redirect: 'error' });
};

export const connect = ({ url, key }: Login, options: Partial<Options> = {}): Parley =>
  createParley({ base_url: url, key, fetch: request, ...options });
