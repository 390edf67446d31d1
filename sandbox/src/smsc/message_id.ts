import type { CarrierSettings } from '../world/carrier.ts';

/** Formats a message ID as the carrier writes it in responses and receipts. */
export function formatMessageId(
  seq: number,
  format: CarrierSettings['id_format'],
  place: 'response' | 'receipt',
): string {
  if (format === 'padded' && place === 'receipt') return seq.toString(16).padStart(12, '0');
  const hex = format === 'hex' || format === 'padded' || format === (place === 'response' ? 'mixed' : 'reversed');
  return hex ? seq.toString(16).toUpperCase() : String(seq);
}

/** Returns all numbers that a message ID can represent, because the format may have changed since the ID was issued. */
export function parseMessageId(id: string): number[] {
  const decimal = /^\d{1,16}$/.test(id) ? [Number(id)] : [];
  const hex = /^[\da-f]{1,13}$/i.test(id) ? [Number.parseInt(id, 16)] : [];
  return [...decimal, ...hex];
}
