/**
 * A campaign over three providers, one of which dies in the middle: each recipient gets exactly one message, and the
 * operator and the customer see the switch. With SOAK=1, the campaign has 20,000 recipients.
 */
import { openTunnel } from '../../server/src/test/peers/tunnel.ts';
import { type Api, OPERATOR } from '../api.ts';
import { newCompany } from '../company.ts';
import { freshDigits } from '../sandbox.ts';
import { expect, type Page, test } from '../test.ts';

const isSoak = process.env.SOAK === '1';
const COUNT = isSoak ? 20_000 : 300;
const PATIENCE_MS = isSoak ? 900_000 : 150_000;
/** The provider that dies comes first. The last one takes the rest. */
const SHARES = [
  { provider: 'twilio', percentage: 50 },
  { provider: 'plivo', percentage: 30 },
  { provider: 'sinch', percentage: null },
] as const;

interface Provider {
  name: string;
  base_path: string;
  settings: Record<string, string>;
}

/** Connects the three providers and routes the prefix over them. The first is reached through the port. */
async function connectProviders(operator: Api, sandbox: string, port: number, run: string, prefix: string) {
  const { providers } = (await (await fetch(`${sandbox}/api/providers`)).json()) as { providers: Provider[] };
  const connections: { id: string; name: string }[] = [];
  for (const { provider, percentage } of SHARES) {
    const { base_path, settings } = providers.find(({ name }) => name === provider)!;
    const origin = connections.length === 0 ? `http://127.0.0.1:${port}` : sandbox;
    const name = `${provider} ${run}`;
    const { id } = await operator.post<{ id: string }>('connections', {
      ...{ name, adapter: provider, unknown_policy: 'resend', unknown_grace_seconds: 3 },
      settings: { ...settings, base_url: `${origin}${base_path}`, window: 10, throughput: isSoak ? null : 40 },
    });
    await operator.post('routes', { connection_id: id, prefix, percentage });
    connections.push({ id, name });
  }
  return connections;
}

/** Creates and starts the campaign as the customer does. Returns its page. */
async function startCampaign(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  for (const [label, option] of [
    ['Sender', 'Failover'],
    ['Audience', name],
  ] as const) {
    await page.getByRole('combobox', { name: label, exact: true }).click();
    await page.getByRole('option', { name: option }).first().click();
  }
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('textbox', { name: 'Text' }).fill(`${name}: the roastery opens on Sunday.`);
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('button', { name: /^Send to [\d,]+ people/ }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();
}

test('a campaign reaches everyone once when one of three providers dies in the middle', async ({
  at,
  api,
  openAs,
  sandbox,
}) => {
  test.setTimeout(2 * PATIENCE_MS + 120_000);
  const operator = await api(OPERATOR);
  const company = await newCompany(at, sandbox);
  const { id: account_id } = await company.api.get<{ id: string }>('accounts/self');
  const run = Date.now().toString(36);
  const name = `Opening ${run}`;
  // The last six digits never begin with 9009, so that no number is a magic number.
  const prefix = `4474${freshDigits(2)}1`;
  const numbers = Array.from({ length: COUNT }, (_, index) => `${prefix}${String(index).padStart(5, '0')}`);
  await operator.post(`accounts/${account_id}/top_ups`, {
    ...{ amount_micros: 5_000_000_000, reason: 'Failover test', reference: run },
  });
  const sender = { name: 'Failover', code: 'Failover', type: 'alphanumeric', countries: ['GB'] };
  await operator.post(`accounts/${account_id}/senders`, sender);
  await company.api.importAudience(name, ['Number', ...numbers.map((number) => `+${number}`)].join('\n'));
  const tunnel = await openTunnel(Number(new URL(sandbox.url).port));
  const connections = await connectProviders(operator, sandbox.url, tunnel.port, run, prefix);
  const [mortal] = connections as [{ id: string; name: string }];
  const readConnection = () =>
    operator.get<{ binds: { state: string; detail: string; sent_count: number }[] }>(`connections/${mortal.id}`);
  try {
    for (const { id } of connections)
      await expect
        .poll(async () => (await operator.get<{ binds: { state: string }[] }>(`connections/${id}`)).binds)
        .toMatchObject([{ state: 'bound' }]);
    const customer = await openAs(company.email);
    // The choice is stored before the page is left, so that the popup does not return.
    const stored = customer.waitForResponse(/\/v1\/accounts\/self\/preference$/);
    await customer.getByRole('button', { name: 'Look around first' }).click();
    await stored;
    await customer.goto('/sms/create-campaign');
    await startCampaign(customer, name);
    const sent = () => sandbox.submissions(name);
    await expect.poll(async () => (await sent()).length, { timeout: PATIENCE_MS }).toBeGreaterThan(COUNT / 10);
    tunnel.cut();

    const admin = await openAs(OPERATOR, { host: 'admin', path: `/connections?search=${run}` });
    await test.step('operators see that the provider is down', async () => {
      const row = admin.getByRole('row', { name: new RegExp(mortal.name) });
      await expect(row).toContainText(/Waiting|Avoided/);
      await expect(admin.getByRole('row', { name: new RegExp(connections[1]!.name) })).toContainText('Bound');
      await admin.goto('/health');
      const check = admin.getByRole('listitem').filter({ hasText: 'Carrier binds' });
      await expect(check).toContainText(mortal.name);
      await expect(check).toContainText(/ECONNREFUSED|ECONNRESET|socket hang up/);
    });

    await test.step('the other providers take over its messages', async () => {
      const queued = async () => (await operator.get<{ queued: number }>(`connections/${mortal.id}`)).queued;
      await expect.poll(queued, { timeout: PATIENCE_MS }).toBe(0);
      expect((await readConnection()).binds[0]!.sent_count).toBeLessThan(COUNT / 2);
      // The provider can be tried again, but new messages avoid it.
      const check = admin.getByRole('listitem').filter({ hasText: 'Connection health' });
      const reason = new RegExp(`${mortal.name}: (\\d+% without a response|no message accepted since an error)`);
      await expect(check).toContainText(reason, { timeout: 60_000 });
      await check.getByRole('link').click();
      await admin.getByPlaceholder('Search by name').fill(run);
      const row = admin.getByRole('row', { name: new RegExp(mortal.name) });
      await expect(row).toContainText('Avoided', { timeout: 60_000 });
      await row.click();
      await expect(admin.getByRole('complementary')).toContainText('New messages take other routes');
    });
    // A few messages may have been sent, so they wait for the provider.
    tunnel.reopen();

    await test.step('each recipient got exactly one message', async () => {
      await expect(customer.getByRole('main').getByText('Completed')).toBeVisible({ timeout: PATIENCE_MS });
      const figure = customer
        .getByRole('region', { name: 'Progress' })
        .locator('div', { has: customer.getByText('Delivered', { exact: true }) })
        .locator('dd');
      await expect(figure.first()).toContainText(COUNT.toLocaleString('en-US'), { timeout: PATIENCE_MS });
      const received = (await sent()).map(({ to }) => to);
      expect(received).toHaveLength(COUNT);
      expect(new Set(received)).toEqual(new Set(numbers));
    });

    await test.step('the inspector of a message explains the failover', async () => {
      const moved = await findMoved(company.api, new URL(customer.url()).pathname.split('/').at(-1)!, mortal.name);
      await customer.getByPlaceholder('Number or name').fill(moved.to);
      await customer.getByRole('row', { name: new RegExp(moved.to.slice(-4)) }).click();
      const panel = customer.getByRole('complementary');
      await expect(panel).toContainText(
        `Moved to ${moved.connection_name}, because ${mortal.name} cannot send at the moment.`,
      );
      const route = panel
        .getByRole('list', { name: 'Why the message was accepted' })
        .getByRole('listitem')
        .filter({ hasText: 'A route reaches the number' });
      await expect(route).toContainText(`connection ${mortal.name}`);
      await expect(route).toContainText('a share of 50%');
      await expect(route).toContainText(`failover ${moved.connection_name}, because ${mortal.name} could not send`);
    });

    await test.step('the delivery insights count the messages of each connection', async () => {
      await customer.goto('/insights?tab=delivery');
      const table = customer.getByRole('table', { name: 'Time to delivery by route' });
      const counts: number[] = [];
      for (const connection of connections) {
        const row = table.getByRole('row', { name: new RegExp(connection.name) });
        await expect(row).toBeVisible();
        counts.push(Number((await row.getByRole('cell').nth(1).innerText()).replaceAll(',', '')));
      }
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(COUNT);
      expect(counts[0]).toBeLessThan(COUNT / 2);
    });
  } finally {
    tunnel.cut();
    for (const { id } of connections) await operator.put(`connections/${id}`, { enabled: false });
  }
});

interface Moved {
  id: string;
  to: string;
  connection_name: string;
}

/** Finds a message of the campaign that moved away from the connection. */
async function findMoved(api: Api, campaign_id: string, from: string): Promise<Moved> {
  const messages = await api.get<{ id: string }[]>(`messages?page_size=100&filter[campaign_ids]=${campaign_id}`);
  for (const { id } of messages) {
    const message = await api.get<Moved & { timeline: { moved?: { from: string } }[] }>(`messages/${id}`);
    if (message.timeline.some(({ moved }) => moved?.from === from)) return message;
  }
  throw new Error(`No message moved away from ${from}`);
}
