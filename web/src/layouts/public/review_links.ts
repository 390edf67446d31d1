/** Links to review sites. They use neutral shapes because the sites' logos are trademarks. */
export const REVIEW_LINKS = [
  { label: 'G2', href: 'https://www.g2.com/', shape: 'M8 .5a7.5 7.5 0 1 1 0 15 7.5 7.5 0 0 1 0-15z' },
  { label: 'Capterra', href: 'https://www.capterra.com/', shape: 'M8 .5 15 4.3v7.4l-7 3.8-7-3.8V4.3z' },
  {
    label: 'Trustpilot',
    href: 'https://www.trustpilot.com/',
    shape: 'M4 .5h8a3.5 3.5 0 0 1 3.5 3.5v8a3.5 3.5 0 0 1-3.5 3.5H4A3.5 3.5 0 0 1 .5 12V4A3.5 3.5 0 0 1 4 .5z',
  },
] as const;
