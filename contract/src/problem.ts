/**
 * The catalogue of everything that can be refused: code -> HTTP status, the words a person reads, and the field it belongs to.
 * The rows stand in problems/, a file for each area. A code is stable for ever; clients switch on it.
 * Wire form: `{"errors":[{timestamp, path, method, status, code, message, field?}]}`.
 */
import { ACCOUNTS } from './problems/accounts.ts';
import { AUDIENCES } from './problems/audiences.ts';
import { CAMPAIGNS } from './problems/campaigns.ts';
import { CONNECTIONS } from './problems/connections.ts';
import { FILES } from './problems/files.ts';
import { MESSAGES } from './problems/messages.ts';
import { MONEY } from './problems/money.ts';
import { REQUESTS } from './problems/requests.ts';
import type { Row } from './problems/row.ts';
import { SENDERS } from './problems/senders.ts';
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
  MONEY,
  FILES,
  CONNECTIONS,
] as const;

type CodesOf<Area> = Area extends unknown ? keyof Area : never;
export type Code = CodesOf<(typeof AREAS)[number]>;

export const CATALOGUE = Object.assign({}, ...AREAS) as Readonly<Record<Code, Row>>;

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

export interface ProblemDetail {
  code: Code;
  field?: string;
  message?: string;
}

/** Thrown by operations; becomes the answer as it stands. Everything else thrown is a defect and answers 1001. */
export class Problem extends Error {
  readonly code: Code;
  readonly status: number;
  readonly field: string | undefined;
  /** Further problems of the same request, for forms with several wrong fields. */
  readonly others: readonly ProblemDetail[];
  /** Seconds after which trying again makes sense. */
  readonly retry_after: number | undefined;

  constructor(
    code: Code,
    detail: { field?: string; message?: string; others?: readonly ProblemDetail[]; retry_after?: number } = {},
  ) {
    const row = CATALOGUE[code];
    super(detail.message ?? row[1]);
    this.name = 'Problem';
    this.code = code;
    this.status = row[0];
    this.field = detail.field ?? row[2];
    this.others = detail.others ?? [];
    this.retry_after = detail.retry_after;
  }
}

export const isCode = (value: unknown): value is Code => typeof value === 'number' && value in CATALOGUE;
export const messageOf = (code: Code): string => CATALOGUE[code][1];
export const statusOf = (code: Code): number => CATALOGUE[code][0];
export const fieldOf = (code: Code): string | undefined => CATALOGUE[code][2];

/** Reads `#1303` as put into a schema rule by `problem(1303)`. */
export function codeIn(text: string): Code | null {
  const code = /^#(\d{4})$/.exec(text)?.[1];
  return code && isCode(Number(code)) ? (Number(code) as Code) : null;
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

const KINDS: Readonly<Record<string, string>> = {
  string: 'must be text',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
};

/** What the checking library says by itself, in English of its own; whatever a rule of ours says begins otherwise. */
const NOT_OURS = /^(Too (small|big)|Invalid|Unrecognized)\b/;

/** The words for a schema issue that carries no code: what forms show under the field and the API says in `message`. */
export function issueMessage(issue: Issue, label: string): string {
  const code = codeIn(issue.message);
  if (code) return messageOf(code);
  // Schemas do not hand out what they were given; their words tell its type.
  const [, expected, received] = /expected (\w+), received (\w+)$/.exec(issue.message) ?? [];
  if (issue.code === 'invalid_type') {
    if (issue.input === '' || issue.input === null || received === 'undefined' || received === 'null')
      return `${label} is required!`;
    if (expected === 'number' || expected === 'int') return `${label} is not a valid number!`;
    return `${label} ${KINDS[expected ?? ''] ?? 'is not valid!'}`;
  }
  // Of `range()`, which names both bounds.
  if (issue.message.startsWith('must be between ')) return `${label} ${issue.message}`;
  if (issue.code === 'too_small' || issue.code === 'too_big') return `${label} ${outside(issue)}`;
  if (issue.format === 'email') return `${label} is not a valid email!`;
  if (!NOT_OURS.test(issue.message)) return `${label}: ${issue.message}`;
  if (issue.code === 'unrecognized_keys') return `${label} has no ${(issue.keys ?? []).join(', ')}`;
  const { values = [] } = issue;
  if (issue.code === 'invalid_value' && values.length <= MOST_NAMED)
    return `${label} must be ${values.length === 1 ? '' : 'one of '}${values.map(String).join(', ')}`;
  return `${label} is not valid!`;
}

/** Of longer lists nobody reads all. */
const MOST_NAMED = 20;

function outside({ code, origin, minimum, maximum }: Issue): string {
  const small = code === 'too_small';
  const bound = String(small ? minimum : maximum);
  if (origin === 'number' || origin === 'int') return small ? `must be at least ${bound}` : `can be at most ${bound}`;
  if (small && minimum === 1) return 'is required!';
  const of = origin === 'string' ? ` character${bound === '1' ? '' : 's'}` : '';
  return small ? `must have at least ${bound}${of}` : `can have at most ${bound}${of}`;
}

/** What a field is called where nothing else is said: `wa_category` is "Wa category", the second of `emails` is "Emails 2". */
export function labelOfPath(path: readonly PropertyKey[]): string {
  const names = path.filter((part) => typeof part === 'string' && !/^\d+$/.test(part));
  const last = path.at(-1);
  const place = /^\d+$/.test(String(last)) && names.length > 0 ? ` ${Number(last) + 1}` : '';
  const words = String(names.at(-1) ?? 'Value').replace(/_/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1) + place;
}
