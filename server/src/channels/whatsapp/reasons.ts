/** The reasons for WhatsApp's verdicts on templates. The codes are from WhatsApp's published list. */
import type { TemplateReasons } from '../template_reasons.ts';

export const reasons: TemplateReasons = {
  ABUSIVE_CONTENT: [
    'WhatsApp found the content abusive.',
    'Remove threats, pressure and requests for personal or payment data, then resubmit the template.',
  ],
  INCORRECT_CATEGORY: [
    'The text does not fit its category.',
    'Offers and news are Marketing. Utility is for something that the person ordered or requested. ' +
      'Change the category or the text.',
  ],
  INVALID_FORMAT: [
    'The text does not have the format that WhatsApp requires.',
    'Check that every placeholder has words around it and an example, and that there are more words than placeholders.',
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
    'The language or category does not fit the text.',
    'Choose the language of the text and a category that fits it.',
  ],
  NONE: ['WhatsApp gave no reason.', 'Rewrite the text so that its purpose is clear, and resubmit it.'],
  PAUSED: [
    'People reported or blocked it too often, so WhatsApp paused it.',
    'It resumes automatically after a few hours. Send it to fewer people, and only to those who expect it.',
  ],
  FIRST_PAUSE: [
    'People reported or blocked it too often, so WhatsApp paused it for three hours.',
    'It resumes automatically. Send it to fewer people, and only to those who expect it. The next pause is longer.',
  ],
  SECOND_PAUSE: [
    'People reported or blocked it again, so WhatsApp paused it for six hours.',
    'It resumes automatically. After more reports WhatsApp disables it for good: change its text or its audience.',
  ],
  RATE_LIMITING_PAUSE: [
    'It went to many people in a short time, so WhatsApp paused it until it knows how people react.',
    'It resumes automatically when WhatsApp sees that people want it. Send it to fewer people at once.',
  ],
  ARCHIVED: ['It is archived at WhatsApp.', 'Restore it from the archive there, or copy it under another name.'],
  DISABLED: ['WhatsApp disabled it for good after many reports.', 'Create another template with another text.'],
  DELETED: [
    'It no longer exists at WhatsApp.',
    'Copy it under another name: the name of a deleted template cannot be used for 30 days.',
  ],
  SENDER_GONE: ['Its sender is no longer connected to WhatsApp.', 'Copy it and choose another sender.'],
};
