/**
 * Campaigns on WhatsApp and Viber: a template with a mapped variable, a message with a button and a fallback channel.
 * The phone of the recipient shows exactly what the preview showed.
 */
import { OWNER } from '../api.ts';
import { chatPhone, newNumber } from '../chat_phones.ts';
import { expect, type Page, test } from '../test.ts';

const unique = () => Date.now().toString(36).slice(-6);
const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true }).click();
const preview = (page: Page) => page.getByRole('complementary');

async function chooseAudience(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Audience', exact: true }).fill(name);
  await page.getByRole('option', { name }).click();
  await expect(page.getByLabel('Recipients')).toContainText('Will receive1');
}

for (const width of [1280, 390]) {
  test(`a WhatsApp campaign sends a template with an image and the values of each contact at ${width} px`, async ({
    openAs,
    api,
    sandbox,
  }) => {
    const owner = await api(OWNER);
    const name = `Course ${unique()}`;
    const phone = chatPhone(sandbox, newNumber());
    const contacts = [{ number: phone.digits, first_name: 'Amelia' }];
    await owner.post('audiences', { name, channel: 'WHATSAPP', contacts });
    const page = await openAs(OWNER, { path: '/whatsapp/my-campaigns', viewport: { width, height: 800 } });
    await page.getByRole('link', { name: 'Create campaign' }).first().click();
    await expect(page).toHaveURL('/whatsapp/create-campaign');
    await chooseAudience(page, name);
    await page.getByLabel('Name').fill(name);
    await next(page);
    await next(page);
    await expect(page.getByRole('alert').first()).toContainText('Template is required!');
    await page.getByRole('button', { name: 'Choose template' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'new_roast' }).click();
    await page.getByLabel('Default').fill('friend');
    await expect(preview(page).getByRole('img').first()).toBeVisible();
    const text = 'Our new *Ethiopia Guji* is here, Amelia: peach, jasmine, honey. 250 g for 12.50 until Sunday.';
    await expect(preview(page)).toContainText(text.replaceAll('*', ''));
    await next(page);
    // On a phone, the table has only the total of each country.
    if (width > 390) await expect(page.getByText('Per message')).toBeVisible();
    await expect(page.getByRole('row', { name: /^Reserved at start/ })).toContainText('$');
    await page.getByRole('button', { name: 'Rehearse campaign' }).click();
    const rehearsal = page.getByRole('dialog', { name: 'Rehearsal' });
    await expect(rehearsal).toContainText('1 person would get the message');
    await expect(rehearsal).toContainText(text);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Send to 1 person/ }).click();
    await expect(page.getByRole('heading', { name })).toBeVisible();
    await expect(page.getByText('Completed').first()).toBeVisible({ timeout: 30_000 });
    await expect(async () => {
      const [message] = await phone.messages();
      expect(message).toMatchObject({ channel: 'WHATSAPP', content: { text, media: { mime: 'image/jpeg' } } });
    }).toPass();
  });

  test(`a Viber campaign sends a message with a button and a fallback by SMS at ${width} px`, async ({
    openAs,
    api,
    sandbox,
  }) => {
    const owner = await api(OWNER);
    const name = `Beans ${unique()}`;
    const phone = chatPhone(sandbox, newNumber());
    await owner.post('audiences', { name, channel: 'VIBER', contacts: [{ number: phone.digits, first_name: 'Ben' }] });
    const page = await openAs(OWNER, { path: '/viber/create-campaign', viewport: { width, height: 800 } });
    await chooseAudience(page, name);
    await page.getByLabel('Name').fill(name);
    await next(page);
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Fresh beans today, {first_name:dear guest}.');
    await page.getByRole('switch', { name: 'Button' }).focus();
    await page.keyboard.press('Space');
    await page.getByLabel('Button text').fill('Order');
    await page.getByLabel('Button action URL').fill('https://example.com/beans');
    await page.getByRole('button', { name: 'Add fallback channel' }).click();
    await page.getByRole('combobox', { name: 'Channel' }).click();
    await page.getByRole('option', { name: 'SMS' }).click();
    await expect(preview(page)).toContainText('Fresh beans today, Ben.');
    await next(page);
    await page.getByRole('button', { name: /^Send to 1 person/ }).click();
    await expect(page.getByRole('heading', { name })).toBeVisible();
    await expect(page.getByText('Fallbacks')).toBeVisible();
    await expect(async () => {
      const [message] = await phone.messages();
      expect(message).toMatchObject({
        channel: 'VIBER',
        content: { buttons: [{ text: 'Order', value: 'https://example.com/beans' }] },
      });
      expect(JSON.stringify(message)).toContain('Fresh beans today, Ben.');
    }).toPass();
    await expect(page.getByRole('table').filter({ hasText: 'Forecast' })).toContainText('Total');
  });
}

test('a WhatsApp automation sends a free text to people who wrote, and the template to others', async ({
  openAs,
  api,
  sandbox,
}) => {
  const owner = await api(OWNER);
  const name = `Hello ${unique()}`;
  const [writer, stranger] = [chatPhone(sandbox, newNumber()), chatPhone(sandbox, newNumber())];
  const [sender] = await owner.get<{ code: string; name: string }[]>('senders?filter[channel]=whatsapp');
  await writer.write({ channel: 'WHATSAPP', to: sender!.code, text: 'Are you open?' });
  const { id: audience } = await owner.post<{ id: string }>('audiences', { name, channel: 'WHATSAPP' });
  const page = await openAs(OWNER, { path: '/whatsapp/create-campaign' });
  await page.getByRole('combobox', { name: 'Audience', exact: true }).fill(name);
  await page.getByRole('option', { name }).click();
  await page.getByLabel('Name').fill(name);
  await next(page);
  await page.getByRole('button', { name: 'Choose template' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'new_roast' }).click();
  await page.getByLabel('Default').fill('friend');
  await page.getByRole('switch', { name: /^Free text for people/ }).focus();
  await page.keyboard.press('Space');
  await next(page);
  await expect(page.getByRole('alert').first()).toContainText('Text is required!');
  await page.getByRole('textbox', { name: 'Free text' }).fill('Yes, until six, {first_name:friend}.');
  await expect(page.getByText('Choose “Automatically” in the last step.')).toBeVisible();
  await next(page);
  await page.getByText('Automatically', { exact: true }).click();
  const split = page.getByText(/^People who messaged you in the last 24 hours get your free text/);
  await expect(split).toContainText('Everyone else gets the template.');
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(split).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Activate automation' }).click();
  await expect(page.getByText('to people who messaged you in the last 24 hours')).toBeVisible();
  for (const { digits } of [writer, stranger]) await owner.post(`audiences/${audience}/contacts`, { number: digits });
  const texts = async (phone: typeof writer) =>
    (await phone.messages()).filter(({ direction }) => direction === 'to_phone').map(({ content }) => content.text);
  await expect.poll(() => texts(writer), { timeout: 30_000 }).toEqual(['Yes, until six, friend.']);
  await expect.poll(() => texts(stranger)).toEqual([expect.stringContaining('is here, friend: peach')]);
  const id = new URL(page.url()).pathname.split('/').at(-1)!;
  await owner.put(`campaigns/${id}`, { status: 'canceled' });
  const created = await owner.get<{ id: string; series_id: string | null }[]>('campaigns');
  for (const run of created.filter(({ series_id }) => series_id === id))
    await owner.put(`campaigns/${run.id}`, { status: 'canceled' });
});
