/**
 * An endpoint is plain data: from this one literal come the route, the validation, the permission check, the query key,
 * the client function, the form schema, the OpenAPI entry and the row of the permission matrix.
 * On the wire a request body is `{"data": body}`, an answer `{"data": output, "pagination"?}`, an error `{"errors": [...]}`.
 */
import type { z } from 'zod';
import type { Needs } from './permission.ts';
import type { ProblemName } from './problem.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Endpoint<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
> {
  /** `module.verb`; the module is the folder in every tree and the head of the query key. */
  readonly id: string;
  readonly method: Method;
  /** `/v1/...` with `{name}` for every member of `params`. */
  readonly path: string;
  readonly summary: string;
  /** null: any signed-in actor; 'public': nobody has to be signed in. */
  readonly needs: Needs | null | 'public';
  /**
   * Who may call. `account`: users and API keys, unless said otherwise. `session`: signed-in users. `person`: the user in person, never an
   * operator who impersonates. `operator`: users of the operators' account.
   */
  readonly audience?: 'account' | 'session' | 'person' | 'operator';
  /** Asked by an open page by itself, with nobody there: no sign of life of the session. */
  readonly unattended?: boolean;
  /** Closed until the company has been approved (problem ACCOUNT_UNVERIFIED). */
  readonly verified?: boolean;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** What a body without a single field is called, where it has a name of its own. */
  readonly empty?: ProblemName;
  /** Body sent as multipart/form-data: the fields are `body`, the file is streamed to the implementation. */
  readonly upload?: { readonly max_bytes: number };
  readonly output: O;
  /** true: `output` is one item; the answer is a page of them with `pagination`. */
  readonly list?: boolean;
  /** Of a list: what its answer says besides the page. */
  readonly beside?: z.ZodObject;
  /** Success status; 200 unless said. 204 has no body. */
  readonly status?: 200 | 201 | 202 | 204;
  /** Honours `Idempotency-Key`; demanded of every POST that sends or spends. */
  readonly idempotent?: boolean;
  /** Answers with a file or an event stream of its own instead of JSON. */
  readonly raw?: string;
  /** A list call that allows pages beyond the usual sizes. */
  readonly timeout_ms?: number;
  readonly problems: readonly ProblemName[];
}

export type AnyEndpoint = Endpoint<z.ZodType, z.ZodType, z.ZodType, z.ZodType>;

type InOf<T> = T extends z.ZodType ? z.input<T> : undefined;
type OutOf<T> = T extends z.ZodType ? z.output<T> : undefined;

/** What a caller passes. */
export type Input<E extends AnyEndpoint> = {
  params: InOf<NonNullable<E['params']>>;
  query: InOf<NonNullable<E['query']>>;
  body: InOf<NonNullable<E['body']>>;
};
/** What the implementation receives, parsed. */
export type Parsed<E extends AnyEndpoint> = {
  params: OutOf<NonNullable<E['params']>>;
  query: OutOf<NonNullable<E['query']>>;
  body: OutOf<NonNullable<E['body']>>;
};
export type Item<E extends AnyEndpoint> = z.output<E['output']>;
export type Data<E extends AnyEndpoint> = E extends { list: true } ? Item<E>[] : Item<E>;

export interface Pagination {
  number: number;
  size: number;
  total: number;
  /** Set when `total` is the planner's estimate: counting exactly would have been too slow. */
  total_is_estimate?: boolean;
  links: { first: string; current: string; previous: string | null; next: string | null };
}

export function endpoint<
  const E extends Omit<AnyEndpoint, 'params' | 'query' | 'body' | 'output'>,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  O extends z.ZodType,
>(definition: E & { params?: P; query?: Q; body?: B; output: O }): E & { params: P; query: Q; body: B; output: O } {
  return definition as unknown as E & { params: P; query: Q; body: B; output: O };
}

export const moduleOf = (id: string): string => id.slice(0, id.indexOf('.'));

/** Fills `{name}` in a path. */
export function pathOf(path: string, params: Record<string, unknown> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

/** `{page: 2, filter: {channels: ['sms','viber']}}` -> `page=2&filter[channels]=sms,viber` */
export function queryString(query: Record<string, unknown> = {}): string {
  const parts: string[] = [];
  const put = (key: string, value: unknown) => {
    if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)) return;
    const text = Array.isArray(value) ? value.join(',') : String(value);
    parts.push(`${encodeURIComponent(key).replace(/%5B/g, '[').replace(/%5D/g, ']')}=${encodeURIComponent(text)}`);
  };
  for (const [key, value] of Object.entries(query)) {
    if (key === 'filter' && value && typeof value === 'object') {
      for (const [name, inner] of Object.entries(value)) put(`filter[${name}]`, inner);
    } else put(key, value);
  }
  return parts.join('&');
}
