import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import { endpointPath } from '@parley/contract/endpoint.ts';
import { ENDPOINTS } from '@parley/contract/index.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { newId } from '../kernel/clock.ts';
import { type Sql, sql } from '../kernel/db/db.ts';
import { type Company, makeCompany } from './make.ts';
import { addSortRows } from './sort_rows.ts';
import { type Caller, createWorld, type World } from './world.ts';

let world: World;
let small: Company;
let operators: Company;
let audience_id: string;

beforeAll(async () => {
  world = await createWorld({ role: 'api' });
  const { kernel } = world;
  small = await makeCompany(kernel);
  operators = await makeCompany(kernel, { operator: true });
  audience_id = await addSortRows(kernel.db, small.account_id, '1', 23);
  await addTestMessages(small.account_id, 23);
});
afterAll(() => world.stop());

interface SortedList {
  endpoint: AnyEndpoint;
  sorts: string[];
}
const LISTS: SortedList[] = ENDPOINTS.flatMap((endpoint) => {
  const { shape } = (endpoint.query ?? {}) as { shape?: { sort?: { unwrap: () => { options: string[] } } } };
  return shape?.sort ? [{ endpoint, sorts: shape.sort.unwrap().options }] : [];
});
const CASES = LISTS.flatMap(({ endpoint, sorts }) =>
  sorts.filter((sort) => !sort.startsWith('-')).map((sort) => [endpoint.id, sort, endpoint] as const),
);

const listPath = ({ path, id }: AnyEndpoint): string =>
  endpointPath(path, { id: id === 'contacts.list' ? audience_id : small.account_id });
const reader = ({ audience }: AnyEndpoint): Caller => world.as(audience === 'operator' ? operators.token : small.token);

type Row = Record<string, unknown>;
/** Reads all pages by following the links. */
async function readAll(endpoint: AnyEndpoint, query: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let path: string | undefined = `${listPath(endpoint)}?page_size=10&${query}`; path; ) {
    const { status, body } = await reader(endpoint).get(path);
    expect([status, body.errors]).toEqual([200, undefined]);
    rows.push(...body.data);
    const { next } = body.pagination.links;
    path = next?.slice(next.indexOf('/v1/'));
  }
  return rows;
}

/** Test messages are stored as the API returns messages, so they are copies of a live one. */
async function addTestMessages(account_id: string, count: number): Promise<void> {
  const [message] = (await world.as(small.token).get('/v1/messages?page_size=1')).body.data;
  const { db } = world.kernel;
  await db.run(sql`
    insert into test_messages (account_id, id, key_id, status, channel, "from", "to", message, timeline, create_date,
                               update_date)
    select ${account_id}, id, ${newId()}, 'delivered', 'SMS', 'Acme', '447410000000',
           ${JSON.stringify(message)}::jsonb || jsonb_build_object('id', id, 'account_id', ${account_id}::uuid),
           '[]', now(), now()
    from (select gen_random_uuid() as id from generate_series(1, ${count}::int)) new_messages`);
  await db.run(sql`analyze test_messages`);
}

const rowKey = (row: Row): unknown => row.id ?? row.number;

describe.each(CASES)('%s sorted by %s', (_id, sort, endpoint) => {
  test('shows every row once, and the descending order is the reverse', async () => {
    const [own, up, down] = [
      await readAll(endpoint, ''),
      await readAll(endpoint, `sort=${sort}`),
      await readAll(endpoint, `sort=-${sort}`),
    ];
    const keys = up.map(rowKey);
    expect(new Set(keys).size).toBe(keys.length);
    expect([...keys].sort()).toEqual(own.map(rowKey).sort());
    expect(down.map(rowKey).reverse()).toEqual(keys);
    expect(up.length).toBeGreaterThan(endpoint.id === 'connections.list' ? -1 : 20);
  });

  test('compares the values of the column', async () => {
    const values = (await readAll(endpoint, `sort=${sort}`)).map((row) => sortValue(row, sort));
    if (values.some((value) => value === undefined) || ORDER_OF_KEY.has(`${endpoint.id} ${sort}`)) return;
    const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: false });
    values.slice(1).forEach((value, at) => {
      const before = values[at];
      if (typeof value === 'number') expect(value).toBeGreaterThanOrEqual(before as number);
      else expect(collator.compare(String(before), String(value))).toBeLessThanOrEqual(0);
    });
  });
});

/** The time is part of the ID, and the rows of this test have random IDs. */
const ORDER_OF_KEY = new Set(LISTS.map(({ endpoint }) => `${endpoint.id} create_date`));

function sortValue(row: Row, sort: string): unknown {
  const value = sort === 'name' && 'first_name' in row ? row.first_name : row[sort];
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

describe('the parameter sort', () => {
  test.each(LISTS.map(({ endpoint }) => [endpoint.id, endpoint] as const))(
    'is refused by name in %s when its value is unknown',
    async (_id, endpoint) => {
      for (const sort of ['price', '-', '', 'create_date,id', 'create_date desc']) {
        const { status, body } = await reader(endpoint).get(`${listPath(endpoint)}?sort=${sort}`);
        expect([status, body.errors?.[0]?.code, body.errors?.[0]?.field]).toEqual([400, 1705, 'sort']);
      }
    },
  );

  test('works together with search, filters, and pages', async () => {
    const caller = world.as(small.token);
    const path = `/v1/campaigns?filter[search]=an&filter[statuses]=completed&sort=-name`;
    const { body } = await caller.get(path);
    const names = body.data.map(({ name }: { name: string }) => name);
    expect(names).toEqual([...names].sort().reverse());
    expect(names.length).toBeGreaterThan(1);
    const contacts = `/v1/audiences/${audience_id}/contacts?page_size=10&filter[search]=ann`;
    const [first] = (await caller.get(`${contacts}&sort=number`)).body.data;
    const [last] = (await caller.get(`${contacts}&sort=-number`)).body.data;
    expect(Number(first.number)).toBeLessThan(Number(last.number));
  });

  test('refuses a page token with a key when the order is not that of the key', async () => {
    const caller = world.as(small.token);
    const path = `/v1/audiences/${audience_id}/contacts?page_size=10`;
    const { body } = await caller.get(path);
    const token = new URL(body.pagination.links.next, 'http://localhost').searchParams.get('page_token');
    expect((await caller.get(`${path}&page_token=${token}&sort=create_date`)).status).toBe(200);
    const refused = await caller.get(`${path}&page_token=${token}&sort=first_name`);
    expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'page_token']);
  });
});

/** Measures the pages of the database that the statements of a list read. */
async function countPages(endpoint: AnyEndpoint, sort: string): Promise<number> {
  const { db } = world.kernel;
  const statements: Sql[] = [];
  const { rows } = db;
  db.rows = ((statement: Sql) => {
    if (/order by/.test(statement.strings.join('')) && !/^\s*select count/.test(statement.strings[0] ?? ''))
      statements.push(statement);
    return rows.call(db, statement);
  }) as typeof rows;
  try {
    await reader(endpoint).get(`${listPath(endpoint)}?sort=${sort}`);
  } finally {
    db.rows = rows;
  }
  let pages = 0;
  for (const statement of statements) {
    const [head = '', ...tail] = statement.strings;
    const [row] = await db.rows<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>({
      ...statement,
      strings: [`explain (analyze, buffers, format json) ${head}`, ...tail],
    });
    const { Plan } = row!['QUERY PLAN'][0]!;
    pages += Plan['Shared Hit Blocks']! + Plan['Shared Read Blocks']!;
  }
  return pages;
}

test('a sorted page reads no more database pages when another account has many rows', async () => {
  const before = new Map<string, number>();
  const cases = CASES.flatMap(([id, sort, endpoint]) => [
    { name: `${id} ${sort}`, sort, endpoint },
    { name: `${id} -${sort}`, sort: `-${sort}`, endpoint },
  ]);
  for (const { name, endpoint, sort } of cases) before.set(name, await countPages(endpoint, sort));
  const stranger = await makeCompany(world.kernel);
  await addSortRows(world.kernel.db, stranger.account_id, '2', 20_000);
  await addTestMessages(stranger.account_id, 20_000);
  const grown: string[] = [];
  for (const { name, endpoint, sort } of cases) {
    const pages = await countPages(endpoint, sort);
    if (pages > before.get(name)! * 3 + 100) grown.push(`${name}: ${before.get(name)} -> ${pages}`);
  }
  expect(grown).toEqual([]);
});
