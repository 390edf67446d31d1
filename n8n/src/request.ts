/** Calls the API with the credential of the node. */
import type { Context, HttpRequest } from './n8n.ts';

export const CREDENTIAL = 'parleyApi';

interface Refusal {
  message: string;
  code: number;
  field?: string;
  request_id?: string;
}

/** n8n shows the message, and the description below it. */
export class ParleyRequestError extends Error {
  override readonly name = 'ParleyRequestError';
  readonly status: number;
  readonly code: number;
  readonly description: string;

  constructor(status: number, refusals: readonly Refusal[]) {
    super(refusals.map(({ message }) => message).join(' ') || `Parley responded with ${status}`);
    const [first] = refusals;
    this.status = status;
    this.code = first?.code ?? 0;
    const details = [
      first && `Code ${first.code}`,
      first?.field && `field ${first.field}`,
      first?.request_id && `request ID ${first.request_id}`,
    ];
    this.description = details.filter(Boolean).join(', ');
  }
}

interface Options {
  method: HttpRequest['method'];
  path: string;
  data?: unknown;
  idempotency_key?: string;
}

/** Returns the `data` of the response. */
export async function request(context: Context, { method, path, data, idempotency_key }: Options): Promise<unknown> {
  const { url } = await context.getCredentials(CREDENTIAL);
  const base = String(url).replace(/(\/v1)?\/*$/, '');
  const response = await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, {
    ...{ method, url: `${base}${path}`, json: true, returnFullResponse: true, ignoreHttpStatusErrors: true },
    ...(data === undefined ? {} : { body: { data } }),
    ...(idempotency_key === undefined ? {} : { headers: { 'Idempotency-Key': idempotency_key } }),
  });
  const body = response.body as { data?: unknown; errors?: readonly Refusal[] } | null;
  if (response.statusCode >= 400)
    throw new ParleyRequestError(response.statusCode, Array.isArray(body?.errors) ? body.errors : []);
  return body?.data ?? null;
}
