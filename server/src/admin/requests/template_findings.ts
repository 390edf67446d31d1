/** Automatic checks of a template: whether its text names the company, and where its links lead. */
import type { RequestFinding } from '@parley/contract/admin/requests.ts';
import type { Template } from '@parley/contract/templates/templates.ts';
import { createOutbound } from '../../kernel/http/outbound.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { wordsOf } from '../customers/customer_search.ts';
import { distinctive, good, reachedHost, sameDomain, warning } from './findings.ts';

export async function textFindings(
  { config }: Pick<Kernel, 'config'>,
  { text, buttons, url }: Pick<Template, 'text' | 'buttons' | 'url'>,
  company_name: string,
  website: string,
): Promise<RequestFinding[]> {
  const said = new Set(wordsOf(text));
  const named = distinctive(company_name).some((word) => said.has(word));
  const links = [
    ...buttons.map((button) => ({ what: `The page of “${button.text}”`, url: button.value, page: true })),
    ...(url ? [{ what: 'The file behind the link', url, page: false }] : []),
  ].filter((link) => /^https?:\/\//i.test(link.url) && URL.canParse(link.url));
  const outbound = createOutbound(config);
  const reached = await Promise.all(
    links.map(async ({ what, url, page }) => {
      const answer = await reachedHost(outbound, url);
      if (answer.wrong !== undefined) return warning(`${what} ${answer.wrong}`);
      if (!page || !URL.canParse(website)) return good(`${what} can be reached`);
      const own = new URL(website).hostname;
      return sameDomain(answer.host, own)
        ? good(`${what} is on the company’s website`)
        : warning(`${what} is at ${answer.host}, the company’s website at ${own}`);
    }),
  );
  return [named ? good('The text names the company') : warning('The text does not name the company'), ...reached];
}
