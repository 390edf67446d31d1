/** Signed download links of exports. The signature covers the account, the export, and the expiration time. */

import type { Item } from '@parley/contract/endpoint.ts';
import { type createExportLink, EXPORT_LINK_HOURS } from '@parley/contract/exports/exports.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { ExportRow } from './queries.ts';

type Place = Pick<Kernel, 'storage' | 'clock' | 'config'>;
export type ExportLink = Item<typeof createExportLink>;

export const DOOR = '/v1/export_files';
const signedFields = (account_id: string, id: string, expires: string): string[] => ['GET', account_id, id, expires];

export function exportLink(place: Place, row: Pick<ExportRow, 'account_id' | 'id' | 'filename'>): ExportLink {
  const expires = Math.floor(place.clock.now().getTime() / 1000) + EXPORT_LINK_HOURS * 3_600;
  const query = new URLSearchParams({
    account: row.account_id,
    id: row.id,
    expires: String(expires),
    signature: place.storage.signature('export', signedFields(row.account_id, row.id, String(expires))),
  });
  return {
    url: `${place.config.PUBLIC_URL}${DOOR}/${encodeURIComponent(row.filename)}?${query}`,
    expire_date: new Date(expires * 1000).toISOString().slice(0, 19).replace('T', ' '),
  };
}

/** Returns null for a forged, changed, or expired link. */
export function readExportLink(
  place: Place,
  { account, id, expires, signature }: Readonly<Record<string, unknown>>,
): { account_id: string; id: string } | null {
  if (typeof account !== 'string' || typeof id !== 'string' || typeof expires !== 'string') return null;
  if (!place.storage.isSigned('export', signedFields(account, id, expires), signature)) return null;
  return Number(expires) * 1000 < place.clock.now().getTime() ? null : { account_id: account, id };
}
