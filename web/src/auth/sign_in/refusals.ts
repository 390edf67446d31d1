/** Why somebody cannot come in, with the way on. What is not named here is said by the API. */
import { ApiError } from '../../kernel/http/client.ts';

const WORDS: Readonly<Record<number, string>> = {
  1120: 'Wrong email or password',
  1121: 'Sign-in is temporarily blocked after too many failed attempts. Try again in a few minutes, or choose a new password.',
  1135: `Your user is temporarily blocked, please contact the support address at ${window.location.host} for more information.`,
  1140: 'This took too long or was used before. Begin again.',
  1145: `This account is closed. Contact the support address at ${window.location.host} to have it opened again.`,
};

/** Null for what has been told already. */
export function refusalWords(error: unknown): string | null {
  if (!(error instanceof ApiError)) return 'The sign-in failed. Try again.';
  if (error.announced) return null;
  return WORDS[error.code] ?? error.message;
}
