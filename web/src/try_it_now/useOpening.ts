/**
 * The first message of a test on a channel that requires a template for it: an approved template with the values filled
 * in, so that the first click sends something the channel delivers. Once the phone replies, any text can be sent.
 */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { TEST_SENDER } from '@parley/contract/messages/try_it_now.ts';
import { fillTemplate, templatePlaceholders } from '@parley/contract/templates/rules.ts';
import { listTemplates, type Template } from '@parley/contract/templates/templates.ts';
import { useState } from 'react';
import type { ReplyBody } from '../channels/compose/reply_body.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { useReason, useSession } from '../kernel/session/session.tsx';

const MAX_TEMPLATES = 20;

export interface Opening {
  /** `free`: any text can be sent. `template`: `body` is sent. `none`: the sender has no template that can be sent. */
  kind: 'free' | 'loading' | 'template' | 'none';
  name: string;
  body: ReplyBody | null;
  /** Lets the user write a text, because the phone may have replied before the page was opened. */
  write: () => void;
}

export function useOpening(
  channel: ChannelName,
  sender: { id: string; code: string } | null,
  hasReplied: boolean,
): Opening {
  const { user } = useSession();
  const [isWriting, setWriting] = useState(false);
  const { session, templates: rules } = channelRules(channel);
  const reason = useReason(listTemplates.needs);
  const isNeeded = session?.outside === 'templates' && sender !== null && !hasReplied && !isWriting;
  // The shared test sender cannot use the account's templates.
  const mayChoose = isNeeded && sender.id !== TEST_SENDER && reason === null;
  const filter = {
    ...({ channel, status: 'COMPLETED' } as const),
    ...(rules.fields.includes('wa_sender_code') && sender ? { sender_code: sender.code } : {}),
  };
  const query = useEndpoint(
    listTemplates,
    { query: { page: 1, page_size: MAX_TEMPLATES, filter } },
    { enabled: mayChoose },
  );
  const write = () => setWriting(true);
  const none = { name: '', body: null, write };
  if (!isNeeded) return { kind: 'free', ...none };
  if (mayChoose && !query.data && !query.error) return { kind: 'loading', ...none };
  const opening = query.data?.data.map((template) => fill(template, user.first_name)).find((one) => one !== null);
  return mayChoose && opening ? { kind: 'template', ...opening, write } : { kind: 'none', ...none };
}

/** Fills a template with the user's name and its own samples; null if it cannot be sent like this. */
function fill(template: Template, first_name: string): { name: string; body: ReplyBody } | null {
  if (template.paused) return null;
  const values = templatePlaceholders(template).map(({ name, fallback }, at) =>
    name === 'first_name' && first_name ? first_name : template.samples[at] || fallback || '',
  );
  const { text, findings } = fillTemplate(template, values);
  if (findings.length > 0) return null;
  return { name: template.name, body: { text, template: template.id, variables: values } };
}
