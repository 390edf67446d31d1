/** The conversations that a report of the inbox counts. Apart from the reports, because exports need only the list. */
import { z } from 'zod';
import { channel } from '../channels/field.ts';
import { CHANNELS } from '../channels/names.ts';
import { listQuery, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { INBOX_NEEDS } from '../inbox/needs.ts';
import { dayInput } from './days.ts';

/** The filter `agent_id` for conversations without an agent. */
export const NO_AGENT = 'none';

/** The conversations that count in a period: those opened, answered for the first time, or closed in it. */
export const REPORT_EVENTS = ['opened', 'answered', 'closed'] as const;
export type ReportEvent = (typeof REPORT_EVENTS)[number];

export const reportFilter = {
  channel: channel('VALUE_INVALID'),
  /** The user to whom a conversation is assigned; otherwise, the user who replied first. `none`: no user. */
  agent_id: z.union([z.literal(NO_AGENT), uuid()]),
  label_id: uuid('LABEL_NOT_FOUND'),
  /** The conversations of the users who are in the team now. */
  team_id: uuid('INBOX_TEAM_NOT_FOUND'),
};

export const WHOSE =
  'Users who may view the conversations of other users see the figures of all users; all others see their own. ' +
  'A reopened conversation counts again';

/** A conversation from its opening to its closing. */
export const ReportedConversation = z.object({
  id: z.string(),
  /** The next three fields are null if the caller may not view the conversation now. */
  conversation_id: z.string().nullable(),
  number: z.string().nullable(),
  contact_name: z.string().nullable(),
  channel: z.enum(CHANNELS),
  agent_id: z.string().nullable(),
  agent_name: z.string().nullable(),
  /** To whom the conversation is assigned now, which determines its inbox. */
  assignee_id: z.string().nullable(),
  opened: timestamp,
  /** The contact's first message. Null if the contact has not sent one. */
  waiting_since: timestamp.nullable(),
  answered: timestamp.nullable(),
  /** When the first reply and the closing were due; null without a target. */
  response_due: timestamp.nullable(),
  resolution_due: timestamp.nullable(),
  closed: timestamp.nullable(),
  response_seconds: z.number().nullable(),
  resolution_seconds: z.number().nullable(),
});
export type ReportedConversation = z.output<typeof ReportedConversation>;

export const listReportedConversations = endpoint({
  id: 'reported_conversations.list',
  method: 'GET',
  path: '/v1/inbox_reports/conversations',
  summary: `List the conversations counted in a report, latest first, for the last 7 days by default. ${WHOSE}`,
  needs: INBOX_NEEDS,
  query: listQuery({
    /** The first and the last day, in the account's time zone. */
    from: dayInput,
    to: dayInput,
    /** Conversations that were opened, answered, or closed in the period; `opened` by default. */
    event: z.enum(REPORT_EVENTS),
    ...reportFilter,
  }),
  list: true,
  output: ReportedConversation,
  problems: ['CHART_PERIOD_INVALID', 'VALUE_INVALID', 'LABEL_NOT_FOUND', 'INBOX_TEAM_NOT_FOUND'],
});
