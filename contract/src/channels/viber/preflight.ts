import { MARKETING, preflightFinding } from '../../preflight/words.ts';
import type { PreflightFinding } from '../../registrations/finding.ts';

/** Warns about example messages that do not match the traffic type. */
export function checkSamples(
  form: { traffic?: string | undefined; sample_messages?: readonly string[] | undefined } | null,
): PreflightFinding[] {
  if (!form?.sample_messages || form.traffic !== 'transactional') return [];
  const at = form.sample_messages.findIndex((text) => MARKETING.test(text));
  if (at < 0) return [];
  return [
    preflightFinding(
      'warning',
      'sample_is_marketing',
      `viber.sample_messages.${at}`,
      `Example ${at + 1} reads like marketing, but the traffic type is transactional`,
      'Viber has separate prices and rules for each type, and compares your examples with the type you choose.',
      'Choose both traffic types, or remove the offer from the example.',
    ),
  ];
}
