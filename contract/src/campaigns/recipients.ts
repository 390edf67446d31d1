/** A campaign's recipients: their messages, and their responses. */
import { z } from 'zod';
import { idParams, listQuery, search, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { Message } from '../messages/shapes.ts';
import { statusesInput } from '../messages/status_input.ts';
import { SKIP_REASONS } from './campaigns.ts';
import { RECIPIENT_BUCKETS } from './statuses.ts';

export const CampaignRecipient = Message.extend({
  /** The contact's name in the audience; empty if it has none. */
  contact_name: z.string(),
  /** The time of the first reply (see `campaign_results`); null without one. */
  reply_date: timestamp.nullable(),
  opted_out: z.boolean(),
});
export type CampaignRecipient = z.output<typeof CampaignRecipient>;
/** `clicked`: the recipient opened a link of the campaign. `none`: neither a reply nor an opt-out. */
export const RESPONSES = ['replied', 'opted_out', 'clicked', 'none'] as const;

export const listRecipients = endpoint({
  id: 'campaign_recipients.list',
  method: 'GET',
  path: '/v1/campaigns/{id}/recipients',
  summary: 'List a campaign’s recipients with their status and response',
  needs: 'CAMPAIGNS:view',
  test_keys: true,
  params: idParams('CAMPAIGN_ID_INVALID'),
  query: listQuery({
    bucket: z.enum(RECIPIENT_BUCKETS),
    statuses: statusesInput,
    response: z.enum(RESPONSES),
    /** The start of a number, or part of a contact's name. */
    search,
  }),
  list: true,
  output: CampaignRecipient,
  problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_ID_INVALID'],
});

export const exportRecipients = endpoint({
  id: 'recipients_file.get',
  method: 'GET',
  path: '/v1/campaigns/{id}/recipients/file',
  summary: 'Download the recipients in a bucket as a CSV file',
  needs: 'CAMPAIGNS:view',
  test_keys: true,
  params: idParams('CAMPAIGN_ID_INVALID'),
  query: z.object({ bucket: z.enum(RECIPIENT_BUCKETS).default('all') }),
  raw: 'text/csv',
  output: z.null(),
  problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_ID_INVALID', 'EXPORT_LIMIT_REACHED'],
});

export const SkippedContact = z.object({
  /** The ID of the contact. */
  id: z.string(),
  /** Null if the contact was deleted later, in campaigns from before the upgrade. */
  number: z.string().nullable(),
  /** Empty if the contact has no name or was deleted later. */
  contact_name: z.string(),
  reason: z.enum(SKIP_REASONS),
});
export type SkippedContact = z.output<typeof SkippedContact>;

export const listSkips = endpoint({
  id: 'campaign_skips.list',
  method: 'GET',
  path: '/v1/campaigns/{id}/skips',
  summary: 'List the contacts that a campaign skipped, with the reason, except those that left the audience',
  needs: 'CAMPAIGNS:view',
  test_keys: true,
  params: idParams('CAMPAIGN_ID_INVALID'),
  query: listQuery({
    /** Contacts with the reason `canceled` are listed only with this filter. */
    reason: z.enum(SKIP_REASONS),
    /** The start of a number, or part of a contact's name. */
    search,
  }),
  list: true,
  output: SkippedContact,
  problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_ID_INVALID'],
});
