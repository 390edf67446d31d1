/** Reports of the inbox: response and resolution times, volume, and backlog. */
import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { INBOX_NEEDS } from '../inbox/needs.ts';
import { chartPeriod, period } from './charts.ts';
import { day } from './days.ts';
import { reportFilter, WHOSE } from './reported_conversations.ts';

/** The dimensions that split the figures of a report. */
export const REPORT_DIMENSIONS = ['agent', 'label', 'team', 'channel'] as const;
export type ReportDimension = (typeof REPORT_DIMENSIONS)[number];
export const ReportFigures = z.object({
  /** Conversations that a contact or a user started, or that were opened again. */
  opened: z.int(),
  /** Conversations that got a user's first reply. */
  answered: z.int(),
  closed: z.int(),
  /** Median seconds from the contact's first message to a user's first reply. Null without replies. */
  response_seconds: z.number().nullable(),
  /** Median seconds from the opening to the closing. Null if no conversation was closed. */
  resolution_seconds: z.number().nullable(),
  /** First replies with a target, and those within it. The same for closed conversations and their resolution. */
  response_targets: z.int(),
  response_in_time: z.int(),
  resolution_targets: z.int(),
  resolution_in_time: z.int(),
});
export type ReportFigures = z.output<typeof ReportFigures>;

const ReportTotal = ReportFigures.extend({
  /** The time within which 90% of the first replies came. */
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
  /** By weekday (1 is Monday) and hour in the account's time zone, without empty hours. */
  hours: z.array(z.object({ weekday: z.int(), hour: z.int(), opened: z.int(), answered: z.int(), closed: z.int() })),
  by: z.enum(REPORT_DIMENSIONS),
  /** The 100 groups with the most conversations. An empty value means no user, no label, or no team. */
  groups: z.array(ReportFigures.extend({ value: z.string(), label: z.string(), before: ReportFigures })),
  groups_total: z.int(),
});
export type InboxReport = z.output<typeof InboxReport>;

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
