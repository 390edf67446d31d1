import { cancelMessage, createMessage, getMessage, listMessages } from '@parley/contract/messages/messages.ts';
import { getTryItNow } from '@parley/contract/messages/try_it_now.ts';
import { type Implementation, implement } from '../kernel/http/endpoint.ts';
import { messageLog, messageStory } from './log.ts';
import * as send from './send.ts';
import { tryItNow } from './try_it_now.ts';

export const routes: Implementation[] = [
  implement(createMessage, ({ tx, kernel, actor }, { body }) => send.sendMessages(tx, kernel, actor, body)),
  implement(listMessages, ({ tx, actor }, { query }) => messageLog(tx, actor, query)),
  implement(getMessage, ({ tx, actor }, { params }) => messageStory(tx, actor, params.id)),
  implement(getTryItNow, ({ tx, kernel, actor }, { params }) => tryItNow(kernel, tx, actor, params.channel)),
  implement(cancelMessage, ({ tx, actor }, { params }) => send.cancelMessage(tx, actor, params.id)),
];
