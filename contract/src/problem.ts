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
}

/** The words for a schema issue that carries no code: what forms show under the field and the API says in `message`. */
export function issueMessage(issue: Issue, label: string): string {
  const code = codeIn(issue.message);
  if (code) return messageOf(code);
  // Schemas do not hand out what they were given; their words tell its type.
  const [, expected, received] = /expected (\w+), received (\w+)$/.exec(issue.message) ?? [];
  const isNumber = issue.origin === 'number' || issue.origin === 'int';
  if (issue.code === 'invalid_type') {
    if (issue.input === '' || issue.input === null || received === 'undefined' || received === 'null')
      return `${label} is required!`;
    if (expected === 'number' || expected === 'int') return `${label} is not a valid number!`;
  }
  // Of `range()`, which names both bounds.
  if (issue.message.startsWith('must be between ')) return `${label} ${issue.message}`;
  if (isNumber && issue.code === 'too_small') return `${label} must be at least ${String(issue.minimum)}`;
  if (isNumber && issue.code === 'too_big') return `${label} can be at most ${String(issue.maximum)}`;
  if (issue.code === 'too_small' && issue.minimum === 1) return `${label} is required!`;
  if (issue.format === 'email') return `${label} is not a valid email!`;
  return `${label}: ${issue.message}`;
}
