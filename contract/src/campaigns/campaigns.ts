/** Campaigns: one message to an audience. Each recipient gets it at most once, despite pauses, crashes, and retries. */

import { z } from 'zod';
import { CHANNELS } from '../channels/names.ts';
import {
  commaList,
  currency,
  filterWord,
  idParams,
  listQuery,
  micros,
  search,
  timestamp,
  uuid,
  wordList,
} from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { IDEMPOTENCY_PROBLEMS } from '../problems/groups.ts';
import { spend } from '../spend.ts';
import { APPROVAL_STATUSES, CampaignApproval } from './approval.ts';
import { CampaignContent, CampaignFallback } from './content.ts';
import { CampaignRepeat } from './repeats.ts';
import { CampaignSafeguards, CampaignSafety } from './safety.ts';
import { CAMPAIGN_STATUSES } from './statuses.ts';
import { CampaignTiming } from './timing.ts';
import { CampaignTrigger } from './triggers.ts';
import { CampaignTest, CampaignTestState } from './variants.ts';

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
 * delivery windows are within the contact's quiet hours. `missed`: the contact's local time had passed. `landline`,
 * `not_in_use`: the result of a carrier lookup. `no_session`: there is only a `session_text`, and the contact’s
 * session was closed. `canceled`: the campaign was canceled first. Once the campaign has
 * ended, total = fanned_out + skipped, and the counts sum to fanned_out.
 */
export const SKIP_REASONS = [
  'invalid',
  'stop_list',
  'no_route',
  'no_price',
  'too_long',
  'no_text',
  'no_value',
  'content',
  'country',
  'country_blocked',
  'recipient_limit',
  'frequency_cap',
  'duplicate',
  'excluded',
  'removed',
  'no_window',
  'missed',
  'landline',
  'not_in_use',
  'no_session',
  'canceled',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** Why a campaign paused or did not complete. */
export const CAMPAIGN_REASONS = {
  user: 'Paused by a user',
  balance: 'Your balance is too low. Add funds, then resume',
  limit:
    'A traffic limit was reached, so the remaining contacts are waiting. ' +
    'Change the limit or wait until it resets, then resume',
  traffic_stop:
    'Messages to the next contacts are stopped because they show signs of fraud. The remaining contacts are waiting. ' +
    'Lift the stop or wait until it ends, then resume',
  missed_schedule:
    'The campaign could not start within an hour of its scheduled time. Resume it to send now, or set a new time',
  sender: 'The sender is no longer one of your approved senders',
  audience: 'The audience is missing or has no contacts who can receive this campaign',
  text: 'The text is missing or too long, or uses an unknown variable',
  template: 'The template is missing or no longer approved',
  approval: 'Another user must approve this campaign before it starts',
  overdue: 'Your balance is overdue. Add funds to resume',
  account: 'Your account cannot send messages at the moment',
  failures: 'Too many messages failed. Check the sender and the audience, then resume',
  opt_outs: 'Too many recipients opted out. Check the message and the audience, then resume',
  complaints: 'Too many recipients blocked the sender. Check the message and the audience, then resume',
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
  /** An automation sends it, instead of the template, to people whose session is open. */
  session_text: z.string().nullable(),
  ...CampaignContent.shape,
  /** Tried in this order if the message is not delivered; empty without fallbacks. */
  fallbacks: z.array(CampaignFallback),
  /** Only contacts in these countries get the message; null means all countries. */
  countries: z.array(z.string()).nullable(),
  schedule: timestamp.nullable(),
  timing: CampaignTiming,
  /** Null if the campaign does not repeat. With it, `schedule` is the time of the next run. */
  repeat: CampaignRepeat.nullable(),
  /** The next 10 runs of a repeating campaign. */
  next_runs: z.array(timestamp),
  /** The trigger that starts the runs of an automation; null for other campaigns. */
  trigger: CampaignTrigger.nullable(),
  /** The repeating campaign or automation that this run belongs to, and the scheduled time of the run. */
  series_id: z.string().nullable(),
  run_date: timestamp.nullable(),
  safety: CampaignSafety,
  safeguards: CampaignSafeguards,
  /** Null without an A/B test. */
  test: CampaignTest.nullable(),
  /** Null without an A/B test, and before the start. */
  test_state: CampaignTestState.nullable(),
  /** The latest approval or approval request; null if none has been needed since the last change. */
  approval: CampaignApproval.nullable(),
  /** Contacts waiting for their delivery window or local time, by the time when they get the message. */
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
  /** True once `campaign_skips.list` also lists the contacts with the reason `canceled`. */
  lists_canceled: z.boolean(),
  counts: CampaignCounts,
  /** Number of messages awaiting review by the operators. They also count as `enroute`. */
  in_review: z.int(),
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
  tags: z.array(z.string()),
  /** A note of the team. */
  note: z.string(),
  /** Null if the campaign is not archived. */
  archive_date: timestamp.nullable(),
  create_date: timestamp,
  update_date: timestamp,
  /** Present for test-key campaigns. */
  is_test: z.literal(true).optional(),
  links: z.object({ self: z.string(), account: z.string() }),
});
export type Campaign = z.output<typeof Campaign>;

export const listCampaigns = endpoint({
  id: 'campaigns.list',
  method: 'GET',
  path: '/v1/campaigns',
  summary: 'List campaigns, newest first',
  needs: 'CAMPAIGNS:view',
  test_keys: true,
  sorts: ['name', 'status', 'start_date', 'cost_micros', 'create_date'],
  query: listQuery({
    channel: filterWord(CHANNELS, 'MESSAGE_CHANNEL_INVALID'),
    search,
    name: search,
    statuses: wordList(CAMPAIGN_STATUSES),
    /** The status of the approval. `requested`: another user must approve the campaign. */
    approvals: wordList(APPROVAL_STATUSES),
    /** Campaigns with any of these tags. */
    tags: commaList(z.string()),
    /** By default, archived campaigns are left out. `true`: only archived ones. `all`: all campaigns. */
    archived: z.enum(['false', 'true', 'all']),
    /** The runs of a repeating campaign or of an automation. */
    series_id: uuid('CAMPAIGN_ID_INVALID'),
    /** `true`: only automations. */
    automations: z.enum(['true']),
  }),
  list: true,
  output: Campaign,
  problems: ['MESSAGE_CHANNEL_INVALID', 'CAMPAIGN_ID_INVALID'],
});

export const getCampaign = endpoint({
  id: 'campaigns.get',
  method: 'GET',
  path: '/v1/campaigns/{id}',
  summary: 'Get a campaign with its current counts',
  needs: 'CAMPAIGNS:view',
  test_keys: true,
  params: idParams('CAMPAIGN_ID_INVALID'),
  output: Campaign,
  problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_ID_INVALID'],
});

export const removeCampaign = endpoint({
  id: 'campaigns.remove',
  method: 'DELETE',
  path: '/v1/campaigns/{id}',
  summary: 'Delete a campaign that is not running; its messages stay in the message log',
  needs: 'CAMPAIGNS:delete',
  test_keys: true,
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
  uncounted_spend: true,
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
