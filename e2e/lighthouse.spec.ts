/**
 * Lighthouse on the two pages everybody sees. Only what is the same on every machine is demanded here; its performance score depends on what else the
 * machine does, is printed, and demanded by `npm run bench lighthouse`.
 */
import { OWNER } from './api.ts';
import { look } from './lighthouse/look.ts';
import { expect, test } from './test.ts';

const KIB = 1024;

for (const [name, path, who] of [
  ['signing in', '/sign-in', null],
  ['the dashboard', '/', OWNER],
] as const)
  test(`${name}: accessible, by the book, nothing moves, nothing is carried for nothing`, async ({ at, api }) => {
    test.setTimeout(120_000);
    const { scores, shift, bytes, findings } = await look(at.app + path, who ? (await api(who)).token : undefined);
    console.log(`      Lighthouse, ${name}: ${JSON.stringify({ ...scores, shift, ...bytes })}`);
    // The budget is 95 of 100 each; whatever costs a point has been worth mending so far.
    expect(findings('accessibility', 'best-practices')).toEqual([]);
    expect(Math.min(scores.accessibility, scores['best-practices'])).toBeGreaterThanOrEqual(95);
    expect(shift).toBeLessThan(0.01);
    // The dashboard's chart, about 100 KiB, comes after its first screen.
    expect(bytes.all).toBeLessThan((who ? 620 : 460) * KIB);
    expect(bytes.unused_css).toBeLessThan(20 * KIB);
  });
