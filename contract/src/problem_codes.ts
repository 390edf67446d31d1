/**
 * The problems that screens handle differently. The first page loads this file and not the whole catalog. If a screen
 * compares with a name that is missing here, the type check fails.
 */
import type { ProblemName } from './problem.ts';

export const CLIENT_PROBLEMS = {
  VERIFICATION_CODE_NOT_FOUND: 1110,
  CREDENTIALS_INVALID: 1120,
  SIGN_IN_ATTEMPTS_EXCEEDED: 1121,
  PROOF_REQUIRED: 1126,
  INVITATION_NOT_FOUND: 1131,
  INVITATION_NOT_OPEN: 1132,
  USER_BLOCKED: 1135,
  VERIFICATION_EXPIRED: 1140,
  ACCOUNT_CLOSED: 1145,
  NUMBER_TAKEN: 1470,
  FILE_LINK_EXPIRED: 1902,
  EXPORT_LIMIT_REACHED: 1903,
  UPLOAD_OFFSET_MISMATCH: 1911,
  RATE_LIMIT_EXCEEDED: 1999,
  SECOND_OPERATOR_REQUIRED: 2500,
} as const satisfies Partial<Record<ProblemName, number>>;

/**
 * OTHER: a problem that no screen handles differently. UNKNOWN: a response that is not in our problem format, such as
 * one from a proxy.
 */
export type ClientProblem = keyof typeof CLIENT_PROBLEMS | 'OTHER' | 'UNKNOWN';

const NAMES: ReadonlyMap<number, ClientProblem> = new Map(
  Object.entries(CLIENT_PROBLEMS).map(([name, code]) => [code, name as ClientProblem]),
);

/** The name of a code on the wire. */
export const clientProblem = (code: number | undefined): ClientProblem =>
  code === undefined ? 'UNKNOWN' : (NAMES.get(code) ?? 'OTHER');
