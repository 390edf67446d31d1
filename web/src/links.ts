/** Addresses outside the app's own pages, in one place for those who run their own Parley. */
export const DOCUMENTATION_LINK = '/v1/openapi.json';
export const MANUAL_LINK = '/manual';

export const LEGAL_LINKS = [
  { label: 'Privacy policy', href: '/legal/privacy-policy' },
  { label: 'Terms of service', href: '/legal/terms-of-service' },
  { label: 'Anti-spam policy', href: '/legal/anti-spam-policy' },
] as const;

export const REVIEW_LINKS = [
  { label: 'G2', href: 'https://www.g2.com/' },
  { label: 'Capterra', href: 'https://www.capterra.com/' },
  { label: 'Trustpilot', href: 'https://www.trustpilot.com/' },
] as const;
