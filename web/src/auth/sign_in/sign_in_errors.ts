/** Messages for sign-in errors, with the next step. For other errors, the API's message is shown. */
import type { ClientProblem } from '@parley/contract/problem_codes.ts';
import { ApiError } from '../../kernel/http/client.ts';

const MESSAGES: Readonly<Partial<Record<ClientProblem, string>>> = {
  CREDENTIALS_INVALID: 'Wrong email or password',
  SIGN_IN_ATTEMPTS_EXCEEDED:
    'Sign-in is temporarily blocked after too many failed attempts. Try again in a few minutes or reset your password.',
  USER_BLOCKED:
    'Your user is temporarily blocked, please contact the support address at ' +
    `${window.location.host} for more information.`,
  VERIFICATION_EXPIRED: 'This sign-in expired or was already used. Start again.',
  ACCOUNT_CLOSED: `This account is closed. Contact support at ${window.location.host} to reopen it.`,
};

/** Returns null if the error was already shown. */
export function signInErrorText(error: unknown): string | null {
  if (!(error instanceof ApiError)) return 'Sign-in failed. Try again.';
  if (error.announced) return null;
  return MESSAGES[error.name] ?? error.message;
}
