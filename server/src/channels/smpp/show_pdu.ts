/** Shows a PDU with its fields as text. */
import { type Pdu, type PduDraft, statusName } from '@parley/smpp/pdu.ts';
import type { WirePayload } from '../wire_payload.ts';

type Field = WirePayload['fields'][number];

/** The names of octets that contain the text. They are shown as text, not as octets. */
const TEXTS = new Set(['short_message', 'message_payload']);
const HIDDEN = new Set(['command', 'sequence_number', 'command_status', 'tlvs', 'other_tlvs', 'password']);

const CODINGS: Readonly<Record<number, string>> = { 0: 'default alphabet', 3: 'Latin-1', 8: 'UCS-2' };

/** `text` is the text of the PDU; null if it has none. */
export function showPdu(pdu: Omit<PduDraft, 'command'> | Pdu, text: string | null): Field[] {
  const fields = Object.entries(pdu).flatMap(([name, value]) => (HIDDEN.has(name) ? [] : showField(name, value, text)));
  const tlvs = Object.entries(pdu.tlvs ?? {}).flatMap(([name, value]) => showField(name, value, text));
  const status = pdu.command_status;
  return [
    ...(status === undefined ? [] : [{ name: 'command_status', value: `${statusName(status)} (${status})` }]),
    ...fields,
    ...tlvs,
  ];
}

function showField(name: string, value: unknown, text: string | null): Field[] {
  if (TEXTS.has(name)) return text === null || (value as Buffer).length === 0 ? [] : [{ name, value: text }];
  if (Buffer.isBuffer(value)) return [{ name, value: `0x${value.toString('hex')}` }];
  if (name === 'esm_class') return [{ name, value: `0x${Number(value).toString(16).padStart(2, '0')}` }];
  if (name === 'data_coding') {
    const coding = CODINGS[Number(value)];
    return [{ name, value: coding ? `${value} (${coding})` : String(value) }];
  }
  // Empty fields say nothing.
  if (value === undefined || value === '' || typeof value === 'object') return [];
  return [{ name, value: String(value) }];
}
