/**
 * Features that hold a campaign back or change its content: approval by a second user, an A/B test, a canary that
 * trips, a repeating campaign, and quiet hours in three time zones.
 */
import { AGENT, type Api, OWNER } from '../api.ts';
import { freshDigits, type Sandbox } from '../sandbox.ts';
import { expect, type Page, test } from '../test.ts';

const BUSINESS = '4917139200000';
const SMALL = { width: 390, height: 800 };
const WIDE = { width: 1280, height: 800 };

interface Campaign {
  id: string;
  status: string;
}

const unique = () => Date.now().toString(36).slice(-6);
/** Different German numbers. */
const numbers = (count: number): string[] => {
  const first = Number(freshDigits(7));
  return Array.from({ length: count }, (_, n) => `49152${String((first + n) % 10_000_000).padStart(8, '0')}`);
};

async function start(owner: Api, name: string, contacts: readonly string[], fields: object): Promise<string> {
  const { id: audience } = await owner.post<{ id: string }>('audiences', {
    ...{ name, channel: 'SMS', contacts: contacts.map((number) => ({ number })) },
  });
  const { id } = await owner.post<Campaign>('campaigns', {
    ...{ name, channel: 'SMS', from: BUSINESS, audience, start: true, text: `News ${name}` },
    ...fields,
  });
  return id;
}

const texts = async (sandbox: Sandbox, phone: string) => (await sandbox.messages(phone)).map(({ text }) => text);

/** Looks at the page on a phone: nothing is wider than the screen. */
async function expectNarrow(page: Page): Promise<void> {
  await page.setViewportSize(SMALL);
  await expect
    .poll(() => page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth'))
    .toBe(0);
  await page.setViewportSize(WIDE);
}

test('a campaign waits until a second user approves it', async ({ openAs, api, sandbox }) => {
  const owner = await api(OWNER);
  const name = `Approval ${unique()}`;
  const users = await owner.get<{ id: string; email: string; permissions: Record<string, number> }[]>('users');
  const agent = users.find(({ email }) => email === AGENT)!;
  await owner.put(`users/${agent.id}`, { permissions: { ...agent.permissions, CAMPAIGNS: 7 } });
  await owner.put('accounts/self', { campaign_approval: { recipients: 1, amount_micros: null } });
  try {
    const [phone, other] = numbers(2);
    const id = await start(owner, name, [phone!, other!], {});
    const own = await openAs(OWNER, { path: `/sms/my-campaigns/${id}` });
    await expect(own.getByText('Another user who can edit campaigns must approve this campaign')).toBeVisible();
    await expect(own.getByRole('button', { name: 'Approve' })).toHaveCount(0);
    expect(await texts(sandbox, phone!)).toEqual([]);
    const page = await openAs(AGENT, { path: `/sms/my-campaigns/${id}` });
    await expectNarrow(page);
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve and send' }).click();
    await expect(own.getByText('Completed').first()).toBeVisible();
    await expect.poll(() => texts(sandbox, phone!)).toEqual([`News ${name}`]);
    // The page would request data that its user may no longer view.
    await page.close();
  } finally {
    await owner.put('accounts/self', { campaign_approval: null });
    await owner.put(`users/${agent.id}`, { permissions: agent.permissions });
  }
});

test('the winner of an A/B test is sent to the rest', async ({ openAs, api, sandbox }) => {
  const owner = await api(OWNER);
  const name = `Test ${unique()}`;
  const phones = numbers(10);
  const id = await start(owner, name, phones, {
    test: { variants: [{ text: `Second ${name}` }], share_percent: 40, wait_minutes: 60 },
  });
  const page = await openAs(OWNER, { path: `/sms/my-campaigns/${id}` });
  const table = page.getByRole('region', { name: 'A/B test', exact: true });
  const sent = async () => (await Promise.all(phones.map((phone) => texts(sandbox, phone)))).flat();
  await expect.poll(async () => (await sent()).length).toBe(4);
  await expectNarrow(page);
  await table.getByRole('button', { name: 'Choose B' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send variant B' }).click();
  await expect(table).toContainText('Recipients outside the test get variant B.');
  await expect.poll(async () => (await sent()).length).toBe(10);
  const second = (await sent()).filter((text) => text.startsWith('Second'));
  const { variants } = await owner.get<{ variants: { variant: string; messages: number }[] }>(
    `campaigns/${id}/results`,
  );
  const tested = variants.find(({ variant }) => variant === 'B')!.messages;
  expect(second).toHaveLength(6 + tested);
});

test('landlines and numbers that are not in use are looked up first, and get no message', async ({
  openAs,
  api,
  sandbox,
}) => {
  const owner = await api(OWNER);
  const name = `Lookup ${unique()}`;
  // The sandbox decides by the last two digits.
  const [phone, unused, landline] = ['05', '00', '01'].map((end) => `49152${freshDigits(6)}${end}`);
  const id = await start(owner, name, [phone!, unused!, landline!], { start: false });
  const page = await openAs(OWNER, { path: `/sms/create-campaign?id=${id}` });
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByLabel('Look up numbers first').check();
  await expect(page.getByRole('row', { name: /^Carrier lookups/ })).toContainText('3$0.005');
  await expectNarrow(page);
  await page.getByRole('button', { name: /^Send to 3 people for \$/ }).click();
  await expect(page.getByText('Completed').first()).toBeVisible();
  expect(await texts(sandbox, phone!)).toEqual([`News ${name}`]);
  for (const other of [unused!, landline!]) expect(await texts(sandbox, other)).toEqual([]);
  await page.getByRole('link', { name: 'Skipped' }).click();
  await expect(page.getByRole('row', { name: /Number not in use/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /Landline/ })).toBeVisible();
});

test('a canary whose messages fail pauses the campaign', async ({ openAs, api, sandbox }) => {
  const owner = await api(OWNER);
  const name = `Canary ${unique()}`;
  const phones = numbers(30);
  for (const phone of phones) await sandbox.phone(phone, 'reject');
  const id = await start(owner, name, phones, {
    safety: { canary: { recipients: 20, wait_minutes: 60 }, limits: { failed_percent: 20 } },
  });
  const page = await openAs(OWNER, { path: `/sms/my-campaigns/${id}` });
  await expect(page.getByText('Paused').first()).toBeVisible({ timeout: 40_000 });
  await expect(page.getByText(/failed/).first()).toBeVisible();
  await expectNarrow(page);
  const mail = await sandbox.mail(OWNER, new RegExp(name));
  expect(mail.text).toContain(name);
  const sent = (await Promise.all(phones.map((phone) => texts(sandbox, phone)))).flat();
  expect(sent.length, 'the rest got nothing').toBeLessThanOrEqual(20);
});

test('a repeating campaign sends its run, and skips the next one', async ({ openAs, api, sandbox }) => {
  const owner = await api(OWNER);
  const name = `Daily ${unique()}`;
  const [phone] = numbers(1);
  const soon = new Date(Date.now() + 4_000).toISOString().slice(0, 19).replace('T', ' ');
  const id = await start(owner, name, [phone!], { schedule: soon, repeat: { every: 'day', count: 5 } });
  const page = await openAs(OWNER, { path: `/sms/my-campaigns/${id}` });
  await expect.poll(() => texts(sandbox, phone!), { timeout: 60_000 }).toEqual([`News ${name}`]);
  await expect(page.getByRole('region', { name: 'Past runs' }).getByRole('row')).toHaveCount(2);
  const runs = page.getByRole('region', { name: 'Next runs' }).getByRole('listitem');
  await expect(runs).toHaveCount(4);
  const next = await runs.first().textContent();
  await page.getByRole('button', { name: 'Skip next run' }).click();
  await expect(runs).toHaveCount(3);
  expect(await runs.first().textContent()).not.toBe(next);
  await expectNarrow(page);
});

test('people in three time zones get the message when their own night ends', async ({ openAs, api, sandbox }) => {
  const owner = await api(OWNER);
  const name = `Night ${unique()}`;
  const [berlin] = numbers(1);
  // Countries without legal hours, whose clocks are never within the allowed hours.
  const [tokyo, paulo] = [`819012${freshDigits(6)}`, `55119${freshDigits(8)}`];
  const hour = (later: number) => {
    const time = { timeZone: 'Europe/Berlin', hour: '2-digit', hourCycle: 'h23' } as const;
    return `${new Intl.DateTimeFormat('en-GB', time).format(Date.now() + later * 3_600_000)}:00`;
  };
  // It is quiet everywhere but around the time in Berlin.
  await owner.put('accounts/self', { quiet_hours: { from: hour(3), until: hour(-1) } });
  try {
    const id = await start(owner, name, [berlin!, tokyo, paulo], {});
    await expect.poll(() => texts(sandbox, berlin!)).toEqual([`News ${name}`]);
    const page = await openAs(OWNER, { path: `/sms/my-campaigns/${id}` });
    const waits = page.getByRole('region', { name: 'Waiting for their local time' }).getByRole('row');
    await expect(waits).toHaveCount(3);
    await expectNarrow(page);
    expect([await texts(sandbox, tokyo), await texts(sandbox, paulo)]).toEqual([[], []]);
    // Other files need a company without a running campaign.
    await owner.put(`campaigns/${id}`, { status: 'canceled' });
  } finally {
    await owner.put('accounts/self', { quiet_hours: null });
  }
});
