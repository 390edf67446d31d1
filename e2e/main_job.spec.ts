/** The main job of a new user in the browser, from signing in to answering a reply. */
import { readFile } from 'node:fs/promises';
import { OWNER } from './api.ts';
import { doctor } from './doctor.ts';
import { expect, type Page, signIn, test } from './test.ts';

/** Eighteen recipients who receive the message. One has no first name. */
const NAMES = [
  'Ada', 'Bruno', 'Cleo', 'David', 'Edda', 'Falk', 'Greta', 'Henk', 'Ines', '',
  'Kaya', 'Lasse', 'Mira', 'Nils', 'Oda', 'Piet', 'Quinn', 'Rosa',
]; // biome-ignore format: the names fit on two lines
/** Makes names unique, so that a retry on the same Parley imports different people. */
const TRY = Number(process.env.TEST_WORKER_INDEX ?? 0);
const FRIENDS = `harbour friends ${TRY + 1}`;
const CAMPAIGN = `Harbour sale ${TRY + 1}`;
const numberAt = (index: number) => `4917604069${String(30 + (TRY % 40) * 20 + index).padStart(3, '0')}`;
const UNREACHABLE = '447400900901';
const ANSWERS = '447400900915';
const PEOPLE = new Map([
  ...NAMES.map((name, index) => [numberAt(index), name] as const),
  [UNREACHABLE, 'Sven'] as const,
  [ANSWERS, 'Thea'] as const,
]);
const FILE = [
  'First name;Surname;Mobile;Favourite',
  // Numbers as people write them: with and without a country code, with spaces, with a leading 00.
  ...NAMES.map((name, index) => {
    const digits = numberAt(index);
    const national = `0${digits.slice(2)}`;
    const formatted = [`+${digits}`, national, `+49 ${digits.slice(2, 5)} ${digits.slice(5)}`, `00${digits}`][
      index % 4
    ];
    return `${name};Person ${index};${formatted};filter`;
  }),
  `Sven;Far;+${UNREACHABLE};espresso`,
  `Thea;Quick;+${ANSWERS};mocha`,
  `Ada;Again;00${numberAt(0)};filter`,
  'Nobody;;;filter',
  'Typo;;call me maybe;filter',
  'Short;;+4917;filter',
].join('\r\n');

const textFor = (name: string) =>
  `Hello ${name || 'there'}, the harbour sale ${TRY + 1} is on. Table for two? Just reply.`;

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('a user imports contacts, sends them a campaign, and answers a reply', async ({
  page,
  context,
  at,
  api,
  sandbox,
}) => {
  test.setTimeout(240_000);
  await page.goto('/');
  await signIn(page, OWNER);
  await expect(page.getByRole('heading', { name: 'Hello, Dana' })).toBeVisible();
  const before = await waitForBalance(page);

  await test.step('the file is previewed and imported', async () => {
    await page.goto('/contacts/create-audience');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: `${FRIENDS}.csv`, mimeType: 'text/csv', buffer: Buffer.from(FILE) });
    await expect(page.getByLabel('Name')).toHaveValue(FRIENDS);
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await expect(page.getByRole('combobox', { name: 'Import Mobile as' })).toHaveValue('Number');
    await expect(page.getByRole('combobox', { name: 'Import First name as' })).toHaveValue('First name');
    await expect(page.getByRole('article', { name: 'Contact preview' })).toContainText('Ada');
    await page.getByRole('button', { name: 'Import 24 rows' }).click();
    await expect(page.getByText(`20 contacts in ${FRIENDS}`)).toBeVisible();
    const counts = page.getByLabel('Rows by result');
    await expect(figure(counts, 'Created')).toHaveText('20');
    await expect(figure(counts, 'Duplicate')).toHaveText('1');
    await expect(figure(counts, 'Invalid')).toHaveText('3');

    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download skipped rows (4)' }).click();
    const skippedRows = await readFile(await (await waiting).path(), 'utf8');
    for (const row of ['Ada', 'Nobody', 'call me maybe', '+4917']) expect(skippedRows).toContain(row);
  });

  let price = '';
  await test.step('the message is written and previewed for each recipient', async () => {
    await page.goto('/sms/create-campaign');
    await page.getByLabel('Name').fill(CAMPAIGN);
    await choose(page, 'Sender', /^Harbour Hamburg/);
    await choose(page, 'Audience', new RegExp(`^${FRIENDS}`));
    await expect(page.getByLabel('Recipients')).toContainText('20');
    await next(page);

    const text = page.getByRole('textbox', { name: 'Text' });
    await text.fill('Hello ');
    await page.getByRole('button', { name: 'Insert a variable' }).click();
    await page.getByRole('button', { name: 'First name' }).click();
    await expect(text).toHaveValue('Hello {first_name}');
    await text.fill(textFor('{first_name:there}'));

    const phone = page.getByLabel('Message preview');
    const previewed = new Set<string>();
    for (let index = 1; index <= PEOPLE.size; index++) {
      const caption = page.getByRole('figure').locator('figcaption');
      await expect(caption).toContainText(`${index}/20`);
      const digits = ((await caption.innerText()).match(/\+[\d ]+/)?.[0] ?? '').replace(/\D/g, '');
      await expect(phone).toHaveText(textFor(PEOPLE.get(digits) ?? 'a stranger'));
      previewed.add(digits);
      if (index < PEOPLE.size) await page.getByRole('button', { name: 'Next recipient' }).click();
    }
    expect([...previewed].sort()).toEqual([...PEOPLE.keys()].sort());
    await next(page);

    const send = page.getByRole('button', { name: /^Send to 20 people for \$/ });
    await expect(send).toBeVisible();
    price = (await send.innerText()).match(/\$\d[\d,]*\.\d+/)?.[0] ?? '';
    await expect(page.getByRole('row', { name: /^Reserved at start/ })).toContainText(price);
    await send.click();
  });

  await test.step('the campaign is delivered over SMPP, and the page shows the progress', async () => {
    await expect(page.getByRole('heading', { name: CAMPAIGN })).toBeVisible();
    const progress = page.getByRole('region', { name: 'Progress' });
    await expect(figure(progress, 'Delivered')).toContainText('19', { timeout: 40_000 });
    await expect(figure(progress, 'Undelivered')).toContainText('1');
    await expect(figure(progress, 'Cost')).toHaveText(price);
    await expect(page.getByRole('main').getByText('Completed')).toBeVisible();

    const submitted = await sandbox.submissions(`the harbour sale ${TRY + 1} is on`);
    expect(submitted.map(({ to, text }) => [to, text]).sort()).toEqual(
      [...PEOPLE].map(([digits, name]) => [digits, textFor(name)]).sort(),
    );
  });

  const phone = await context.newPage();
  await test.step('a reply from a phone appears in the inbox within a second', async () => {
    await phone.goto(`${at.sandbox}/#/phones/${numberAt(2)}`);
    await expect(phone.getByRole('log')).toContainText(textFor('Cleo'));

    await page.goto('/inbox/unassigned');
    await expect(page.getByRole('button', { name: /Thea Quick.*Thanks/ }), 'the automatic reply arrives').toBeVisible();
    await phone.getByLabel('Reply text').fill('Yes, at seven. The window seat, if it is free?');
    const arrival = page.getByRole('button', { name: /Cleo Person 2.*Yes, at seven/ }).waitFor();
    const start = performance.now();
    await phone.getByRole('button', { name: 'Send', exact: true }).click();
    await arrival;
    console.log(`      from the phone to the inbox: ${Math.round(performance.now() - start)} ms`);
    await expect(page.getByRole('link', { name: /^Unassigned/ })).toContainText(/[2-9]|99\+/);
    await expect(page).toHaveTitle(/^\(\d+\) Inbox: unassigned/);
  });

  await test.step('a reply from the inbox arrives on the phone', async () => {
    await page.getByRole('button', { name: /Cleo Person 2/ }).click();
    const thread = page.getByRole('region', { name: 'Messages' });
    await expect(thread).toContainText(textFor('Cleo'));
    await expect(thread).toContainText('Campaign');
    await expect(thread).toContainText('New messages');
    await expect(thread).toContainText('Yes, at seven. The window seat, if it is free?');
    await page.getByLabel('Reply to Cleo Person 2').fill('It is yours. See you at seven!');
    await page.keyboard.press('Control+Enter');
    await expect(thread.getByRole('img', { name: 'Delivered' }).last()).toBeVisible();
    await expect(thread.getByText('It is yours. See you at seven!')).toHaveCount(1);
    await expect(phone.getByRole('log')).toContainText('It is yours. See you at seven!');
    expect((await sandbox.messages(numberAt(2))).map(({ text }) => text)).toEqual([
      textFor('Cleo'),
      'Yes, at seven. The window seat, if it is free?',
      'It is yours. See you at seven!',
    ]);
  });

  await test.step('the log and the balance match exactly', async () => {
    const spent = before - (await waitForBalance(page));
    await page.goto(`/insights?search=${numberAt(2)}`);
    const table = page.getByRole('table');
    await expect(table.getByRole('row', { name: /It is yours/ })).toContainText('Delivered');
    await expect(table.getByRole('row')).toHaveCount(1 + 3);

    const owner = await api(OWNER);
    const [campaign] = await owner.get<{ id: string; cost_micros: number }[]>(`campaigns?filter[search]=${CAMPAIGN}`);
    const messages = await owner.get<Priced[]>(`messages?page_size=50&filter[campaign_ids]=${campaign?.id}`);
    const [reply] = await owner.get<Priced[]>(`messages?filter[source]=inbox&filter[to]=${numberAt(2)}`);
    expect(messages).toHaveLength(20);
    expect(sum(messages), 'the campaign cost equals the sum of its messages').toBe(campaign?.cost_micros);
    expect(spent, 'the balance drops by the cost of all messages').toBe(sum([...messages, reply!]));
    const { available_micros } = await money(page);
    await expect(page.getByRole('button', { name: /^Balance/ })).toContainText(dollars(available_micros));
    expect(dollars(campaign!.cost_micros), 'the cost matches the price shown before sending').toBe(price);
  });

  const { code, last, broken } = await doctor(at.data_dir);
  expect({ code, broken }, last).toEqual({ code: 0, broken: [] });
});

const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true }).click();

async function choose(page: Page, label: string, option: RegExp): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option }).click();
}

const figure = (container: ReturnType<Page['getByLabel']>, name: string) =>
  container.locator('div', { has: container.page().getByText(name, { exact: true }) }).locator('dd');

interface Money {
  available_micros: number;
  held_micros: number;
}

async function money(page: Page): Promise<Money> {
  return page.evaluate<Money>(`(async () => {
    const headers = { authorization: 'Bearer ' + localStorage.getItem('parley.token') };
    const { data: account } = await (await fetch('/v1/accounts/self', { headers })).json();
    return (await (await fetch('/v1/balances/' + account.id, { headers })).json()).data;
  })()`);
}

/** Returns the available balance once no money is on hold. A failure names the messages that still hold money. */
async function waitForBalance(page: Page): Promise<number> {
  const read = async () => ({ held_micros: (await money(page)).held_micros, unfinished: await unfinished(page) });
  await expect.poll(read, { message: 'all holds are released' }).toEqual({ held_micros: 0, unfinished: [] });
  return (await money(page)).available_micros;
}

async function unfinished(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(async () => {
    const headers = { authorization: 'Bearer ' + localStorage.getItem('parley.token') };
    const path = '/v1/messages?page_size=20&filter[statuses]=enroute,sent&filter[direction]=MT';
    const { data } = await (await fetch(path, { headers })).json();
    return data.map((one) => [one.channel, one.to, one.status, one.source, one.create_date, one.text].join(' '));
  })()`);
}

interface Priced {
  price_micros: number;
}
const sum = (messages: readonly Priced[]): number => messages.reduce((all, { price_micros }) => all + price_micros, 0);

const dollars = (micros: number): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(micros / 1_000_000);
