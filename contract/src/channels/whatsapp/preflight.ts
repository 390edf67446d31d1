import { preflightFinding } from '../../preflight/words.ts';
import type { PreflightFinding } from '../../registrations/finding.ts';

/** The number must belong to the company: verified with a code, or used to send its SMS. */
export function checkNumber(
  form: { phone_number?: string | undefined; number_from?: string | undefined } | null,
  numbers: readonly string[] | undefined,
): PreflightFinding[] {
  if (!form?.phone_number || numbers === undefined || numbers.includes(form.phone_number)) return [];
  const own = form.number_from !== 'account';
  return [
    preflightFinding(
      'blocker',
      'number_unverified',
      'whatsapp.phone_number',
      own ? 'The number is not verified' : 'The number does not belong to your account',
      'Only the owner of a number can use it as a sender.',
      own
        ? 'Request a verification code for the number and enter it.'
        : 'Choose one of your numbers, or verify another number.',
    ),
  ];
}
