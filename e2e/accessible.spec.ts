/**
 * Accessibility of pages without data, and with data for signed-out visitors and operators. See accessible/ for the
 * owner's pages with data, and for panels, dialogs, and menus.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProblemsInTurn, WIDE } from './accessible/look.ts';
import { EXCLUDED_ROUTES, PLACES } from './accessible/places.ts';
import { splitPlaces, testPages, visit, visitInParallel } from './accessible/visits.ts';
import { OPERATOR, OWNER } from './api.ts';
import { ROOT } from './system/parley.ts';
import { expect, test } from './test.ts';

test('the accessibility checks cover every route in the app', () => {
  const folder = join(ROOT, 'web/src');
  const routes = readdirSync(folder)
    .filter((name) => /^routes.*\.tsx$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  const declared = [...routes.matchAll(/path: '([^']+)'|inboxRoute\('([^']+)'/g)].map(
    ([, path, inbox]) => path ?? inbox,
  );
  const missing = declared.filter(
    (path) => !EXCLUDED_ROUTES.includes(path!) && !PLACES.some(({ route }) => route === path),
  );
  expect(missing).toEqual([]);
  expect(declared.length).toBeGreaterThan(20);
});

const EARLY = PLACES.filter((place) => place.early);

for (const [group, places] of splitPlaces('the owner', EARLY))
  test(`pages without data are accessible to ${group}`, async ({ openAs }) => {
    test.setTimeout(300_000);
    const findings = await visitInParallel(places, async () => {
      const page = await openAs(OWNER, { viewport: WIDE, reducedMotion: 'reduce' });
      return async (place) => {
        await visit(page, place, place.route);
        return findProblemsInTurn(page, place.route, EARLY.indexOf(place));
      };
    });
    expect(findings).toEqual([]);
  });

testPages(
  'signed-out visitors',
  PLACES.filter(({ who }) => who === null),
);
testPages(
  OPERATOR,
  PLACES.filter(({ who }) => who === OPERATOR),
);
