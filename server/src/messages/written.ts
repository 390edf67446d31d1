/** What one message says and carries, read from the ways it can be written: its template filled in, its file looked at. Who may get it the gate decides. */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { mediaRule } from '@parley/contract/media/channel_rules.ts';
import { extensionOf, linkRefusal, type MediaType } from '@parley/contract/media/rules.ts';
import type { Content } from '@parley/contract/messages/content.ts';
import type { MessageDraft } from '@parley/contract/messages/draft.ts';
import type { MessageBody } from '@parley/contract/messages/messages.ts';
import { freeContent, readMessage } from '@parley/contract/messages/rules.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Finding } from '@parley/contract/templates/draft.ts';
import { fillTemplate } from '@parley/contract/templates/rules.ts';
import type { Queryable } from '../kernel/db/db.ts';
import { demandMedia } from '../media/media.ts';
import { demandTemplate } from '../templates/templates.ts';

export interface Written {
  text: string;
  /** Null where a message is a text and nothing else. */
  content: Content | null;
  template_id: string | null;
  /** Asked for; otherwise it follows from the conversation. */
  purpose: 'promotional' | 'transactional' | null;
}

/** Its shape is checked at once, the rest when it is known who sends: a template belongs to a sender. */
export function writeMessage(
  db: Queryable,
  account_id: string,
  channel: ChannelName,
  body: MessageBody,
): (sender: { id: string }) => Promise<Written> {
  const { draft, findings } = readMessage(channel, body);
  refuse(findings);
  const { purpose } = draft;
  return async (sender) => {
    if (draft.template !== null) {
      const filled = await fromTemplate(db, account_id, channel, sender, { ...body, draft });
      return { ...filled, template_id: draft.template, purpose };
    }
    const { rich } = channelRules(channel);
    const content = rich ? await withFile(db, account_id, channel, freeContent(draft), draft) : null;
    return { text: draft.text, content, template_id: null, purpose };
  };
}

async function fromTemplate(
  db: Queryable,
  account_id: string,
  channel: ChannelName,
  sender: { id: string },
  { draft, variables }: { draft: MessageDraft; variables?: MessageBody['variables'] },
): Promise<Pick<Written, 'text' | 'content'>> {
  const template = await demandTemplate(db, account_id, draft.template!, channel, sender);
  const { text, content, findings } = fillTemplate(template, draft.variables ?? []);
  if (variables === null && findings.some(({ code }) => code === 'VARIABLES_REQUIRED'))
    throw new Problem('VARIABLES_NULL');
  refuse(findings);
  if (!content) return { text, content };
  const another = draft.media_id !== null || draft.url !== null;
  if (another && content.media_type === null)
    throw new Problem('MESSAGE_TYPE_NOT_ALLOWED', { field: 'type', message: 'The template has no file' });
  const file = another ? draft : { ...draft, media_id: content.media_id, url: content.url };
  return { text, content: await withFile(db, account_id, channel, content, file) };
}

/** Its file by name and kind, as people see it. */
async function withFile(
  db: Queryable,
  account_id: string,
  channel: ChannelName,
  content: Content,
  { media_id, url, file_name }: Pick<MessageDraft, 'media_id' | 'url' | 'file_name'>,
): Promise<Content> {
  const type = content.media_type as MediaType | null;
  if (type === null) return content;
  const name = file_name ?? content.file_name;
  const named = (file: string) => (name === null ? file : name.includes('.') ? name : `${name}${extensionOf(file)}`);
  if (media_id === null) {
    const wrong = linkRefusal(url!, mediaRule(type, channel));
    if (wrong) throw new Problem(wrong.code, { field: 'url', message: wrong.message });
    const last = new URL(url!).pathname;
    return { ...content, media_id, url, file_name: name === null ? null : named(last), content_type: null };
  }
  const row = await demandMedia(db, account_id, media_id, { type, channel });
  return { ...content, media_id, url: null, file_name: named(row.file_name), content_type: row.content_type };
}

export function refuse([first, ...others]: readonly Finding[]): void {
  if (first) throw new Problem(first.code, { field: first.field, message: first.message, others });
}
