/**
 * The server and then the database are killed during a campaign. Parley and the open page recover automatically,
 * every recipient gets exactly one message (according to the carrier), and all consistency checks pass.
 * PARLEY_UNPLUGGED=20000 sets the campaign size that the README promises.
 */
import { OWNER } from './api.ts';
import { doctor } from './doctor.ts';
import { isAlive, readParts } from './system/parley.ts';
import { expect, test } from './test.ts';

const PEOPLE = Number(process.env.PARLEY_UNPLUGGED ?? 2_000);
/**
 * The campaign would take this many seconds at the initial speed. Both kills happen early on any machine. The carrier
 * then accepts the rest at full speed.
 */
const SECONDS = 20;
const MOST_A_SECOND = Math.ceil(PEOPLE / SECONDS);

const FILE = ['Number,First name', ...Array.from({ length: PEOPLE }, (_, n) => `${numberAt(n)},Person ${n}`)].join(
  '\n',
);

function numberAt(index: number): string {
  return `1202${String(5_600_000 + index)}`;
}

test('every recipient gets exactly one message when the server and database are killed during a campaign', async ({
  openAs,
  api,
  at,
  sandbox,
  quiet,
}) => {
  test.setTimeout(240_000 + PEOPLE * 10);
  const owner = await api(OWNER);
  const audience = await owner.importAudience(`Unplugged ${Date.now().toString(36)}`, FILE);
  const text = 'Is anyone there, {first_name}?';
  const before = await owner.get<{ status: string }[]>('campaigns?filter[statuses]=in_progress');
  expect(before, 'no other campaign is running').toEqual([]);
  await sandbox.carrier({ throttle_per_second: MOST_A_SECOND });
  const { id } = await owner.post<{ id: string }>('campaigns', {
    name: `Unplugged ${Date.now().toString(36)}`,
    from: 'Harbour Hamburg',
    audience,
    text,
  });
  const page = await openAs(OWNER, { path: `/sms/my-campaigns/${id}` });
  const progress = page.getByRole('region', { name: 'Progress' });
  await expect(progress).toBeVisible();
  // While the server is down, pages may report failed requests, including preloaded code, but nothing else.
  quiet.allow(/^failed GET \/((v1|assets)\/|livez| )/);
  quiet.allow(/^50[0-9] GET \/v1\//);

  const countDelivered = async () => (await sandbox.submissions('Is anyone there')).length;
  for (const [part, share] of [
    ['server', 0.1],
    ['database', 0.25],
  ] as const) {
    await expect.poll(countDelivered, { timeout: 60_000, intervals: [50] }).toBeGreaterThan(PEOPLE * share);
    const pid = await kill(at.data_dir, part);
    const remaining = PEOPLE - (await countDelivered());
    console.log(`      ${part} (process ${pid}) killed with ${remaining} of ${PEOPLE} still to go`);
    expect(remaining, 'the campaign is still running').toBeGreaterThan(0);
    await expect
      .poll(() => readParts(at.data_dir).find(({ name }) => name === part)?.pid, { timeout: 60_000 })
      .not.toBe(pid);
  }
  await sandbox.usualCarrier();

  const start = performance.now();
  await expect(
    progress.locator('div', { has: page.getByText('Delivered', { exact: true }) }).locator('dd'),
  ).toContainText(new Intl.NumberFormat('en-US').format(PEOPLE), { timeout: 90_000 + PEOPLE * 5 });
  await expect(page.getByRole('main').getByText('Completed')).toBeVisible();
  await expect(page.getByText('Reconnecting')).toHaveCount(0);
  console.log(
    `      completed ${((performance.now() - start) / 1_000).toFixed(1)} s later, without any action on the page`,
  );

  const copies = new Map<string, number>();
  for (const { to } of await sandbox.submissions('Is anyone there')) copies.set(to, (copies.get(to) ?? 0) + 1);
  const miscounted = Array.from({ length: PEOPLE }, (_, n) => numberAt(n))
    .map((digits) => [digits, copies.get(digits) ?? 0] as const)
    .filter(([, times]) => times !== 1);
  expect(miscounted, 'each recipient gets exactly one message').toEqual([]);
  expect(copies.size).toBe(PEOPLE);

  const campaign = await owner.get<{ cost_micros: number; counts: Record<string, number> }>(`campaigns/${id}`);
  expect(campaign.counts.delivered).toBe(PEOPLE);
  const verdict = await doctor(at.data_dir);
  expect(verdict.broken).toEqual([]);
  expect(verdict.last).toMatch(/^all \d+ checks passed$/);
  expect(verdict.code).toBe(0);
});

async function kill(data_dir: string, name: string): Promise<number> {
  const pid = readParts(data_dir).find((part) => part.name === name)?.pid;
  if (!pid) throw new Error(`${name} is not running`);
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => isAlive(pid)).toBe(false);
  return pid;
}
