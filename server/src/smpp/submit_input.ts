/** Translates a submit_sm into the terms of `POST /v1/messages`. Throws a PduError if it is refused. */
import { VALIDITY_SECONDS } from '@parley/contract/messages/messages.ts';
import { readAddress } from '@parley/smpp/address.ts';
import type { Pdu } from '@parley/smpp/pdu.ts';
import { messageBody, readPart } from '@parley/smpp/reassembly.ts';
import { PduError, STATUS } from '@parley/smpp/status.ts';
import { decodeText } from '@parley/smpp/text.ts';
import { parseTime } from '@parley/smpp/time.ts';
import { parseUdh, UDHI } from '@parley/smpp/udh.ts';

/** The default alphabet (GSM-7), ASCII, Latin-1, and UCS-2. */
const DATA_CODINGS = [0, 1, 3, 8];
const MODE = 0x03;
const TRANSACTION_MODE = 0x02;
const MESSAGE_TYPE = 0x3c;
const MAX_PRIORITY = 3;
/** User data headers that concatenate messages. */
const CONCATENATIONS = [0x00, 0x08];
const UNREADABLE = '\ufffd';

export interface Submit {
  from: string;
  to: string;
  schedule: string | undefined;
  validity_seconds: number | undefined;
  data_coding: number;
  registered_delivery: number;
  /** The program's own reference, with which it marks a repeated submit; null if it has none. */
  reference: number | null;
  octets: Buffer;
  part: { number: number; total: number; key: string } | null;
}

const refuse = (name: keyof typeof STATUS, text: string): never => {
  throw new PduError(STATUS[name], text);
};

export function readSubmit(pdu: Pdu, now: Date): Submit {
  checkFlags(pdu);
  const { data_coding = 0, tlvs = {} } = pdu;
  if (!DATA_CODINGS.includes(data_coding)) refuse('ESME_RINVDCS', `data_coding ${data_coding} is not supported`);
  if (pdu.short_message?.length && tlvs.message_payload?.length)
    refuse('ESME_ROPTPARNOTALLWD', 'short_message and message_payload are both set');
  checkHeader(pdu);
  const part = readPart(pdu);
  const schedule = readTime(pdu.schedule_delivery_time, now, 'ESME_RINVSCHED');
  const expires = readTime(pdu.validity_period, now, 'ESME_RINVEXPIRY');
  return {
    from: readAddress(pdu.source_addr_ton ?? 0, pdu.source_addr ?? '').addr,
    to: readAddress(pdu.dest_addr_ton ?? 0, pdu.destination_addr ?? '').addr,
    schedule: schedule?.toISOString().slice(0, 19).replace('T', ' '),
    validity_seconds: expires ? validity(expires, schedule ?? now) : undefined,
    data_coding,
    registered_delivery: pdu.registered_delivery ?? 0,
    reference: tlvs.user_message_reference ?? null,
    octets: part?.body ?? messageBody(pdu),
    part: part && { number: part.part, total: part.total, key: `${part.key} ${data_coding}` },
  };
}

function checkFlags(pdu: Pdu): void {
  const { esm_class = 0, priority_flag = 0, registered_delivery = 0 } = pdu;
  if (pdu.replace_if_present_flag) refuse('ESME_RINVREPFLAG', 'Messages cannot be replaced');
  if (pdu.sm_default_msg_id) refuse('ESME_RINVDFTMSGID', 'There are no predefined messages');
  if (priority_flag > MAX_PRIORITY) refuse('ESME_RINVPRTFLG', `priority_flag ${priority_flag}`);
  if ((esm_class & MODE) === TRANSACTION_MODE || esm_class & MESSAGE_TYPE)
    refuse('ESME_RINVESMCLASS', `esm_class ${esm_class} is not supported`);
  if (registered_delivery & 0xe0) refuse('ESME_RINVREGDLVFLG', `registered_delivery ${registered_delivery}`);
  if (!pdu.source_addr) refuse('ESME_RINVSRCADR', 'source_addr is required');
  if (!pdu.destination_addr) refuse('ESME_RINVDSTADR', 'destination_addr is required');
}

/** Headers other than concatenation (ports, pictures, other alphabets) would be lost. */
function checkHeader({ esm_class = 0, short_message, tlvs }: Pdu): void {
  if (!(esm_class & UDHI)) return;
  const octets = short_message?.length ? short_message : (tlvs?.message_payload ?? Buffer.alloc(0));
  const other = parseUdh(octets).elements.find(({ id }) => !CONCATENATIONS.includes(id));
  if (other) refuse('ESME_RINVESMCLASS', `User data header ${other.id} is not supported`);
}

function readTime(text: string | undefined, now: Date, status: keyof typeof STATUS): Date | undefined {
  if (!text) return undefined;
  return parseTime(text, now) ?? refuse(status, `${text} is not a time`);
}

/** Carriers keep no message longer than the maximum, so a longer period is shortened. */
const validity = (expires: Date, from: Date): number =>
  Math.min(Math.round((expires.getTime() - from.getTime()) / 1_000), VALIDITY_SECONDS.max);

/** Throws if the octets are not text in this coding. */
export function readText(octets: Buffer, data_coding: number): string {
  const text = decodeText(octets, data_coding);
  if (text.includes(UNREADABLE)) refuse('ESME_RINVDCS', 'The text does not match data_coding');
  return text;
}

/** True if the SMPP account may use this source address. */
export function allowsSource(sources: readonly string[], from: string): boolean {
  const name = from.toLowerCase();
  return sources.length === 0 || sources.some((source) => source.toLowerCase() === name);
}
