/**
 * The catalog of all problems that a request can have. Our code uses the names; clients get the number of a row
 * (`code`): `{"errors":[{timestamp, path, method, status, code, message, field?}]}`. The rows are in problems/, one
 * file per area.
 */
import { ACCOUNTS } from './problems/accounts.ts';
import { ASSISTANCE } from './problems/assistance.ts';
import { AUDIENCES } from './problems/audiences.ts';
import { BRAND } from './problems/brand.ts';
import { BULK } from './problems/bulk.ts';
import { CAMPAIGNS } from './problems/campaigns.ts';
import { CONNECTIONS } from './problems/connections.ts';
import { CRM } from './problems/crm.ts';
import { FILES } from './problems/files.ts';
import { GUARD } from './problems/guard.ts';
import { INBOX } from './problems/inbox.ts';
import { INSIGHTS } from './problems/insights.ts';
import { LINKS } from './problems/links.ts';
import { MESSAGES } from './problems/messages.ts';
import { MONEY } from './problems/money.ts';
import { REQUESTS } from './problems/requests.ts';
import type { Row } from './problems/row.ts';
import { SENDERS } from './problems/senders.ts';
import { SMPP } from './problems/smpp.ts';
import { TEMPLATES } from './problems/templates.ts';
import { VERIFICATIONS } from './problems/verifications.ts';
import { WEBHOOKS } from './problems/webhooks.ts';

export const AREAS = [
  REQUESTS,
  ACCOUNTS,
  AUDIENCES,
  TEMPLATES,
  SENDERS,
  MESSAGES,
  CAMPAIGNS,
  VERIFICATIONS,
  WEBHOOKS,
  SMPP,
  MONEY,
  FILES,
  LINKS,
  BULK,
  CONNECTIONS,
  INSIGHTS,
  GUARD,
  CRM,
  INBOX,
  ASSISTANCE,
  BRAND,
] as const;

type NamesIn<Area> = Area extends unknown ? keyof Area : never;
export type ProblemName = NamesIn<(typeof AREAS)[number]>;

export const PROBLEMS = Object.assign({}, ...AREAS) as Readonly<Record<ProblemName, Row>>;

export interface WireError {
  timestamp: string;
  path: string;
  method: string;
  status: number;
  code: number;
  message: string;
  field?: string;
  request_id?: string;
}

/** One problem of a request that has several, such as a form with two invalid fields. `code` is the problem's name. */
export interface ProblemDetail {
  code: ProblemName;
  field?: string;
  message?: string;
}

interface Detail {
  field?: string;
  /** Replaces the public text from the catalog. */
  message?: string;
  /** Replaces the internal text from the catalog. */
  internal?: string;
  others?: readonly ProblemDetail[];
  retry_after?: number;
}

/** Thrown by operations and sent to the client unchanged. Any other exception is a defect: INTERNAL_ERROR. */
export class Problem extends Error {
  override readonly name: ProblemName;
  readonly status: number;
  readonly field: string | undefined;
  /** For operators and logs, never for the client. */
  readonly internal: string;
  /** Other problems with the same request, for forms with several invalid fields. */
  readonly others: readonly ProblemDetail[];
  /** Number of seconds after which a retry makes sense. */
  readonly retry_after: number | undefined;

  constructor(name: ProblemName, detail: Detail = {}) {
    const row = PROBLEMS[name];
    super(detail.message ?? row.public);
    this.name = name;
    this.status = row.status;
    this.field = detail.field ?? row.field;
    this.internal = detail.internal ?? problemInternal(name);
    this.others = detail.others ?? [];
    this.retry_after = detail.retry_after;
  }
}

export const isProblemName = (value: unknown): value is ProblemName =>
  typeof value === 'string' && Object.hasOwn(PROBLEMS, value);
/** The code on the wire. */
export const problemCode = (name: ProblemName): number => PROBLEMS[name].code;
export const problemStatus = (name: ProblemName): number => PROBLEMS[name].status;
export const problemMessage = (name: ProblemName): string => PROBLEMS[name].public;
export const problemField = (name: ProblemName): string | undefined => PROBLEMS[name].field;
/** The text for operators and logs. */
export const problemInternal = (name: ProblemName): string =>
  PROBLEMS[name].internal ?? `${name}: ${PROBLEMS[name].public}`;

/** Reads the problem name from the text that `problem()` puts into a schema rule, such as `#TEMPLATE_TEXT_REQUIRED`. */
export function problemInRule(text: string): ProblemName | null {
  const name = text.startsWith('#') ? text.slice(1) : '';
  return isProblemName(name) ? name : null;
}

interface Issue {
  code?: string;
  message: string;
  input?: unknown;
  origin?: string;
  minimum?: unknown;
  maximum?: unknown;
  format?: string;
  values?: readonly unknown[];
  keys?: readonly string[];
}

const TYPE_RULES: Readonly<Record<string, string>> = {
  string: 'must be text',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
};

/** The beginning of zod's messages. Our own rules use different words. */
const ZOD_MESSAGE = /^(Too (small|big)|Invalid|Unrecognized)\b/;

/** Returns the text for a schema issue, for a form field and for `message` in the API. */
export function issueMessage(issue: Issue, label: string): string {
  const name = problemInRule(issue.message);
  if (name) return problemMessage(name);
  // zod does not return the input value, but its message names the type.
  const [, expected, received] = /expected (\w+), received (\w+)$/.exec(issue.message) ?? [];
  if (issue.code === 'invalid_type') {
    if (issue.input === '' || issue.input === null || received === 'undefined' || received === 'null')
      return `${label} is required!`;
    if (expected === 'number' || expected === 'int') return `${label} is not a valid number!`;
    return `${label} ${TYPE_RULES[expected ?? ''] ?? 'is not valid!'}`;
  }
  // The message of `range()` names both bounds.
  if (issue.message.startsWith('must be between ')) return `${label} ${issue.message}`;
  if (issue.code === 'too_small' || issue.code === 'too_big') return `${label} ${boundMessage(issue)}`;
  if (issue.format === 'email') return `${label} is not a valid email!`;
  // A rule with a text of its own can be a sentence that names the field.
  if (!ZOD_MESSAGE.test(issue.message)) return sentence(label, issue.message);
  if (issue.code === 'unrecognized_keys') return `${label} has no ${(issue.keys ?? []).join(', ')}`;
  const { values = [] } = issue;
  if (issue.code === 'invalid_value' && values.length <= MAX_LISTED_VALUES)
    return `${label} must be ${values.length === 1 ? '' : 'one of '}${values.map(String).join(', ')}`;
  return `${label} is not valid!`;
}

const sentence = (label: string, text: string): string => (/^The /.test(text) ? text : `${label}: ${text}`);

/** Messages do not list the allowed values if there are more than this. */
const MAX_LISTED_VALUES = 20;

function boundMessage({ code, origin, minimum, maximum }: Issue): string {
  const small = code === 'too_small';
  const bound = String(small ? minimum : maximum);
  if (origin === 'number' || origin === 'int') return small ? `must be at least ${bound}` : `can be at most ${bound}`;
  if (small && minimum === 1) return 'is required!';
  const unit = origin === 'string' ? ` character${bound === '1' ? '' : 's'}` : '';
  return small ? `must have at least ${bound}${unit}` : `can have at most ${bound}${unit}`;
}

const LABEL_WORDS: Readonly<Record<string, string>> = { id: 'ID', ids: 'IDs', url: 'URL', wa: 'WhatsApp' };

/** The default label of a field: `wa_category` becomes "WhatsApp category", the second of `emails` "Emails 2". */
export function fieldLabel(path: readonly PropertyKey[]): string {
  const names = path.filter((part) => typeof part === 'string' && !/^\d+$/.test(part));
  const last = path.at(-1);
  const number = /^\d+$/.test(String(last)) && names.length > 0 ? ` ${Number(last) + 1}` : '';
  const words = String(names.at(-1) ?? 'Value')
    .split('_')
    .map((word) => LABEL_WORDS[word] ?? word)
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1) + number;
}
