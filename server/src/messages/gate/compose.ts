/**
 * Composes a message from a request: fills in its template and resolves its file. `accept` decides who may receive it.
 */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { mediaRule } from '@parley/contract/media/channel_rules.ts';
import { fileExtension, linkRefusal } from '@parley/contract/media/rules.ts';
import type { MediaType } from '@parley/contract/media/types.ts';
import type { Content } from '@parley/contract/messages/content.ts';
import type { MessageDraft } from '@parley/contract/messages/draft.ts';
import type { MessageBody } from '@parley/contract/messages/messages.ts';
import { freeContent, readMessage } from '@parley/contract/messages/rules.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { FillableTemplate, Finding } from '@parley/contract/templates/draft.ts';
import { type Filled, fillTemplate, type TemplateValues } from '@parley/contract/templates/rules.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import { requireMedia } from '../../media/media.ts';
import { requireTemplate } from '../../templates/templates.ts';
import type { ComposedMessage } from '../model/composed_message.ts';

/**
 * Checks the shape of the body immediately. The remaining checks wait until the sender is known, because a template
 * belongs to a sender.
 */
export function composeMessage(
  db: Queryable,
  account_id: string,
  channel: ChannelName,
  body: MessageBody,
): (sender: { id: string }) => Promise<ComposedMessage> {
  const { draft, findings, is_stored } = readMessage(channel, body);
  throwFindings(findings);
  const { purpose } = draft;
  return async (sender) => {
    if (draft.template !== null) {
      const { text, content } = await fromTemplate(db, account_id, channel, sender, { ...body, draft, is_stored });
      return {
        text,
        content: content && { ...content, answers: draft.reply_to },
        template_id: draft.template,
        purpose,
      };
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
  { draft, variables, is_stored }: { draft: MessageDraft; variables?: MessageBody['variables']; is_stored: boolean },
): Promise<Pick<ComposedMessage, 'text' | 'content'>> {
  const template = await requireTemplate(db, account_id, draft.template!, channel, sender);
  const { text, content, findings } = fillTemplate(template, draft.variables ?? []);
  if (variables === null && findings.some(({ code }) => code === 'VARIABLES_REQUIRED'))
    throw new Problem('VARIABLES_NULL');
  const refusal = is_stored
    ? channelRules(channel).templates.refuseStored?.(template, content?.template?.body_values ?? [])
    : null;
  if (refusal) throw new Problem(refusal);
  throwFindings(findings);
  if (!content) return { text, content };
  return { text, content: await withTemplateFile(db, account_id, channel, content, draft) };
}

type FileFields = Pick<MessageDraft, 'media_id' | 'url' | 'file_name'> & Partial<Pick<MessageDraft, 'type'>>;

export interface SharedTemplate {
  template: FillableTemplate;
  /** Fills in the values of one recipient. */
  fill: (values: TemplateValues) => Filled;
}

/** Composes a message to many recipients from a template. Its file is resolved once. */
export async function composeTemplate(
  db: Queryable,
  account_id: string,
  channel: ChannelName,
  sender: { id: string },
  draft: FileFields & { template: string },
): Promise<SharedTemplate> {
  const template = await requireTemplate(db, account_id, draft.template, channel, sender);
  const { content } = fillTemplate(template, {});
  if (!content) return { template, fill: (values) => fillTemplate(template, values) };
  const file = await withTemplateFile(db, account_id, channel, content, draft);
  const { media_id, url, file_name, content_type } = file;
  return {
    template,
    fill: (values) => {
      const filled = fillTemplate(template, values);
      return { ...filled, content: filled.content && { ...filled.content, media_id, url, file_name, content_type } };
    },
  };
}

function withTemplateFile(
  db: Queryable,
  account_id: string,
  channel: ChannelName,
  content: Content,
  draft: FileFields,
): Promise<Content> {
  const hasOwnFile = draft.media_id !== null || draft.url !== null;
  const { surplus_image } = channelRules(channel).templates;
  if (hasOwnFile && content.media_type === null && draft.type === 'image' && surplus_image)
    throw new Problem(surplus_image);
  if (hasOwnFile && content.media_type === null)
    throw new Problem('MESSAGE_TYPE_NOT_ALLOWED', { field: 'type', message: 'The template has no file' });
  const { media_id, url } = hasOwnFile ? draft : content;
  return withFile(db, account_id, channel, content, { ...draft, media_id, url });
}

/** Adds the file, under the name and type that recipients see. */
async function withFile(
  db: Queryable,
  account_id: string,
  channel: ChannelName,
  content: Content,
  { media_id, url, file_name }: FileFields,
): Promise<Content> {
  const type = content.media_type as MediaType | null;
  if (type === null) return content;
  const name = file_name ?? content.file_name;
  const withExtension = (file: string) =>
    name === null ? file : name.includes('.') ? name : `${name}${fileExtension(file)}`;
  if (media_id === null) {
    const refusal = linkRefusal(url!, mediaRule(type, channel));
    if (refusal) throw new Problem(refusal.code, { field: 'url', message: refusal.message });
    const path = new URL(url!).pathname;
    return { ...content, media_id, url, file_name: name === null ? null : withExtension(path), content_type: null };
  }
  const row = await requireMedia(db, account_id, media_id, { type, channel });
  return { ...content, media_id, url: null, file_name: withExtension(row.file_name), content_type: row.content_type };
}

export function throwFindings([first, ...others]: readonly Finding[]): void {
  if (first) throw new Problem(first.code, { field: first.field, message: first.message, others });
}

/** A quoted message must be in the conversation with the only recipient, and the carrier must have it. */
export async function requireQuoted(
  tx: Tx,
  { account_id, sender_id }: { account_id: string; sender_id: string },
  { content }: ComposedMessage,
  people: readonly { number: string }[],
): Promise<void> {
  if (!content?.answers || people.length === 0) return;
  const quoted = await tx.maybeOne<{ number: string }>(sql`
    select m.number from messages m
    where m.account_id = ${account_id} and m.id = ${content.answers} and m.sender_id = ${sender_id}
      and m.marks->'deleted' is null
      and exists (select from submissions s where s.account_id = m.account_id and s.message_id = m.id)`);
  if (people.some(({ number }) => number !== quoted?.number)) throw new Problem('QUOTED_MESSAGE_NOT_FOUND');
}
