/** Operators compare payments with the payment provider. */
import { findProblems, NARROW, WIDE } from '../accessible/look.ts';
import { OPERATOR } from '../api.ts';
import { expect, test } from '../test.ts';

test('an operator compares payments with the payment provider', async ({ openAs }) => {
  const page = await openAs(OPERATOR, { host: 'admin', path: '/payments' });
  await page.getByRole('link', { name: /^Reconciliation/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Reconciliation' })).toBeVisible();
  await page.getByRole('button', { name: 'Compare now' }).click();
  await expect(page.getByText('Comparison started')).toBeVisible();
  await expect(page.getByText(/^Last compared/)).toBeVisible();
  await expect(page.getByText('No differences yet')).toBeVisible();
  for (const viewport of [WIDE, NARROW]) {
    await page.setViewportSize(viewport);
    expect(await findProblems(page, `reconciliation, ${viewport.width} wide`)).toEqual([]);
  }
});
