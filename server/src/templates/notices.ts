/**
 * Applies the carrier's notices about templates in the transaction of the callback, so that none is lost or applied
 * twice.
 */
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Notice } from '../channels/channel.ts';
import type { Tx } from '../kernel/db/db.ts';
import { lockSubmitted } from './carrier_review_queries.ts';
import { type CarrierVerdict, currentVerdict, readVerdict, settle, toCategory } from './settle.ts';

export type TemplateNotice = Extract<Notice, { kind: 'template' | 'template_detail' }>;

/** Notices of a connection count only for its own templates. Returns the number of templates that changed. */
export async function takeTemplateNotices(
  tx: Tx,
  connection_id: string,
  notices: readonly TemplateNotice[],
): Promise<number> {
  if (notices.length === 0) return 0;
  const rows = await lockSubmitted(tx, connection_id, [...new Set(notices.map(({ external_id }) => external_id))]);
  let changed = 0;
  for (const row of rows) {
    // Applies the notices in order, so that the last notice about each field wins.
    const verdict = notices
      .filter(({ external_id }) => external_id === row.external_id)
      .reduce<CarrierVerdict>((now, notice) => applyNotice(row.channel, now, notice), currentVerdict(row));
    if (await settle(tx, row, verdict)) changed++;
  }
  return changed;
}

const applyNotice = (channel: ChannelName, now: CarrierVerdict, notice: TemplateNotice): CarrierVerdict =>
  notice.kind === 'template'
    ? {
        ...now,
        ...readVerdict(channel, notice),
        ...(notice.category === null ? {} : { wa_category: toCategory(notice.category) }),
      }
    : {
        ...now,
        ...(notice.quality === undefined ? {} : { quality: notice.quality }),
        ...(notice.category === undefined ? {} : { wa_category: toCategory(notice.category) }),
      };
