/** How an account answers its conversations: response and resolution times, volume, and backlog. */
import { z } from 'zod';
import { CHANNELS } from '../channels/names.ts';
import { listQuery, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { INBOX_NEEDS } from '../inbox/needs.ts';
import { chartPeriod, day, dayInput, period } from './charts.ts';

/** What the figures of a report are split by. */
export const REPORT_DIMENSIONS = ['agent', 'label', 'team', 'channel'] as const;
export type ReportDimension = (typeof REPORT_DIMENSIONS)[number];
/** The filter `agent_id` for conversations that no user has. */
export const NO_AGENT = 'none';

/** What counts in a period: conversations that were opened, answered for the first time, or closed in it. */
export const REPORT_EVENTS = ['opened', 'answered', 'closed'] as const;
export type ReportEvent = (typeof REPORT_EVENTS)[number];

const reportFilter = {
  channel: chartPeriod.filter.unwrap().shape.channel,
  /** The user to whom a conversation is assigned; otherwise, the user who replied first. `none`: no user. */
  agent_id: z.union([z.literal(NO_AGENT), uuid()]),
  label_id: uuid('LABEL_NOT_FOUND'),
  /** The conversations of the users who are in the team now. */
  team_id: uuid('INBOX_TEAM_NOT_FOUND'),
};

export const ReportFigures = z.object({
  /** Conversations that a contact or a user started, or that were opened again. */
  opened: z.int(),
  /** Conversations that got the first reply of a user. */
  answered: z.int(),
  closed: z.int(),
  /** Median seconds from the first message of the contact to the first reply of a user. Null without replies. */
  response_seconds: z.number().nullable(),
  /** Median seconds from the opening to the closing. Null if no conversation was closed. */
  resolution_seconds: z.number().nullable(),
});
export type ReportFigures = z.output<typeof ReportFigures>;

const ReportTotal = ReportFigures.extend({
  /** 90% of the first replies came within this time. */
  response_p90_seconds: z.number().nullable(),
  resolution_p90_seconds: z.number().nullable(),
  /** Conversations that were open at the end of the period. */
  backlog: z.int(),
});

export const InboxReport = z.object({
  period,
  /** The same number of days before, for comparison. */
  previous: period,
  time_zone: z.string(),
  total: ReportTotal,
  before: ReportTotal,
  /** Every day of the period, oldest first. `backlog` is the number of open conversations at the end of the day. */
  days: z.array(ReportFigures.extend({ date: day, backlog: z.int() })),
  /** By weekday (1 is Monday) and hour in the time zone of the account, without empty hours. */
  hours: z.array(z.object({ weekday: z.int(), hour: z.int(), opened: z.int(), answered: z.int(), closed: z.int() })),
  by: z.enum(REPORT_DIMENSIONS),
  /** The 100 groups with most conversations. An empty value is no user, no label, or no team. */
  groups: z.array(ReportFigures.extend({ value: z.string(), label: z.string(), before: ReportFigures })),
  groups_total: z.int(),
});
export type InboxReport = z.output<typeof InboxReport>;

const WHOSE =
  'Users who may view the conversations of other users see the figures of all users; all others see their own. ' +
  'A conversation that is opened again counts again';

export const getInboxReport = endpoint({
  id: 'inbox_reports.get',
  method: 'GET',
  path: '/v1/inbox_reports',
  summary: `Get response times, resolution times, volume, and backlog for the last 7 days by default. ${WHOSE}`,
  needs: INBOX_NEEDS,
  query: z.object({
    ...chartPeriod,
    by: z.enum(REPORT_DIMENSIONS).optional(),
    filter: z.object(reportFilter).partial().optional(),
  }),
  output: InboxReport,
  problems: ['CHART_PERIOD_INVALID', 'VALUE_INVALID', 'LABEL_NOT_FOUND', 'INBOX_TEAM_NOT_FOUND'],
});

/** A conversation from its opening to its closing. */
export const ReportedConversation = z.object({
  id: z.string(),
  /** The next three are null if the caller may not view the conversation now. */
  conversation_id: z.string().nullable(),
  number: z.string().nullable(),
  contact_name: z.string().nullable(),
  channel: z.enum(CHANNELS),
  agent_id: z.string().nullable(),
  agent_name: z.string().nullable(),
  /** To whom the conversation is assigned now, which determines its inbox. */
  assignee_id: z.string().nullable(),
  opened: timestamp,
  /** The first message of the contact. Null if the contact has not written. */
  waiting_since: timestamp.nullable(),
  answered: timestamp.nullable(),
  closed: timestamp.nullable(),
  response_seconds: z.number().nullable(),
  resolution_seconds: z.number().nullable(),
});
export type ReportedConversation = z.output<typeof ReportedConversation>;

export const listReportedConversations = endpoint({
  id: 'reported_conversations.list',
  method: 'GET',
  path: '/v1/inbox_reports/conversations',
  summary: `List the conversations that a report counts, latest first, for the last 7 days by default. ${WHOSE}`,
  needs: INBOX_NEEDS,
  query: listQuery({
    /** The first and the last day, in the time zone of the account. */
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
