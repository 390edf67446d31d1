/** Campaigns: one message to an audience. Each recipient gets it at most once, despite pauses, crashes, and retries. */

import { z } from 'zod';
import { channel } from '../channels/field.ts';
import { CHANNELS, DEFAULT_CHANNEL } from '../channels/names.ts';
import {
  country,
  currency,
  filterWord,
  idParams,
  listQuery,
  micros,
  problem,
  search,
  timestamp,
  timestampInput,
  uuid,
  wordList,
} from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { fallbackInput, MAX_TEXT, VALIDITY_SECONDS } from '../messages/messages.ts';
import {
  BUTTON_PROBLEMS,
  CHANNEL_MEDIA_PROBLEMS,
  CONTENT_PROBLEMS,
  FALLBACK_PROBLEMS,
  IDEMPOTENCY_PROBLEMS,
  MEDIA_LINK_PROBLEMS,
} from '../problems/groups.ts';
import { spend } from '../spend.ts';
import { CampaignContent, CampaignFallback, contentFields } from './content.ts';
import { CAMPAIGN_STATUSES } from './statuses.ts';
import { CampaignTiming, TIMING_PROBLEMS, timingInput } from './timing.ts';

/** Number of recipients by status. `waiting`: no message created yet. All others count messages by their status. */
export const CampaignCounts = z.object({
  waiting: z.int(),
  enroute: z.int(),
  sent: z.int(),
  delivered: z.int(),
  read: z.int(),
  failed: z.int(),
  rejected: z.int(),
  expired: z.int(),
  blocked: z.int(),
  unsubscribed: z.int(),
  canceled: z.int(),
});
export type CampaignCounts = z.output<typeof CampaignCounts>;

/**
 * Why a contact got no message. `removed`: the contact left the audience while the campaign ran. `no_window`: the
 * delivery windows are within the contact's quiet hours. `missed`: the contact's local time had passed. `canceled`: the
 * campaign was canceled first. Once the campaign has ended, total = fanned_out + skipped, and the counts sum to
 * fanned_out.
 */
export const SKIP_REASONS = [
  'invalid',
  'stop_list',
  'no_route',
  'no_price',
  'too_long',
  'no_text',
  'no_value',
  'country',
  'country_blocked',
  'recipient_limit',
  'duplicate',
  'excluded',
  'removed',
  'no_window',
  'missed',
  'canceled',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** Why a campaign paused or did not complete. */
export const CAMPAIGN_REASONS = {
  user: 'Paused by a user',
  balance: 'Your balance is too low. Add funds, then resume',
  limit:
    'A traffic limit was reached, so the remaining contacts wait. Change the limit or wait until it resets, then ' +
    'resume',
  missed_schedule:
    'The campaign could not start within an hour of its scheduled time. Resume it to send now, or set a new time',
  sender: 'The sender is no longer one of your approved senders',
  audience: 'The audience is missing or has no contacts who can receive this campaign',
  text: 'The text is missing or too long, or uses an unknown variable',
  template: 'The template is missing or no longer approved',
  account: 'Your account cannot send messages at the moment',
  nobody: 'No contact in the audience could receive the campaign',
  undelivered: 'No carrier accepted any of the campaign’s messages',
  restored:
    'The service was restored from a backup. Some contacts may already have this message. If you resume, the ' +
    'messages to the remaining contacts are marked as possible duplicates',
  internal: 'An internal error stopped the campaign. No messages were sent twice. Resume to continue',
} as const;
export type CampaignReason = keyof typeof CAMPAIGN_REASONS;
const reasonKeys = Object.keys(CAMPAIGN_REASONS) as [CampaignReason, ...CampaignReason[]];

export const Campaign = z.object({
  id: z.string(),
  account_id: z.string(),
  name: z.string(),
  channel: z.string(),
  status: z.enum(CAMPAIGN_STATUSES),
  status_details: z.enum(reasonKeys).nullable(),
  sender_id: z.string().nullable(),
  sender_name: z.string().nullable(),
  audience_id: z.string().nullable(),
  /** With several audiences, all names. */
  audience_name: z.string().nullable(),
  /** All audiences, beginning with `audience_id`. A number in several of them gets one message. */
  audience_ids: z.array(z.string()),
  /** Contacts in these audiences get no message. */
  excluded_audience_ids: z.array(z.string()),
  text: z.string(),
  template_id: z.string().nullable(),
  template_name: z.string().nullable(),
  ...CampaignContent.shape,
  /** Tried in this order if the message is not delivered; empty without fallbacks. */
  fallbacks: z.array(CampaignFallback),
  /** Only contacts in these countries get the message; null stands for all countries. */
  countries: z.array(z.string()).nullable(),
  schedule: timestamp.nullable(),
  timing: CampaignTiming,
  /** Contacts who wait for their delivery window or local time, by the time when they get the message. */
  waits: z.array(z.object({ until: timestamp, recipients: z.int() })),
  validity_seconds: z.int(),
  /** Number of contacts in the audience at the start. */
  total: z.int(),
  /** Number of messages created so far. */
  fanned_out: z.int(),
  /** Number of contacts without a message, by reason. */
  skipped: z.partialRecord(z.enum(SKIP_REASONS), z.int()),
  /** True if `campaign_skips.list` lists the skipped contacts. False for campaigns from older versions. */
  lists_skips: z.boolean(),
  counts: CampaignCounts,
  /**
   * Number of failed recipients that a retry would include: they were not charged, and the failure may be temporary.
   */
  retryable: z.int(),
  /** Counts for older clients. */
  messages: z.object({ total: z.int(), delivered: z.int(), failed: z.int() }),
  /** The amount spent and held so far. */
  cost_micros: spend(micros),
  currency,
  start_date: timestamp.nullable(),
  end_date: timestamp.nullable(),
  create_date: timestamp,
  update_date: timestamp,
  links: z.object({ self: z.string(), account: z.string() }),
});
export type Campaign = z.output<typeof Campaign>;

const name = z
  .string()
  .trim()
  .min(1)
  .max(45, { error: problem('NAME_TOO_LONG') });
export const campaignText = z.string().max(MAX_TEXT, { error: problem('MESSAGE_TEXT_TOO_LONG') });
const validity = z
  .int({ error: problem('VALIDITY_INVALID') })
  .min(VALIDITY_SECONDS.min, { error: problem('VALIDITY_INVALID') })
  .max(VALIDITY_SECONDS.max, { error: problem('VALIDITY_INVALID') });

const CAMPAIGN_CONTENT_PROBLEMS = [
  ...CONTENT_PROBLEMS,
  ...MEDIA_LINK_PROBLEMS,
  ...BUTTON_PROBLEMS,
  ...CHANNEL_MEDIA_PROBLEMS,
  ...FALLBACK_PROBLEMS,
  ...TIMING_PROBLEMS,
  'CAMPAIGN_LOCAL_TIME_INVALID',
  'DOCUMENT_NAME_TOO_LONG',
  'DOCUMENT_NAME_INVALID',
  'FILE_NOT_FOUND',
  'VARIABLES_TOO_MANY',
  'COUNTRY_CODE_INVALID',
  'TARGETED_COUNTRIES_REQUIRED',
  'VALUE_INVALID',
] as const;

const MAX_AUDIENCES = 20;
/** Several audiences instead of one, and audiences whose contacts get no message. */
export const audienceFields = {
  audience_ids: z.array(uuid('CAMPAIGN_AUDIENCE_INVALID')).max(MAX_AUDIENCES).optional(),
  excluded_audience_ids: z.array(uuid('CAMPAIGN_AUDIENCE_INVALID')).max(MAX_AUDIENCES).optional(),
};

export const draftFields = {
  name: name.optional(),
  /** The sender's ID, name, or code. */
  from: z.string().trim().max(100).nullable().optional(),
  audience: uuid('CAMPAIGN_AUDIENCE_INVALID').nullable().optional(),
  ...audienceFields,
  text: campaignText.optional(),
  /**
   * An approved template of the channel, which supplies the message. On SMS, its text is used if no text is given, and
   * can be changed.
   */
  template: uuid('CAMPAIGN_TEMPLATE_INVALID').nullable().optional(),
  ...contentFields,
  /**
   * 1 to 3 fallbacks, each on a different channel, as in a single message. They remain one message with one price. The
   * values in `variables` can contain fields of the contact.
   */
  fallbacks: z.array(fallbackInput).max(50).nullish(),
  /** Only contacts in these countries get the message; null stands for all countries. */
  countries: z
    .array(country())
    .min(1, { error: problem('TARGETED_COUNTRIES_REQUIRED') })
    .nullable()
    .optional(),
  validity_seconds: validity.optional(),
  /** If absent or null, the campaign starts when requested. */
  schedule: timestampInput('CAMPAIGN_SCHEDULE_INVALID').nullable().optional(),
  /** When recipients get the message. Replaces all earlier settings. */
  timing: timingInput.optional(),
};

export const listCampaigns = endpoint({
  id: 'campaigns.list',
  method: 'GET',
  path: '/v1/campaigns',
  summary: 'List campaigns, newest first',
  needs: 'CAMPAIGNS:view',
  sorts: ['name', 'status', 'start_date', 'cost_micros', 'create_date'],
  query: listQuery({
    channel: filterWord(CHANNELS, 'MESSAGE_CHANNEL_INVALID'),
    search,
    name: search,
    statuses: wordList(CAMPAIGN_STATUSES),
  }),
  list: true,
  output: Campaign,
  problems: ['MESSAGE_CHANNEL_INVALID'],
});

/** The problems of creating and of changing a campaign. */
const DRAFT_PROBLEMS = [
  'NAME_TOO_LONG',
  'SCHEDULE_IN_PAST',
  'ACCOUNT_UNVERIFIED',
  'TRIAL_RECIPIENT_NOT_ALLOWED',
  'VALIDITY_INVALID',
  'MESSAGE_SEGMENTS_LIMIT_EXCEEDED',
  'CAMPAIGN_SENDER_REQUIRED',
  'CAMPAIGN_SENDER_INVALID',
  'CAMPAIGN_AUDIENCE_REQUIRED',
  'CAMPAIGN_AUDIENCE_INVALID',
  'CAMPAIGN_TEXT_REQUIRED',
  'CAMPAIGN_TEMPLATE_INVALID',
  'CAMPAIGN_SCHEDULE_INVALID',
  'CAMPAIGN_EXISTS',
  'CAMPAIGN_VARIABLE_UNKNOWN',
  'LINK_URL_INVALID',
  'LINKS_LIMIT_EXCEEDED',
  'CAMPAIGN_TEMPLATE_CHANNEL_MISMATCH',
  'CAMPAIGN_AUDIENCE_CHANNEL_MISMATCH',
  'CAMPAIGN_TEMPLATE_MISMATCH',
  'CAMPAIGN_AUDIENCE_EMPTY',
  ...CAMPAIGN_CONTENT_PROBLEMS,
  'SENDER_BLOCKED',
  'BALANCE_NOT_ENOUGH',
] as const;

/** With `start: false`, the campaign stays a draft (in_complete), which requires only the channel. */
export const createCampaign = endpoint({
  id: 'campaigns.create',
  method: 'POST',
  path: '/v1/campaigns',
  summary: 'Create a campaign and start it now or at its scheduled time',
  needs: 'CAMPAIGNS:add',
  body: z.object({
    ...draftFields,
    channel: channel('MESSAGE_CHANNEL_INVALID').default(DEFAULT_CHANNEL),
    start: z.boolean().default(true),
  }),
  status: 201,
  idempotent: true,
  output: Campaign,
  problems: [...DRAFT_PROBLEMS, ...IDEMPOTENCY_PROBLEMS, 'MESSAGE_CHANNEL_INVALID'],
});

export const getCampaign = endpoint({
  id: 'campaigns.get',
  method: 'GET',
  path: '/v1/campaigns/{id}',
  summary: 'Get a campaign with its current counts',
  needs: 'CAMPAIGNS:view',
  params: idParams('CAMPAIGN_ID_INVALID'),
  output: Campaign,
  problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_ID_INVALID'],
});

/**
 * Changes fields of a campaign that has not started, and `status`: `in_progress` starts or resumes, `paused` and
 * `canceled` stop, `scheduled` waits for its time, `in_complete` makes it a draft again.
 */
export const updateCampaign = endpoint({
  id: 'campaigns.update',
  method: 'PUT',
  path: '/v1/campaigns/{id}',
  summary: 'Update, start, pause, resume, or cancel a campaign',
  needs: 'CAMPAIGNS:edit',
  params: idParams('CAMPAIGN_ID_INVALID'),
  body: z.object({
    ...draftFields,
    status: z.enum(['in_progress', 'paused', 'canceled', 'scheduled', 'in_complete']).optional(),
  }),
  output: Campaign,
  problems: [
    ...DRAFT_PROBLEMS,
    'CAMPAIGN_NOT_FOUND',
    'CAMPAIGN_ID_INVALID',
    'CAMPAIGN_STATUS_CHANGE_NOT_ALLOWED',
    'CAMPAIGN_STATE_INVALID',
  ],
});

export const removeCampaign = endpoint({
  id: 'campaigns.remove',
  method: 'DELETE',
  path: '/v1/campaigns/{id}',
  summary: 'Delete a campaign that is not running; its messages stay in the message log',
  needs: 'CAMPAIGNS:delete',
  params: idParams('CAMPAIGN_ID_INVALID'),
  status: 204,
  output: z.null(),
  problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_ID_INVALID', 'CAMPAIGN_RUNNING'],
});

/**
 * Retries failed recipients whose failure may be temporary. It resends the same message and never creates a second one.
 */
export const retryCampaign = endpoint({
  id: 'campaign_retries.create',
  method: 'POST',
  path: '/v1/campaigns/{id}/retries',
  summary: 'Retry the failed recipients of a campaign',
  needs: 'CAMPAIGNS:edit',
  params: idParams('CAMPAIGN_ID_INVALID'),
  status: 202,
  idempotent: true,
  output: z.object({ id: z.string(), retried: z.int() }),
  problems: [
    ...IDEMPOTENCY_PROBLEMS,
    'CAMPAIGN_NOT_FOUND',
    'CAMPAIGN_ID_INVALID',
    'CAMPAIGN_STATUS_CHANGE_NOT_ALLOWED',
    'BALANCE_NOT_ENOUGH',
  ],
});

export const campaignCreated = event({
  id: 'campaign.created',
  modules: ['campaigns'],
  needs: 'CAMPAIGNS:view',
  payload: Campaign,
});
export const campaignUpdated = event({
  id: 'campaign.updated',
  modules: ['campaigns'],
  needs: 'CAMPAIGNS:view',
  payload: Campaign,
});
/** Emitted about once a second while messages change. */
export const campaignProgressed = event({
  id: 'campaign.progressed',
  modules: ['campaigns', 'campaign_recipients'],
  needs: 'CAMPAIGNS:view',
  payload: Campaign,
});
export const campaignDeleted = event({
  id: 'campaign.deleted',
  modules: ['campaigns'],
  needs: 'CAMPAIGNS:view',
  payload: z.object({ id: z.string() }),
});
