/** Explains a reviewer's reason and what to do about it. Unknown codes of a carrier are shown unchanged. */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { ASKED, type Template } from '@parley/contract/templates/templates.ts';
import { explainTemplateReason } from '../channels/index.ts';

type Reason = NonNullable<Template['reason']>;

export function carrierReason(channel: ChannelName, code: string): Reason {
  const entry = explainTemplateReason(channel, code.toUpperCase());
  if (entry) return { code: code.toUpperCase(), text: entry[0], advice: entry[1] };
  if (code === '') return { ...carrierReason(channel, 'NONE'), code: '' };
  return {
    code,
    text: code.includes(' ') ? code : `${channelRules(channel).label} says: ${code}`,
    advice: 'Fix the problem and resubmit the template.',
  };
}

/** The template was not submitted: the link to its file is broken. */
export const LINK = 'link';

/** The reason for a refusal, in the carrier's own words. */
export const refusalReason = (channel: ChannelName, code: string, text: string): Reason =>
  code === LINK
    ? {
        code,
        text: `The link to the file could not be opened: ${text}`,
        advice: 'Use a public link or upload the file, then resubmit the template.',
      }
    : {
        code,
        text: `${channelRules(channel).label} rejected the template: ${text}`,
        advice: 'Fix the problem and resubmit the template.',
      };

/** The reason that an operator gave. */
export const rejectionReason = (text: string): Reason => ({
  code: 'REJECTED',
  text,
  advice: 'Edit and save the template to resubmit it.',
});
export const questionReason = (text: string): Reason => ({
  code: ASKED,
  text,
  advice: 'Edit the template to provide this information, then save it to resubmit it.',
});
export const hasQuestion = ({ status, reason }: Pick<Template, 'status' | 'reason'>): boolean =>
  status === 'CANCELED' && reason?.code === ASKED;
