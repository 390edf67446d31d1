/** Reads whole lists. */
export interface Pagination {
  number: number;
  size: number;
  total: number;
  /** True if the list has more than `total` rows. */
  total_is_estimate?: boolean;
  links: { first: string; current: string; previous: string | null; next: string | null };
}

export interface Page<T> {
  data: T[];
  pagination: Pagination;
}

/**
 * Yields every item of a list, page by page: `every(parley.messages.list, { query: { 'filter[channel]': 'SMS' } })`.
 * It follows the links between pages, so new rows neither hide nor repeat others.
 */
export async function* every<T, I>(
  list: (input: I) => Promise<Page<T>>,
  input: NoInfer<I>,
): AsyncGenerator<T, void, undefined> {
  const given = input as { query?: object } | undefined;
  let query: object = { page_size: 100, ...given?.query };
  while (true) {
    const { data, pagination } = await list({ ...given, query } as I);
    yield* data;
    const { next } = pagination.links;
    if (next === null) return;
    const token = new URL(next, 'http://localhost').searchParams.get('page_token');
    query = { ...query, page: undefined, page_token: token };
  }
}
