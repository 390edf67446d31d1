import type { Page } from '../test.ts';

/** The listed conversations, which show their channel, unlike the buttons above them. */
export const conversationRows = (page: Page) =>
  page
    .getByRole('region', { name: 'Conversations' })
    .getByRole('button')
    .filter({ has: page.getByRole('img') });
