/** Passes the requests of bound programs to the gate, and turns the results into responses. */
import { createHash } from 'node:crypto';
import { PHONE_CHANNEL } from '@parley/contract/channels/names.ts';
import { cancelMessage as cancelEndpoint } from '@parley/contract/messages/details.ts';
import type { Message } from '@parley/contract/messages/messages.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Pdu, PduFields } from '@parley/smpp/pdu.ts';
import { MESSAGE_STATES } from '@parley/smpp/receipt.ts';
import { PduError, STATUS } from '@parley/smpp/status.ts';
import { absoluteTime } from '@parley/smpp/time.ts';
import { type Queryable, sql } from '../kernel/db/db.ts';
import { execute } from '../kernel/http/endpoint.ts';
import { keepRefusedCall } from '../kernel/http/refusals.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type Actor, requireAccess } from '../kernel/security/auth.ts';
import { cancelMessage } from '../messages/messages.ts';
import type { BoundAccount } from './accounts_bound.ts';
import { addPart, messageIdIn, partId } from './parts.ts';
import { errorCode, isFinal, refusalStatus, STATES } from './statuses.ts';
import { type Origin, submission, submitMessage } from './submission.ts';
import { allowsSource, readSubmit, readText, type Submit } from './submit_input.ts';

/** The program that made the request. */
export interface Caller {
  readonly session_id: string;
  readonly address: string;
  readonly account: BoundAccount;
}

type Response = PduFields & { command_status?: number };

/** Programs can send and read messages, and nothing else. */
const PERMISSIONS = { MESSAGES: 15 } as const;

export const toActor = ({ account_id, id, verified }: BoundAccount): Actor => ({
  ...{ kind: 'key', account_id, user_id: null, real_user_id: null, session_id: null, key_id: null },
  ...{ permissions: PERMISSIONS, operator: false, verified, pending: null, trial_expired: false },
  smpp_account_id: id,
});

const isProblem = (error: unknown): error is Problem => error instanceof Problem;

/** Accepts a submit_sm, and returns its response. Throws a PduError or a Problem if it is refused. */
export async function submit(kernel: Kernel, caller: Caller, pdu: Pdu): Promise<Response> {
  const { account } = caller;
  const input = readSubmit(pdu, kernel.clock.now());
  if (!allowsSource(account.sources, input.from))
    throw new PduError(STATUS.ESME_RINVSRCADR, `${input.from} is not one of the source addresses of this account`);
  if (input.part) return { message_id: await submitPart(kernel, caller, pdu, input) };
  const text = readText(input.octets, input.data_coding);
  const id = await send(kernel, caller, pdu, input, { id: null, text, receipts: [input.registered_delivery] });
  return { message_id: id };
}

async function submitPart(kernel: Kernel, caller: Caller, pdu: Pdu, input: Submit): Promise<string> {
  const { id, parts } = await addPart(kernel.db, caller.account, input, {
    source: { ton: pdu.dest_addr_ton ?? 0, npi: pdu.dest_addr_npi ?? 0, addr: pdu.destination_addr ?? '' },
    destination: { ton: pdu.source_addr_ton ?? 0, npi: pdu.source_addr_npi ?? 0, addr: pdu.source_addr ?? '' },
  });
  if (parts) {
    const text = readText(Buffer.concat(parts.map(({ octets }) => octets)), input.data_coding);
    const receipts = parts.map(({ registered_delivery }) => registered_delivery);
    await send(kernel, caller, pdu, input, { id, text, receipts });
  }
  return partId(id, input.part!.number);
}

async function send(
  kernel: Kernel,
  caller: Caller,
  pdu: Pdu,
  input: Submit,
  { id, text, receipts }: { id: string | null; text: string; receipts: number[] },
): Promise<string> {
  const { account } = caller;
  const params: Origin = {
    ...{ id, smpp_account_id: account.id, receipts },
    ...{ source_ton: pdu.source_addr_ton ?? 0, source_npi: pdu.source_addr_npi ?? 0 },
    ...{ source_addr: pdu.source_addr ?? '', dest_addr: pdu.destination_addr ?? '' },
    ...{ dest_ton: pdu.dest_addr_ton ?? 0, dest_npi: pdu.dest_addr_npi ?? 0 },
  };
  const { from, to, schedule, validity_seconds } = input;
  const body = { from, to: [to], channel: PHONE_CHANNEL, text, schedule, validity_seconds };
  const call = { endpoint: submitMessage, params, query: {}, body, ...repetition(account, pdu, input) };
  const actor = toActor(account);
  const request_id = `${caller.session_id}:${pdu.sequence_number}`;
  try {
    const context = { actor, request_id, address: caller.address, headers: {}, upload: null };
    // The reply is only for endpoints that write their response themselves.
    const { response } = await execute(kernel, submission, call, { ...context, reply: null as never });
    return (response as { data: { id: string }[] }).data[0]!.id;
  } catch (error) {
    const data = { channel: PHONE_CHANNEL, from, to: [to] };
    keepRefusedCall(kernel, error, actor, { method: 'SMPP', path: pdu.command, request_id, data });
    throw error;
  }
}

/**
 * A program that gets no response submits again. If it marks its submits with user_message_reference, a second submit
 * with the same reference, addresses, and text gets the first response.
 */
function repetition(account: BoundAccount, pdu: Pdu, { reference, octets, part, data_coding }: Submit) {
  if (reference === null || part) return { idempotency_key: undefined };
  const hash = createHash('sha256')
    .update(JSON.stringify([account.id, reference, pdu.source_addr, pdu.destination_addr, data_coding]))
    .update(octets)
    .digest('hex');
  return { idempotency_key: `smpp ${hash}`, request_hash: hash };
}

interface OwnMessage {
  message_id: string;
  status: Message['status'];
  failure: Message['failure'];
  carrier_code: string | null;
  update_date: string;
}

/** Finds a message of this SMPP account. The messages of others are unknown to it. */
async function findOwn(db: Queryable, { account_id, id }: BoundAccount, pdu: Pdu): Promise<OwnMessage> {
  const own_id = messageIdIn(pdu.message_id ?? '');
  const message =
    own_id &&
    (await db.maybeOne<OwnMessage>(sql`
      select m.id as message_id, m.status, m.failure, m.carrier_code, m.update_date
      from smpp_messages x join messages m on m.account_id = x.account_id and m.id = x.message_id
      where x.account_id = ${account_id} and x.id = ${own_id} and x.smpp_account_id = ${id}
        and (${pdu.source_addr ?? ''} = '' or x.source_addr = ${pdu.source_addr ?? ''})`));
  if (!message) throw new PduError(STATUS.ESME_RINVMSGID, 'Unknown message_id');
  return message;
}

async function query(kernel: Kernel, { account }: Caller, pdu: Pdu): Promise<Response> {
  const message = await findOwn(kernel.db, account, pdu);
  const state = STATES[message.status];
  const final = isFinal(state) ? absoluteTime(new Date(`${message.update_date.replace(' ', 'T')}Z`)) : '';
  return {
    message_id: pdu.message_id ?? '',
    final_date: final,
    message_state: MESSAGE_STATES.indexOf(state),
    error_code: Math.min(errorCode(state, message.failure, message.carrier_code), 255),
  };
}

async function cancel(kernel: Kernel, { account }: Caller, pdu: Pdu): Promise<Response> {
  if (!pdu.message_id) throw new PduError(STATUS.ESME_RCANCELFAIL, 'message_id is required');
  const actor = toActor(account);
  requireAccess(actor, cancelEndpoint);
  const { message_id } = await findOwn(kernel.db, account, pdu);
  await kernel.db.tx((tx) => cancelMessage(tx, actor, message_id));
  return {};
}

/** Responds to any request of a bound program. `onRefused` gets the reason for a refusal. */
export async function answer(
  kernel: Kernel,
  caller: Caller,
  pdu: Pdu,
  onRefused: (text: string) => void,
): Promise<Response> {
  try {
    if (pdu.command === 'submit_sm') return await submit(kernel, caller, pdu);
    if (pdu.command === 'query_sm') return await query(kernel, caller, pdu);
    if (pdu.command === 'cancel_sm') return await cancel(kernel, caller, pdu);
    const status = pdu.command === 'replace_sm' ? STATUS.ESME_RREPLACEFAIL : STATUS.ESME_RINVCMDID;
    throw new PduError(status, `${pdu.command} is not supported`);
  } catch (error) {
    const status = refusalStatus(error, isProblem);
    if (status === null) kernel.log.error({ err: error, command: pdu.command }, 'SMPP request');
    onRefused(status === null ? 'Internal error' : (error as Error).message);
    return { command_status: status ?? STATUS.ESME_RSYSERR };
  }
}
