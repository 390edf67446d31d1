/** The history of a person on all channels: messages, link clicks, consents, notes, and erasures. */
import { z } from 'zod';
import { Consent, ConsentState } from '../audiences/consents.ts';
import { PersonDetail, personParams } from '../audiences/people.ts';
import { listQuery, timestamp, wordList } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { LoggedMessage } from '../messages/shapes.ts';

export const TIMELINE_KINDS = ['message', 'click', 'consent', 'note', 'erasure'] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

export const TimelineMessage = LoggedMessage.pick({
  id: true,
  direction: true,
  channel: true,
  type: true,
  status: true,
  text: true,
  from: true,
  to: true,
  source: true,
  sender: true,
  campaign_id: true,
  status_details: true,
  failure: true,
}).extend({
  /** Null without a campaign, and for callers who may not view campaigns. */
  campaign_name: z.string().nullable(),
  /** Null if the caller may not view the conversation. */
  conversation_id: z.string().nullable(),
  /** The user to whom this conversation is assigned. */
  assignee_id: z.string().nullable(),
});
export type TimelineMessage = z.output<typeof TimelineMessage>;

export const TimelineClick = z.object({
  link_id: z.string(),
  /** The destination of the link. */
  url: z.string(),
  kind: z.enum(['person', 'bot', 'preview']),
  device: z.string(),
  message_id: z.string().nullable(),
  campaign_id: z.string().nullable(),
  campaign_name: z.string().nullable(),
});
export type TimelineClick = z.output<typeof TimelineClick>;

export const TimelineNote = z.object({
  conversation_id: z.string(),
  assignee_id: z.string().nullable(),
  text: z.string(),
  user_name: z.string().nullable(),
});
export type TimelineNote = z.output<typeof TimelineNote>;

/**
 * Callers see only what other calls would show them: with the permission to view messages, all messages; otherwise, the
 * messages in conversations that they may view. Notes are from these conversations. Clicks require the permission to
 * view links. Exactly one of `message`, `click`, `consent`, and `note` is set, according to
 * `kind`. An erasure has none.
 */
export const PersonTimelineEntry = z.object({
  /** In the order of time. */
  id: z.string(),
  kind: z.enum(TIMELINE_KINDS),
  timestamp,
  message: TimelineMessage.nullable(),
  click: TimelineClick.nullable(),
  consent: Consent.nullable(),
  note: TimelineNote.nullable(),
});
export type PersonTimelineEntry = z.output<typeof PersonTimelineEntry>;

export const listTimeline = endpoint({
  id: 'person_timeline.list',
  method: 'GET',
  path: '/v1/people/{id}/timeline',
  summary: 'List the history of a person or phone number, newest first',
  needs: 'AUDIENCES:view',
  params: personParams,
  query: listQuery({ kinds: wordList(TIMELINE_KINDS) }),
  list: true,
  output: PersonTimelineEntry,
  /** The kinds that the caller's permissions hide or limit. */
  beside: z.object({ hidden: z.array(z.enum(TIMELINE_KINDS)) }),
  problems: ['PERSON_NOT_FOUND', 'VALUE_INVALID'],
});

/** How many campaigns and notes a summary has. */
export const SUMMARY_SIZE = 5;

export const PersonSummary = z.object({
  number: z.string(),
  /** Null if the number does not belong to a person in the account. */
  person_id: z.string().nullable(),
  tags: z.array(z.string()),
  audiences: PersonDetail.shape.audiences,
  /** The channels and purposes with a record. */
  consents: z.array(ConsentState),
  /** The latest campaigns whose messages the caller may view; null without the permission to view campaigns. */
  campaigns: z
    .array(z.object({ id: z.string(), name: z.string(), channel: z.string(), timestamp, status: z.string() }))
    .nullable(),
  /** The latest notes from conversations that the caller may view. */
  notes: z.array(TimelineNote.extend({ id: z.string(), timestamp })),
});
export type PersonSummary = z.output<typeof PersonSummary>;

/** Unlike `people.get`, it also responds for a number that does not belong to a person in the account. */
export const getSummary = endpoint({
  id: 'person_timeline.summary',
  method: 'GET',
  path: '/v1/people/{id}/summary',
  summary: 'Get the audiences, consents, latest campaigns, and latest notes of a person or phone number',
  needs: 'AUDIENCES:view',
  params: personParams,
  output: PersonSummary,
  problems: ['PERSON_NOT_FOUND'],
});
