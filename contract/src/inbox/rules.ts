/** Rules of the inbox: what happens to a conversation when a contact opens it. */
import { z } from 'zod';
import { INBOX_CHANNELS } from '../channels/names.ts';
import { idParams, plainName, problem, range, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { INBOX_NEEDS } from './needs.ts';
import { RULE_LANGUAGES } from './rule_languages.ts';

export const RULES_MAX = 50;
export const RULE_REPLY_MAX = 1_000;
/** A test run reads the latest conversations of this many days, up to this many. */
export const TEST_DAYS = 30;
export const TEST_CONVERSATIONS = 1_000;
export const TEST_ROWS = 50;

/** All conditions must apply. An empty list applies to every conversation. */
const Conditions = z.object({
  channels: z.array(z.enum(INBOX_CHANNELS)),
  sender_ids: z.array(z.string()),
  /** The first message contains one of these texts. Case and accents do not matter. */
  texts: z.array(z.string()),
  /** The first message is in one of these languages. The language of short texts is unknown. */
  languages: z.array(z.enum(RULE_LANGUAGES)),
  /** The contact replies to one of these campaigns within 7 days. */
  campaign_ids: z.array(z.string()),
  /** Whether the message arrives in the office hours of the inbox settings; null means at any time. */
  office_hours: z.enum(['inside', 'outside']).nullable(),
});
export type RuleConditions = z.output<typeof Conditions>;

const ASSIGN_METHODS = ['round_robin', 'least_busy'] as const;

const Actions = z.object({
  /** Assigns an unassigned conversation. */
  assign: z
    .object({
      user_id: z.string().nullable(),
      team_id: z.string().nullable(),
      /** How a user of the team is chosen. */
      method: z.enum(ASSIGN_METHODS),
    })
    .nullable(),
  label_ids: z.array(z.string()),
  /** Sent at most once every 24 hours. */
  reply: z.string().nullable(),
  close: z.boolean(),
});
export type RuleActions = z.output<typeof Actions>;

export const InboxRule = z.object({
  id: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  /** Rules are tried in this order, and the first one that matches applies. */
  position: z.int(),
  conditions: Conditions,
  actions: Actions,
});
export type InboxRule = z.output<typeof InboxRule>;

const name = plainName({ min: 1, max: 60 });
const conditions = z.object({
  channels: z.array(z.enum(INBOX_CHANNELS)).default([]),
  sender_ids: z.array(uuid()).max(50).default([]),
  texts: z.array(z.string().trim().min(1).max(100)).max(50).default([]),
  languages: z.array(z.enum(RULE_LANGUAGES)).default([]),
  campaign_ids: z.array(uuid()).max(50).default([]),
  office_hours: z.enum(['inside', 'outside']).nullable().default(null),
});
const actions = z.object({
  /** To a user, or to a user of a team. */
  assign: z
    .object({
      user_id: uuid('ASSIGNEE_NOT_FOUND').nullable().default(null),
      team_id: uuid('INBOX_TEAM_NOT_FOUND').nullable().default(null),
      method: z.enum(ASSIGN_METHODS).default('round_robin'),
    })
    .refine(({ user_id, team_id }) => (user_id === null) !== (team_id === null), { error: problem('VALUE_INVALID') })
    .nullable()
    .default(null),
  label_ids: z.array(uuid('LABEL_NOT_FOUND')).max(10).default([]),
  reply: z.string().trim().min(1).max(RULE_REPLY_MAX).nullable().default(null),
  close: z.boolean().default(false),
});

const PROBLEMS = ['ASSIGNEE_NOT_FOUND', 'INBOX_TEAM_NOT_FOUND', 'LABEL_NOT_FOUND', 'VALUE_INVALID'] as const;

export const listRules = endpoint({
  id: 'inbox_rules.list',
  method: 'GET',
  path: '/v1/inbox_rules',
  summary: 'List the inbox rules in order',
  needs: INBOX_NEEDS,
  audience: 'session',
  output: z.array(InboxRule),
  problems: [],
});

export const createRule = endpoint({
  id: 'inbox_rules.create',
  method: 'POST',
  path: '/v1/inbox_rules',
  summary: `Add a rule at the end. An account can have ${RULES_MAX}`,
  needs: 'CONVERSATIONS:edit',
  audience: 'session',
  body: z.object({ name, enabled: z.boolean().default(false), conditions, actions }),
  status: 201,
  output: InboxRule,
  problems: PROBLEMS,
});

export const updateRule = endpoint({
  id: 'inbox_rules.update',
  method: 'PUT',
  path: '/v1/inbox_rules/{id}',
  summary: 'Change a rule, turn it on or off, or move it. Omitted fields stay unchanged',
  needs: 'CONVERSATIONS:edit',
  audience: 'session',
  params: idParams('INBOX_RULE_NOT_FOUND'),
  body: z.object({ name, enabled: z.boolean(), position: range(1, RULES_MAX), conditions, actions }).partial(),
  output: InboxRule,
  problems: ['INBOX_RULE_NOT_FOUND', ...PROBLEMS],
});

export const removeRule = endpoint({
  id: 'inbox_rules.remove',
  method: 'DELETE',
  path: '/v1/inbox_rules/{id}',
  summary: 'Delete a rule',
  needs: 'CONVERSATIONS:delete',
  audience: 'session',
  params: idParams('INBOX_RULE_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['INBOX_RULE_NOT_FOUND'],
});

export const RuleTest = z.object({
  /** The conversations of the last 30 days that were tested, and those that match. */
  conversations: z.int(),
  matched: z.int(),
  /** The latest matching conversations that the caller may view. */
  rows: z.array(
    z.object({
      conversation_id: z.string(),
      assignee_id: z.string().nullable(),
      number: z.string(),
      text: z.string(),
      date: timestamp,
    }),
  ),
});
export type RuleTest = z.output<typeof RuleTest>;

export const testRule = endpoint({
  id: 'inbox_rule_tests.create',
  method: 'POST',
  path: '/v1/inbox_rule_tests',
  summary: 'Find the conversations of the last 30 days that match conditions. Changes nothing',
  needs: 'CONVERSATIONS:edit',
  audience: 'session',
  body: z.object({ conditions }),
  output: RuleTest,
  problems: ['VALUE_INVALID'],
});

export const inboxRulesChanged = event({
  id: 'inbox_rule.changed',
  modules: ['inbox_rules'],
  needs: INBOX_NEEDS,
  payload: z.object({ id: z.string() }),
});
