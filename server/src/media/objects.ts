/** The stored objects of an upload, which are named after its lease. */
import { randomUUID } from 'node:crypto';
import type { Kernel } from '../kernel/kernel.ts';

export const newLease = (): string => randomUUID();
export const objectKey = (account_id: string, lease: string): string => `media/${account_id}/${lease}`;
export const thumbnailKey = (account_id: string, lease: string): string => `${objectKey(account_id, lease)}.webp`;

/** Removes the objects of an upload, including those of an upload that crashed. */
export async function removeObjects(
  { storage }: Pick<Kernel, 'storage'>,
  account_id: string,
  lease: string,
): Promise<void> {
  await storage.remove(objectKey(account_id, lease));
  await storage.remove(thumbnailKey(account_id, lease));
}
