/** Moves scheduled messages. Apart from messages.ts, because few pages need it. */
import { z } from 'zod';
import { idParams, timestampInput } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { Message } from './shapes.ts';

export const rescheduleMessage = endpoint({
  id: 'messages.update',
  method: 'PUT',
  path: '/v1/messages/{id}',
  summary: 'Change the time of a scheduled message, or send it now',
  needs: 'MESSAGES:add',
  params: idParams('MESSAGE_ID_INVALID'),
  body: z.object({
    /** The new time; null sends the message now. */
    schedule: timestampInput('SCHEDULE_IN_PAST').nullable(),
  }),
  output: Message,
  problems: [
    'MESSAGE_NOT_FOUND',
    'MESSAGE_ID_INVALID',
    'SCHEDULE_IN_PAST',
    'MESSAGE_NOT_SCHEDULED',
    'RESCHEDULE_CHANGES_PRICE',
    'CONVERSATION_CLOSED',
  ],
});
