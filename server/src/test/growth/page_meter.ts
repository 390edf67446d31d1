/**
 * Counts the pages that each statement of the app touches and the bytes of WAL that it writes. Each statement first
 * runs under EXPLAIN with its own values, in the transaction and with the planner settings of the app, and is rolled
 * back. Then it runs as usual.
 */
import type pg from 'pg';
import type { Db, Share } from '../../kernel/db/db.ts';

export interface Measured {
  text: string;
  /** The largest number of pages, from the cache or from the disk. */
  pages: number;
  /** The names of the nodes of the plan that read tables, for the report. */
  scans: string[];
}

/** The cost of all statements together. COPY runs on its own connections and is not part of it. */
export interface Total {
  statements: number;
  pages: number;
  wal: number;
}

export interface PageMeter {
  /** Starts a new measurement. */
  restart(): void;
  readonly total: Readonly<Total>;
  /** The statements since the start, by their text. */
  readonly statements: ReadonlyMap<string, Measured>;
  /** The statements that could not run twice, such as those that insert a fixed key. */
  readonly unmeasured: ReadonlySet<string>;
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  'WAL Bytes': number;
  Plans?: PlanNode[];
}

type Query = (...args: unknown[]) => unknown;
type Client = { query: Query };

const MEASURED = /^\s*(select|insert|update|delete|with)\b/i;

export function measurePages(db: Db): PageMeter {
  const statements = new Map<string, Measured>();
  const unmeasured = new Set<string>();
  const total: Total = { statements: 0, pages: 0, wal: 0 };
  const metered = new WeakSet<Client>();
  const note = (text: string, plan: PlanNode) => {
    const pages = sumNodes(plan, (node) => node['Shared Hit Blocks'] + node['Shared Read Blocks']);
    total.statements++;
    total.pages += pages;
    total.wal += sumNodes(plan, (node) => node['WAL Bytes']);
    if (pages > (statements.get(text)?.pages ?? -1)) statements.set(text, { text, pages, scans: listScans(plan) });
  };
  const meter = (acquired: pg.PoolClient) => {
    const client = acquired as unknown as Client;
    if (metered.has(client)) return;
    metered.add(client);
    const query = client.query.bind(client) as Query;
    let isInTransaction = false;
    client.query = (...args) => {
      const [first] = args as [string | { text: string; values?: unknown[] }];
      if (typeof first === 'string') {
        if (/^begin/i.test(first)) isInTransaction = true;
        if (/^(commit|rollback)$/i.test(first)) isInTransaction = false;
      } else if (MEASURED.test(first.text)) {
        // The connection runs its statements in the order in which they are started here.
        const [start, end] = isInTransaction ? ['savepoint growth', 'rollback to growth'] : ['begin', 'rollback'];
        const explain = {
          text: `explain (analyze, buffers, wal, timing off, format json) ${first.text}`,
          values: first.values ?? [],
        };
        void ignoreErrors(query(start));
        void (query(explain) as Promise<{ rows: { 'QUERY PLAN': [{ Plan: PlanNode }] }[] }>).then(
          ({ rows }) => note(first.text, rows[0]!['QUERY PLAN'][0].Plan),
          () => unmeasured.add(first.text),
        );
        void ignoreErrors(query(end));
      }
      return query(...args);
    };
  };
  const shares: readonly Share[] = ['calls', 'delivery', 'lists'];
  for (const pool of new Set(shares.map((share) => db.through(share).pool))) pool.on('acquire', meter);
  return {
    restart() {
      statements.clear();
      unmeasured.clear();
      Object.assign(total, { statements: 0, pages: 0, wal: 0 });
    },
    total,
    statements,
    unmeasured,
  };
}

const ignoreErrors = (started: unknown): Promise<unknown> => (started as Promise<unknown>).catch(() => undefined);

/**
 * The figure of a node includes the nodes below it, but not those that write only after the rest of the statement has
 * ended.
 */
function sumNodes(node: PlanNode, figure: (node: PlanNode) => number): number {
  const below = node.Plans ?? [];
  const own = figure(node) - below.reduce((sum, child) => sum + figure(child), 0);
  return Math.max(0, own) + below.reduce((sum, child) => sum + sumNodes(child, figure), 0);
}

const listScans = (node: PlanNode): string[] => [
  ...(node['Relation Name']
    ? [`${node['Node Type']} ${node['Relation Name']} ${node['Index Name'] ?? ''}`.trim()]
    : []),
  ...(node.Plans ?? []).flatMap(listScans),
];
