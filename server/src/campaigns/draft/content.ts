/** Reads the content and the template of a campaign from a request. The writer checks them when the campaign starts. */
import {
  type CampaignContent,
  type CampaignContentInput,
  contentFields,
  NO_CAMPAIGN_CONTENT,
} from '@parley/contract/campaigns/content.ts';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { readMessage } from '@parley/contract/messages/rules.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Queryable } from '../../kernel/db/db.ts';
import { getTemplate, requireTemplate } from '../../templates/templates.ts';

const FIELDS = Object.keys(contentFields) as (keyof typeof contentFields)[];

/**
 * Returns the changed content, or null if the request has no content fields. Omitted fields keep their values. A draft
 * may be incomplete, but its content must be readable.
 */
export function readContent(
  channel: ChannelName,
  input: CampaignContentInput & { text?: string | undefined },
  before: Partial<CampaignContent> = {},
): CampaignContent | null {
  const given = Object.fromEntries(
    FIELDS.flatMap((field) => (input[field] === undefined ? [] : [[field, input[field]]])),
  );
  if (Object.keys(given).length === 0) return null;
  const { variables, ...old } = { ...NO_CAMPAIGN_CONTENT, ...before };
  // A file replaces the earlier file, whichever way it was given.
  const replaced = given.media_id ? { url: null } : given.url ? { media_id: null } : {};
  const buttons = 'button' in given && !('buttons' in given) ? { buttons: [] } : {};
  const body = { ...old, ...replaced, ...buttons, ...given, text: input.text ?? '', template: null, variables: null };
  const { draft, findings } = readMessage(channel, body);
  const unread = findings.filter(
    ({ code, field }) => field === 'purpose' || (field === 'button' && code === 'BUTTONS_NOT_ALLOWED'),
  );
  const refused = channelRules(channel).rich ? unread : findings.filter(({ field }) => field !== 'text');
  if (refused.length > 0) {
    const [{ code, ...detail }, ...others] = refused as [(typeof refused)[number], ...typeof refused];
    throw new Problem(code, { ...detail, others });
  }
  const { type, media_id, url, file_name, buttons: read, purpose } = draft;
  return {
    ...{ type, media_id, url, file_name, buttons: [...read], purpose },
    variables: (input.variables === undefined ? variables : input.variables) ?? [],
  };
}

export interface DraftTemplate {
  id: string;
  text: string;
}

/**
 * Throws CAMPAIGN_TEMPLATE_INVALID if the template may not be sent, and CAMPAIGN_TEMPLATE_CHANNEL_MISMATCH if it
 * belongs to another channel. Without a sender, only the template itself is checked.
 */
export async function requireCampaignTemplate(
  db: Queryable,
  { account_id, channel, sender_id }: { account_id: string; channel: ChannelName; sender_id: string | null },
  id: string,
): Promise<DraftTemplate> {
  try {
    if (sender_id) return await requireTemplate(db, account_id, id, channel, { id: sender_id });
    const template = await getTemplate(db, account_id, id);
    if (template.channel !== channel) throw new Problem('TEMPLATE_CHANNEL_MISMATCH');
    if (template.status !== 'COMPLETED' || template.paused) throw new Problem('TEMPLATE_NOT_APPROVED');
    return template;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new Problem(
      error.name === 'TEMPLATE_CHANNEL_MISMATCH' ? 'CAMPAIGN_TEMPLATE_CHANNEL_MISMATCH' : 'CAMPAIGN_TEMPLATE_INVALID',
    );
  }
}

/** Returns the template of a preview, approved or not. */
export async function findCampaignTemplate(db: Queryable, account_id: string, id: string): Promise<DraftTemplate> {
  try {
    return await getTemplate(db, account_id, id);
  } catch (error) {
    throw error instanceof Problem ? new Problem('CAMPAIGN_TEMPLATE_INVALID') : error;
  }
}
