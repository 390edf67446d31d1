import { readFile } from 'node:fs/promises';
import { expect, type Page } from '../test.ts';

/** Exports what a list on the page shows, and returns the text of the downloaded file, which has the list's name. */
export async function exportShown(page: Page, format: string, list: string): Promise<string> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: format }).click();
  const file = page.waitForEvent('download', { timeout: 60_000 });
  const toast = page.getByRole('status').filter({ hasText: `${list}-` });
  await toast.getByRole('button', { name: 'Download' }).click({ timeout: 60_000 });
  const download = await file;
  expect(download.suggestedFilename()).toMatch(new RegExp(`^${list}-\\d{4}-\\d\\d-\\d\\d\\.`));
  return readFile(await download.path(), 'utf8');
}
