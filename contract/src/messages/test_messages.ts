/** Test-key messages, for users. Test keys read them with the calls for live messages. */
import { z } from 'zod';
import { idParams } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { MessageDetail } from './details.ts';
import { listMessages } from './messages.ts';
import { LoggedMessage, Message } from './shapes.ts';

/** Days until a test message is deleted. */
export const TEST_MESSAGE_DAYS = 30;

export const listTestMessages = endpoint({
  id: 'test_messages.list',
  method: 'GET',
  path: '/v1/test_messages',
  summary: 'List the messages sent with test keys in the last 30 days, newest first',
  needs: 'MESSAGES:view',
  test_keys: true,
  sorts: ['create_date'],
  query: listMessages.query,
  list: true,
  counts: true,
  output: LoggedMessage,
  problems: ['VALUE_INVALID'],
});

export const getTestMessage = endpoint({
  id: 'test_messages.get',
  method: 'GET',
  path: '/v1/test_messages/{id}',
  summary: 'Get a message sent with a test key, with its timeline',
  needs: 'MESSAGES:view',
  test_keys: true,
  params: idParams('MESSAGE_ID_INVALID'),
  output: MessageDetail,
  problems: ['MESSAGE_NOT_FOUND', 'MESSAGE_ID_INVALID'],
});

/** A message sent with a test key changed its status. Webhooks send it like `message.status_changed`. */
export const testMessageStatusChanged = event({
  id: 'test_message.status_changed',
  // The counts of its campaign also change.
  modules: ['test_messages', 'test_campaigns'],
  needs: 'MESSAGES:view',
  payload: Message.extend({ payload: z.string().nullable() }),
});
