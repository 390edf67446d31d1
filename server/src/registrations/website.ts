/** Checks that the pages named in a form can be opened, through the guarded connector, since users choose the URLs. */
import { ACCESS_KINDS } from '@parley/contract/channels/access_kinds.ts';
import type { PreflightFinding } from '@parley/contract/registrations/finding.ts';
import type { Registration } from '@parley/contract/registrations/registration.ts';
import { type Outbound, OutboundError } from '../kernel/http/outbound.ts';

const WAIT_MS = 4_000;

export async function findPageProblems(
  outbound: Outbound,
  { company, signup_options, tcr, ...sections }: Registration,
): Promise<PreflightFinding[]> {
  const pages = [
    { field: 'company.business_website', url: company?.business_website, label: 'The website' },
    ...ACCESS_KINDS.map((kind) => ({
      field: `${kind}.business_website`,
      url: sections[kind]?.business_website,
      label: 'The website',
    })),
    { field: 'signup_options.web_form_url', url: signup_options?.web_form_url, label: 'The page with the opt-in form' },
    { field: 'tcr.privacy_policy_url', url: tcr?.privacy_policy_url, label: 'The privacy policy' },
    { field: 'tcr.terms_url', url: tcr?.terms_url, label: 'The page with the terms' },
  ].filter((page) => page.url);
  const findings = await Promise.all(
    pages.map(async ({ field, url, label }) => {
      const failure = await openPage(outbound, url!);
      return failure === null ? null : unreachable(field, label, failure);
    }),
  );
  return findings.filter((finding) => finding !== null);
}

const unreachable = (field: string, label: string, failure: string): PreflightFinding => ({
  code: 'website_unreachable',
  level: 'warning',
  field,
  title: `${label} could not be opened: ${failure}`,
  why: 'Reviewers open the page. They often reject requests if the page is unavailable or belongs to another company.',
  fix: 'Open the URL in a private window, and correct it if the page does not load.',
});

/** Returns the reason for the failure, or null. */
async function openPage(outbound: Outbound, url: string): Promise<string | null> {
  try {
    const { status } = await outbound.fetch(url, { timeout_ms: WAIT_MS, redirects: 3, max_bytes: 4_096 });
    return status >= 400 ? `it responds with ${status}` : null;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return error.message.charAt(0).toLowerCase() + error.message.slice(1);
  }
}
