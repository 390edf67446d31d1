/** Creating and changing campaigns. Pages that only show campaigns do not load these rules. */
import { z } from 'zod';
import { channel } from '../channels/field.ts';
import { DEFAULT_CHANNEL } from '../channels/names.ts';
import { country, idParams, problem, timestampInput, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { fallbackInput, MAX_TEXT, VALIDITY_SECONDS } from '../messages/messages.ts';
import {
  BUTTON_PROBLEMS,
  CHANNEL_MEDIA_PROBLEMS,
  CONTENT_PROBLEMS,
  FALLBACK_PROBLEMS,
  IDEMPOTENCY_PROBLEMS,
  MEDIA_LINK_PROBLEMS,
} from '../problems/groups.ts';
import { Campaign } from './campaigns.ts';
import { contentFields } from './content.ts';
import { repeatInput, safetyInput, testInput, timingInput, triggerInput } from './inputs.ts';
import { SAFETY_PROBLEMS } from './safety.ts';
import { CAMPAIGN_STATUSES } from './statuses.ts';
import { TIMING_PROBLEMS } from './timing.ts';

const name = z
  .string()
  .trim()
  .min(1)
  .max(45, { error: problem('NAME_TOO_LONG') });
export const campaignText = z.string().max(MAX_TEXT, { error: problem('MESSAGE_TEXT_TOO_LONG') });
export const sessionText = campaignText.trim().transform((text) => text || null);
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
  ...SAFETY_PROBLEMS,
  'CAMPAIGN_TEST_INVALID',
  'CAMPAIGN_REPEAT_INVALID',
  'CAMPAIGN_TRIGGER_INVALID',
  'CAMPAIGN_TRIGGER_CONFLICT',
  'CAMPAIGN_SESSION_TEXT_INVALID',
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

const tagProblem = { error: problem('CAMPAIGN_TAGS_INVALID') };
export const MAX_TAGS = 10;
export const MAX_NOTE = 2_000;
/** Tags that differ only in upper and lower case are one tag. */
const tags = z
  .array(
    z
      .string(tagProblem)
      .trim()
      .min(1, tagProblem)
      .max(30, tagProblem)
      .regex(/^[^,]+$/, tagProblem),
  )
  .transform((all) => all.filter((tag, at) => all.findIndex((other) => sameTag(tag, other)) === at))
  .refine((all) => all.length <= MAX_TAGS, tagProblem);
const sameTag = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

export const draftFields = {
  name: name.optional(),
  /** The name, the tags, and the note can change at any time. */
  tags: tags.optional(),
  note: z.string().trim().max(MAX_NOTE).optional(),
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
  /**
   * For an automation on a channel where only templates can start a conversation: the text for people whose session is
   * open. Others get the template; without a template, they are skipped with the reason `no_session`.
   */
  session_text: sessionText.nullish(),
  ...contentFields,
  /**
   * 1 to 3 fallbacks, each on a different channel, as in a single message. They remain one message with one price. The
   * values in `variables` can contain fields of the contact.
   */
  fallbacks: z.array(fallbackInput).max(50).nullish(),
  /** Only contacts in these countries get the message; null means all countries. */
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
  /** Starts a separate campaign at each of these times, beginning with `schedule`. Null means only once. */
  repeat: repeatInput.nullish(),
  /**
   * Makes the campaign an automation: it starts automatically when something happens to a person. It has no
   * `schedule` and no `repeat`. `status` `scheduled` stands for an active automation. Null means no automation.
   */
  trigger: triggerInput.nullish(),
  /** A canary and limits that pause the campaign. Replaces all earlier settings. */
  safety: safetyInput.optional(),
  /** An A/B test with 1 to 3 more variants of the message. Null removes it. */
  test: testInput.nullish(),
};

/** Problems when a campaign is started. */
export const START_PROBLEMS = [
  'CAMPAIGN_LOOKUPS_TOO_MANY',
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

/** Problems when a campaign is created or changed. */
const DRAFT_PROBLEMS = ['NAME_TOO_LONG', 'CAMPAIGN_TAGS_INVALID', ...START_PROBLEMS] as const;

/** With `start: false`, the campaign stays a draft (in_complete), which requires only the channel. */
export const createCampaign = endpoint({
  id: 'campaigns.create',
  method: 'POST',
  path: '/v1/campaigns',
  summary: 'Create a campaign and start it now or at its scheduled time',
  needs: 'CAMPAIGNS:add',
  test_keys: true,
  uncounted_spend: true,
  body: z.object({
    ...draftFields,
    channel: channel('MESSAGE_CHANNEL_INVALID').default(DEFAULT_CHANNEL),
    start: z.boolean().default(true),
  }),
  status: 201,
  idempotent: true,
  output: Campaign,
  problems: ['TEST_DATA_FULL', ...DRAFT_PROBLEMS, ...IDEMPOTENCY_PROBLEMS, 'MESSAGE_CHANNEL_INVALID'],
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
  test_keys: true,
  uncounted_spend: true,
  params: idParams('CAMPAIGN_ID_INVALID'),
  body: z.object({
    ...draftFields,
    /** Lists hide archived campaigns. A campaign that is scheduled, running, or paused cannot be archived. */
    archived: z.boolean().optional(),
    /** Any other status of a campaign is refused with 1611. */
    status: z.enum(CAMPAIGN_STATUSES).optional(),
  }),
  output: Campaign,
  problems: [
    'TEST_KEY_NOT_ALLOWED',
    'TEST_DATA_FULL',
    ...DRAFT_PROBLEMS,
    'CAMPAIGN_NOT_FOUND',
    'CAMPAIGN_ID_INVALID',
    'CAMPAIGN_STATUS_CHANGE_NOT_ALLOWED',
    'CAMPAIGN_STATE_INVALID',
  ],
});
