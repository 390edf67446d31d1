/** Campaigns: one text to an audience; every recipient at most one message, through pause, crash and retry. */
import { z } from 'zod';
import {
  channel,
  commaList,
  currency,
  idParams,
  listQuery,
  micros,
  problem,
  search,
  timestamp,
  timestampInput,
  uuid,
} from './common.ts';
import { endpoint } from './endpoint.ts';
import { event } from './event.ts';
import { MAX_TEXT, Message, STATUSES, VALIDITY_SECONDS } from './messages.ts';

export const CAMPAIGN_STATUSES = [
  'in_complete',
  'scheduled',
  'in_progress',
  'paused',
  'completed',
  'failed',
  'canceled',
  'error',
] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** Recipients by what became of them. `waiting`: not fanned out or still in our queue. */
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

export const SKIP_REASONS = ['invalid', 'stop_list', 'no_route', 'no_price', 'too_long'] as const;

export const Campaign = z.object({
  id: z.string(),
  account_id: z.string(),
  name: z.string(),
  channel: z.string(),
  status: z.enum(CAMPAIGN_STATUSES),
  status_details: z.string().nullable(),
  sender_id: z.string().nullable(),
  sender_name: z.string().nullable(),
  audience_id: z.string().nullable(),
  audience_name: z.string().nullable(),
  text: z.string(),
  schedule: timestamp.nullable(),
  validity_seconds: z.int(),
  /** People in the audience when it started. */
  total: z.int(),
  /** Of these, messages made so far. */
  fanned_out: z.int(),
  /** Not sent to, by reason. */
  skipped: z.partialRecord(z.enum(SKIP_REASONS), z.int()),
  counts: CampaignCounts,
  /** For older clients. */
  messages: z.object({ total: z.int(), delivered: z.int(), failed: z.int() }),
  cost_micros: micros,
  currency,
  start_date: timestamp.nullable(),
  end_date: timestamp.nullable(),
  create_date: timestamp,
  update_date: timestamp,
});
export type Campaign = z.output<typeof Campaign>;

const name = z
  .string()
  .trim()
  .min(1)
  .max(45, { error: problem(1262) });
const text = z.string().max(MAX_TEXT, { error: problem(1510) });
const validity = z
  .int({ error: problem(1545) })
  .min(VALIDITY_SECONDS.min, { error: problem(1545) })
  .max(VALIDITY_SECONDS.max, { error: problem(1545) });

const draftFields = {
  name: name.optional(),
  /** Id, name or code of the sender. */
  from: z.string().trim().max(100).optional(),
  audience: uuid(1606).optional(),
  text: text.optional(),
  validity_seconds: validity.optional(),
  /** Absent or null: as soon as it is started. */
  schedule: timestampInput(1609).nullable().optional(),
};

export const listCampaigns = endpoint({
  id: 'campaigns.list',
  method: 'GET',
  path: '/v1/campaigns',
  summary: 'Campaigns, newest first',
  needs: 'CAMPAIGNS:view',
  query: listQuery({ channel: search, search, name: search, statuses: commaList(z.string()) }),
  list: true,
  output: Campaign,
  problems: [],
});

/** `start: false` keeps it as a draft (in_complete), which may lack anything but the channel. */
export const createCampaign = endpoint({
  id: 'campaigns.create',
  method: 'POST',
  path: '/v1/campaigns',
  summary: 'Create a campaign and start it, now or at its schedule',
  needs: 'CAMPAIGNS:add',
  body: z.object({ ...draftFields, channel: channel(1515).default('SMS'), start: z.boolean().default(true) }),
  status: 201,
  idempotent: true,
  output: Campaign,
  problems: [
    1262, 1510, 1522, 1524, 1545, 1546, 1603, 1604, 1605, 1606, 1607, 1609, 1610, 1615, 1617, 1618, 1625, 7909,
  ],
});

export const getCampaign = endpoint({
  id: 'campaigns.get',
  method: 'GET',
  path: '/v1/campaigns/{id}',
  summary: 'One campaign with its counts of this moment',
  needs: 'CAMPAIGNS:view',
  params: idParams(1602),
  output: Campaign,
  problems: [1601, 1602],
});

/** Fields of a draft or scheduled campaign, and `status`: `in_progress` starts or resumes, `paused`, `canceled`, `scheduled`. */
export const updateCampaign = endpoint({
  id: 'campaigns.update',
  method: 'PUT',
  path: '/v1/campaigns/{id}',
  summary: 'Change, start, pause, resume or cancel a campaign',
  needs: 'CAMPAIGNS:edit',
  params: idParams(1602),
  body: z.object({
    ...draftFields,
    status: z.enum(['in_progress', 'paused', 'canceled', 'scheduled', 'in_complete']).optional(),
  }),
  output: Campaign,
  problems: [
    1262, 1510, 1522, 1524, 1545, 1546, 1601, 1602, 1603, 1604, 1605, 1606, 1607, 1609, 1610, 1611, 1614, 1615, 1617,
    1618, 1625, 7909,
  ],
});

export const removeCampaign = endpoint({
  id: 'campaigns.remove',
  method: 'DELETE',
  path: '/v1/campaigns/{id}',
  summary: 'Delete a campaign that is not running; its messages stay in the log',
  needs: 'CAMPAIGNS:delete',
  params: idParams(1602),
  status: 204,
  output: z.null(),
  problems: [1601, 1602, 1612],
});

/** Failed recipients whose failure may pass get a new try: the same message, never a second one. */
export const retryCampaign = endpoint({
  id: 'campaign_retries.create',
  method: 'POST',
  path: '/v1/campaigns/{id}/retries',
  summary: 'Try the failed recipients of a campaign again',
  needs: 'CAMPAIGNS:edit',
  params: idParams(1602),
  status: 202,
  idempotent: true,
  output: z.object({ id: z.string(), retried: z.int() }),
  problems: [1601, 1602, 1611, 7909],
});

export const RECIPIENT_BUCKETS = ['all', 'waiting', 'sent', 'delivered', 'failed', 'canceled'] as const;
/** Which statuses a bucket of the detail page gathers. */
export const BUCKETS: Record<(typeof RECIPIENT_BUCKETS)[number], readonly (typeof STATUSES)[number][]> = {
  all: STATUSES,
  waiting: ['scheduled', 'enroute'],
  sent: ['sent'],
  delivered: ['delivered', 'read'],
  failed: ['failed', 'rejected', 'expired', 'blocked', 'unsubscribed'],
  canceled: ['canceled'],
};

export const listRecipients = endpoint({
  id: 'campaign_recipients.list',
  method: 'GET',
  path: '/v1/campaigns/{id}/recipients',
  summary: 'What became of each recipient',
  needs: 'CAMPAIGNS:view',
  params: idParams(1602),
  query: listQuery({ bucket: z.enum(RECIPIENT_BUCKETS), statuses: commaList(z.string()), search }),
  list: true,
  output: Message,
  problems: [1601, 1602],
});

export const exportRecipients = endpoint({
  id: 'recipients_file.get',
  method: 'GET',
  path: '/v1/campaigns/{id}/recipients/file',
  summary: 'The recipients of a bucket as a CSV file',
  needs: 'CAMPAIGNS:view',
  params: idParams(1602),
  query: z.object({ bucket: z.enum(RECIPIENT_BUCKETS).default('all') }),
  raw: 'text/csv',
  output: z.null(),
  problems: [1601, 1602],
});

export const PreviewFinding = z.object({
  code: z.string(),
  message: z.string(),
  /** Where it is mended. */
  fix: z.object({ label: z.string(), path: z.string() }).nullable(),
});

export const CampaignPreview = z.object({
  /** People who will get it, and those who will not, by reason. */
  counts: z.object({
    total: z.int(),
    will_receive: z.int(),
    duplicate: z.int(),
    invalid: z.int(),
    stop_list: z.int(),
    no_route: z.int(),
    no_price: z.int(),
    too_long: z.int(),
  }),
  segments: z.object({ min: z.int(), max: z.int(), total: z.int(), unicode_recipients: z.int() }),
  cost: z.array(
    z.object({
      country: z.string(),
      recipients: z.int(),
      segments: z.int(),
      price_micros: micros,
      cost_micros: micros,
    }),
  ),
  total_micros: micros,
  currency,
  available_micros: micros,
  /** Rendered as they will be sent, from the page of recipients asked for. */
  samples: z.array(
    z.object({
      number: z.string(),
      country: z.string(),
      first_name: z.string(),
      last_name: z.string(),
      text: z.string(),
      segments_count: z.int(),
      encoding: z.string(),
      price_micros: micros,
    }),
  ),
  blockers: z.array(PreviewFinding),
  warnings: z.array(PreviewFinding),
});
export type CampaignPreview = z.output<typeof CampaignPreview>;

export const previewCampaign = endpoint({
  id: 'campaign_previews.create',
  method: 'POST',
  path: '/v1/campaign_previews',
  summary: 'Everything a campaign would do, without doing it: who, what, for how much, what stands in the way',
  needs: 'CAMPAIGNS:view',
  body: z.object({
    channel: channel(1515).default('SMS'),
    from: z.string().max(100).optional(),
    audience: uuid(1606).optional(),
    text: text.default(''),
    schedule: timestampInput(1609).nullable().optional(),
    /** First recipient of the samples, from 0. */
    sample_offset: z.int().min(0).max(100_000).default(0),
    sample_size: z.int().min(0).max(50).default(10),
  }),
  timeout_ms: 60_000,
  output: CampaignPreview,
  problems: [1606, 1510],
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
/** At most about once a second while messages move. */
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
