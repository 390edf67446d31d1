/**
 * An authenticator app (RFC 6238, SHA-1, 6 digits, 30 seconds): it stores secrets in the data directory and computes
 * their codes.
 */
import { createHmac } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { invalid, notFound, Problem } from '../problem.ts';

export interface Codes {
  label: string;
  code: string;
  next_code: string;
  seconds_left: number;
}

const stepSeconds = 30;
const maxSecrets = 200;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export class Authenticators {
  private readonly file: string;
  private readonly secrets: Map<string, string>;
  private readonly now: () => number;

  constructor(data_dir: string, now: () => number = Date.now) {
    this.file = join(data_dir, 'authenticators.json');
    this.secrets = new Map(Object.entries(read(this.file)));
    this.now = now;
  }

  /** Adds a secret the way people type it. Spaces and lowercase letters are allowed. */
  put(label: string, text: string): Codes {
    const secret = text.replace(/[\s=-]/g, '').toUpperCase();
    if (!/^[A-Z2-7]{16,128}$/.test(secret))
      throw invalid('secret', 'must be 16 to 128 characters of base32 (A-Z, 2-7)');
    if (!this.secrets.has(label) && this.secrets.size >= maxSecrets)
      throw new Problem(409, 'full', `the limit of ${maxSecrets} authenticators is reached`);
    this.secrets.set(label, secret);
    this.save();
    return this.get(label);
  }

  get(label: string): Codes {
    const secret = this.secrets.get(label);
    if (secret === undefined) throw notFound(`authenticator ${label}`);
    const seconds = this.now() / 1000;
    const step = Math.floor(seconds / stepSeconds);
    return {
      label,
      code: codeAt(secret, step),
      next_code: codeAt(secret, step + 1),
      seconds_left: Math.ceil((step + 1) * stepSeconds - seconds),
    };
  }

  list(): Codes[] {
    return [...this.secrets.keys()].sort().map((label) => this.get(label));
  }

  remove(label: string): void {
    if (!this.secrets.delete(label)) throw notFound(`authenticator ${label}`);
    this.save();
  }

  /** Writes a new file and then renames it, so that the old file stays intact if the process is killed in between. */
  private save(): void {
    writeFileSync(`${this.file}.new`, JSON.stringify(Object.fromEntries(this.secrets)), { mode: 0o600 });
    renameSync(`${this.file}.new`, this.file);
  }
}

function read(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', decodeBase32(secret)).update(counter).digest();
  const at = mac[mac.length - 1]! & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

function decodeBase32(secret: string): Buffer {
  const bits = [...secret].map((digit) => alphabet.indexOf(digit).toString(2).padStart(5, '0')).join('');
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}
