/**
 * An endpoint is plain data. One literal defines the route, the validation, the permission check, the query key, the
 * client function, the form schema, the OpenAPI entry, and the row in the permission matrix. On the wire, a request
 * body is `{"data": body}`, a response is `{"data": output, "pagination"?}`, and an error is `{"errors": [...]}`.
 */
import { z } from 'zod';
import type { Needs } from './permission.ts';
import type { ProblemName } from './problem.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

interface Endpoint<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
> {
  /** `module.verb`. The module is the folder in every tree and the first part of the query key. */
  readonly id: string;
  readonly method: Method;
  /** `/v1/...` with `{name}` for every member of `params`. */
  readonly path: string;
  readonly summary: string;
  /** null: any signed-in actor. 'public': no sign-in needed. */
  readonly needs: Needs | null | 'public';
  /**
   * The callers that may use the endpoint. `account` (default): users and API keys. `session`: signed-in users.
   * `person`: the user in person, never an operator who impersonates them. `operator`: users of the operators' account.
   * `panel`: panels inside other programs, whose tokens no other endpoint accepts.
   */
  readonly audience?: 'account' | 'session' | 'person' | 'operator' | 'panel';
  /** True if test keys may call the endpoint. They see no live data except senders, templates, and the account. */
  readonly test_keys?: boolean;
  /** True if a call can cost money that the spend limits of API keys do not count. Keys with a limit cannot call it. */
  readonly uncounted_spend?: boolean;
  /** True if open pages poll the endpoint. Its calls then do not count as session activity. */
  readonly unattended?: boolean;
  /** True if the endpoint is unavailable until the company has been approved (problem ACCOUNT_UNVERIFIED). */
  readonly verified?: boolean;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** The problem reported for a body without fields, if it differs from the usual one. */
  readonly empty?: ProblemName;
  /**
   * Set if the body is sent as multipart/form-data. The fields are `body`; the file is streamed to the implementation.
   */
  readonly upload?: { readonly max_bytes: number };
  readonly output: O;
  /** true: `output` is one item, and the response is a page of items with `pagination`. */
  readonly list?: boolean;
  /** True if the endpoint reads many rows, like a list. Lists and these endpoints have their own connections. */
  readonly scans?: boolean;
  /** The columns that a list sorts by. They become the query parameter `sort`. */
  readonly sorts?: readonly string[];
  /** True if the list counts all rows on request, with the query parameter `count`. */
  readonly counts?: boolean;
  /** The `links` of each item in the response: paths with `{name}` for a field of the item. */
  readonly links?: Readonly<Record<string, string>>;
  /** Additional data in a list response, next to the page. */
  readonly beside?: z.ZodObject;
  /** The success status, 200 by default. A 204 response has no body. */
  readonly status?: 200 | 201 | 202 | 204;
  /** Accepts `Idempotency-Key`. Required for every POST that sends messages or spends money. */
  readonly idempotent?: boolean;
  /** The content type of a response that is a file or an event stream instead of JSON. */
  readonly raw?: string;
  /** How long the client waits for a slow call. */
  readonly timeout_ms?: number;
  /** Fields of the request and the response that the request log masks, besides those that it always masks. */
  readonly masks?: readonly string[];
  /** True if refused calls are kept for the message log. */
  readonly keeps_refusals?: boolean;
  readonly problems: readonly ProblemName[];
}

export type AnyEndpoint = Endpoint<z.ZodType, z.ZodType, z.ZodType, z.ZodType>;

type SchemaInput<T> = T extends z.ZodType ? z.input<T> : undefined;
type SchemaOutput<T> = T extends z.ZodType ? z.output<T> : undefined;

/** The input that a caller passes. */
export type Input<E extends AnyEndpoint> = {
  params: SchemaInput<NonNullable<E['params']>>;
  query: SchemaInput<NonNullable<E['query']>>;
  body: SchemaInput<NonNullable<E['body']>>;
};
/** The parsed input that the implementation receives. */
export type Parsed<E extends AnyEndpoint> = {
  params: SchemaOutput<NonNullable<E['params']>>;
  query: SchemaOutput<NonNullable<E['query']>>;
  body: SchemaOutput<NonNullable<E['body']>>;
};
export type Item<E extends AnyEndpoint> = z.output<E['output']>;
export type Data<E extends AnyEndpoint> = E extends { list: true } ? Item<E>[] : Item<E>;

/** The columns that a list sorts by. */
export type SortName<E extends AnyEndpoint> = E extends { readonly sorts: readonly (infer S extends string)[] }
  ? S
  : never;

export interface Pagination {
  number: number;
  size: number;
  total: number;
  /**
   * True if the list has more than `total` rows, because it counts them only to 10,000. `links.next` leads to the end,
   * and the last page has the exact total. Lists with the parameter `count` count to the end on request.
   */
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
  const { query, sorts } = definition as unknown as { query?: z.ZodObject; sorts?: readonly string[] };
  // The build for the browser removes the query.
  const complete = query && sorts ? { ...definition, query: query.extend({ sort: sortBy(sorts) }) } : definition;
  return complete as unknown as E & { params: P; query: Q; body: B; output: O };
}

/** A minus sign before the name sorts in descending order. Ties are broken by the key of the list. */
const sortBy = (names: readonly string[]) =>
  z
    .enum(names.flatMap((name) => [name, `-${name}`]))
    .optional()
    .meta({ description: 'The column to sort by, with a minus sign for descending order: `-create_date`.' });

export const endpointModule = (id: string): string => id.slice(0, id.indexOf('.'));

/** Fills `{name}` in a path. */
export function endpointPath(path: string, params: Record<string, unknown> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

/** `{page: 2, filter: {statuses: ['sent','read']}}` -> `page=2&filter[statuses]=sent,read` */
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
