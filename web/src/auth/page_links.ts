/**
 * Links that the operator configures. The server writes them into the page: `legal-links` from the setting LEGAL_LINKS,
 * and `review-links` from REVIEW_LINKS.
 */
import { LEGAL_LINKS } from '../paths.ts';

export interface PageLink {
  label: string;
  href: string;
}

export function readPageLinks(name: 'legal-links' | 'review-links'): readonly PageLink[] {
  const content = document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content;
  return content ? (JSON.parse(content) as PageLink[]) : [];
}

/** The legal documents: the operator’s own ones instead of those with the same names, then further ones. */
export function readLegalLinks(): readonly PageLink[] {
  const own = readPageLinks('legal-links');
  const labels = LEGAL_LINKS.map(({ label }): string => label);
  return [
    ...LEGAL_LINKS.map((link) => own.find(({ label }) => label === link.label) ?? link),
    ...own.filter(({ label }) => !labels.includes(label)),
  ];
}
