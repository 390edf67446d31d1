/** What a reviewer's word means, and what to do about it. Codes are WhatsApp's, of its published list; what is not in it is shown as it came. */
import { ASKED, type Template } from '@parley/contract/templates/templates.ts';

type Reason = NonNullable<Template['reason']>;

const WORDS: Readonly<Record<string, readonly [text: string, advice: string]>> = {
  ABUSIVE_CONTENT: [
    'WhatsApp found the content abusive.',
    'Take out threats, pressure and anything that asks for personal or payment data, then send it again.',
  ],
  INCORRECT_CATEGORY: [
    'The text does not fit its category.',
    'Offers and news are Marketing; Utility is about something the person ordered or asked for. Choose the other category, or rewrite the text.',
  ],
  INVALID_FORMAT: [
    'The text is not formed as WhatsApp wants it.',
    'Check that placeholders stand within words, that each has an example, and that there are more words than placeholders.',
  ],
  PROMOTIONAL: [
    'The text advertises, and its category does not allow that.',
    'Make it a Marketing template, or take the offer out.',
  ],
  SCAM: [
    'WhatsApp took the text for a fraud.',
    'Name your company, leave out short links, and do not ask for personal or payment data.',
  ],
  TAG_CONTENT_MISMATCH: [
    'The language or category does not fit the text.',
    'Choose the language the text is written in, and the category it belongs to.',
  ],
  NONE: ['WhatsApp gave no reason.', 'Rewrite the text so that its purpose is plain, and send it again.'],
  PAUSED: [
    'People reported or blocked it too often, so WhatsApp lets it rest.',
    'It can be used again by itself after a few hours. Send it to fewer people, and only to those who expect it.',
  ],
  FIRST_PAUSE: [
    'People reported or blocked it too often, so WhatsApp lets it rest for three hours.',
    'It can be sent again by itself after that. Send it to fewer people, and only to those who expect it; the next rest is longer.',
  ],
  SECOND_PAUSE: [
    'People reported or blocked it again, so WhatsApp lets it rest for six hours.',
    'It can be sent again by itself after that. If it is reported once more WhatsApp closes it for good: change its text, or whom it goes to.',
  ],
  RATE_LIMITING_PAUSE: [
    'It went to very many people in a short time, so WhatsApp lets it rest while it looks how they take it.',
    'It can be sent again by itself when WhatsApp has seen that people want it. Send it to fewer people at once.',
  ],
  ARCHIVED: ['It was archived at WhatsApp.', 'Take it out of the archive there, or copy it under another name.'],
  DISABLED: ['WhatsApp has closed it for good after many reports.', 'Write another template with another text.'],
  DELETED: [
    'It is not known at WhatsApp any more.',
    'Copy it under another name: a name that was deleted there is closed for 30 days.',
  ],
  SENDER_GONE: ['Its sender is not connected to WhatsApp any more.', 'Copy it and choose another sender.'],
};

export function reasonOf(code: string): Reason {
  const known = WORDS[code.toUpperCase()];
  if (known) return { code: code.toUpperCase(), text: known[0], advice: known[1] };
  if (code === '') return { ...reasonOf('NONE'), code: '' };
  return {
    code,
    text: code.includes(' ') ? code : `WhatsApp says: ${code}`,
    advice: 'Mend what it names and send it again.',
  };
}

/** It never came to WhatsApp: the link to its file leads nowhere. */
export const LINK = 'link';

/** The carrier did not take it: its own words. */
export const refusedBy = (code: string, text: string): Reason =>
  code === LINK
    ? {
        code,
        text: `The link to the file could not be opened: ${text}`,
        advice: 'Give a link that anybody can open, or upload the file, and send it again.',
      }
    : { code, text: `WhatsApp did not take it: ${text}`, advice: 'Mend what it names and send it again.' };

/** Of an operator. */
export const rejectedWith = (text: string): Reason => ({
  code: 'REJECTED',
  text,
  advice: 'Mend it and save it: it is looked at again.',
});
export const askedWith = (text: string): Reason => ({
  code: ASKED,
  text,
  advice: 'Change the template so that it answers this, and save it: it is looked at again.',
});
export const isAsked = ({ status, reason }: Pick<Template, 'status' | 'reason'>): boolean =>
  status === 'CANCELED' && reason?.code === ASKED;
