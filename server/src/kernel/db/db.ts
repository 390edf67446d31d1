/**
 * Access to PostgreSQL. SQL is written with the `sql` tag (values always become parameters, fragments nest) and runs as
 * named prepared statements. A transaction collects the events emitted in it and stores them just before the commit.
 * Only this file uses `pg`. Statements are pipelined: if a statement is started before an earlier one has been awaited,
 * both are sent together and run in the order in which they were started (see `together`).
 */
import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import pg from 'pg';
import { type Clock, systemClock } from '../clock.ts';
import type { Seals } from '../security/seal.ts';
import { beginTexts, type Mode, pooledBeginTexts } from './modes.ts';

/** Marks SQL text, so that a value from outside, such as parsed JSON, can never pass as SQL. */
const IS_SQL = Symbol('sql');

export interface Sql {
  readonly [IS_SQL]: true;
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
  readonly custom_plan?: true;
}

const isSql = (value: unknown): value is Sql => typeof value === 'object' && value !== null && IS_SQL in value;

/** `sql\`select ${x}\``: a value becomes a parameter, and a nested `sql` fragment is spliced in. */
export function sql(template: TemplateStringsArray, ...parts: readonly unknown[]): Sql {
  const strings: string[] = [template[0]!];
  const values: unknown[] = [];
  parts.forEach((part, index) => {
    const tail = template[index + 1]!;
    if (isSql(part)) {
      strings[strings.length - 1] += part.strings[0]!;
      for (let inner = 1; inner < part.strings.length; inner++) strings.push(part.strings[inner]!);
      values.push(...part.values);
      strings[strings.length - 1] += tail;
    } else {
      values.push(part);
      strings.push(tail);
    }
  });
  return { [IS_SQL]: true, strings, values };
}

/**
 * SQL text that is code rather than data, such as a column or sort direction from a fixed list in the source. Never
 * pass a value from outside.
 */
export const raw = (text: string): Sql => ({ [IS_SQL]: true, strings: [text], values: [] });
/**
 * Use this for lists with many optional filters: PostgreSQL then plans every call for its own values. A prepared
 * statement soon gets one plan for all values, which is wrong for either "numbers that begin with 1" or "numbers that
 * begin with 1202555".
 */
export const customPlan = (statement: Sql): Sql => ({ ...statement, custom_plan: true });
export const empty: Sql = raw('');
export const join = (parts: readonly Sql[], separator: string): Sql =>
  parts.length === 0 ? empty : parts.reduce((all, part) => sql`${all}${raw(separator)}${part}`);
export const and = (conditions: readonly (Sql | null | undefined | false | 0 | '')[]): Sql => {
  const present = conditions.filter((condition): condition is Sql => !!condition);
  return present.length === 0 ? raw('true') : join(present, ' and ');
};

const SEPARATOR = '\u001f';
/**
 * Writes texts without control characters, such as JSON, as an array. An empty text becomes null. This costs less than
 * an array parameter, in which every quotation mark is escaped.
 */
export const textArray = (texts: readonly string[]): Sql =>
  sql`string_to_array(${texts.join(SEPARATOR)}::text, ${SEPARATOR}::text, '')`;
export const jsonArray = (values: readonly unknown[]): Sql =>
  sql`${textArray(values.map((value) => JSON.stringify(value) ?? ''))}::json[]`;

const names = new Map<string, string>();
type Prepared = { name?: string; text: string; values: unknown[] };
function prepared(statement: Sql, isNamed: boolean): Prepared {
  let text = statement.strings[0]!;
  for (let index = 1; index < statement.strings.length; index++) text += `$${index}${statement.strings[index]}`;
  if (statement.custom_plan || !isNamed) return { text, values: statement.values as unknown[] };
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url');
    if (names.size < 5_000) names.set(text, name);
  }
  return { name, text, values: statement.values as unknown[] };
}

export interface Queryable {
  rows<T = Record<string, unknown>>(statement: Sql): Promise<T[]>;
  /** Returns the only row, or throws. */
  one<T = Record<string, unknown>>(statement: Sql): Promise<T>;
  maybeOne<T = Record<string, unknown>>(statement: Sql): Promise<T | null>;
  /** Runs the statement for its effect and returns the number of affected rows. */
  run(statement: Sql): Promise<number>;
}

export interface Tx extends Queryable {
  readonly now: Date;
  /** Runs after a successful commit. Use it for wake-ups only, because a crash can skip it. */
  afterCommit(callback: () => void): void;
  /** Runs after an exception has rolled the transaction back for good. A crash can skip it. */
  afterRollback(callback: () => void): void;
  /**
   * Registers a statement that must run before the commit, at most one per key. `flush` starts the statement, and the
   * commit is sent with it.
   */
  beforeCommit(key: string, flush: (tx: Tx) => Promise<void>): void;
  readonly client: pg.ClientBase;
  readonly db: Db;
}

// Returns values in their wire format: UTC timestamps as `yyyy-MM-dd HH:mm:ss`, and int8 as a number that must be
// exact.
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === 1184) return (text: string) => text.slice(0, 19);
    if (oid === 20)
      return (text: string) => {
        const value = Number(text);
        if (!Number.isSafeInteger(value)) throw new Error(`int8 out of the exact range: ${text}`);
        return value;
      };
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

interface DbOptions {
  url: string;
  /** The direct URL of PostgreSQL, if `url` points to PgBouncer in transaction mode. */
  direct_url?: string | null;
  /** False if the pooler cannot keep prepared statements. */
  prepares?: boolean;
  clock?: Clock;
  /** Seals the secrets that are stored. Programs that only read have none. */
  seals?: Seals;
  /** Maximum number of connections in this process. */
  max?: number;
  /** How many of these connections other shares cannot occupy. Without it, all work uses the same connections. */
  shares?: Readonly<Record<Exclude<Share, 'calls'>, number>>;
  /** How long a statement of a list may take. */
  list_timeout_ms?: number;
  application_name?: string;
}

/**
 * Work that uses its own connections, so that other work cannot keep it waiting: calls of users and programs, the
 * delivery loops and jobs, and calls that read many rows.
 */
export type Share = 'calls' | 'delivery' | 'lists';

const LIST_TIMEOUT_MS = 10_000;

/** Number of connections for COPY, in addition to the pool. */
const COPY_CONNECTIONS = 4;

type Settled<T extends readonly unknown[]> = { -readonly [K in keyof T]: Awaited<T[K]> };

/**
 * Runs independent statements of one transaction in one round trip. `Promise.all` would return at the first failure,
 * and the other statements would still be running after the transaction has ended.
 */
export async function runTogether<T extends readonly unknown[]>(...work: T): Promise<Settled<T>> {
  const outcomes = await Promise.allSettled(work);
  const failures = outcomes
    .filter((outcome) => outcome.status === 'rejected')
    .map((outcome) => outcome.reason as { code?: string });
  if (failures.length > 0) throw failures.find(({ code }) => code !== ABORTED) ?? failures[0];
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as Settled<T>;
}

/** PostgreSQL returns this error code for every statement after the one that failed. */
const ABORTED = '25P02';

export class Db implements Queryable {
  readonly pool: pg.Pool;
  /** The same object for all shares of a database, for state that they have in common. */
  readonly root: Db = this;
  private readonly pools: Readonly<Record<Share, pg.Pool>>;
  readonly clock: Clock;
  /** The direct URL of PostgreSQL, for LISTEN and for locks that outlive a transaction. */
  readonly url: string;
  private readonly begin: Record<Mode, string>;
  private readonly prepares: boolean;
  private readonly keys: Seals | undefined;
  /** Pool for COPY. It opens no connection until it is used. */
  private readonly copying: pg.Pool;

  constructor(options: DbOptions) {
    this.clock = options.clock ?? systemClock;
    this.url = options.direct_url ?? options.url;
    this.keys = options.seals;
    const isPooled = this.url !== options.url;
    this.begin = (isPooled ? pooledBeginTexts : beginTexts)(options.list_timeout_ms ?? LIST_TIMEOUT_MS);
    this.prepares = options.prepares ?? true;
    const config = isPooled
      ? pooledConfig(options.url, options.application_name)
      : clientConfig(options.url, options.application_name);
    const { max = 12, shares = { delivery: 0, lists: 0 } } = options;
    this.pool = createPool({ ...config, pipeline: true }, max - shares.delivery - shares.lists);
    const share = (size: number) => (size > 0 ? createPool({ ...config, pipeline: true }, size) : this.pool);
    this.pools = { calls: this.pool, delivery: share(shares.delivery), lists: share(shares.lists) };
    this.copying = createPool(config, COPY_CONNECTIONS);
  }

  get seals(): Seals {
    if (!this.keys) throw new Error('this program cannot seal secrets');
    return this.keys;
  }

  /** Returns the same database through the connections of this share. */
  through(share: Share): Db {
    return Object.create(this.root, { pool: { value: this.pools[share] } }) as Db;
  }

  /** The number of connections of this share. */
  get size(): number {
    return this.pool.options.max;
  }

  /** The number of statements and transactions waiting for a connection, in all shares. */
  get waiting(): number {
    return [...new Set(Object.values(this.pools))].reduce((sum, { waitingCount }) => sum + waitingCount, 0);
  }

  async rows<T>(statement: Sql): Promise<T[]> {
    return (await this.pool.query(this.text(statement))).rows as T[];
  }
  async one<T>(statement: Sql): Promise<T> {
    return onlyRow<T>(await this.rows<T>(statement));
  }
  async maybeOne<T>(statement: Sql): Promise<T | null> {
    return (await this.rows<T>(statement))[0] ?? null;
  }
  async run(statement: Sql): Promise<number> {
    return (await this.pool.query(this.text(statement))).rowCount ?? 0;
  }
  private readonly text = (statement: Sql) => prepared(statement, this.prepares);

  /**
   * Runs one transaction. An exception rolls it back. After a deadlock or a serialization failure, the transaction is
   * retried.
   */
  async tx<T>(work: (tx: Tx) => Promise<T>, mode: Mode = 'usual'): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const rolledBack: (() => void)[] = [];
      try {
        return await this.attempt(work, mode, rolledBack);
      } catch (error) {
        const code = (error as { code?: string }).code;
        if ((code === '40P01' || code === '40001') && attempt < 4) continue;
        for (const callback of rolledBack) callback();
        throw error;
      }
    }
  }

  private async attempt<T>(work: (tx: Tx) => Promise<T>, mode: Mode, rolledBack: (() => void)[]): Promise<T> {
    const client = await (mode === 'copy' ? this.copying : this.pool).connect();
    const flushes = new Map<string, (tx: Tx) => Promise<void>>();
    const callbacks: (() => void)[] = [];
    const tx: Tx = {
      ...clientQueries(client, this.text),
      now: this.clock.now(),
      client,
      db: this,
      afterCommit: (callback) => callbacks.push(callback),
      afterRollback: (callback) => rolledBack.push(callback),
      beforeCommit: (key, flush) => flushes.set(key, flush),
    };
    let broken: Error | undefined;
    try {
      // BEGIN is sent with the first statement. If BEGIN fails, the other statements also fail.
      holdPacket(client);
      const begun = client.query(this.begin[mode]);
      begun.catch(() => {});
      const result = await work(tx);
      await begun;
      await runTogether(...[...flushes.values()].map((flush) => flush(tx)), client.query('commit'));
      for (const callback of callbacks) callback();
      return result;
    } catch (error) {
      try {
        await client.query('rollback');
      } catch (failure) {
        broken = failure as Error;
      }
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** Opens a connection outside the pool, for LISTEN, long-held advisory locks, and COPY. The caller closes it. */
  async dedicated(name: string): Promise<pg.Client> {
    const client = new pg.Client({ ...clientConfig(this.url, name), query_timeout: 0 });
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  async close(): Promise<void> {
    await Promise.all([...new Set([...Object.values(this.pools), this.copying])].map((pool) => pool.end()));
  }
}

/** Writes statements that start in the same turn of the event loop together, so that each side wakes up once. */
function holdPacket(client: pg.ClientBase): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

function createPool(config: pg.PoolConfig & { pipeline?: boolean }, max: number): pg.Pool {
  const pool = new pg.Pool({ ...config, max, idleTimeoutMillis: 30_000 } as pg.PoolConfig);
  // The pool replaces a connection that dies while idle. Without a listener, the error would end the process.
  pool.on('error', () => {});
  // The pool does not listen to a connection while it is in use. The code that uses the connection gets the error from
  // the running statement.
  pool.on('connect', (client) => {
    client.on('error', () => {});
  });
  return pool;
}

// By default, node-postgres waits forever if packets on a connection are dropped.
function clientConfig(url: string, application_name = 'parley'): pg.ClientConfig {
  return {
    connectionString: url,
    application_name,
    types: types as pg.ClientConfig['types'],
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    query_timeout: 60_000,
    options: '-c TimeZone=UTC -c idle_in_transaction_session_timeout=60000 -c jit=off',
  } as pg.ClientConfig;
}

/** PgBouncer stores the time zone of each client and rejects all other options. */
class PooledClient extends pg.Client {
  getStartupConf(): object {
    const inherited = Object.getPrototypeOf(PooledClient.prototype) as { getStartupConf(): object };
    return { ...inherited.getStartupConf.call(this), TimeZone: 'UTC' };
  }
}

export function pooledConfig(url: string, application_name?: string): pg.PoolConfig {
  const { options: _, ...config } = clientConfig(url, application_name);
  return { ...config, Client: PooledClient } as pg.PoolConfig;
}

function clientQueries(client: pg.ClientBase, text: (statement: Sql) => Prepared): Queryable {
  const query = (statement: Sql) => {
    holdPacket(client);
    return client.query(text(statement));
  };
  const rows = async <T>(statement: Sql) => (await query(statement)).rows as T[];
  return {
    rows,
    one: async <T>(statement: Sql) => onlyRow<T>(await rows<T>(statement)),
    maybeOne: async <T>(statement: Sql) => (await rows<T>(statement))[0] ?? null,
    run: async (statement) => (await query(statement)).rowCount ?? 0,
  };
}

function onlyRow<T>(rows: T[]): T {
  if (rows.length !== 1) throw new Error(`expected one row, got ${rows.length}`);
  return rows[0]!;
}

/** True for a unique violation. If a constraint is given, the violation must be of that constraint. */
export function violates(error: unknown, constraint?: string): boolean {
  const { code, constraint: name } = error as { code?: string; constraint?: string };
  return code === '23505' && (constraint === undefined || name === constraint);
}
