/** The request fields of a campaign's message, and its problems. */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { readMessage } from '@parley/contract/messages/rules.ts';
import type { Finding } from '@parley/contract/templates/draft.ts';
import { attachmentFields, attachmentProblem } from '../../../media/attachment.ts';
import { type Draft, freeText, isForAll } from '../draft.ts';

/** Returns whether the channel carries messages without a template to people who have not written. */
export const carriesOwnText = (channel: ChannelName): boolean => channelRules(channel).session?.outside !== 'templates';

export const usesTemplate = (channel: ChannelName, { content }: Draft): boolean =>
  channelRules(channel).rich && (content.source === 'template' || !carriesOwnText(channel));

/** Only the template channels have a text for open sessions. */
export const sessionRequest = (channel: ChannelName, draft: Draft): { session_text?: string | null } =>
  carriesOwnText(channel) ? {} : { session_text: freeText(draft) };

/** The fields of a request, for a sample, a preview, or the campaign itself. */
export function contentRequest(channel: ChannelName, draft: Draft) {
  const { rich } = channelRules(channel);
  if (!rich) return { text: draft.text, template: draft.template_id };
  const { type, attachment, file_name, buttons, purpose, variables } = draft.content;
  const file = type === 'text' ? {} : attachmentFields(attachment);
  const files = { type, media_id: file.media_id ?? null, url: file.url || null, file_name: file_name.trim() || null };
  if (usesTemplate(channel, draft))
    return {
      ...(draft.template_id ? { template: draft.template_id } : {}),
      ...{ ...files, buttons: [], purpose, variables: variables.map((value) => value.trim()) },
    };
  const isNamed = type === 'document';
  return {
    ...{ ...files, template: null, text: isNamed ? '' : draft.text, purpose, variables: [] },
    buttons: isNamed ? [] : buttons,
  };
}

/** The problems of a message without a template, by field. */
export function contentFindings(channel: ChannelName, draft: Draft): Pick<Finding, 'field' | 'message'>[] {
  const { type, attachment } = draft.content;
  const { variables: _, ...body } = contentRequest(channel, draft) as ReturnType<typeof contentRequest> & {
    variables?: unknown;
  };
  const file = type === 'text' ? null : attachmentProblem(attachment, type, channel);
  const { findings } = readMessage(channel, { ...body, text: draft.text });
  const others = file ? findings.filter(({ field }) => !['media_id', 'url'].includes(field)) : findings;
  return [...(file ? [{ field: 'media_id', message: file }] : []), ...others];
}

/** One audience, or several with excluded ones. */
export const audienceRequest = (draft: Draft) => {
  const { audience_id, more_audience_ids, excluded_audience_ids } = draft;
  const isEmpty = audience_id === null || isForAll(draft);
  return {
    audience_ids: isEmpty ? [] : [audience_id, ...more_audience_ids.filter((id) => id !== audience_id)],
    excluded_audience_ids,
  };
};
