/** Automatic checks on a template: whether its text names the company, and where its links lead. */
import type { RequestFinding } from '@parley/contract/admin/requests.ts';
import type { Template } from '@parley/contract/templates/templates.ts';
import { createOutbound } from '../../kernel/http/outbound.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { splitWords } from '../customers/customer_search.ts';
import { distinctive, good, resolveHost, sameDomain, warning } from './findings.ts';

export async function findTextProblems(
  { config }: Pick<Kernel, 'config'>,
  { text, buttons, url }: Pick<Template, 'text' | 'buttons' | 'url'>,
  company_name: string,
  website: string,
): Promise<RequestFinding[]> {
  const words = new Set(splitWords(text));
  const names_company = distinctive(company_name).some((word) => words.has(word));
  const links = [
    ...buttons.map((button) => ({ label: `The page of “${button.text}”`, url: button.value, page: true })),
    ...(url ? [{ label: 'The linked file', url, page: false }] : []),
  ].filter((link) => /^https?:\/\//i.test(link.url) && URL.canParse(link.url));
  const outbound = createOutbound(config);
  const reached = await Promise.all(
    links.map(async ({ label, url, page }) => {
      const target = await resolveHost(outbound, url);
      if (target.error !== undefined) return warning(`${label} ${target.error}`);
      if (!page || !URL.canParse(website)) return good(`${label} can be reached`);
      const own = new URL(website).hostname;
      return sameDomain(target.host, own)
        ? good(`${label} is on the company’s website`)
        : warning(`${label} is at ${target.host}, but the company’s website is at ${own}`);
    }),
  );
  return [
    names_company ? good('The text names the company') : warning('The text does not name the company'),
    ...reached,
  ];
}
