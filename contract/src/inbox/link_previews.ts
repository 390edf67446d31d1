/** The title and the description of the page behind a link in a message. */
import { z } from 'zod';
import { idParams, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { CONVERSATION_PROBLEMS } from './inbox.ts';
import { INBOX_NEEDS } from './needs.ts';

export const LinkPreview = z.object({
  /** The link in the message. */
  url: z.string(),
  /** The host of the page, after redirects. */
  host: z.string(),
  title: z.string(),
  /** Empty if the page has none. */
  description: z.string(),
});
export type LinkPreview = z.output<typeof LinkPreview>;

export const getLinkPreview = endpoint({
  id: 'link_previews.get',
  method: 'GET',
  path: '/v1/conversations/{id}/link_preview',
  summary:
    'Get the title and description of the page that a message’s first link opens; null if there is none. The ' +
    'server fetches the page, never the browser',
  needs: INBOX_NEEDS,
  audience: 'session',
  params: idParams('CONVERSATION_ID_INVALID'),
  query: z.object({ message_id: uuid() }),
  output: LinkPreview.nullable(),
  problems: CONVERSATION_PROBLEMS,
});
