/**
 * Explains a reviewer's reason and what to do about it. The codes are from WhatsApp's published list; unknown ones are
 * shown unchanged.
 */
import { ASKED, type Template } from '@parley/contract/templates/templates.ts';

type Reason = NonNullable<Template['reason']>;

const WORDS: Readonly<Record<string, readonly [text: string, advice: string]>> = {
  ABUSIVE_CONTENT: [
    'WhatsApp found the content abusive.',
    'Remove threats, pressure, and requests for personal or payment data, then resubmit the template.',
  ],
  INCORRECT_CATEGORY: [
    'The text does not match its category.',
    'Offers and news are Marketing. Utility is for something that the recipient ordered or requested. ' +
      'Change the category or the text.',
  ],
  INVALID_FORMAT: [
    'The text is not in the format that WhatsApp requires.',
    'Check that every placeholder has an example and words around it, and that there are more words than placeholders.',
  ],
  PROMOTIONAL: [
    'The text is promotional, which its category does not allow.',
    'Change the category to Marketing, or remove the offer.',
  ],
  SCAM: [
    'WhatsApp suspects fraud.',
    'Name your company, remove short links, and do not ask for personal or payment data.',
  ],
  TAG_CONTENT_MISMATCH: [
    'The language or category does not match the text.',
    'Choose the language of the text and a category that matches it.',
  ],
  NONE: ['WhatsApp gave no reason.', 'Rewrite the text so that its purpose is clear, and resubmit it.'],
  PAUSED: [
    'People reported or blocked the template too often, so WhatsApp paused it.',
    'It resumes automatically after a few hours. Send it to fewer people, and only to those who expect it.',
  ],
  FIRST_PAUSE: [
    'People reported or blocked the template too often, so WhatsApp paused it for three hours.',
    'It resumes automatically. Send it to fewer people who expect it. The next pause will be longer.',
  ],
  SECOND_PAUSE: [
    'People reported or blocked the template again, so WhatsApp paused it for six hours.',
    'It resumes automatically. After more reports, WhatsApp will disable it permanently. Change the text or audience.',
  ],
  RATE_LIMITING_PAUSE: [
    'The template was sent to many people in a short time, so WhatsApp paused it to see how people react.',
    'It resumes automatically if people react well. Send it to fewer people at once.',
  ],
  ARCHIVED: [
    'The template is archived on WhatsApp.',
    'Restore it from the archive there, or copy it with another name.',
  ],
  DISABLED: [
    'WhatsApp disabled the template permanently after many reports.',
    'Create a new template with a different text.',
  ],
  DELETED: [
    'The template no longer exists on WhatsApp.',
    'Copy it with another name. The name of a deleted template cannot be reused for 30 days.',
  ],
  SENDER_GONE: [
    'The template’s sender is no longer connected to WhatsApp.',
    'Copy the template and choose another sender.',
  ],
};

export function carrierReason(code: string): Reason {
  const entry = WORDS[code.toUpperCase()];
  if (entry) return { code: code.toUpperCase(), text: entry[0], advice: entry[1] };
  if (code === '') return { ...carrierReason('NONE'), code: '' };
  return {
    code,
    text: code.includes(' ') ? code : `WhatsApp says: ${code}`,
    advice: 'Fix the problem and resubmit the template.',
  };
}

/** The template was not submitted: the link to its file is broken. */
export const LINK = 'link';

/** The reason for a refusal, in the carrier's own words. */
export const refusalReason = (code: string, text: string): Reason =>
  code === LINK
    ? {
        code,
        text: `The link to the file could not be opened: ${text}`,
        advice: 'Use a public link or upload the file, then resubmit the template.',
      }
    : { code, text: `WhatsApp rejected the template: ${text}`, advice: 'Fix the problem and resubmit the template.' };

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
