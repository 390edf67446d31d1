import type { Page } from '../test.ts';

const form = (page: Page) => page.frameLocator('iframe[title="Secure payment form"]');

/** Enters a card into the form of the payment provider. */
export async function enterCard(page: Page, number: string): Promise<void> {
  await form(page).getByLabel('Card number').fill(number);
  await form(page).getByLabel('Expiration date').fill('12/40');
  await form(page).getByLabel('Security code').fill('123');
}

/** Completes the challenge of the bank. */
export const passChallenge = (page: Page): Promise<void> =>
  form(page).getByRole('button', { name: 'Complete' }).click();

/** Pays with a new card, from the page for the amount to the result. */
export async function payByCard(page: Page, amount: string, number: string): Promise<void> {
  await page.goto('/add-funds');
  await page.getByRole('textbox', { name: 'Amount' }).fill(amount);
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await enterCard(page, number);
  await page.getByRole('button', { name: /^Pay / }).click();
}
