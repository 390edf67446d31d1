/** A first-time owner, from sign-up to the first campaign. Each step starts with a button of the checklist. */
import { OPERATOR } from '../api.ts';
import { chooseOption, signUp } from '../company.ts';
import { freshDigits } from '../sandbox.ts';
import { expect, type Page, test } from '../test.ts';

const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true }).click();
const step = (page: Page, name: string) =>
  expect(page.getByRole('heading', { level: 2, name, exact: true })).toBeVisible();

interface WaitingRequest {
  id: string;
  company_name: string;
  status: string;
}

test('the checklist guides a first-time owner from sign-up to the first campaign', async ({ page, api, sandbox }) => {
  test.setTimeout(240_000);
  const name = Date.now().toString(36);
  const company = `Rösterei ${name}`;
  const email = `rosa@${name}.example`;
  const phone = `49176${freshDigits(8)}`;
  const guest = `4917604${freshDigits(6)}`;
  const operator = await api(OPERATOR);
  const approve = async () => {
    const requests = await operator.get<WaitingRequest[]>(`requests?filter[search]=${encodeURIComponent(company)}`);
    const [waiting] = requests.filter(({ company_name }) => company_name === company);
    await operator.put(`requests/${waiting!.id}`, { decision: 'approve' });
  };
  const list = page.getByRole('region', { name: 'Next steps' });
  const home = () => page.getByRole('link', { name: /, home$/ }).click();

  await test.step('signing up opens the checklist, which does not block the app', async () => {
    await signUp(page, sandbox, { first_name: 'Rosa', last_name: 'Neu', company, email });
    await page.getByLabel('Phone number', { exact: true }).pressSequentially(`+${phone}`);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/phone-verification?step=code');
    await page.getByLabel('Code').fill(await sandbox.textedCode(phone));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Look around first' }).click();
    await expect(list).toContainText('Verify your company');
    // Steps that the company cannot take yet are not listed.
    await expect(list).not.toContainText('Send a campaign');
  });

  await test.step('the company is verified', async () => {
    await list.getByRole('link', { name: 'Fill out the form' }).click();
    await page.getByLabel('Address').fill('Am Kai 4, 20457 Hamburg');
    await chooseOption(page, 'Industry', /^Retail/);
    await chooseOption(page, 'Company size', '1-50');
    await chooseOption(page, 'Messages per month', '1,000 to 10,000');
    await page.getByLabel('What you send').fill('Pickup notices for customers who asked for them at the counter.');
    await page.getByRole('checkbox', { name: 'SMS', exact: true }).check();
    await page.getByRole('button', { name: 'Submit for review' }).click();
    await expect(page.getByRole('heading', { name: 'Your account is under review' })).toBeVisible();
    await approve();
    await page.getByRole('link', { name: 'Go to the dashboard' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Look around first' }).click();
    await expect(list).not.toContainText('Verify your company');
  });

  await test.step('a first message arrives on the own phone', async () => {
    await list.getByRole('link', { name: 'Try it now' }).click();
    await page.getByRole('link', { name: 'Try it: SMS' }).click();
    await page.getByRole('button', { name: 'Send test' }).click();
    await expect(page.getByRole('region', { name: 'Message preview' }).getByText('Delivered')).toBeVisible();
    await home();
    await expect(list.getByRole('link', { name: 'Try it now' })).toHaveCount(0);
  });

  await test.step('a sender is requested and approved', async () => {
    await list.getByRole('link', { name: 'Create sender' }).click();
    await chooseOption(page, 'Country', 'Germany');
    await page.getByRole('link', { name: 'Request sender ID' }).click();
    await step(page, 'Sender ID');
    await page.getByRole('textbox', { name: 'Sender ID' }).fill(`Ros${name.slice(-6)}`);
    await next(page);
    await step(page, 'Company');
    await page.getByLabel('Website').fill(`${sandbox.url}/`);
    await page.getByLabel('Phone').fill('+49 40 1234567');
    await next(page);
    await step(page, 'Purpose');
    await chooseOption(page, 'Purpose', 'Delivery notifications');
    await page.getByLabel('Description').fill('Customers who order beans get a message when their order arrives.');
    await next(page);
    await step(page, 'Examples');
    await page.getByLabel('Example 1').fill('Rösterei: your order has left our roastery today.');
    await page.getByLabel('Example 2').fill('Rösterei: your parcel was delivered. Enjoy your beans.');
    await next(page);
    await step(page, 'Documents');
    await next(page);
    await step(page, 'Review');
    await page.getByRole('button', { name: 'Submit for review' }).click();
    await expect(page.getByRole('complementary').getByText('Pending')).toBeVisible();
    await home();
    await expect(list).toContainText('Get a sender');
    await approve();
    // The open page follows the approval.
    await expect(list).not.toContainText('Get a sender');
  });

  await test.step('contacts are imported', async () => {
    await list.getByRole('link', { name: 'Create audience' }).click();
    await page.locator('input[type=file]').setInputFiles({
      name: 'Guests.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`Number,First name\n+${guest},Gesa`),
    });
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await expect(page.getByText('1 contact in Guests')).toBeVisible();
    await home();
    await expect(list).not.toContainText('Import your contacts');
  });

  await test.step('the first campaign arrives, and its step is done', async () => {
    await list.getByRole('link', { name: 'Create SMS campaign' }).click();
    await page.getByLabel('Name').fill('First beans');
    await chooseOption(page, 'Sender', /^Ros/);
    await chooseOption(page, 'Audience', /^Guests/);
    await next(page);
    await page.getByRole('textbox', { name: 'Text' }).fill('Hello {first_name}, your beans are roasted.');
    await next(page);
    await page.getByRole('button', { name: /^Send to 1 person for/ }).click();
    await expect(page.getByRole('main').getByText('Completed')).toBeVisible();
    expect((await sandbox.messages(guest)).map(({ text }) => text)).toEqual(['Hello Gesa, your beans are roasted.']);
    await home();
    await expect(list).not.toContainText('Send a campaign');
    await list.getByRole('button', { name: 'Dismiss all' }).click();
    await expect(list).toHaveCount(0);
  });
});
