/** Targets are set, a conversation shows when it is due, the list filters by it, and a digest is turned on. */
import { OWNER } from '../api.ts';
import { freshDigits } from '../sandbox.ts';
import { expect, test } from '../test.ts';
import { conversationRows } from './conversation_rows.ts';

const BUSINESS = '4917139200000';

test('a target is set, its clock is shown and filtered, and a reply stops it', async ({ openAs, api, sandbox }) => {
  const owner = await api(OWNER);
  const phone = `120268${freshDigits(5)}`;
  const text = `How long do you take ${freshDigits(6)}?`;
  const page = await openAs(OWNER, { path: '/settings/inbox' });
  try {
    await test.step('the target is saved in its unit', async () => {
      const form = page.getByRole('form', { name: 'Targets' });
      await form.getByRole('textbox', { name: 'First response' }).fill('30');
      await form.getByLabel('Count only office hours').uncheck();
      await form.getByRole('button', { name: 'Save targets' }).click();
      await expect(page.getByText('Targets saved')).toBeVisible();
      expect(await owner.get('inbox_settings')).toMatchObject({ response_target_minutes: 30 });
    });
    await test.step('a new conversation shows when its first response is due', async () => {
      await sandbox.write(phone, BUSINESS, text);
      await page.goto('/inbox/unassigned');
      const row = conversationRows(page).filter({ hasText: text });
      await expect(row).toContainText(/Due \d+ min/);
      await page.getByRole('combobox', { name: 'Targets' }).selectOption({ label: 'Due within an hour' });
      await expect(row).toBeVisible();
      await row.click();
      await expect(page.getByText(/First response due in \d+ min/)).toBeVisible();
      await page.setViewportSize({ width: 390, height: 844 });
      await expect(page.getByText(/First response due in \d+ min/)).toBeVisible();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      await page.setViewportSize({ width: 1280, height: 800 });
    });
    await test.step('a reply stops the clock', async () => {
      const [conversation] = await owner.get<{ sender_id: string }[]>(`conversations?filter[search]=${phone}`);
      const from = conversation!.sender_id;
      await owner.post('messages', { channel: 'SMS', from, to: phone, text: 'About a minute' });
      await expect(page.getByText(/First response due/)).toHaveCount(0);
    });
    await test.step('the digest is turned on and off', async () => {
      await page.goto('/settings/user');
      const choice = page.getByRole('combobox', { name: 'Email digest' });
      await choice.selectOption({ label: 'Every day' });
      await expect(page.getByText(/^Time zone /)).toBeVisible();
      expect(await owner.get('digest_settings')).toMatchObject({ every_hours: 24, time: '08:00' });
      await choice.selectOption({ label: 'Never' });
      await expect(page.getByText(/^Time zone /)).toHaveCount(0);
    });
  } finally {
    await owner.put('inbox_settings', { response_target_minutes: null, targets_in_office_hours: true });
  }
});
