/** A page looked at for everybody: too wide, or against the rules of WCAG, in light and in dark. */
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '../test.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
export const WIDE = { width: 1280, height: 800 };
export const NARROW = { width: 390, height: 844 };

/** What is wrong with what is on the screen, in both colour schemes. */
export async function look(page: Page, what: string, inside?: string): Promise<string[]> {
  const findings: string[] = [];
  const over = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  if (over > 0) findings.push(`${what}: ${over} px too wide`);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // The app follows in a moment of its own; half of one look and half of the other would be no finding.
    await expect
      .poll(() =>
        page.evaluate(`document.documentElement.getAttribute('data-mantine-color-scheme') ?? '${colorScheme}'`),
      )
      .toBe(colorScheme);
    const axe = new AxeBuilder({ page });
    const { violations } = await (inside ? axe.include(inside) : axe)
      .options({ runOnly: TAGS, resultTypes: ['violations'] })
      // There are no frames, and without them no page of its own is needed to add up what was found.
      .setLegacyMode(true)
      .analyze();
    for (const { id, nodes } of violations)
      for (const { target, failureSummary } of nodes)
        findings.push(
          `${what}, ${colorScheme}: ${id} at ${target.join(' ')}: ${failureSummary?.split('\n')[1]?.trim()}`,
        );
  }
  return findings;
}
