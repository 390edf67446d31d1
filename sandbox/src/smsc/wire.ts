/** Converts between SMPP fields and messages: reads submit_sm and writes receipts and replies. */
import { destinationFields, sourceFields } from '@parley/smpp/address.ts';
import { split } from '@parley/smpp/multipart.ts';
import { type Pdu, PduError, type PduFields, STATUS } from '@parley/smpp/pdu.ts';
import { messageBody, readPart } from '@parley/smpp/reassembly.ts';
import { formatReceipt, MESSAGE_STATES } from '@parley/smpp/receipt.ts';
import { decodeText, resolveCharset, wireAlphabet } from '@parley/smpp/text.ts';
import { parseTime } from '@parley/smpp/time.ts';
import type { CarrierSettings } from '../world/carrier.ts';
import { type Reply, type Submission, state } from '../world/message.ts';
import type { Draft } from '../world/world.ts';
import { formatMessageId } from './message_id.ts';

/** Reads a submit_sm. Throws a PduError with the status for the sender. */
export function readSubmission(pdu: Pdu, system_id: string, now: Date, settings: CarrierSettings): Draft {
  const to = (pdu.destination_addr ?? '').replace(/^(\+|00)/, '');
  if (!/^\d{3,15}$/.test(to)) throw new PduError(STATUS.ESME_RINVDSTADR, `destination "${pdu.destination_addr}"`);
  const from = pdu.source_addr_ton === 5 ? pdu.source_addr : pdu.source_addr?.replace(/^(\+|00)(?=\d+$)/, '');
  if (!from) throw new PduError(STATUS.ESME_RINVSRCADR, 'no source');
  requireValidity(pdu.validity_period ?? '', settings.validity);
  const part = readPart(pdu);
  const data_coding = pdu.data_coding ?? 0;
  return {
    system_id,
    sequence_number: pdu.sequence_number,
    from,
    to,
    text: readText(part?.body ?? messageBody(pdu), data_coding, settings.default_alphabet),
    data_coding,
    part: part?.part ?? 1,
    parts: part?.total ?? 1,
    part_ref: part?.reference ?? 0,
    reference: pdu.tlvs?.user_message_reference ?? null,
    registered_delivery: pdu.registered_delivery ?? 0,
    expires: parseTime(pdu.validity_period ?? '', now)?.getTime() ?? 0,
  };
}

function requireValidity(period: string, accepted: CarrierSettings['validity']): void {
  const form = period === '' ? 'none' : period.endsWith('R') ? 'relative' : 'absolute';
  if (accepted !== 'any' && form !== accepted) throw new PduError(STATUS.ESME_RINVEXPIRY, `validity "${period}"`);
}

/** Phones are written without their country code if the settings omit it. */
function phoneFields(number: string, { omitted_country_code }: CarrierSettings): PduFields {
  const code = String(omitted_country_code);
  if (omitted_country_code === 0 || !number.startsWith(code)) return sourceFields(`+${number}`);
  return { source_addr_ton: 2, source_addr_npi: 1, source_addr: number.slice(code.length) };
}

function readText(body: Buffer, data_coding: number, default_alphabet: CarrierSettings['default_alphabet']): string {
  if (resolveCharset(data_coding) !== 'ucs2' || body.length % 2 === 1)
    return decodeText(body, data_coding, { default_alphabet });
  // A part may end between the two halves of a surrogate pair, which must stay intact when the parts are joined.
  return Buffer.from(body).swap16().toString('utf16le');
}

/** Error codes in receipts: 000 means no error; the others follow common GSM causes. */
const errorCodes: Record<number, number> = { [state.expired]: 34, [state.undeliverable]: 27, [state.rejected]: 22 };
const gsmNetwork = 3;

export function receiptFields(submission: Submission, n: number, settings: CarrierSettings): PduFields {
  const finalState = submission.receipts[n]!;
  const error = errorCodes[finalState] ?? 0;
  const fields = formatReceipt({
    id: formatMessageId(submission.seq, settings.id_format, 'receipt'),
    state: MESSAGE_STATES[finalState]!,
    submit_date: carrierTime(submission.time, settings),
    done_date: carrierTime(submission.settled || submission.time, settings),
    error: String(error).padStart(3, '0'),
    text: submission.text,
    tlvs: !submission.text_only,
  });
  const reference = settings.echo_reference ? submission.reference : null;
  const tlvs = submission.text_only
    ? {}
    : { ...fields.tlvs, ...(error > 0 && { network_error_code: Buffer.from([gsmNetwork, 0, error]) }) };
  return {
    ...phoneFields(submission.to, settings),
    ...destinationFields(submission.from),
    ...fields,
    tlvs: { ...tlvs, ...(reference !== null && !submission.text_only && { user_message_reference: reference }) },
  };
}

/** Dates in receipts have no time zone. They show the local time of the carrier. */
const carrierTime = (ms: number, { clock_offset_minutes }: CarrierSettings): Date =>
  new Date(ms + clock_offset_minutes * 60_000);

const splitReply = (text: string, reference: number) => {
  const { alphabet, data_coding } = wireAlphabet(text, 'gsm7');
  return split(text, 'udh8', { alphabet, data_coding, reference });
};

export const countParts = (text: string): number => splitReply(text, 0).length;

export function replyFields(reply: Reply, n: number, settings: CarrierSettings): PduFields {
  return {
    ...phoneFields(reply.from, settings),
    ...destinationFields(reply.to),
    ...splitReply(reply.text, reply.part_ref)[n]!,
  };
}
