/** The deliver_sm PDUs of receipts and inbound messages. */
import { parseAddress } from '@parley/smpp/address.ts';
import { split } from '@parley/smpp/multipart.ts';
import type { PduFields } from '@parley/smpp/pdu.ts';
import { formatReceipt, type MessageState } from '@parley/smpp/receipt.ts';
import { wireAlphabet } from '@parley/smpp/text.ts';

interface Address {
  ton: number;
  npi: number;
  addr: string;
}

export type DeliveryBody =
  | {
      kind: 'receipt';
      id: string;
      state: MessageState;
      error: number;
      submit_date: string;
      done_date: string;
      text: string;
      /** The message's recipient, as the program wrote it. */
      source: Address;
      destination: Address;
    }
  | { kind: 'inbound'; from: string; to: string; text: string };

/** The network type of error codes: GSM. */
const GSM = 3;
const MAX_ADDRESS = 20;

const toDate = (text: string): Date => new Date(`${text.replace(' ', 'T')}Z`);

const addresses = (source: Address, destination: Address): PduFields => ({
  ...{ source_addr_ton: source.ton, source_addr_npi: source.npi, source_addr: source.addr.slice(0, MAX_ADDRESS) },
  ...{ dest_addr_ton: destination.ton, dest_addr_npi: destination.npi },
  destination_addr: destination.addr.slice(0, MAX_ADDRESS),
});

/** Returns the PDUs of a delivery in order. A long inbound message has one for each part. */
export function toPdus(body: DeliveryBody, reference: number): PduFields[] {
  if (body.kind === 'receipt') return [receipt(body)];
  const { alphabet, data_coding } = wireAlphabet(body.text, 'gsm7');
  const from = addresses(parseAddress(body.from), parseAddress(body.to));
  return split(body.text, 'udh8', { alphabet, data_coding, reference }).map((part) => ({ ...from, ...part }));
}

function receipt(body: Extract<DeliveryBody, { kind: 'receipt' }>): PduFields {
  const { id, state, error, text, source, destination } = body;
  const [submit_date, done_date] = [toDate(body.submit_date), toDate(body.done_date)];
  const code = String(error).padStart(3, '0');
  const fields = formatReceipt({ id, state, submit_date, done_date, error: code, text });
  const network_error_code = Buffer.from([GSM, error >> 8, error & 0xff]);
  return {
    ...addresses(source, destination),
    ...fields,
    tlvs: { ...fields.tlvs, ...(error > 0 && { network_error_code }) },
  };
}
