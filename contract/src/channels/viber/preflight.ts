import { found, MARKETING } from '../../preflight/words.ts';
import type { Finding } from '../../registrations/finding.ts';

/** The examples have to fit the traffic. */
export function checkSamples(
  form: { traffic?: string | undefined; sample_messages?: readonly string[] | undefined } | null,
): Finding[] {
  if (!form?.sample_messages || form.traffic !== 'transactional') return [];
  const at = form.sample_messages.findIndex((text) => MARKETING.test(text));
  if (at < 0) return [];
  return [
    found(
      'warning',
      'sample_is_marketing',
      `viber.sample_messages.${at}`,
      `Example ${at + 1} reads like marketing, but the traffic is transactional`,
      'Viber has different prices and rules for the two, and compares the examples with the traffic.',
      'Choose both kinds of traffic, or remove the offer from the example.',
    ),
  ];
}
