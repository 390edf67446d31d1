/**
 * A carrier that accepts `{from, to, text}` over HTTP, returns an id, and calls back with messages of the same shape.
 */
import { createHash } from 'node:crypto';
import type { Adapter } from '../../channels/channel.ts';
import { openHttpBind } from '../../channels/http_bind.ts';
import { PagerSettings } from './settings.ts';

export const pager: Adapter = {
  name: 'pager',
  binds: () => 1,
  open: ({ settings }, events) =>
    openHttpBind(
      {
        window: 10,
        throughput: null,
        timeout_ms: 5_000,
        request: ({ from, to, text }) => ({
          url: `${PagerSettings.parse(settings).base_url}/pages`,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ from, to, text }),
        }),
        read: (_, body) => ({
          parts: 1,
          accepted: [{ part: 1, external_id: JSON.parse(body).id }],
          failure: null,
          detail: {},
        }),
      },
      events,
    ),
  parts: () => 1,
  callbacks: {
    read: (_, { body }) => {
      const { from, to, text, id } = JSON.parse(body.toString());
      const digest = createHash('sha256').update(body).digest();
      const incoming = [{ from, to, text, part: null, digest, session: 'pager', external_id: id }];
      return { status: 200, body: '', reports: [], incoming, notices: [] };
    },
  },
};
