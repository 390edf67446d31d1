/** Builds responses: selects the requested fields and splits lists into pages with cursors. */
import type { WhatsappNumber } from '../account.ts';
import type { WhatsappState } from '../state.ts';
import { invalidParameter } from './graph_error.ts';

type Item = Record<string, unknown>;

const defaultFields =
  'verified_name,code_verification_status,display_phone_number,quality_rating,platform_type,throughput';

/** Selects fields and always includes the ID. Nested fields in braces are ignored. */
export function pick(item: Item, fields: string | undefined): Item {
  if (!fields) return item;
  const names = fields.replace(/\{[^}]*\}/g, '').split(',');
  return Object.fromEntries(Object.entries(item).filter(([field]) => field === 'id' || names.includes(field)));
}

export function numberFields(whatsapp: WhatsappState, number: WhatsappNumber, fields = defaultFields): Item {
  const { throughput_per_second, messaging_limit } = whatsapp.settings;
  return pick(whatsapp.account.toJson(number, throughput_per_second, messaging_limit), fields || defaultFields);
}

export function page(items: Item[], query: Record<string, string>, address: string): Item {
  const { limit = '25', after, before } = query;
  const size = Number(limit);
  if (!Number.isInteger(size) || size < 1 || size > 1000) throw invalidParameter('Param limit must be from 1 to 1000');
  const end = before === undefined ? items.length : parseCursor(before);
  const start = before === undefined ? (after === undefined ? 0 : parseCursor(after) + 1) : Math.max(0, end - size);
  const data = items.slice(start, Math.min(end, start + size));
  if (data.length === 0) return { data };
  const last = start + data.length - 1;
  return {
    data,
    paging: {
      cursors: { before: toCursor(start), after: toCursor(last) },
      ...(last < items.length - 1 && {
        next: `${address}?${new URLSearchParams({ ...query, limit, after: toCursor(last) })}`,
      }),
    },
  };
}

const toCursor = (at: number): string => Buffer.from(String(at)).toString('base64');

function parseCursor(cursor: string): number {
  const at = Number(Buffer.from(cursor, 'base64').toString());
  if (!Number.isInteger(at) || at < 0) throw invalidParameter('Param after is not a cursor');
  return at;
}
