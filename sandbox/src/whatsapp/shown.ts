// How things of the account are shown: only the fields that were asked for, and lists in pages with cursors.
import type { WhatsappNumber } from './account.ts';
import { invalidParameter } from './graph_error.ts';
import type { Whatsapp } from './whatsapp.ts';

type Shown = Record<string, unknown>;

const usualFields =
  'verified_name,code_verification_status,display_phone_number,quality_rating,platform_type,throughput';

/** The id is always there. Fields in braces, as of things inside things, are left out. */
export function pick(shown: Shown, fields: string | undefined): Shown {
  if (!fields) return shown;
  const wanted = fields.replace(/\{[^}]*\}/g, '').split(',');
  return Object.fromEntries(Object.entries(shown).filter(([field]) => field === 'id' || wanted.includes(field)));
}

export function numberFields(whatsapp: Whatsapp, number: WhatsappNumber, fields = usualFields): Shown {
  const { throughput_per_second, messaging_limit } = whatsapp.settings;
  return pick(whatsapp.account.shown(number, throughput_per_second, messaging_limit), fields || usualFields);
}

export function page(items: Shown[], query: Record<string, string>, address: string): Shown {
  const { limit = '25', after, before } = query;
  const most = Number(limit);
  if (!Number.isInteger(most) || most < 1 || most > 1000) throw invalidParameter('Param limit must be from 1 to 1000');
  const end = before === undefined ? items.length : place(before);
  const start = before === undefined ? (after === undefined ? 0 : place(after) + 1) : Math.max(0, end - most);
  const data = items.slice(start, Math.min(end, start + most));
  if (data.length === 0) return { data };
  const last = start + data.length - 1;
  return {
    data,
    paging: {
      cursors: { before: cursor(start), after: cursor(last) },
      ...(last < items.length - 1 && {
        next: `${address}?${new URLSearchParams({ ...query, limit, after: cursor(last) })}`,
      }),
    },
  };
}

const cursor = (at: number): string => Buffer.from(String(at)).toString('base64');

function place(given: string): number {
  const at = Number(Buffer.from(given, 'base64').toString());
  if (!Number.isInteger(at) || at < 0) throw invalidParameter('Param after is not a cursor');
  return at;
}
