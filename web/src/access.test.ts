/**
 * Tests every route of the app with every kind of session. The list comes from the routes, so new routes are covered.
 * The expected results follow the specification (section 6), independently of the code under test. `PRINT=1` prints the
 * table.
 */
import { allPermissions, BITS, type Need, type Permissions, split } from '@parley/contract/permission.ts';
import { describe, expect, test } from 'vitest';
import { gateRedirect } from './kernel/session/gates.ts';
import { isAbsent, type RouteRule, routeReason } from './kernel/session/routes.tsx';
import { isAdminHost } from './kernel/session/session.tsx';
import type { Session } from './kernel/session/state.ts';
import { makeRouter } from './routes.tsx';
import { ACCOUNT, USER } from './test/draw.tsx';

/** The result of a visit: the page, a closed page with a reason, not found, or a redirect. */
type End = 'open' | 'closed' | 'absent' | `to ${string}`;
interface Route {
  path: string;
  rule: RouteRule;
}

const routes: Route[] = Object.values(makeRouter({ kind: 'unknown' }).routesById).flatMap((route) => {
  const { rule } = (route.options as { staticData?: { rule?: RouteRule } }).staticData ?? {};
  return rule ? [{ path: (route as { fullPath: string }).fullPath, rule }] : [];
});

const makeSession = (
  change: Partial<Omit<Session, 'account' | 'user'>> & { account?: object; user?: object },
): Session => ({
  permissions: allPermissions(),
  admin: false,
  live: 'open',
  ...change,
  account: { ...ACCOUNT, ...change.account },
  user: { ...USER, ...change.user },
});

/** Checks in the same order as the router: pending steps, existence, permission. */
function resolveEnd({ path, rule }: Route, session: Session): End {
  const target = gateRedirect(session, path);
  if (target) return `to ${target}`;
  if (isAbsent(rule, session)) return 'absent';
  return routeReason(rule, session) ? 'closed' : 'open';
}

const listNeeds = (rule: RouteRule): Need[] => [rule.needs ?? []].flat() as Need[];
const hasPermission = (permissions: Permissions, need: Need): boolean => {
  const { resource, level } = split(need);
  return ((permissions[resource] ?? 0) & BITS[level]) !== 0;
};
const mayOpen = (rule: RouteRule, permissions: Permissions) =>
  !rule.needs || listNeeds(rule).some((need) => hasPermission(permissions, need));
const isViewOnly = (rule: RouteRule) => listNeeds(rule).every((need) => need.endsWith(':view'));

const IMPERSONATED = { ...allPermissions(), KEYS: 0, MEDIA: 3 };
const impersonation = { operator_name: 'O', reason: 'R', expire_date: '2026-12-01 00:00:00', kind: 'operator' };
/** Impersonated sessions cannot create or change users. */
const PERSON = ['/settings/users/create', '/settings/users/$id'];
/** Paths that stay open while a phone verification, 2FA setup, or payment is pending. */
const STILL_OPEN = {
  phone: ['/phone-verification', '/logout'],
  second_factor: ['/settings/security', '/logout'],
  trial: /^\/(expired|logout|change-phone|add-funds(\/.*)?|settings(\/.*)?)$/,
};
const customer = (route: Route, end: End): End => (route.rule.admin ? 'absent' : end);

const STATES: Record<string, readonly [session: Session, expected: (route: Route) => End]> = {
  'the owner': [makeSession({}), (route) => customer(route, 'open')],
  'a user without permissions': [
    makeSession({ permissions: {} }),
    (route) => customer(route, route.rule.needs ? 'closed' : 'open'),
  ],
  'an unverified account': [
    makeSession({ account: { verified: false, status: 'UNVERIFIED' } }),
    (route) => customer(route, isViewOnly(route.rule) || route.rule.unverified ? 'open' : 'closed'),
  ],
  'an expired trial': [
    makeSession({ account: { trial: true, trial_period_expired: true, days_left: 0 } }),
    (route) => (STILL_OPEN.trial.test(route.path) ? customer(route, 'open') : 'to /expired'),
  ],
  'a user who must verify a phone': [
    makeSession({ user: { pending: 'phone' }, permissions: {} }),
    ({ path }) => (STILL_OPEN.phone.includes(path) ? 'open' : 'to /phone-verification'),
  ],
  'a user who must set up 2FA': [
    makeSession({ user: { pending: 'second_factor' }, permissions: {} }),
    ({ path }) => (STILL_OPEN.second_factor.includes(path) ? 'open' : 'to /settings/security'),
  ],
  'the owner of a sub-account': [
    makeSession({ account: { account_type: 'SUB_ACCOUNT', parent_id: ACCOUNT.id } }),
    (route) => customer(route, route.rule.main_only ? 'absent' : 'open'),
  ],
  'a main-account user in a sub-account': [
    makeSession({
      account: { account_type: 'SUB_ACCOUNT', parent_id: ACCOUNT.id },
      user: { impersonation: { ...impersonation, kind: 'parent' } },
      permissions: { ACCOUNTS: 5, CAMPAIGNS: 1, USERS: 15 },
    }),
    (route) =>
      customer(
        route,
        route.rule.main_only
          ? 'absent'
          : mayOpen(route.rule, { ACCOUNTS: 5, CAMPAIGNS: 1, USERS: 15 }) && !PERSON.includes(route.path)
            ? 'open'
            : 'closed',
      ),
  ],
  'an impersonating operator': [
    makeSession({ user: { impersonation }, permissions: IMPERSONATED }),
    (route) => customer(route, mayOpen(route.rule, IMPERSONATED) && !PERSON.includes(route.path) ? 'open' : 'closed'),
  ],
  'an operator on the admin host': [makeSession({ account: { operator: true }, admin: true }), () => 'open'],
  'an operator on another host': [makeSession({ account: { operator: true } }), (route) => customer(route, 'open')],
  'an operator without permissions on the admin host': [
    makeSession({ account: { operator: true }, admin: true, permissions: {} }),
    (route) => (route.rule.needs ? 'closed' : 'open'),
  ],
  'an operator without 2FA': [
    makeSession({ account: { operator: true }, admin: true, user: { pending: 'second_factor' }, permissions: {} }),
    ({ path }) => (STILL_OPEN.second_factor.includes(path) ? 'open' : 'to /settings/security'),
  ],
};

describe('every route', () => {
  test.each(Object.entries(STATES))('behaves as specified for %s', (_, [session, expected]) => {
    const mismatches = routes.flatMap((route) => {
      const [end, expectedEnd] = [resolveEnd(route, session), expected(route)];
      return end === expectedEnd ? [] : [`${route.path} ends in "${end}", expected "${expectedEnd}"`];
    });
    expect(mismatches).toEqual([]);
  });

  test('opens with any one of its permissions and is closed without them', () => {
    const restrictedRoutes = routes.filter(({ rule }) => rule.needs);
    expect(restrictedRoutes.length).toBeGreaterThan(30);
    for (const { path, rule } of restrictedRoutes)
      for (const need of listNeeds(rule)) {
        const { resource, level } = split(need);
        const admin = Boolean(rule.admin);
        const session = makeSession({ admin, permissions: { [resource]: BITS[level] } });
        expect([path, resolveEnd({ path, rule }, session)]).toEqual([path, 'open']);
      }
    for (const { path, rule } of restrictedRoutes) {
      const permissions: Record<string, number> = allPermissions();
      for (const need of listNeeds(rule)) {
        const { resource, level } = split(need);
        permissions[resource] = (permissions[resource] ?? 0) & ~BITS[level];
      }
      const session = makeSession({ admin: Boolean(rule.admin), permissions });
      expect([path, resolveEnd({ path, rule }, session)]).toEqual([path, 'closed']);
    }
  });

  test.runIf(process.env.PRINT)('is printed in a table when PRINT is set', () => {
    const rows = routes.map((route) => {
      const ends = Object.entries(STATES).map(([state, [session]]) => [state, resolveEnd(route, session)]);
      return [route.path, Object.fromEntries(ends)];
    });
    console.table(Object.fromEntries(rows));
  });
});

test.each([
  ['admin.parley.example', true],
  ['admin-parley.example', true],
  ['admin.localhost', true],
  ['administration.example', false],
  ['parley.example', false],
  ['my.admin.example', false],
])('the admin host check for %s returns %s', (host, expected) => {
  expect(isAdminHost(host)).toBe(expected);
});
