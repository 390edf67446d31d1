/** The latest Parley news that a user has seen. */
import { z } from 'zod';
import { problem } from '../common.ts';
import { endpoint } from '../endpoint.ts';

export const markNewsSeen = endpoint({
  id: 'users.mark_news_seen',
  method: 'PUT',
  path: '/v1/users/self/news',
  summary: 'Mark the news of a version as seen by the caller, in all of their companies',
  needs: null,
  audience: 'person',
  body: z.object({
    /** The fingerprint of the news in the app’s build. */
    news_id: z.string().regex(/^[0-9a-f]{12}$/, { error: problem('VALUE_INVALID') }),
  }),
  status: 204,
  output: z.null(),
  problems: ['VALUE_INVALID'],
});
