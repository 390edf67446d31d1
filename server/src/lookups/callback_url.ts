import type { Kernel } from '../kernel/kernel.ts';

const PURPOSE = 'lookup callback';

type Place = Pick<Kernel, 'config' | 'seals'>;

/** The signature makes the URL a permission to report the results of one request. */
export function callbackUrl({ config, seals }: Place, account_id: string, batch_id: string): string {
  const signature = seals.mac(`${account_id} ${batch_id}`, PURPOSE).toString('base64url');
  return `${config.PUBLIC_URL}/callbacks/lookups/${account_id}/${batch_id}/${signature}`;
}

export const isCallback = (
  { seals }: Pick<Kernel, 'seals'>,
  account_id: string,
  batch_id: string,
  signature: string,
): boolean => {
  const bytes = Buffer.from(signature, 'base64url');
  return bytes.length === 32 && seals.isMac(`${account_id} ${batch_id}`, PURPOSE, bytes);
};
