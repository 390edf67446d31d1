import type { Bucket } from '@parley/contract/inbox/inbox.ts';

/** Where each of the three inboxes is. */
export const BUCKET_PATHS: Readonly<Record<Bucket, string>> = {
  self: '/inbox/assigned-to-me',
  none: '/inbox/unassigned',
  others: '/inbox/assigned-to-others',
};
