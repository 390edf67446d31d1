/** Maps refusals from the gate and the checks to the reasons for campaigns and skipped recipients. */
import type { CampaignReason, SkipReason } from '@parley/contract/campaigns/campaigns.ts';
import { Problem, type ProblemName } from '@parley/contract/problem.ts';

const REASONS: Partial<Record<ProblemName, CampaignReason>> = {
  BALANCE_NOT_ENOUGH: 'balance',
  TRAFFIC_LIMIT_REACHED: 'limit',
  TRAFFIC_STOPPED: 'traffic_stop',
  ACCOUNT_UNVERIFIED: 'account',
  TRIAL_ENDED: 'account',
  PAYMENT_OVERDUE: 'overdue',
  MESSAGE_SENDER_INVALID: 'sender',
  MESSAGE_SENDER_NOT_FOUND: 'sender',
  CAMPAIGN_SENDER_REQUIRED: 'sender',
  CAMPAIGN_SENDER_INVALID: 'sender',
  SENDER_BLOCKED: 'sender',
  CAMPAIGN_AUDIENCE_REQUIRED: 'audience',
  CAMPAIGN_AUDIENCE_INVALID: 'audience',
  CAMPAIGN_AUDIENCE_CHANNEL_MISMATCH: 'audience',
  CAMPAIGN_AUDIENCE_EMPTY: 'audience',
  TRIAL_RECIPIENT_NOT_ALLOWED: 'audience',
  CAMPAIGN_TEMPLATE_MISMATCH: 'audience',
  CAMPAIGN_TEMPLATE_INVALID: 'template',
  MESSAGE_TEMPLATE_NOT_FOUND: 'template',
  TEMPLATE_NOT_APPROVED: 'template',
  TEMPLATE_PAUSED: 'template',
  TEMPLATE_DISABLED: 'template',
  VIBER_TEMPLATE_NOT_APPROVED: 'template',
  CAMPAIGN_TEXT_REQUIRED: 'text',
  CAMPAIGN_SESSION_TEXT_INVALID: 'text',
  CAMPAIGN_VARIABLE_UNKNOWN: 'text',
  MESSAGE_SEGMENTS_LIMIT_EXCEEDED: 'text',
  FILE_NOT_FOUND: 'text',
  MESSAGE_TYPE_NOT_ALLOWED: 'text',
};

/** Returns the reason why a campaign pauses, or null if the user cannot fix the error. */
export const campaignReason = (error: unknown): CampaignReason | null =>
  error instanceof Problem ? (REASONS[error.name] ?? null) : null;

/** The reasons why the fan-out skips recipients, keyed by the gate's refusal. */
export const SKIP_REASONS: Partial<Record<ProblemName, SkipReason>> = {
  RECIPIENTS_INVALID: 'invalid',
  RECIPIENT_BLOCKED: 'stop_list',
  COUNTRY_BLOCKED: 'country_blocked',
  RECIPIENT_LIMIT_REACHED: 'recipient_limit',
  FREQUENCY_CAP_REACHED: 'frequency_cap',
  MESSAGE_TEXT_REQUIRED: 'no_text',
  MESSAGE_SEGMENTS_LIMIT_EXCEEDED: 'too_long',
  CONTENT_REFUSED: 'content',
  VARIABLES_REQUIRED: 'no_value',
  ROUTE_NOT_FOUND: 'no_route',
  PRICE_NOT_FOUND: 'no_price',
  CONVERSATION_CLOSED: 'no_session',
};
