/**
 * The call that passes submits to the gate. It has the body, the rules, and the groups of `POST /v1/messages`: submits
 * that wait at the same time share a transaction. That transaction also stores which SMPP account each message belongs
 * to.
 */
import { endpoint, type Parsed } from '@parley/contract/endpoint.ts';
import { createMessage } from '@parley/contract/messages/messages.ts';
import { PduError, STATUS } from '@parley/smpp/status.ts';
import { z } from 'zod';
import { sql, type Tx } from '../kernel/db/db.ts';
import { type Implementation, implementGrouped } from '../kernel/http/endpoint.ts';
import type { Grouping } from '../kernel/http/grouped_calls.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { sendMessages, sendTogether } from '../messages/messages.ts';

const octet = z.int().min(0).max(255);

/** How a message was submitted. */
const origin = z.object({
  /** The ID that the responses to its parts contain; null: the ID of the message. */
  id: z.string().nullable(),
  smpp_account_id: z.string(),
  source_ton: octet,
  source_npi: octet,
  source_addr: z.string(),
  dest_ton: octet,
  dest_npi: octet,
  dest_addr: z.string(),
  /** The registered_delivery of each part. */
  receipts: z.array(octet),
});
export type Origin = z.output<typeof origin>;

/** Not in the registry of endpoints, because it has no address. */
export const submitMessage = endpoint({
  ...createMessage,
  id: 'smpp.submit',
  params: origin,
  query: createMessage.query,
  body: createMessage.body,
  output: z.array(z.object({ id: z.string() })),
});
type Input = Parsed<typeof submitMessage>;

const grouping: Grouping<Input> = {
  accepts: ({ params, body }) =>
    params.id === null && sendTogether.accepts({ params: undefined, query: undefined, body }),
  async run(tx, kernel, calls, attempt) {
    const outcomes = await sendTogether.run(tx, kernel, calls as never, attempt);
    const accepted = outcomes.flatMap((outcome, index) =>
      outcome && 'result' in outcome
        ? [{ origin: calls[index]!.input.params, message_id: (outcome.result as { id: string }[])[0]!.id }]
        : [],
    );
    if (accepted.length > 0) await insertOrigins(tx, calls[0]!.actor, accepted);
    return outcomes;
  },
};

export const submission: Implementation = implementGrouped(
  submitMessage,
  async ({ tx, kernel, actor, address }, { params, body }) => {
    const messages = await sendMessages(tx, kernel, actor, body, { address });
    await insertOrigins(tx, actor, [{ origin: params, message_id: messages[0]!.id }]);
    if (params.id !== null) {
      // The parts may have been dropped in the meantime, and then the program got a receipt for the failure.
      const marked = await markAccepted(tx, actor, params.smpp_account_id, params.id);
      if (marked < params.receipts.length) throw new PduError(STATUS.ESME_RSYSERR, 'The parts have expired');
    }
    return messages;
  },
  grouping,
);

function insertOrigins(
  tx: Tx,
  { account_id }: Actor,
  rows: readonly { origin: Origin; message_id: string }[],
): Promise<number> {
  const column = <T>(pick: (origin: Origin) => T): T[] => rows.map((row) => pick(row.origin));
  return tx.run(sql`
    insert into smpp_messages (account_id, id, message_id, smpp_account_id, source_ton, source_npi, source_addr,
      dest_ton, dest_npi, dest_addr, receipts)
    select ${account_id}, coalesce(id, message_id), message_id, smpp_account_id, source_ton, source_npi, source_addr,
      dest_ton, dest_npi, dest_addr, receipts::smallint[]
    from unnest(
      ${column(({ id }) => id)}::uuid[], ${rows.map(({ message_id }) => message_id)}::uuid[],
      ${column(({ smpp_account_id }) => smpp_account_id)}::uuid[],
      ${column(({ source_ton }) => source_ton)}::smallint[], ${column(({ source_npi }) => source_npi)}::smallint[],
      ${column(({ source_addr }) => source_addr)}::text[],
      ${column(({ dest_ton }) => dest_ton)}::smallint[], ${column(({ dest_npi }) => dest_npi)}::smallint[],
      ${column(({ dest_addr }) => dest_addr)}::text[],
      ${column(({ receipts }) => `{${receipts.join(',')}}`)}::text[]
    ) as t(id, message_id, smpp_account_id, source_ton, source_npi, source_addr, dest_ton, dest_npi, dest_addr,
      receipts)`);
}

const markAccepted = (tx: Tx, { account_id }: Actor, smpp_account_id: string, message_id: string) =>
  tx.run(sql`
    update smpp_parts set accepted = true
    where account_id = ${account_id} and smpp_account_id = ${smpp_account_id} and message_id = ${message_id}`);
