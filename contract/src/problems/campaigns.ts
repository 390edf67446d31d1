/** Campaigns. */
import type { Rows } from './row.ts';

export const CAMPAIGNS = {
  CAMPAIGN_NOT_FOUND: { code: 1601, status: 404, public: 'Campaign not found' },
  CAMPAIGN_ID_INVALID: { code: 1602, status: 400, public: 'Campaign ID is not valid' },
  CAMPAIGN_SENDER_REQUIRED: { code: 1603, status: 400, public: 'Sender is required', field: 'from' },
  CAMPAIGN_SENDER_INVALID: {
    code: 1604,
    status: 400,
    public: 'The sender is not one of your approved senders',
    field: 'from',
  },
  CAMPAIGN_AUDIENCE_REQUIRED: { code: 1605, status: 400, public: 'Audience is required', field: 'audience' },
  CAMPAIGN_AUDIENCE_INVALID: { code: 1606, status: 400, public: 'Audience is not valid', field: 'audience' },
  CAMPAIGN_TEXT_REQUIRED: { code: 1607, status: 400, public: 'Template or text is required', field: 'text' },
  CAMPAIGN_TEMPLATE_INVALID: { code: 1608, status: 400, public: 'Template is not valid', field: 'template' },
  CAMPAIGN_SCHEDULE_INVALID: { code: 1609, status: 400, public: 'Schedule is not valid', field: 'schedule' },
  CAMPAIGN_EXISTS: { code: 1610, status: 409, public: 'A campaign with this name already exists', field: 'name' },
  CAMPAIGN_STATUS_CHANGE_NOT_ALLOWED: {
    code: 1611,
    status: 409,
    public: 'The campaign cannot change to this status',
    field: 'status',
  },
  CAMPAIGN_RUNNING: { code: 1612, status: 409, public: 'A running campaign cannot be deleted' },
  CAMPAIGN_TEMPLATE_MISMATCH: {
    code: 1613,
    status: 400,
    public: 'No contact in the audience has the values that the template needs',
    field: 'audience',
  },
  CAMPAIGN_STATE_INVALID: {
    code: 1614,
    status: 409,
    public: 'The campaign can be changed only while it is a draft or scheduled',
  },
  CAMPAIGN_VARIABLE_UNKNOWN: {
    code: 1615,
    status: 400,
    public: 'The text uses a variable that does not exist',
    field: 'text',
  },
  CAMPAIGN_TEMPLATE_CHANNEL_MISMATCH: {
    code: 1616,
    status: 400,
    public: 'The template belongs to another channel',
    field: 'template',
  },
  CAMPAIGN_AUDIENCE_CHANNEL_MISMATCH: {
    code: 1617,
    status: 400,
    public: 'The audience belongs to another channel',
    field: 'audience',
  },
  CAMPAIGN_AUDIENCE_EMPTY: {
    code: 1618,
    status: 400,
    public: 'The audience has no contacts who can receive this campaign',
    field: 'audience',
  },
  CAMPAIGN_WINDOW_INVALID: {
    code: 2304,
    status: 400,
    public:
      'A delivery window needs at least one weekday from 1 to 7, and a start before its end, such as 09:00 and 18:00',
    field: 'timing',
  },
  CAMPAIGN_RATE_INVALID: {
    code: 2305,
    status: 400,
    public: 'The rate can be 1 to 1,000 messages per second, or messages can be spread over 1 to 168 hours',
    field: 'timing',
  },
  CAMPAIGN_RATE_CONFLICT: {
    code: 2306,
    status: 400,
    public: 'Set either a rate or the hours to spread the messages over, not both',
    field: 'timing',
  },
  QUIET_HOURS_INVALID: {
    code: 2307,
    status: 400,
    public: 'Quiet hours need a start and a different end, such as 21:00 and 08:00',
    field: 'quiet_hours',
  },
  CAMPAIGN_LOCAL_TIME_INVALID: {
    code: 2308,
    status: 400,
    public: 'A campaign in the recipients’ time zones needs a scheduled time',
    field: 'schedule',
  },
  CAMPAIGN_CANARY_INVALID: {
    code: 2370,
    status: 400,
    public:
      'A canary needs either 1 to 100,000 recipients or 1 to 99 percent of them, and a wait of 1 to 1,440 minutes',
    field: 'safety',
  },
  CAMPAIGN_LIMIT_INVALID: {
    code: 2371,
    status: 400,
    public: 'A limit must be a percentage from 0.1 to 100',
    field: 'safety',
  },
  CAMPAIGN_LOOKUPS_TOO_MANY: {
    code: 2510,
    status: 400,
    public: 'A campaign can look up at most 100,000 numbers. Look them up in bulk first, or turn off lookups.',
    field: 'safety',
  },
  CAMPAIGN_TEST_INVALID: {
    code: 2372,
    status: 400,
    public:
      'An A/B test needs 2 to 4 variants, a share of 1 to 100 percent, a wait of 1 to 10,080 minutes, and a metric',
    field: 'test',
  },
  CAMPAIGN_WINNER_NOT_ALLOWED: {
    code: 2373,
    status: 409,
    public: 'A winner can be chosen only among the variants of a running A/B test',
    field: 'variant',
  },
  CAMPAIGN_REPEAT_INVALID: {
    code: 2374,
    status: 400,
    public:
      'A repeating campaign needs a scheduled time, a unit (day, week, or month), an interval of 1 to 30, and at ' +
      'least one run before its end',
    field: 'repeat',
  },
  CAMPAIGN_TRIGGER_INVALID: {
    code: 2630,
    status: 400,
    public:
      'Choose what starts the automation: audiences that are not dynamic, a date field, a campaign and ' +
      '1 to 90 days, or a keyword',
    field: 'trigger',
  },
  CAMPAIGN_TRIGGER_CONFLICT: {
    code: 2631,
    status: 400,
    public:
      'An automation cannot repeat. If it starts when people join or write a keyword, it cannot have ' +
      'an A/B test, a canary, or a spread over hours.',
    field: 'trigger',
  },
  CAMPAIGN_SESSION_TEXT_INVALID: {
    code: 2721,
    status: 400,
    public: 'Only WhatsApp automations without an A/B test can have a text for people who messaged you within 24 hours',
    field: 'session_text',
  },
  CAMPAIGN_SKIP_NOT_ALLOWED: {
    code: 2375,
    status: 409,
    public: 'This run has started or was skipped',
    field: 'schedule',
  },
  CAMPAIGN_APPROVAL_INVALID: {
    code: 2353,
    status: 400,
    public: 'Approval needs a number of recipients, an amount, or both',
    field: 'campaign_approval',
  },
  CAMPAIGN_APPROVAL_OUTDATED: {
    code: 2354,
    status: 409,
    public: 'This request was already decided, or the campaign has changed. Reload the campaign.',
    field: 'approval_id',
  },
  CAMPAIGN_APPROVAL_NOT_ALLOWED: {
    code: 2355,
    status: 403,
    public: 'Another user must decide, because you created or submitted this campaign',
  },
  CAMPAIGN_REASON_REQUIRED: { code: 2356, status: 400, public: 'A reason is required', field: 'reason' },
  FREQUENCY_CAP_INVALID: {
    code: 2357,
    status: 400,
    public: 'A frequency cap must be 1 to 1,000 messages per day, per week, or both',
    field: 'frequency_cap',
  },
  FREQUENCY_CAP_REACHED: {
    code: 2358,
    status: 429,
    public: 'The recipient has reached the frequency cap for campaign messages',
  },
  CAMPAIGN_TAGS_INVALID: {
    code: 2359,
    status: 400,
    public: 'A campaign can have up to 10 tags of 1 to 30 characters without commas',
    field: 'tags',
  },
  CAMPAIGN_NO_RECIPIENTS: {
    code: 2687,
    status: 409,
    public: 'The campaign has no contacts that match',
  },
  CAMPAIGN_TEST_PHONE_INVALID: {
    code: 2686,
    status: 400,
    public: 'Test messages go only to users of your company with a verified phone',
    field: 'user_ids',
  },
  SENDER_BLOCKED: { code: 1625, status: 403, public: 'The sender is blocked', field: 'from' },
} as const satisfies Rows;
