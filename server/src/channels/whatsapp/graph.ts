/**
 * Calls to the Graph API beside sending. A refusal of WhatsApp is a `CarrierRefusal` with its text; any other error can
 * be retried.
 */
import type { WhatsAppSettings } from '@parley/contract/channels/whatsapp/settings.ts';
import { CarrierRefusal } from '../channel.ts';
import { callHttp, type HttpCall, type Keeper } from '../http_call.ts';
import { unreadable } from '../unreadable.ts';
import { type Json, listOf, objectOf, parseJson, textOf } from '../wire_json.ts';
import { refusedBy } from './errors.ts';

export interface GraphCall {
  method?: 'GET' | 'POST' | 'DELETE';
  query?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is octets with headers of their own. */
  body?: object | HttpCall['body'];
  headers?: Readonly<Record<string, string | number>>;
  timeout_ms?: number;
  keeper?: Keeper;
  signal?: AbortSignal;
}

/** One segment of a path: an id from outside cannot add another. */
export const step = (id: string): string => encodeURIComponent(id);

export const bearer = ({ access_token }: WhatsAppSettings) => ({ authorization: `Bearer ${access_token}` });

const isOctets = (body: unknown): body is NonNullable<HttpCall['body']> =>
  typeof body === 'string' || Buffer.isBuffer(body) || (typeof body === 'object' && body !== null && 'pipe' in body);

export async function graph(settings: WhatsAppSettings, path: string, call: GraphCall = {}): Promise<Json> {
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
  const { error } = objectOf(payload);
  const refused = refusedBy(error);
  if (!refused) {
    if (answer.status < 300 && payload !== undefined) return objectOf(payload);
    throw new Error(`${unreadable(answer.status).text} (HTTP ${answer.status})`);
  }
  const { kind, code, text } = refused.failure;
  if (kind === 'connection' || kind === 'throttled') throw new GraphBusy(code, `${text} (${refused.said})`);
  throw new CarrierRefusal(code, wordsFor(error, text));
}

/** WhatsApp cannot take the call now, or not with this token. */
export class GraphBusy extends Error {
  readonly code: string;
  constructor(code: string, text: string) {
    super(text);
    this.name = 'GraphBusy';
    this.code = code;
  }
}

/** The text that WhatsApp writes for people, or else the one for programs. */
function wordsFor(error: unknown, text: string): string {
  const { error_user_title, error_user_msg, error_data, message } = objectOf(error);
  const people = [textOf(error_user_title, 300), textOf(error_user_msg, 1_000)].filter((line) => line !== '');
  if (people.length > 0) return people.join(': ');
  const details = textOf(objectOf(error_data).details, 1_000) || textOf(message, 1_000).replace(/^\(#\d+\)\s*/, '');
  return details || text;
}

const PAGES_MOST = 100;

/** Reads a whole list, page by page. It never returns a part: what is missing in it counts as deleted. */
export async function graphList(settings: WhatsAppSettings, path: string, fields: string): Promise<Json[]> {
  const found: Json[] = [];
  let after = '';
  for (let page = 0; page < PAGES_MOST; page++) {
    const query = { fields, limit: '100', ...(after ? { after } : {}) };
    const { data, paging } = await graph(settings, path, { query });
    found.push(...listOf(data).map(objectOf));
    const { cursors, next } = objectOf(paging);
    after = textOf(objectOf(cursors).after, 1_000);
    if (!next || after === '') return found;
  }
  throw new GraphBusy('', `The list is longer than ${PAGES_MOST * 100} entries`);
}
