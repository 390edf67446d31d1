/** Whether the pages that a form names can be opened: by the guarded connector, since their addresses were typed by a stranger. */

import type { Finding } from '@parley/contract/registrations/finding.ts';
import type { Registration } from '@parley/contract/registrations/registration.ts';
import { type Outbound, OutboundError } from '../kernel/http/outbound.ts';

const WAIT_MS = 4_000;

export async function pageFindings(
  outbound: Outbound,
  { company, signup_options, tcr, whatsapp, viber }: Registration,
): Promise<Finding[]> {
  const pages = [
    { field: 'company.business_website', url: company?.business_website, what: 'The website' },
    { field: 'whatsapp.business_website', url: whatsapp?.business_website, what: 'The website' },
    { field: 'viber.business_website', url: viber?.business_website, what: 'The website' },
    { field: 'signup_options.web_form_url', url: signup_options?.web_form_url, what: 'The page with the opt-in form' },
    { field: 'tcr.privacy_policy_url', url: tcr?.privacy_policy_url, what: 'The privacy policy' },
    { field: 'tcr.terms_url', url: tcr?.terms_url, what: 'The page with the terms' },
  ].filter((page) => page.url);
  const findings = await Promise.all(
    pages.map(async ({ field, url, what }) => {
      const wrong = await reach(outbound, url!);
      return wrong === null ? null : unreachable(field, what, wrong);
    }),
  );
  return findings.filter((finding) => finding !== null);
}

const unreachable = (field: string, what: string, wrong: string): Finding => ({
  code: 'website_unreachable',
  level: 'warning',
  field,
  title: `${what} could not be opened: ${wrong}`,
  why: 'Reviewers open it. A page that does not answer, or does not show the company, is a frequent reason for a refusal.',
  fix: 'Open the address yourself in a private window, and correct it if it does not lead to the page.',
});

/** Null: it answers. */
async function reach(outbound: Outbound, url: string): Promise<string | null> {
  try {
    const { status } = await outbound.fetch(url, { timeout_ms: WAIT_MS, redirects: 3, max_bytes: 4_096 });
    return status >= 400 ? `it answers with ${status}` : null;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return error.message.charAt(0).toLowerCase() + error.message.slice(1);
  }
}
