/** The link in an email about a mention stops these emails without a sign-in. */
import { AGENT, OWNER } from '../api.ts';
import { freshDigits } from '../sandbox.ts';
import { expect, test } from '../test.ts';

const BUSINESS = '4917139200000';

test('a click in an email about a mention stops these emails, and the settings turn them on again', async ({
  api,
  openAs,
  page,
  sandbox,
  quiet,
}) => {
  const phone = `120273${freshDigits(5)}`;
  await sandbox.write(phone, BUSINESS, `Do you deliver ${phone}?`);
  const [agent, owner] = [await api(AGENT), await api(OWNER)];
  const { id: owner_id } = await owner.get<{ id: string }>('users/self');
  const find = () => agent.get<{ id: string }[]>(`conversations?filter[search]=${phone}`);
  await expect.poll(async () => (await find()).length).toBe(1);
  const [conversation] = await find();
  await agent.post(`conversations/${conversation!.id}/notes`, {
    text: `Do we deliver there? ${phone}`,
    mentions: [owner_id],
  });
  const link = async () => {
    const mail = await sandbox.mail(OWNER, /mentioned you in a conversation/);
    return mail.text.includes(phone) ? mail.links.find((one) => one.includes('/unsubscribe/')) : undefined;
  };
  await expect.poll(link, { timeout: 30_000 }).toBeTruthy();
  const address = (await link())!;

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(address);
  await expect(page.getByRole('heading', { name: 'Stop the emails about mentions?' })).toBeVisible();
  await expect(page.getByText('Parley', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Settings, My user' })).toHaveAttribute('href', '/settings/user');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await owner.get('digest_settings'), 'opening the link changes nothing').toMatchObject({
    mention_emails: true,
  });
  await page.getByRole('button', { name: 'Stop these emails' }).click();
  await expect(page.getByRole('heading', { name: 'Emails stopped' })).toBeVisible();
  expect(await owner.get('digest_settings')).toMatchObject({ mention_emails: false });

  quiet.expect(/^404 GET \/unsubscribe\//);
  await page.goto(address.slice(0, -3));
  await expect(page.getByRole('heading', { name: 'Link not valid' })).toBeVisible();

  const settings = await openAs(OWNER, { path: '/settings/user' });
  const mentions = settings.getByLabel(/^Email about mentions/);
  await expect(mentions).not.toBeChecked();
  await mentions.click();
  await expect.poll(() => owner.get('digest_settings')).toMatchObject({ mention_emails: true });
});
