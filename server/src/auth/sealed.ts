/**
 * What must not lie readable in the database: hashes that only this installation can make (codes are short, so a plain hash would be no secret) and
 * texts that only it can read again. One key for each purpose, from the installation's secret; a new SECRET_KEY voids all of it.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Config } from '../kernel/config.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { secretKey } from '../kernel/secrets.ts';

type Keeper = Pick<Kernel, 'config'>;

const secrets = new WeakMap<Config, Promise<string>>();

async function keyFor({ config }: Keeper, purpose: string): Promise<Buffer> {
  let secret = secrets.get(config);
  if (!secret) {
    secret = secretKey(config);
    secrets.set(config, secret);
  }
  return Buffer.from(hkdfSync('sha256', await secret, '', `parley ${purpose}`, 32));
}

export async function keyedHash(kernel: Keeper, purpose: string, text: string): Promise<Buffer> {
  return createHmac('sha256', await keyFor(kernel, purpose))
    .update(text)
    .digest();
}

/** AES-256-GCM; `purpose` also binds it: what was sealed for one cannot be opened as another. */
export async function seal(kernel: Keeper, purpose: string, text: string): Promise<string> {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', await keyFor(kernel, purpose), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Throws when it was sealed elsewhere, for another purpose, or changed. */
export async function unseal(kernel: Keeper, purpose: string, sealed: string): Promise<string> {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', await keyFor(kernel, purpose), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}
