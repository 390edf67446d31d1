/** Why somebody cannot come in, with the way on. What is not named here is said by the API. */
import type { ClientProblem } from '@parley/contract/problem_codes.ts';
import { ApiError } from '../../kernel/http/client.ts';

const WORDS: Readonly<Partial<Record<ClientProblem, string>>> = {
  CREDENTIALS_INVALID: 'Wrong email or password',
  SIGN_IN_ATTEMPTS_EXCEEDED:
    'Sign-in is temporarily blocked after too many failed attempts. Try again in a few minutes, or choose a new password.',
  USER_BLOCKED: `Your user is temporarily blocked, please contact the support address at ${window.location.host} for more information.`,
  VERIFICATION_EXPIRED: 'This took too long or was used before. Begin again.',
  ACCOUNT_CLOSED: `This account is closed. Contact the support address at ${window.location.host} to have it opened again.`,
};

/** Null for what has been told already. */
export function signInErrorText(error: unknown): string | null {
  if (!(error instanceof ApiError)) return 'The sign-in failed. Try again.';
  if (error.announced) return null;
  return WORDS[error.name] ?? error.message;
}
