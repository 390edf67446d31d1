import { requestApproval } from '@parley/contract/keys/approvals.ts';
import * as payloads from '@parley/contract/messages/carrier_payloads.ts';
import { cancelMessage, getMessage } from '@parley/contract/messages/details.ts';
import { createMessage, listMessages } from '@parley/contract/messages/messages.ts';
import { listRefusedCalls } from '@parley/contract/messages/refused_calls.ts';
import { rehearseMessage } from '@parley/contract/messages/rehearsals.ts';
import { rescheduleMessage } from '@parley/contract/messages/reschedules.ts';
import { getSegmentation } from '@parley/contract/messages/segmentation.ts';
import { getTestMessage, listTestMessages } from '@parley/contract/messages/test_messages.ts';
import { getTryItNow } from '@parley/contract/messages/try_it_now.ts';
import { type Implementation, implement, implementGrouped } from '../kernel/http/endpoint.ts';
import { cancelMessage as cancel } from './gate/cancel.ts';
import { rehearse, requestMessageApproval } from './gate/rehearsal.ts';
import { rescheduleMessage as reschedule } from './gate/reschedule.ts';
import { sendMessages } from './gate/send.ts';
import { sendTogether } from './gate/send_together.ts';
import { readTryItNow } from './gate/try_it_now.ts';
import { listPayloads, readRecording, startRecording, stopRecording } from './payloads/recordings.ts';
import { readSegmentation } from './routing/segmentation.ts';
import { cancelTestMessage, readTestLog, readTestMessage, sendTestMessages } from './testing/test_messages.ts';
import { readLog, readMessage } from './thread/log.ts';
import { readRefusedCalls } from './thread/refused_calls.ts';

export const routes: Implementation[] = [
  implementGrouped(
    createMessage,
    ({ tx, kernel, actor, address, headers }, { body }) =>
      actor.test
        ? sendTestMessages(tx, kernel, actor, body)
        : sendMessages(tx, kernel, actor, body, { address, token: [headers['approval-token']].flat()[0] }),
    sendTogether,
  ),
  implement(rehearseMessage, ({ tx, kernel, actor }, { body }) => rehearse(tx, kernel, actor, body)),
  implement(requestApproval, ({ tx, kernel, actor }, { body }) => requestMessageApproval(tx, kernel, actor, body)),
  implement(listMessages, ({ tx, actor }, { query }) =>
    actor.test ? readTestLog(tx, actor, query) : readLog(tx, actor, query),
  ),
  implement(listRefusedCalls, ({ tx, actor }, { query }) => readRefusedCalls(tx, actor, query)),
  implement(getMessage, ({ tx, actor }, { params }) =>
    actor.test ? readTestMessage(tx, actor, params.id) : readMessage(tx, actor, params.id),
  ),
  implement(payloads.getCarrierRecording, ({ tx, actor }) => readRecording(tx, actor.account_id)),
  implement(payloads.startCarrierRecording, (ctx, { body }) => startRecording(ctx, body.minutes)),
  implement(payloads.stopCarrierRecording, (ctx) => stopRecording(ctx)),
  implement(payloads.listCarrierPayloads, ({ tx, actor }, { params }) => listPayloads(tx, actor, params.id)),
  implement(listTestMessages, ({ tx, actor }, { query }) => readTestLog(tx, actor, query)),
  implement(getTestMessage, ({ tx, actor }, { params }) => readTestMessage(tx, actor, params.id)),
  implement(getTryItNow, ({ tx, kernel, actor }, { params }) => readTryItNow(kernel, tx, actor, params.channel)),
  implement(getSegmentation, ({ tx, kernel, actor }, { query }) => readSegmentation(kernel, tx, actor, query.to)),
  implement(rescheduleMessage, ({ tx, actor }, { params, body }) => reschedule(tx, actor, params.id, body.schedule)),
  implement(cancelMessage, ({ tx, actor }, { params }) =>
    actor.test ? cancelTestMessage(tx, actor, params.id) : cancel(tx, actor, params.id),
  ),
];
