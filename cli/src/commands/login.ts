import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { type Parley, ParleyError } from '@parley/sdk';
import type { Call, Command } from '../command.ts';
import { loginPath, writeJson } from '../files.ts';
import { checkKey, checkUrl, connect, maskKey } from '../login.ts';
import { usageError } from '../problems.ts';

/** The key is valid, but it has no scope for the account. */
const PERMISSION_REQUIRED = 1136;
const MAX_INPUT = 4_096;

export const login: Command = {
  name: 'login',
  summary: 'Store the URL of the server and an API key',
  usage: '[--url URL]',
  text: [
    'Asks for the URL of the server and an API key, checks them, and stores them for this user. The key is not ' +
      'shown. If stdin is not a terminal, the key is read from it.',
    'The variables PARLEY_URL and PARLEY_API_KEY take precedence over the stored values.',
  ],
  options: { url: { type: 'string', value: 'URL', help: 'The URL of the server' } },
  arguments: { min: 0, max: 0 },
  examples: ['parley login', 'parley login --url https://parley.example.com < key.txt'],
  run,
};

async function run(call: Call): Promise<void> {
  const { env, output } = call;
  const given = call.text('url') ?? env.PARLEY_URL;
  if (given === undefined && !process.stdin.isTTY) throw usageError('--url is required');
  const url = checkUrl(given ?? (await ask('URL of the server: ', true, call.signal)));
  const key = checkKey(process.stdin.isTTY ? await ask('API key: ', false, call.signal) : await readInput());
  if (url.startsWith('http://') && !/^http:\/\/(localhost|127\.|\[::1\])/.test(url))
    output.note('Warning: the connection to this server is not encrypted, so others could read the key.');
  const company = await readCompany(connect({ url, key }));
  await writeJson(loginPath(env), { url, key });
  const name = company ? ` as ${company}` : '';
  output.result({ url, key: maskKey(key), company }, `Signed in to ${url}${name} with the key ${maskKey(key)}.`);
}

async function readCompany(parley: Parley): Promise<string | null> {
  try {
    return (await parley.accounts.get()).company_name || null;
  } catch (error) {
    if (error instanceof ParleyError && error.code === PERMISSION_REQUIRED) return null;
    throw error;
  }
}

/** The terminal shows the input only if `isVisible`. */
async function ask(question: string, isVisible: boolean, signal: AbortSignal): Promise<string> {
  process.stderr.write(question);
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: isVisible ? process.stderr : hidden, terminal: true });
  try {
    return (await lines.question('', { signal })).trim();
  } finally {
    lines.close();
    if (!isVisible) process.stderr.write('\n');
  }
}

async function readInput(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.length > MAX_INPUT) throw usageError('The input is too long for an API key');
  }
  return text;
}

export const logout: Command = {
  name: 'logout',
  summary: 'Delete the stored key from this computer',
  usage: '',
  text: ['The key stays valid. To revoke it, delete it under APIs, Keys.'],
  options: {},
  arguments: { min: 0, max: 0 },
  examples: [],
  async run({ env, output }) {
    await rm(loginPath(env), { force: true });
    output.result({ signed_in: false }, 'Signed out.');
  },
};
