/** The reasons for WhatsApp's verdicts on templates. The codes are from WhatsApp's published list. */
import type { TemplateReasons } from '../template_reasons.ts';

export const reasons: TemplateReasons = {
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
    'It resumes automatically if the feedback is good. Send it to fewer people at once.',
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
