/** Viber charges and delivers by purpose: promotional, transactional, or part of a session. */
import type { PurposeRules } from '../channel.ts';

const outside: PurposeRules['outside'] = ({ media_type }) =>
  media_type === 'document' ? 'transactional' : 'promotional';

export const purposes: PurposeRules = {
  choices: ['promotional', 'transactional'],
  outside,
  // A session message has no buttons and no video, and its images have no text.
  fitsSession: ({ media_type, buttons }, text) =>
    buttons.length === 0 && media_type !== 'video' && !(media_type === 'image' && text.trim() !== ''),
  refusal: (purpose, content) => {
    if (purpose === 'promotional')
      return outside(content) === purpose ? null : 'Documents on Viber must be transactional';
    const { media_type, buttons } = content;
    return buttons.length === 0 && (media_type === null || media_type === 'document')
      ? null
      : 'Transactional messages must be text or documents without buttons';
  },
};
