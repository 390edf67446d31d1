/** The order of the pages of the manual, by their file names in docs/manual, which has their titles and texts. */
export interface ManualGroup {
  title: string;
  pages: readonly string[];
}

/** The page `whats-new` is written from CHANGELOG.md. */
export const CONTENTS: readonly ManualGroup[] = [
  { title: 'First steps', pages: ['getting-started', 'navigation', 'try-it-now', 'whats-new'] },
  { title: 'Senders', pages: ['senders', 'channels'] },
  { title: 'Contacts', pages: ['audiences', 'imports', 'opt-in-forms', 'people', 'stop-list'] },
  { title: 'Campaigns', pages: ['templates', 'campaigns', 'campaign-timing'] },
  { title: 'Inbox', pages: ['inbox', 'inbox-rules'] },
  { title: 'Insights', pages: ['insights', 'message-log', 'alerts'] },
  { title: 'Tools', pages: ['links', 'carrier-lookup'] },
  { title: 'APIs', pages: ['api-keys', 'webhooks', 'verifications', 'smpp'] },
  {
    title: 'Company',
    pages: ['billing', 'company', 'users', 'security', 'limits', 'sub-accounts', 'integrations'],
  },
];

/** The pages in docs/manual/operators, which only operators see. */
export const OPERATOR_CONTENTS: ManualGroup = {
  title: 'For operators',
  pages: [
    'operators-setup',
    'operators-accounts',
    'operators-carriers',
    'operators-health',
    'operators-money',
    'operators-reviews',
  ],
};
