/**
 * Calls to the Graph API other than sending. A refusal by WhatsApp is a `CarrierRefusal` with WhatsApp's text; any
 * other error can be retried.
 */
import type { WhatsAppSettings } from '@parley/contract/channels/whatsapp/settings.ts';
import { CarrierRefusal } from '../channel.ts';
import { callHttp, type HttpCall, type Keeper } from '../http_call.ts';
import { unreadable } from '../unreadable.ts';
import { type Json, parseJson, toList, toObject, toText } from '../wire_json.ts';
import { refusedBy } from './errors.ts';

export interface GraphCall {
  method?: 'GET' | 'POST' | 'DELETE';
  query?: Readonly<Record<string, string>>;
  /** Sent as JSON, except for octets, which come with their own headers. */
  body?: object | HttpCall['body'];
  headers?: Readonly<Record<string, string | number>>;
  timeout_ms?: number;
  keeper?: Keeper;
  signal?: AbortSignal;
}

/** Encodes an id as one path segment, so that an id from outside cannot add another segment. */
export const pathSegment = (id: string): string => encodeURIComponent(id);

export const bearer = ({ access_token }: WhatsAppSettings) => ({ authorization: `Bearer ${access_token}` });

const isOctets = (body: unknown): body is NonNullable<HttpCall['body']> =>
  typeof body === 'string' || Buffer.isBuffer(body) || (typeof body === 'object' && body !== null && 'pipe' in body);

export async function callGraph(settings: WhatsAppSettings, path: string, call: GraphCall = {}): Promise<Json> {
  const { method = call.body === undefined ? 'GET' : 'POST', query, body, keeper, signal } = call;
  const search = query ? `?${new URLSearchParams(query)}` : '';
  const octets = body === undefined || isOctets(body) ? body : JSON.stringify(body);
  const type: Record<string, string> = octets === body ? {} : { 'content-type': 'application/json' };
  const answer = await callHttp(
    {
      method,
      url: `${settings.base_url}/${path}${search}`,
      headers: { ...bearer(settings), accept: 'application/json', ...type, ...call.headers },
      ...(octets === undefined ? {} : { body: octets }),
    },
    {
      timeout_ms: call.timeout_ms ?? settings.timeout_ms,
      ...(keeper ? { keeper } : {}),
      ...(signal ? { signal } : {}),
    },
  );
  const payload = parseJson(answer.body.toString('utf8'));
  const { error } = toObject(payload);
  const refused = refusedBy(error);
  if (!refused) {
    if (answer.status < 300 && payload !== undefined) return toObject(payload);
    throw new Error(`${unreadable(answer.status).text} (HTTP ${answer.status})`);
  }
  const { kind, code, text } = refused.failure;
  if (kind === 'connection' || kind === 'throttled') throw new GraphBusy(code, `${text} (${refused.description})`);
  throw new CarrierRefusal(code, refusalText(error, text));
}

/** WhatsApp cannot process the call now, or cannot process it with this token. */
export class GraphBusy extends Error {
  readonly code: string;
  constructor(code: string, text: string) {
    super(text);
    this.name = 'GraphBusy';
    this.code = code;
  }
}

/** Prefers WhatsApp's text for people over its text for programs. */
function refusalText(error: unknown, text: string): string {
  const { error_user_title, error_user_msg, error_data, message } = toObject(error);
  const people = [toText(error_user_title, 300), toText(error_user_msg, 1_000)].filter((line) => line !== '');
  if (people.length > 0) return people.join(': ');
  const details = toText(toObject(error_data).details, 1_000) || toText(message, 1_000).replace(/^\(#\d+\)\s*/, '');
  return details || text;
}

const MAX_PAGES = 100;

/** Reads a complete list, page by page. Never returns a partial list, because missing entries count as deleted. */
export async function listFromGraph(settings: WhatsAppSettings, path: string, fields: string): Promise<Json[]> {
  const entries: Json[] = [];
  let after = '';
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = { fields, limit: '100', ...(after ? { after } : {}) };
    const { data, paging } = await callGraph(settings, path, { query });
    entries.push(...toList(data).map(toObject));
    const { cursors, next } = toObject(paging);
    after = toText(toObject(cursors).after, 1_000);
    if (!next || after === '') return entries;
  }
  throw new GraphBusy('', `The list is longer than ${MAX_PAGES * 100} entries`);
}
