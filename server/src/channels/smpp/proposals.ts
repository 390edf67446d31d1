/**
 * Evaluates a connection test: compares the carrier's response and receipt with the settings, and proposes settings
 * that match the carrier. Proposes a setting only if the exchange proves it.
 */
import type { SmppSettings } from '@parley/contract/channels/sms/settings.ts';
import type { Proposal } from '@parley/contract/connections/connection_tests.ts';
import { normalizeId } from '@parley/smpp/receipt.ts';
import { parseStamp } from '@parley/smpp/time.ts';
import type { TestExchange, TestReading } from '../connection_test.ts';
import { answerId, receiptId } from './incoming.ts';

type Receipt = NonNullable<TestExchange['receipt']>;
type IdFormat = SmppSettings['id_format'];

export function readExchange(settings: SmppSettings, exchange: TestExchange): TestReading {
  const { response, receipt, is_outdated } = exchange;
  const proposals = [
    ...(response?.failure && !is_outdated ? proposeForRefusal(settings, response.failure.code) : []),
    ...(receipt && response ? proposeIdFormat(settings, response.ids, receipt) : []),
    ...(receipt ? [...proposeOffset(settings, receipt), ...proposeReference(settings, exchange, receipt)] : []),
    ...(receipt ? proposeCountry(settings, exchange, receipt) : []),
  ];
  return { findings: listFindings(exchange), proposals };
}

function listFindings({ response, receipt, reference }: TestExchange): TestReading['findings'] {
  const findings: TestReading['findings'] = [];
  const add = (label: string, text: string) => findings.push({ label, text });
  if (response?.failure) add('Response', response.failure.text);
  else if (response) add('ID in the response', response.ids.join(', ') || 'None');
  if (!receipt) return findings;
  const { written, state } = receipt;
  add('State in the receipt', state);
  add('ID in the receipt', written.id || 'None');
  if (written.id_in_text !== '' && written.id_in_text !== written.id)
    add('ID in the text of the receipt', written.id_in_text);
  add('Date in the receipt', written.done_date || 'None');
  const offset = clockOffset(receipt);
  if (offset !== null) add('UTC offset of the carrier', offsetLabel(offset));
  add('Number in the receipt', written.address);
  add('Parameters in the receipt', written.parameters.join(', ') || 'None');
  add('Our reference', receipt.reference === reference ? 'Returned' : 'Not returned');
  return findings;
}

/** Values below this look the same in decimal and in hexadecimal. */
const AMBIGUOUS = 10n;

function proposeIdFormat(settings: SmppSettings, ids: readonly string[], { written }: Receipt): Proposal[] {
  const [sent = ''] = ids;
  const received = written.id;
  if (sent === '' || received === '') return [];
  if (answerId(sent, settings) === receiptId(received, settings)) return [];
  const proposed = findFormat(sent, received);
  if (!proposed) return [];
  const reason = `The response has the ID ${sent}, and the receipt has ${received}.`;
  return [{ setting: 'id_format', current: settings.id_format, proposed, reason }];
}

function findFormat(sent: string, received: string): IdFormat | null {
  if (sent === received) return /^\d$/.test(sent) ? null : 'text';
  const [sentValue, receivedValue] = [numberValue, hexValue].map((read) => [read(sent), read(received)]) as [
    [bigint | null, bigint | null],
    [bigint | null, bigint | null],
  ];
  const isSame = (a: bigint | null, b: bigint | null) => a !== null && a === b;
  if (isSame(sentValue[0], sentValue[1])) return 'decimal';
  if (isSame(receivedValue[0], receivedValue[1])) return 'hex';
  const isClear = (receivedValue[0] ?? 0n) >= AMBIGUOUS;
  if (isClear && isSame(receivedValue[0], sentValue[1])) return 'hex_to_decimal';
  return isClear && isSame(sentValue[0], receivedValue[1]) ? 'decimal_to_hex' : null;
}

const numberValue = (id: string): bigint | null => (/^\d+$/.test(id) ? BigInt(id) : null);
const hexValue = (id: string): bigint | null =>
  /^(0x)?[0-9a-f]+$/i.test(id) ? BigInt(`0x${normalizeId(id, 'hex')}`) : null;

const QUARTER_MS = 15 * 60_000;
const HOUR_MINUTES = 60;

/** Returns how many minutes the carrier's clock is ahead of UTC. Receipts arrive soon after their date. */
function clockOffset({ written, arrived_ms }: Receipt): number | null {
  const date = parseStamp(written.done_date);
  if (!date) return null;
  const minutes = (Math.round((date.getTime() - arrived_ms) / QUARTER_MS) * QUARTER_MS) / 60_000;
  return minutes >= -12 * HOUR_MINUTES && minutes <= 14 * HOUR_MINUTES ? minutes : null;
}

function offsetLabel(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / HOUR_MINUTES), Math.abs(minutes) % HOUR_MINUTES];
  return `UTC${minutes < 0 ? '-' : '+'}${hours}:${String(rest).padStart(2, '0')}`;
}

function proposeOffset({ utc_offset_minutes }: SmppSettings, receipt: Receipt): Proposal[] {
  const proposed = clockOffset(receipt);
  if (proposed === null || proposed === utc_offset_minutes) return [];
  const reason = `The date in the receipt implies the offset ${offsetLabel(proposed)}.`;
  return [{ setting: 'utc_offset_minutes', current: utc_offset_minutes, proposed, reason }];
}

function proposeReference(settings: SmppSettings, { reference }: TestExchange, receipt: Receipt): Proposal[] {
  if (!settings.echoes_reference || receipt.reference === reference) return [];
  const reason = 'The receipt does not contain the reference that was sent.';
  return [{ setting: 'echoes_reference', current: true, proposed: false, reason }];
}

function proposeCountry(settings: SmppSettings, { to, country }: TestExchange, { written }: Receipt): Proposal[] {
  const digits = written.address.replace(/\D/g, '').replace(/^0+/, '');
  const isNational = digits.length >= 6 && digits !== to && to.endsWith(digits);
  if (!isNational || settings.country === country) return [];
  const reason = `The receipt has the number ${written.address} without its country code.`;
  return [{ setting: 'country', current: settings.country, proposed: country, reason }];
}

const NEXT_VALIDITY = { relative: 'absolute', absolute: 'none', none: null } as const;

/** Status codes of rejections identify the field that the carrier does not accept. */
function proposeForRefusal(settings: SmppSettings, code: string): Proposal[] {
  const { validity, service_type, echoes_reference } = settings;
  const next = NEXT_VALIDITY[validity];
  if (code === '0x62' && next)
    return [
      { setting: 'validity', current: validity, proposed: next, reason: 'The carrier rejected the validity period.' },
    ];
  if (code === '0x15' && service_type !== '')
    return [
      {
        setting: 'service_type',
        current: service_type,
        proposed: '',
        reason: 'The carrier rejected the service type.',
      },
    ];
  if ((code === '0xC0' || code === '0xC1') && echoes_reference)
    return [
      {
        setting: 'echoes_reference',
        current: true,
        proposed: false,
        reason: 'The carrier rejected an optional parameter.',
      },
    ];
  return [];
}
