/** A user reads the history of a person, exports it, and erases the person. */
import { OWNER } from '../api.ts';
import { freshDigits } from '../sandbox.ts';
import { expect, test } from '../test.ts';

const BUSINESS = '4917139200000';

for (const width of [1280, 390])
  test(`a person has one timeline and can be erased at ${width} px`, async ({ openAs, api, sandbox, quiet }) => {
    quiet.allow(/^404 GET \/v1\/people\/\d+/);
    const run = freshDigits(6);
    const phone = `4917156${run}`;
    const owner = await api(OWNER);
    await owner.post('people', { number: `+${phone}`, first_name: `Ida${run}` });
    await sandbox.write(phone, BUSINESS, `Is table ${run} free?`);
    const page = await openAs(OWNER, { path: `/contacts/people/${phone}`, viewport: { width, height: 800 } });
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await expect(timeline.getByText(`Is table ${run} free?`)).toBeVisible();
    await timeline.getByRole('link', { name: 'Open conversation' }).click();
    await expect(page).toHaveURL(/inbox.*conversation=/);
    await page.goBack();
    await timeline.getByRole('link', { name: 'Open message' }).click();
    await expect(page).toHaveURL(/message=/);
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(`Ida${run}`);

    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'JSON Lines file' }).click();
    await expect(page.getByText('Export started')).toBeVisible();

    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Erase person' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('Kept as proof');
    await expect(dialog.getByRole('button', { name: 'Erase person' })).toBeDisabled();
    await dialog.getByRole('textbox').fill(`+${phone}`);
    await dialog.getByRole('button', { name: 'Erase person' }).click();
    await expect(page.getByText('The remaining data is kept as proof')).toBeVisible({ timeout: 30_000 });
    await expect(page.getByText('Not in your contacts')).toBeVisible();
    await expect(timeline.getByText('Deleted message')).toBeVisible();
    await expect(timeline.getByText('Erasure requested')).toBeVisible();
    await expect(page.getByText(`Is table ${run} free?`)).toHaveCount(0);
    await page.goto(`/insights?search=${phone}`);
    await expect(page.getByText('Deleted message').first()).toBeVisible();
  });
