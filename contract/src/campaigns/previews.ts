/** Previews of a campaign: the text for each recipient, the cost, and what blocks the start. */
import { z } from 'zod';
import { lookupCountries } from '../accounts/campaign_rules.ts';
import { channel } from '../channels/field.ts';
import { DEFAULT_CHANNEL } from '../channels/index.ts';
import { country, currency, micros, range, timestampInput, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { Content } from '../messages/content.ts';
import { fallbackInput } from '../messages/messages.ts';
import { FALLBACK_PROBLEMS } from '../problems/groups.ts';
import { spend } from '../spend.ts';
import { contentFields } from './content.ts';
import { audienceFields, campaignText, sessionText } from './drafts.ts';
import { timingInput, triggerInput } from './inputs.ts';
import { Arrivals, TIMING_PROBLEMS, ZoneSources } from './timing.ts';

export const Sample = z.object({
  number: z.string(),
  country: z.string(),
  /** The value of each variable, for composers that fill in the variables while a user types. */
  variables: z.record(z.string(), z.string()),
  /** The start of the short URLs that replace `{url=https://...}`. */
  link_prefix: z.string(),
  text: z.string(),
  /** The file, the buttons, and the template; null for plain text, and while the message is incomplete. */
  content: Content.nullable(),
  segments_count: z.int(),
  encoding: z.string(),
});
export type Sample = z.output<typeof Sample>;

export const previewContent = {
  text: campaignText.default(''),
  template: uuid('CAMPAIGN_TEMPLATE_INVALID').nullable().optional(),
  ...contentFields,
};

/** Serves the phone preview next to the composer. It is fast enough to call on every keystroke. */
export const sampleCampaign = endpoint({
  id: 'campaign_samples.create',
  method: 'POST',
  path: '/v1/campaign_samples',
  summary: 'Preview a text with its variables filled in for some contacts in an audience',
  needs: 'AUDIENCES:view',
  body: z.object({
    audience: uuid('CAMPAIGN_AUDIENCE_INVALID'),
    /** The sender, which determines the value of {sms_opt_out}. */
    from: z.string().trim().max(100).nullable().optional(),
    ...previewContent,
    /** Index of the first recipient, starting at 0. */
    offset: range(0, 1_000_000).default(0),
    size: range(1, 50).default(10),
  }),
  output: z.object({ total: z.int(), samples: z.array(Sample) }),
  problems: ['CAMPAIGN_AUDIENCE_INVALID', 'CAMPAIGN_TEMPLATE_INVALID', 'MESSAGE_TEXT_TOO_LONG', 'FILE_NOT_FOUND'],
});

const PREVIEW_FINDINGS = [
  'no_sender',
  'sender_not_approved',
  'sender_countries',
  'no_text',
  'text_too_long',
  'unknown_variables',
  'invalid_links',
  'no_audience',
  'audience_channel',
  'empty_audience',
  'nobody',
  'balance',
  'account_not_active',
  'no_template',
  'template',
  'content',
  'trial_over',
  'trial_recipients',
  'schedule_past',
  'schedule_balance',
  'unicode',
  'several_parts',
  'empty_variable',
  'quiet_hours',
  'approval',
  'content_rule',
  'not_everybody',
] as const;
export const PreviewFinding = z.object({
  code: z.enum(PREVIEW_FINDINGS),
  message: z.string(),
  /** The place where the user can fix it: a page, or a step of the wizard as `#setup`, `#message` or `#review`. */
  fix: z.object({ label: z.string(), path: z.string() }).nullable(),
});

export const CampaignPreview = z.object({
  /**
   * Number of contacts who will receive the message, and of the other contacts by reason. Audiences contain no invalid
   * numbers.
   */
  counts: z.object({
    total: z.int(),
    will_receive: z.int(),
    stop_list: z.int(),
    /** Contacts whose number is also in another of the audiences. */
    duplicate: z.int(),
    /** Contacts who are also in an excluded audience. */
    excluded: z.int(),
    /** Contacts outside the targeted countries. */
    country: z.int(),
    /** Contacts in countries that the account blocks. */
    country_blocked: z.int(),
    no_text: z.int(),
    /** Contacts without a value for a variable of the template. */
    no_value: z.int(),
    no_route: z.int(),
    no_price: z.int(),
    too_long: z.int(),
    /** Contacts who have already reached the account's frequency cap. */
    frequency_cap: z.int(),
    /** Contacts whose quiet hours cover the delivery windows. */
    no_window: z.int(),
    /** Contacts whose local time has passed. */
    missed: z.int(),
    /** Contacts whose number is a landline, or not in use, according to a recent lookup. */
    landline: z.int(),
    not_in_use: z.int(),
    /** Contacts without an open session, if there is only a `session_text`. */
    no_session: z.int(),
  }),
  /**
   * The recipients whose session is open now, so that they get the `session_text`. Null without one. Sessions open and
   * close before an automation starts.
   */
  open_sessions: z.int().nullable(),
  arrivals: Arrivals,
  zones: ZoneSources,
  segments: z.object({ min: z.int(), max: z.int(), total: z.int(), unicode_recipients: z.int() }),
  cost: z.array(
    z.object({
      country: z.string(),
      recipients: z.int(),
      segments: z.int(),
      /** Price per segment. Networks in one country may have different prices. */
      price_micros: spend(micros),
      price_max_micros: spend(micros),
      cost_micros: spend(micros),
    }),
  ),
  total_micros: spend(micros),
  /**
   * The numbers that would be looked up first, and the most that this costs. Not part of `total_micros`. Null unless
   * `lookup` is true.
   */
  lookups: z.object({ numbers: z.int(), price_micros: spend(micros), cost_micros: spend(micros) }).nullable(),
  currency,
  /** Null for users without permission to view the balance. */
  available_micros: micros.nullable(),
  blockers: z.array(PreviewFinding),
  warnings: z.array(PreviewFinding),
});
export type PreviewFinding = z.output<typeof PreviewFinding>;
export type CampaignPreview = z.output<typeof CampaignPreview>;

export const previewBody = z.object({
  channel: channel('MESSAGE_CHANNEL_INVALID').default(DEFAULT_CHANNEL),
  from: z.string().trim().max(100).nullable().optional(),
  audience: uuid('CAMPAIGN_AUDIENCE_INVALID').nullable().optional(),
  ...audienceFields,
  ...previewContent,
  /** Like `session_text` of a campaign. */
  session_text: sessionText.nullish(),
  countries: z.array(country()).nullable().optional(),
  fallbacks: z.array(fallbackInput).max(50).nullish(),
  validity_seconds: z.int().optional(),
  schedule: timestampInput('CAMPAIGN_SCHEDULE_INVALID').nullable().optional(),
  timing: timingInput.optional(),
  /** The trigger of an automation. Its figures cover everyone in its audiences. */
  trigger: triggerInput.nullish(),
  /** Like `safety.lookup` of a campaign. */
  lookup: z.boolean().default(false),
  /** Like `safety.lookup_countries` of a campaign. */
  lookup_countries: lookupCountries.nullish(),
});

export const previewCampaign = endpoint({
  id: 'campaign_previews.create',
  method: 'POST',
  path: '/v1/campaign_previews',
  summary: 'Preview a campaign without sending it: recipients, segments, cost, blockers, and warnings',
  needs: 'CAMPAIGNS:view',
  body: previewBody,
  timeout_ms: 60_000,
  output: CampaignPreview,
  problems: [
    'CAMPAIGN_AUDIENCE_INVALID',
    'CAMPAIGN_TEMPLATE_INVALID',
    'MESSAGE_TEXT_TOO_LONG',
    'MESSAGE_CHANNEL_INVALID',
    'FILE_NOT_FOUND',
    'COUNTRY_CODE_INVALID',
    'CAMPAIGN_SENDER_INVALID',
    'CAMPAIGN_TRIGGER_INVALID',
    ...FALLBACK_PROBLEMS,
    ...TIMING_PROBLEMS,
  ],
});
