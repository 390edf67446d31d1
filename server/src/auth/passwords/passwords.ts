/**
 * Hashes and compares passwords, and rejects common ones. For an unknown user, the password is compared with a decoy.
 */
import { readFileSync } from 'node:fs';
import { hash, verify } from '@node-rs/argon2';
import { Problem } from '@parley/contract/problem.ts';
import { secret } from '../../kernel/clock.ts';
import { isLeaked } from './leaked_passwords.ts';

// OWASP's first recommendation for argon2id. If the parameters change, each password is rehashed at its user's next
// sign-in.
let cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
// Hashing is the only expensive operation that unauthenticated clients can request, so only a few run at once.
const MAX_HASHES = 2;
let hashing = 0;
let hashes = 0;
const waiting: (() => void)[] = [];

/**
 * Makes hashes in this process as cheap as the library allows. Only tests call this. It is a function because nothing
 * in the environment of a server may weaken its hashes.
 */
export function hashCheaplyInTests(): void {
  cost = { memoryCost: 8, timeCost: 1, parallelism: 1 };
  decoy = undefined;
}

/** Runs `work` once fewer than `MAX_HASHES` are running in this process. */
async function limitHashing<T>(work: () => Promise<T>): Promise<T> {
  if (hashing >= MAX_HASHES) await new Promise<void>((resolve) => waiting.push(resolve));
  hashing++;
  try {
    return await work();
  } finally {
    hashing--;
    hashes++;
    waiting.shift()?.();
  }
}

/** The number of hashes this process has made or compared. Tests use it to compare the work of two responses. */
export const hashesDone = (): number => hashes;

// Keyboards and files differ in whether they compose accented letters.
const normalizePassword = (password: string): string => password.normalize('NFC');

export const hashPassword = (password: string): Promise<string> =>
  limitHashing(() => hash(normalizePassword(password), cost));

// Used for the comparison if there is no such user or the user has no password, so that all refusals take equally long.
let decoy: Promise<string> | undefined;

interface Hooks {
  before?: () => Promise<void>;
  onFailure?: () => Promise<void>;
}

/**
 * The hooks run right before and after the comparison, while it still counts toward the limit, so that concurrent
 * attempts are counted one by one.
 */
export const verifyPassword = async (
  password_hash: string | null,
  password: string,
  hooks: Hooks = {},
): Promise<boolean> => (await verifyEither(password_hash, null, password, hooks)).own;

/** Always compares with both hashes, even if the first one matches, so that the timing reveals nothing. */
export async function verifyEither(
  password_hash: string | null,
  sign_up_hash: string | null,
  password: string,
  hooks: Hooks = {},
): Promise<{ own: boolean; sign_up: boolean }> {
  decoy ??= hashPassword(secret());
  const own_hash = password_hash ?? (await decoy);
  const bytes = normalizePassword(password);
  return limitHashing(async () => {
    await hooks.before?.();
    // An unreadable hash matches no password.
    const own = (await verify(own_hash, bytes).catch(() => false)) && password_hash !== null;
    const sign_up = sign_up_hash !== null && (await verify(sign_up_hash, bytes).catch(() => false));
    if (!own && !sign_up) await hooks.onFailure?.();
    return { own, sign_up };
  });
}

export const isOutdated = (password_hash: string): boolean =>
  !password_hash.startsWith(`$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`);

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
let wordList: ReadonlySet<string> | undefined;
const loadWords = (): ReadonlySet<string> => {
  wordList ??= new Set(
    readFileSync(new URL('./weak_passwords.txt', import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
      .flatMap((line) => line.split(' ')),
  );
  return wordList;
};

/**
 * Throws PASSWORD_TOO_COMMON. Guessing programs take a common word and vary it: they capitalize letters, add digits and
 * symbols around it, replace letters with similar digits, or repeat the word. These variations are undone before the
 * lookup. The user's address, the company name, and the product name also count as common words.
 */
export function rejectWeakPassword(password: string, personalWords: readonly string[]): void {
  const context = [PRODUCT, ...personalWords.flatMap(splitWords)].filter((word) => word.length >= 4);
  for (const core of guessableCores(password)) {
    // A core of only a few characters gives no protection.
    if (core.length < 4 || loadWords().has(core) || isLeaked(core) || isRun(core))
      throw new Problem('PASSWORD_TOO_COMMON');
    if (context.some((word) => core.includes(word) && core.length - word.length < 4))
      throw new Problem('PASSWORD_TOO_COMMON');
  }
}

const splitWords = (text: string): string[] => {
  const words = plain(text).split(/[^\p{L}\p{Nd}]+/u);
  return [...words, words.join('')];
};

const plain = (text: string): string => text.normalize('NFKC').toLowerCase();
const unleet = (text: string): string => text.replace(/[0134578@$!+]/g, (sign) => LEET[sign] ?? sign);

function guessableCores(password: string): Set<string> {
  const lower = plain(password);
  const bare = lower.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const cores = new Set<string>();
  for (const text of [lower, bare, unleet(bare), unleet(lower).replace(/[^\p{L}]+$/u, '')]) {
    const letters = text.replace(/[^\p{L}\p{Nd}]/gu, '');
    cores.add(halved(letters));
  }
  return cores;
}

/** Reduces "dragondragon" to "dragon". */
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

/** True for one or two repeated characters, or a sequence from the keyboard or the alphabet. */
const isRun = (text: string): boolean => new Set(text).size <= 2 || RUNS.some((run) => run.includes(text));
