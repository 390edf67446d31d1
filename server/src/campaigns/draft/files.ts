/** Keeps the files of a campaign stored, including those of its fallbacks and variants. */
import type { CampaignContent } from '@parley/contract/campaigns/content.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Tx } from '../../kernel/db/db.ts';
import { releaseMedia, requireMedia, useMedia } from '../../media/media.ts';
import type { CampaignRow } from '../model/row.ts';

type Message = Partial<CampaignContent> & { channel: ChannelName };

/** Earlier files of a draft are released. */
export async function useFiles(
  tx: Tx,
  {
    account_id,
    id,
    channel,
    content,
    fallbacks,
    test,
  }: Pick<CampaignRow, 'account_id' | 'id' | 'channel' | 'content' | 'fallbacks' | 'test'>,
): Promise<void> {
  const used_by = `campaign:${id}` as const;
  await releaseMedia(tx, account_id, used_by);
  const variants = (test?.variants ?? []).map((variant): Message => ({ ...variant, channel }));
  const messages: Message[] = [{ ...content, channel }, ...(fallbacks ?? []), ...variants];
  for (const { media_id, type, ...message } of messages) {
    if (!media_id) continue;
    if (type && type !== 'text') await requireMedia(tx, account_id, media_id, { type, channel: message.channel });
    await useMedia(tx, account_id, media_id, used_by);
  }
}
