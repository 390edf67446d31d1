interface PageLink {
  label: string;
  href: string;
  /** The path of a logo. */
  image?: string;
}

/**
 * Links that the operator configures. The server writes them into the page: `legal-links` from the setting LEGAL_LINKS,
 * which begins with the three documents of the preset, and `review-links` from the brand of the installation and from
 * REVIEW_LINKS.
 */
export function readPageLinks(name: string, preset: readonly PageLink[] = []): readonly PageLink[] {
  const content = document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content;
  return content ? JSON.parse(content) : preset;
}
