/** What WhatsApp tells of templates by itself, through the callback door: taken in the transaction of the callback, so that nothing is lost or taken twice. */
import type { Notice } from '../channels/channel.ts';
import type { Tx } from '../kernel/db/db.ts';
import { lockHanded } from './desk_queries.ts';
import { asItStands, categoryOf, type Said, saidBy, settle } from './settle.ts';

export type TemplateNotice = Extract<Notice, { kind: 'template' | 'template_detail' }>;

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
    // In their order, so the last word on each point counts.
    const said = notices
      .filter(({ external_id }) => external_id === row.external_id)
      .reduce<Said>((now, notice) => heard(now, notice), asItStands(row));
    if (await settle(tx, row, said)) changed++;
  }
  return changed;
}

const heard = (now: Said, notice: TemplateNotice): Said =>
  notice.kind === 'template'
    ? { ...now, ...saidBy(notice), ...(notice.category === null ? {} : { wa_category: categoryOf(notice.category) }) }
    : {
        ...now,
        ...(notice.quality === undefined ? {} : { quality: notice.quality }),
        ...(notice.category === undefined ? {} : { wa_category: categoryOf(notice.category) }),
      };
