/** The operators' rules about message content: links, look-alike brands, forbidden words, and new senders. */
import { z } from 'zod';
import { CHANNELS } from '../channels/names.ts';
import { country, enumInput, idParams, plainName, problem, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';

export const CONTENT_RULE_KINDS = ['links', 'lookalikes', 'words', 'new_sender'] as const;
export type ContentRuleKind = (typeof CONTENT_RULE_KINDS)[number];
/** `customer` completes "Held for review: the message contains …" and never names the rule. */
export const CONTENT_KIND_WORDS: Readonly<Record<ContentRuleKind, { label: string; customer: string }>> = {
  links: { label: 'Links', customer: 'a link that is not allowed' },
  lookalikes: { label: 'Look-alike brands', customer: 'a name or link that looks like another brand' },
  words: { label: 'Forbidden words', customer: 'a word that is not allowed in this country' },
  new_sender: { label: 'New sender with many links', customer: 'a link, and its sender is new' },
};

export const CONTENT_ACTIONS = ['notify', 'hold', 'refuse'] as const;
export type ContentAction = (typeof CONTENT_ACTIONS)[number];
export const CONTENT_ACTION_WORDS: Readonly<Record<ContentAction, { label: string; description: string }>> = {
  notify: { label: 'Notify', description: 'Messages are sent, and matches are listed under Reviews.' },
  hold: { label: 'Hold', description: 'Messages wait until an operator releases or rejects them.' },
  refuse: { label: 'Refuse', description: 'Messages are refused at no charge.' },
};

export const LINK_MATCHES = ['any', 'domains', 'shorteners'] as const;
export type LinkMatch = (typeof LINK_MATCHES)[number];

export const MAX_CONTENT_RULES = 100;
export const MAX_TERMS = 500;

const invalid = { error: problem('CONTENT_RULE_INVALID') };
const terms = z
  .array(z.string(invalid).trim().min(1, invalid).max(100, invalid), invalid)
  .max(MAX_TERMS, { error: problem('CONTENT_RULE_TERMS_INVALID') });
const ids = z.array(z.uuid(invalid), invalid).max(200, invalid);

/** The fields that apply to another kind are ignored. */
const rule = {
  name: plainName({ min: 1, max: 80 }),
  kind: enumInput(CONTENT_RULE_KINDS, 'CONTENT_RULE_INVALID'),
  action: enumInput(CONTENT_ACTIONS, 'CONTENT_RULE_INVALID'),
  enabled: z.boolean().optional(),
  countries: z.array(country()).max(300).optional().meta({ description: 'Empty means all countries.' }),
  channels: z.array(z.enum(CHANNELS, invalid)).max(20).optional().meta({ description: 'Empty means all channels.' }),
  account_ids: ids.optional().meta({ description: 'Empty means all accounts.' }),
  exempt_account_ids: ids.optional().meta({ description: 'Trusted accounts that the rule does not apply to.' }),
  links: enumInput(LINK_MATCHES, 'CONTENT_RULE_INVALID').nullish().meta({
    description: 'For `links`: any link, links to the `domains`, or links of known link shorteners.',
  }),
  domains: terms.optional().meta({ description: 'Domains, which include their subdomains.' }),
  brands: terms.optional().meta({ description: 'For `lookalikes`: the brand names.' }),
  words: terms.optional().meta({ description: 'For `words`: words or phrases, in any script.' }),
  exceptions: terms.optional().meta({
    description: 'Domains and words that the rule ignores, such as the domains of the brands.',
  }),
  sender_days: z.int(invalid).min(1, invalid).max(365, invalid).nullish().meta({
    description: 'For `new_sender`: a sender is new for this many days.',
  }),
  links_per_hour: z.int(invalid).min(0, invalid).max(1_000_000, invalid).nullish().meta({
    description: 'For `new_sender`: how many messages with links a new sender can send per hour.',
  }),
};
const ruleBody = z.object(rule);

export const ContentRule = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(CONTENT_RULE_KINDS),
  action: z.enum(CONTENT_ACTIONS),
  enabled: z.boolean(),
  countries: z.array(z.string()),
  channels: z.array(z.string()),
  account_ids: z.array(z.string()),
  exempt_account_ids: z.array(z.string()),
  links: z.enum(LINK_MATCHES).nullable(),
  domains: z.array(z.string()),
  brands: z.array(z.string()),
  words: z.array(z.string()),
  exceptions: z.array(z.string()),
  sender_days: z.int().nullable(),
  links_per_hour: z.int().nullable(),
  /** The names of the accounts in both lists. */
  accounts: z.array(z.object({ id: z.string(), company_name: z.string() })),
  /** Messages awaiting review because of this rule, up to 10,001. */
  waiting: z.int(),
  create_date: timestamp,
  update_date: timestamp,
});
export type ContentRule = z.output<typeof ContentRule>;

export const listContentRules = endpoint({
  id: 'content_rules.list',
  method: 'GET',
  path: '/v1/content_rules',
  summary: 'List content rules by name',
  needs: 'SMS_LIMITS:view',
  audience: 'operator',
  output: z.array(ContentRule),
  problems: ['OPERATOR_ONLY'],
});

export const RULE_BODY_PROBLEMS = [
  'OPERATOR_ONLY',
  'CONTENT_RULE_INVALID',
  'CONTENT_RULE_TERMS_INVALID',
  'COUNTRY_CODE_INVALID',
  'ACCOUNT_NOT_FOUND',
] as const;

export const createContentRule = endpoint({
  id: 'content_rules.create',
  method: 'POST',
  path: '/v1/content_rules',
  summary: 'Add a content rule',
  needs: 'SMS_LIMITS:add',
  audience: 'operator',
  body: ruleBody,
  status: 201,
  idempotent: true,
  output: ContentRule,
  problems: [...RULE_BODY_PROBLEMS, 'CONTENT_RULES_LIMIT_EXCEEDED'],
});

export const updateContentRule = endpoint({
  id: 'content_rules.update',
  method: 'PUT',
  path: '/v1/content_rules/{id}',
  summary: 'Change a content rule. Messages already in review remain in review',
  needs: 'SMS_LIMITS:edit',
  audience: 'operator',
  params: idParams('CONTENT_RULE_NOT_FOUND'),
  body: ruleBody.partial(),
  output: ContentRule,
  problems: [...RULE_BODY_PROBLEMS, 'CONTENT_RULE_NOT_FOUND'],
});

export const removeContentRule = endpoint({
  id: 'content_rules.remove',
  method: 'DELETE',
  path: '/v1/content_rules/{id}',
  summary: 'Delete a content rule. Messages already in review remain in review',
  needs: 'SMS_LIMITS:delete',
  audience: 'operator',
  params: idParams('CONTENT_RULE_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['OPERATOR_ONLY', 'CONTENT_RULE_NOT_FOUND'],
});

/** A place in a text that a rule has matched. */
export const ContentMatch = z.object({
  rule_id: z.string(),
  rule_name: z.string(),
  kind: z.enum(CONTENT_RULE_KINDS),
  /** The link, brand, or word that was found. */
  what: z.string(),
  /** The place in the text, in UTF-16 units. Null if it is not in the text, such as the link of a button. */
  start: z.int().nullable(),
  end: z.int().nullable(),
});
export type ContentMatch = z.output<typeof ContentMatch>;

/** The back-test reads messages of this many days. */
export const CONTENT_TEST_DAYS = 90;
/** The maximum number of messages that a back-test reads. */
export const CONTENT_TEST_MESSAGES = 50_000;

export const ContentBackTest = z.object({
  days: z.int(),
  /** The messages that were tested: the newest ones of each account. */
  messages: z.int(),
  accounts: z.int(),
  /** True if the accounts have more messages in these days, so only the newest ones were tested. */
  is_sample: z.boolean(),
  matched: z.int(),
  matched_accounts: z.int(),
  /** The newest matches. Null if the caller may not see messages. */
  examples: z
    .array(
      z.object({
        message_id: z.string(),
        account_id: z.string(),
        company_name: z.string(),
        country: z.string(),
        channel: z.string(),
        text: z.string(),
        matches: z.array(ContentMatch),
        create_date: timestamp,
      }),
    )
    .nullable(),
});
export type ContentBackTest = z.output<typeof ContentBackTest>;

export const backTestContentRule = endpoint({
  id: 'content_back_tests.create',
  method: 'POST',
  path: '/v1/content_back_tests',
  summary: `Test a rule on the newest messages of the last ${CONTENT_TEST_DAYS} days without saving it`,
  needs: 'SMS_LIMITS:view',
  audience: 'operator',
  scans: true,
  body: ruleBody.partial({ name: true, action: true }),
  timeout_ms: 30_000,
  output: ContentBackTest,
  problems: [...RULE_BODY_PROBLEMS],
});

export const contentRulesChanged = event({
  id: 'content_rules.changed',
  modules: ['content_rules'],
  needs: 'SMS_LIMITS:view',
  payload: z.object({ id: z.string() }),
});
