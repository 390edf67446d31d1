import { cancelMessage, createMessage, getMessage, listMessages } from '@parley/contract/messages/messages.ts';
import { listRefusedCalls } from '@parley/contract/messages/refused_calls.ts';
import { getSegmentation } from '@parley/contract/messages/segmentation.ts';
import { getTryItNow } from '@parley/contract/messages/try_it_now.ts';
import { type Implementation, implement, implementGrouped } from '../kernel/http/endpoint.ts';
import { cancelMessage as cancel } from './gate/cancel.ts';
import { sendMessages } from './gate/send.ts';
import { sendTogether } from './gate/send_together.ts';
import { readTryItNow } from './gate/try_it_now.ts';
import { readSegmentation } from './routing/segmentation.ts';
import { readLog, readMessage } from './thread/log.ts';
import { readRefusedCalls } from './thread/refused_calls.ts';

export const routes: Implementation[] = [
  implementGrouped(
    createMessage,
    ({ tx, kernel, actor }, { body }) => sendMessages(tx, kernel, actor, body),
    sendTogether,
  ),
  implement(listMessages, ({ tx, actor }, { query }) => readLog(tx, actor, query)),
  implement(listRefusedCalls, ({ tx, actor }, { query }) => readRefusedCalls(tx, actor, query)),
  implement(getMessage, ({ tx, actor }, { params }) => readMessage(tx, actor, params.id)),
  implement(getTryItNow, ({ tx, kernel, actor }, { params }) => readTryItNow(kernel, tx, actor, params.channel)),
  implement(getSegmentation, ({ tx, kernel, actor }, { query }) => readSegmentation(kernel, tx, actor, query.to)),
  implement(cancelMessage, ({ tx, actor }, { params }) => cancel(tx, actor, params.id)),
];
