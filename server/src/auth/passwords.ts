/** Passwords: hashed slowly and a few at a time, compared also where nobody is, and refused when they are among those that are tried first. */
import { readFileSync } from 'node:fs';
import { hash, verify } from '@node-rs/argon2';
import { Problem } from '@parley/contract/problem.ts';
import { secret } from '../kernel/clock.ts';
import { isLeaked } from './leaked_passwords.ts';

// OWASP's first recommendation for argon2id; raising it re-hashes at the next sign-in.
const ARGON = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const PARAMETERS = `$argon2id$v=19$m=${ARGON.memoryCost},t=${ARGON.timeCost},p=${ARGON.parallelism}$`;
// Hashing is the one expensive thing a stranger can ask for: no more at once than cores, the rest waits.
const MOST_HASHES = 2;
let hashing = 0;
let done = 0;
const waiting: (() => void)[] = [];

/** Waits for its turn; no more than a few at a time in this process. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (hashing >= MOST_HASHES) await new Promise<void>((resolve) => waiting.push(resolve));
  hashing++;
  try {
    return await work();
  } finally {
    hashing--;
    done++;
    waiting.shift()?.();
  }
}

/** How many hashes this process has made or compared: what an answer costs, for tests that look whether it tells something. */
export const hashesDone = (): number => done;

// The same letters come composed or not, as the keyboard and the file they are pasted from have it.
const bytesOf = (password: string): string => password.normalize('NFC');

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(bytesOf(password), ARGON));

// Verified against when there is no such person or they have no password, so that all refusals take equally long.
let decoy: Promise<string> | undefined;

interface About {
  before?: () => Promise<void>;
  wrong?: () => Promise<void>;
}

/** `about`: what is asked right before, while it is this call's turn, and told right after. Whoever tries many at once is counted one by one. */
export const verifyPassword = async (
  password_hash: string | null,
  password: string,
  about: About = {},
): Promise<boolean> => (await verifyEither(password_hash, null, password, about)).own;

/** Where `typed` is given both are compared, whatever the first says: how long it takes tells nothing. */
export async function verifyEither(
  password_hash: string | null,
  typed: string | null,
  password: string,
  about: About = {},
): Promise<{ own: boolean; typed: boolean }> {
  decoy ??= hashPassword(secret());
  const against = password_hash ?? (await decoy);
  const given = bytesOf(password);
  return inTurn(async () => {
    await about.before?.();
    // A hash nobody can read is no password that is right.
    const own = (await verify(against, given).catch(() => false)) && password_hash !== null;
    const other = typed !== null && (await verify(typed, given).catch(() => false));
    if (!own && !other) await about.wrong?.();
    return { own, typed: other };
  });
}

export const isOutdated = (password_hash: string): boolean => !password_hash.startsWith(PARAMETERS);

const PRODUCT = 'parley';
const LEET: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '+': 't',
};
let known: ReadonlySet<string> | undefined;
const triedFirst = (): ReadonlySet<string> => {
  known ??= new Set(
    readFileSync(new URL('./tried_first.txt', import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
      .flatMap((line) => line.split(' ')),
  );
  return known;
};

/**
 * Problem PASSWORD_TOO_COMMON. Programs that guess take a word and dress it: a capital, digits and signs around it,
 * digits that look like letters, twice the same. So it is undressed before it is looked up. Words of one's own
 * surroundings (address, company, product) count as well.
 */
export function demandUnusual(password: string, surroundings: readonly string[]): void {
  const context = [PRODUCT, ...surroundings.flatMap(wordsOf)].filter((word) => word.length >= 4);
  for (const core of coresOf(password)) {
    // What is left is a handful of characters: nothing to guess at.
    if (core.length < 4 || triedFirst().has(core) || isLeaked(core) || isRun(core))
      throw new Problem('PASSWORD_TOO_COMMON');
    if (context.some((word) => core.includes(word) && core.length - word.length < 4))
      throw new Problem('PASSWORD_TOO_COMMON');
  }
}

const wordsOf = (text: string): string[] => {
  const words = plain(text).split(/[^\p{L}\p{Nd}]+/u);
  return [...words, words.join('')];
};

const plain = (text: string): string => text.normalize('NFKC').toLowerCase();
const unleet = (text: string): string => text.replace(/[0134578@$!+]/g, (sign) => LEET[sign] ?? sign);

function coresOf(password: string): Set<string> {
  const lower = plain(password);
  const bare = lower.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const cores = new Set<string>();
  for (const text of [lower, bare, unleet(bare), unleet(lower).replace(/[^\p{L}]+$/u, '')]) {
    const letters = text.replace(/[^\p{L}\p{Nd}]/gu, '');
    cores.add(halved(letters));
  }
  return cores;
}

/** "dragondragon" is "dragon". */
function halved(text: string): string {
  const half = text.slice(0, text.length / 2);
  return text.length >= 6 && text.length % 2 === 0 && half + half === text ? half : text;
}

const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
];
const RUNS = [...ROWS, '01234567890'].flatMap((row) => [row, [...row].reverse().join('')]);

/** One character over and over, or neighbours on the keyboard and in the alphabet. */
const isRun = (text: string): boolean => new Set(text).size <= 2 || RUNS.some((run) => run.includes(text));
