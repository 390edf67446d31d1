/** What WhatsApp tells of templates by itself, through the callback door: taken in the transaction of the callback, so that nothing is lost or taken twice. */
import type { Notice } from '../channels/channel.ts';
import type { Tx } from '../kernel/db.ts';
import { lockHanded } from './desk_queries.ts';
import { saidBy, settle } from './settle.ts';

export type TemplateNotice = Extract<Notice, { kind: 'template' }>;

/** Of one connection: what it says of templates of another is not heard. The number of templates that changed. */
export async function takeTemplateNotices(
  tx: Tx,
  connection_id: string,
  notices: readonly TemplateNotice[],
): Promise<number> {
  if (notices.length === 0) return 0;
  const rows = await lockHanded(tx, connection_id, [...new Set(notices.map(({ external_id }) => external_id))]);
  let changed = 0;
  for (const row of rows) {
    // The last word of several counts.
    const notice = notices.findLast(({ external_id }) => external_id === row.external_id)!;
    if (await settle(tx, row, saidBy(notice))) changed++;
  }
  return changed;
}
