/**
 * The cost of a statement must not depend on the data of other accounts. A small account uses the product alone, and
 * again beside a huge account. No statement may then touch more than 50 times the pages. Pages are counted, not times,
 * so a busy machine changes nothing. `GROWTH_SCALE=50` runs the test at full size.
 */
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Company, makeCompany } from '../make.ts';
import { createWorld, freePort, type World } from '../world.ts';
import { fillNeighbor } from './neighbor.ts';
import { measurePages, type PageMeter } from './page_meter.ts';
import { makeSmallAccount, type SmallAccount, useProduct } from './product_use.ts';

const SCALE = Number(process.env.GROWTH_SCALE ?? 1);
const LIMIT = 50;
/** Parts of statements for routes, daily limits, the health of connections, callbacks, anomalies, and SMPP. */
const EXPECTED = [
  /\bfrom routes\b/,
  /\binsert into connection_days\b/,
  /\bupdate connection_days\b/,
  /\binsert into connection_minutes\b/,
  /\bjoin connection_minutes\b/,
  /\bdelete from connection_minutes\b/,
  /\bdelete from unmatched_reports\b/,
  /\bfrom connections where id\b/,
  /\binsert into inbound_digests\b/,
  /\bfrom smpp_accounts a join accounts\b/,
  /\binsert into traffic_hours\b/,
  /\bfrom traffic_hours\s+where account_id\b/,
  /\bupdate anomaly_marks\b/,
  /\bdelete from traffic_batches\b/,
  /\binsert into traffic_counts\b/,
  /\bupdate traffic_counts\b/,
  /\binsert into smpp_sessions\b/,
  /\bupdate smpp_deliveries\b/,
  /\bupdate smpp_position\b/,
];

let world: World;
let meter: PageMeter;
let small: SmallAccount;
let huge: Company;
let superuser: pg.Client;

beforeAll(async () => {
  world = await createWorld({ role: 'all', sandbox: true, settings: { SMPP_PORT: String(await freePort()) } });
  const url = new URL(inject('maintenance_url'));
  url.pathname = new URL(world.database_url).pathname;
  superuser = new pg.Client({ connectionString: url.href });
  await superuser.connect();
  huge = await makeCompany(world.kernel);
  small = await makeSmallAccount(world);
  meter = measurePages(world.kernel.db);
});
afterAll(async () => {
  await superuser?.end();
  await world?.stop();
});

test('no statement of a small account touches many more pages when the database has a huge account', async () => {
  await useProduct(world, small, 1);
  const alone = new Map(meter.statements);
  await fillNeighbor(superuser, small.account_id, huge.account_id, SCALE);
  meter.restart();
  await useProduct(world, small, 2);
  const findings = [...meter.statements.values()].flatMap(({ text, pages, scans }) => {
    const before = alone.get(text)?.pages;
    if (before === undefined || pages <= LIMIT * Math.max(before, 1)) return [];
    return [`${pages} instead of ${before} pages: ${text.replace(/\s+/g, ' ').slice(0, 300)} [${scans.join(', ')}]`];
  });
  expect(alone.size).toBeGreaterThan(300);
  const texts = [...meter.statements.keys()];
  expect(EXPECTED.filter((part) => !texts.some((text) => part.test(text)))).toEqual([]);
  expect([...meter.unmeasured].filter((text) => !meter.statements.has(text))).toEqual([]);
  expect(findings).toEqual([]);
}, 600_000);
