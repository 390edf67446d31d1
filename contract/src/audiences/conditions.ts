/**
 * The conditions of dynamic audiences, as data. The editor shows what these tables list, calls are validated by them,
 * and the server has one SQL expression for each subject and operator in them.
 */
import { z } from 'zod';
import { CHANNELS } from '../channels/names.ts';
import { problem } from '../common.ts';
import { isCountry } from '../country.ts';

import type { FieldKind } from './contact_fields.ts';
import { isDate } from './field_values.ts';
import { MAX_CONDITIONS, MAX_FIELD_TEXT, MAX_TAG_LENGTH } from './limits.ts';
import { CONSENT_PURPOSES } from './purposes.ts';

const MAX_VALUES = 50;
const MAX_DAYS = 3_650;

/** The type of value that an operator compares with. */
export type Takes = 'nothing' | 'text' | 'texts' | 'number' | 'date' | 'days' | 'purpose';
interface Operator {
  /** Between the subject and the value in a sentence, such as "Country is one of DE". */
  label: string;
  takes: Takes;
}
const operator = (label: string, takes: Takes = 'nothing'): Operator => ({ label, takes });

const PRESENCE = { is_set: operator('has a value'), is_empty: operator('is empty') };
const LIST = { is_one_of: operator('is one of', 'texts'), is_none_of: operator('is none of', 'texts') };
const DATES = {
  on: operator('is on', 'date'),
  before: operator('is before', 'date'),
  after: operator('is after', 'date'),
  in_last_days: operator('is in the last', 'days'),
  in_next_days: operator('is in the next', 'days'),
};

/** The operators of each kind of subject. */
export const CONDITION_OPERATORS = {
  text: {
    is: operator('is', 'text'),
    is_not: operator('is not', 'text'),
    contains: operator('contains', 'text'),
    starts_with: operator('starts with', 'text'),
    ...PRESENCE,
  },
  number: {
    equals: operator('equals', 'number'),
    at_least: operator('is at least', 'number'),
    at_most: operator('is at most', 'number'),
    ...PRESENCE,
  },
  date: { ...DATES, ...PRESENCE },
  moment: { on: DATES.on, before: DATES.before, after: DATES.after, in_last_days: DATES.in_last_days },
  boolean: { is_yes: operator('is yes'), is_no: operator('is no'), is_empty: PRESENCE.is_empty },
  choice: { ...LIST, ...PRESENCE },
  place: LIST,
  tags: {
    has_any: operator('include any of', 'texts'),
    has_all: operator('include all of', 'texts'),
    has_none: operator('include none of', 'texts'),
  },
  audiences: { in_any: operator('include any of', 'texts'), in_none: operator('include none of', 'texts') },
  consent: { given: operator('was given for', 'purpose'), not_given: operator('was not given for', 'purpose') },
  activity: {
    ever: operator('at any time'),
    never: operator('never'),
    in_last_days: operator('in the last', 'days'),
    not_in_last_days: operator('not in the last', 'days'),
  },
} as const satisfies Record<string, Readonly<Record<string, Operator>>>;
export type ConditionKind = keyof typeof CONDITION_OPERATORS;

const isTag = (text: string): boolean => text.length <= MAX_TAG_LENGTH;
const isLanguage = (text: string): boolean => /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}$/.test(text);
const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
const isNetwork = (text: string): boolean => /^\d{5,6}$/.test(text);

interface Subject {
  label: string;
  kind: ConditionKind;
  group: 'Contact' | 'Lists' | 'Messages';
  /** Checks one value of a list. */
  item?: (text: string) => boolean;
  /** Whether a channel is optional or required in the condition. */
  channel?: 'optional' | 'required';
}

export const CONDITION_SUBJECTS = {
  first_name: { label: 'First name', kind: 'text', group: 'Contact' },
  last_name: { label: 'Last name', kind: 'text', group: 'Contact' },
  custom1: { label: 'Custom 1', kind: 'text', group: 'Contact' },
  custom2: { label: 'Custom 2', kind: 'text', group: 'Contact' },
  country: { label: 'Country', kind: 'place', group: 'Contact', item: isCountry },
  network: { label: 'Network', kind: 'place', group: 'Contact', item: isNetwork },
  language: { label: 'Language', kind: 'choice', group: 'Contact', item: isLanguage },
  timezone: { label: 'Time zone', kind: 'choice', group: 'Contact' },
  create_date: { label: 'Added', kind: 'moment', group: 'Contact' },
  tags: { label: 'Tags', kind: 'tags', group: 'Lists', item: isTag },
  audiences: { label: 'Audiences', kind: 'audiences', group: 'Lists', item: isId },
  consent: { label: 'Consent', kind: 'consent', group: 'Lists', channel: 'required' },
  message_sent: { label: 'Was sent a message', kind: 'activity', group: 'Messages', channel: 'optional' },
  message_delivered: { label: 'Received a message', kind: 'activity', group: 'Messages', channel: 'optional' },
  message_read: { label: 'Read a message', kind: 'activity', group: 'Messages', channel: 'optional' },
  message_failed: { label: 'Had a failed message', kind: 'activity', group: 'Messages', channel: 'optional' },
  link_clicked: { label: 'Clicked a link', kind: 'activity', group: 'Messages' },
  replied: { label: 'Messaged you', kind: 'activity', group: 'Messages', channel: 'optional' },
} as const satisfies Record<string, Subject>;
export type ConditionSubject = keyof typeof CONDITION_SUBJECTS;

const FIELD_PREFIX = 'fields.';
/** The subject of a condition on one of the account's own fields. */
export const fieldSubject = (key: string): string => `${FIELD_PREFIX}${key}`;
/** The key of the field that a subject names, or null. */
export const subjectField = (subject: string): string | null =>
  subject.startsWith(FIELD_PREFIX) ? subject.slice(FIELD_PREFIX.length) : null;

const FIELD_KIND: Readonly<Record<FieldKind, ConditionKind>> = {
  text: 'text',
  number: 'number',
  date: 'date',
  boolean: 'boolean',
  choice: 'choice',
};

/** Describes a subject. `kind` is the kind of the field if the subject is one of the account's own fields. */
export function findSubject(subject: string, field?: { label: string; kind: FieldKind }): Subject | null {
  if (Object.hasOwn(CONDITION_SUBJECTS, subject)) return CONDITION_SUBJECTS[subject as ConditionSubject];
  return field ? { label: field.label, kind: FIELD_KIND[field.kind], group: 'Contact' } : null;
}

export const listOperators = (kind: ConditionKind): Readonly<Record<string, Operator>> => CONDITION_OPERATORS[kind];

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= MAX_FIELD_TEXT;

function accepts(takes: Takes, value: unknown, item: (text: string) => boolean): boolean {
  switch (takes) {
    case 'nothing':
      return value === undefined || value === null;
    case 'text':
      return isText(value);
    case 'texts':
      return (
        Array.isArray(value) &&
        value.length > 0 &&
        value.length <= MAX_VALUES &&
        value.every((one) => isText(one) && item(one))
      );
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
    case 'date':
      return typeof value === 'string' && isDate(value);
    case 'days':
      return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_DAYS;
    case 'purpose':
      return (CONSENT_PURPOSES as readonly unknown[]).includes(value);
  }
}

interface Parts {
  subject: string;
  operator: string;
  value?: string | number | string[] | null | undefined;
  channel?: string | null | undefined;
}

/** Whether a condition is complete and its parts fit together. */
export function isComplete(condition: Parts, field?: { label: string; kind: FieldKind }): boolean {
  const subject = findSubject(condition.subject, field);
  if (!subject) return false;
  const operators = listOperators(subject.kind);
  const chosen = Object.hasOwn(operators, condition.operator) ? operators[condition.operator] : undefined;
  const { channel } = subject;
  const hasChannel = condition.channel !== undefined && condition.channel !== null;
  return (
    chosen !== undefined &&
    accepts(chosen.takes, condition.value, subject.item ?? (() => true)) &&
    (hasChannel ? channel !== undefined : channel !== 'required')
  );
}

export const Condition = z
  .object({
    /** The property that is compared, such as `country`, or `fields.` and the key of one of your own fields. */
    subject: z.string({ error: problem('CONDITION_INVALID') }).max(48, { error: problem('CONDITION_INVALID') }),
    operator: z.string({ error: problem('CONDITION_INVALID') }).max(32, { error: problem('CONDITION_INVALID') }),
    /** A text, a list of texts, a number, a date, or a number of days, depending on the operator. */
    value: z.union([z.string(), z.number(), z.array(z.string()), z.null()]).optional(),
    /** Only messages or consents of this channel. */
    channel: z
      .literal([...CHANNELS])
      .nullable()
      .optional(),
  })
  // The server checks conditions on the account's own fields.
  .refine((condition) => subjectField(condition.subject) !== null || isComplete(condition), {
    error: problem('CONDITION_INVALID'),
  });
export type Condition = z.output<typeof Condition>;

const group = <T extends z.ZodType>(node: T) =>
  z.object({
    /** Whether all of the conditions apply, or at least one. */
    match: z.literal(['all', 'any'], { error: problem('CONDITION_INVALID') }),
    conditions: z
      .array(node, { error: problem('CONDITIONS_REQUIRED') })
      .min(1, { error: problem('CONDITIONS_REQUIRED') })
      .max(MAX_CONDITIONS, { error: problem('CONDITIONS_LIMIT_EXCEEDED') }),
  });
const either = <A extends z.ZodType, B extends z.ZodType>(a: A, b: B) =>
  z.union([a, b], { error: problem('CONDITION_INVALID') });

/** A condition, or a group of conditions and groups. */
export type ConditionNode = Condition | ConditionGroup;
export interface ConditionGroup {
  match: 'all' | 'any';
  conditions: ConditionNode[];
}

/** Groups can be nested twice. */
export const MAX_DEPTH = 3;
export const Conditions = group(either(group(either(group(Condition), Condition)), Condition)).refine(
  (root) => listConditions(root).length <= MAX_CONDITIONS,
  { error: problem('CONDITIONS_LIMIT_EXCEEDED') },
);
export type Conditions = z.output<typeof Conditions>;

export const isGroup = (node: ConditionNode): node is ConditionGroup => 'conditions' in node;

/** All conditions in a group and its groups. */
export const listConditions = (root: ConditionGroup): Condition[] =>
  root.conditions.flatMap((node) => (isGroup(node) ? listConditions(node) : [node]));

export const CONDITION_PROBLEMS = [
  'CONDITIONS_REQUIRED',
  'CONDITION_INVALID',
  'CONDITIONS_LIMIT_EXCEEDED',
  'CONDITION_AUDIENCE_INVALID',
] as const;
