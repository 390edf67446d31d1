/** How transactions begin. */

/**
 * `by index` is for statements that start from a few rows and read tables that are usually empty. PostgreSQL keeps a
 * plan for a long time. A plan made while a queue was empty or full would scan the whole queue, or a large table joined
 * to it. Therefore, only the plan that goes from row to row through the indexes is allowed. This plan is the same for
 * all values and is made once. With `copy`, `tx.client` may run COPY, which a pipelined connection cannot. `list`
 * limits the time of each statement, and its plans use indexes.
 */
export type Mode = 'usual' | 'repeatable read' | 'by index' | 'copy' | 'list';

const BY_INDEX: Readonly<Record<string, string>> = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  // Tables are joined in the order they are written, starting with the few rows.
  join_collapse_limit: '1',
  plan_cache_mode: 'force_generic_plan',
  // A process that hangs loses its leases to other processes, and they must not have to wait much longer for its locks.
  idle_in_transaction_session_timeout: '5s',
};
/** One statement, because seven cost as much as the rest of a small transaction. */
const SET_BY_INDEX = `select ${Object.entries(BY_INDEX)
  .map(([name, value]) => `set_config('${name}', '${value}', true)`)
  .join(', ')}`;
export const beginTexts = (list_timeout_ms: number): Record<Mode, string> => ({
  usual: 'begin',
  'repeatable read': 'begin isolation level repeatable read',
  'by index': `begin; ${SET_BY_INDEX}`,
  copy: 'begin',
  // A sequential scan would read the rows of all accounts.
  list: `begin; set local statement_timeout = ${list_timeout_ms}; set local enable_seqscan = off`,
});

/** Each transaction has its own settings, because a pooler rejects session settings. */
export const pooledBeginTexts = (list_timeout_ms: number): Record<Mode, string> =>
  Object.fromEntries(
    Object.entries(beginTexts(list_timeout_ms)).map(([mode, text]) => [
      mode,
      mode === 'by index' ? text : `${text}; set local idle_in_transaction_session_timeout = '60s'`,
    ]),
  ) as Record<Mode, string>;
