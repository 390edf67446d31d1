/** Reactions of the business to messages. */
import { z } from 'zod';
import { idParams, problem, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { Message } from '../messages/shapes.ts';
import { CONVERSATION_PROBLEMS } from './inbox.ts';

/** One emoji as people see it, of any number of code points; empty to remove the reaction. */
const isEmoji = (text: string): boolean => text === '' || /^\p{RGI_Emoji}$/v.test(text);

export const setReaction = endpoint({
  id: 'reactions.set',
  method: 'PUT',
  path: '/v1/conversations/{id}/reaction',
  summary: 'React to a message with an emoji, or remove the reaction. A reaction is free and replaces the earlier one',
  needs: 'MESSAGES:add',
  audience: 'session',
  params: idParams('CONVERSATION_ID_INVALID'),
  body: z.object({
    message_id: uuid('MESSAGE_NOT_IN_CONVERSATION'),
    emoji: z.string({ error: problem('EMOJI_INVALID') }).refine(isEmoji, { error: problem('EMOJI_INVALID') }),
  }),
  output: Message,
  problems: [
    ...CONVERSATION_PROBLEMS,
    'MESSAGE_NOT_IN_CONVERSATION',
    'MESSAGE_NOT_SENT',
    'REACTION_NOT_SUPPORTED',
    'EMOJI_INVALID',
    'RECIPIENT_BLOCKED',
    'CONVERSATION_CLOSED',
    'ACCOUNT_UNVERIFIED',
    'TRIAL_ENDED',
  ],
});
