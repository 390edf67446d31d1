/**
 * Lighthouse on the two most visited pages. These checks give the same result on every machine. The performance score
 * depends on the load of the machine, so the test only prints it, and `npm run bench lighthouse` checks it.
 */
import { OWNER } from './api.ts';
import { audit } from './lighthouse/audit.ts';
import { expect, test } from './test.ts';

const KIB = 1024;

for (const [name, path, email] of [
  ['the sign-in page', '/sign-in', null],
  ['the dashboard', '/', OWNER],
] as const)
  test(`${name} is accessible, follows best practices, has a stable layout, and stays within its size limits`, async ({
    at,
    api,
  }) => {
    test.setTimeout(120_000);
    const { scores, shift, bytes, files, findings } = await audit(
      at.app + path,
      email ? (await api(email)).token : undefined,
    );
    console.log(`      Lighthouse, ${name}: ${JSON.stringify({ ...scores, shift, files, ...bytes })}`);
    // The target score is 95 out of 100 in each category, but every finding so far was worth fixing.
    expect(findings('accessibility', 'best-practices')).toEqual([]);
    expect(Math.min(scores.accessibility, scores['best-practices'])).toBeGreaterThanOrEqual(95);
    expect(shift).toBeLessThan(0.01);
    // Phone numbers load their numbering rules (about 45 KiB) after the first screen.
    expect(bytes.all).toBeLessThan((email ? 480 : 460) * KIB);
    expect(files).toBeLessThanOrEqual(20);
    expect(bytes.unused_css).toBeLessThan(20 * KIB);
  });
