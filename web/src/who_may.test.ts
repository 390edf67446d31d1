/**
 * Every address of the app against every state somebody can be in, generated from the routes: one that is added tomorrow is tried as well. What is right
 * is worked out here from the specification (section 6) and not by the code that is tried. `PRINT=1` prints the table.
 */
import { allPermissions, BITS, type Need, type Permissions, split } from '@parley/contract/permission.ts';
import { describe, expect, test } from 'vitest';
import { gateRedirect } from './kernel/session/gates.ts';
import { isAbsent, type RouteRule, routeReason } from './kernel/session/routes.tsx';
import { isAdminHost } from './kernel/session/session.tsx';
import type { Session } from './kernel/session/state.ts';
import { makeRouter } from './routes.tsx';
import { ACCOUNT, USER } from './test/draw.tsx';

/** Where one ends: the page, the page closed with its reason, another address, or nothing there. */
type End = 'open' | 'closed' | 'absent' | `to ${string}`;
interface Route {
  path: string;
  rule: RouteRule;
}

const routes: Route[] = Object.values(makeRouter({ kind: 'unknown' }).routesById).flatMap((route) => {
  const { rule } = (route.options as { staticData?: { rule?: RouteRule } }).staticData ?? {};
  return rule ? [{ path: (route as { fullPath: string }).fullPath, rule }] : [];
});

const who = (change: Partial<Omit<Session, 'account' | 'user'>> & { account?: object; user?: object }): Session => ({
  permissions: allPermissions(),
  admin: false,
  live: 'open',
  ...change,
  account: { ...ACCOUNT, ...change.account },
  user: { ...USER, ...change.user },
});

/** As the router does it: first what is to be done, then what is there, then what may be opened. */
function endOf({ path, rule }: Route, session: Session): End {
  const instead = gateRedirect(session, path);
  if (instead) return `to ${instead}`;
  if (isAbsent(rule, session)) return 'absent';
  return routeReason(rule, session) ? 'closed' : 'open';
}

const needsOf = (rule: RouteRule): Need[] => [rule.needs ?? []].flat() as Need[];
const held = (permissions: Permissions, need: Need): boolean => {
  const { resource, level } = split(need);
  return ((permissions[resource] ?? 0) & BITS[level]) !== 0;
};
const mayOpen = (rule: RouteRule, permissions: Permissions) =>
  !rule.needs || needsOf(rule).some((need) => held(permissions, need));
const isLook = (rule: RouteRule) => needsOf(rule).every((need) => need.endsWith(':view'));

const IMPERSONATED = { ...allPermissions(), KEYS: 0, MEDIA: 3 };
const impersonation = { operator_name: 'O', reason: 'R', expire_date: '2026-12-01 00:00:00', kind: 'operator' };
/** Nobody makes or changes users in somebody else’s name. */
const PERSON = ['/settings/users/create', '/settings/users/$id'];
/** Addresses that stay while a phone, a second factor, or funds are waited for. */
const KEPT = {
  phone: ['/phone-verification', '/logout'],
  second_factor: ['/settings/security', '/logout'],
  trial: /^\/(expired|logout|change-phone|add-funds(\/.*)?|settings(\/.*)?)$/,
};
const customer = (route: Route, end: End): End => (route.rule.admin ? 'absent' : end);

const STATES: Record<string, readonly [session: Session, wanted: (route: Route) => End]> = {
  'the owner': [who({}), (route) => customer(route, 'open')],
  'somebody without permissions': [
    who({ permissions: {} }),
    (route) => customer(route, route.rule.needs ? 'closed' : 'open'),
  ],
  'not verified': [
    who({ account: { verified: false, status: 'UNVERIFIED' } }),
    (route) => customer(route, isLook(route.rule) || route.rule.unverified ? 'open' : 'closed'),
  ],
  'trial over': [
    who({ account: { trial: true, trial_period_expired: true, days_left: 0 } }),
    (route) => (KEPT.trial.test(route.path) ? customer(route, 'open') : 'to /expired'),
  ],
  'a phone to verify': [
    who({ user: { pending: 'phone' }, permissions: {} }),
    ({ path }) => (KEPT.phone.includes(path) ? 'open' : 'to /phone-verification'),
  ],
  'a second factor to set up': [
    who({ user: { pending: 'second_factor' }, permissions: {} }),
    ({ path }) => (KEPT.second_factor.includes(path) ? 'open' : 'to /settings/security'),
  ],
  'the owner of a sub-account': [
    who({ account: { account_type: 'SUB_ACCOUNT', parent_id: ACCOUNT.id } }),
    (route) => customer(route, route.rule.main_only ? 'absent' : 'open'),
  ],
  'in a sub-account, with the rights of home': [
    who({
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
  'an operator in somebody’s name': [
    who({ user: { impersonation }, permissions: IMPERSONATED }),
    (route) => customer(route, mayOpen(route.rule, IMPERSONATED) && !PERSON.includes(route.path) ? 'open' : 'closed'),
  ],
  'an operator on the admin host': [who({ account: { operator: true }, admin: true }), () => 'open'],
  'an operator on another host': [who({ account: { operator: true } }), (route) => customer(route, 'open')],
  'an operator on the admin host, without permissions': [
    who({ account: { operator: true }, admin: true, permissions: {} }),
    (route) => (route.rule.needs ? 'closed' : 'open'),
  ],
  'an operator without a second factor': [
    who({ account: { operator: true }, admin: true, user: { pending: 'second_factor' }, permissions: {} }),
    ({ path }) => (KEPT.second_factor.includes(path) ? 'open' : 'to /settings/security'),
  ],
};

describe('every address, opened by', () => {
  test.each(Object.entries(STATES))('%s', (_, [session, wanted]) => {
    const wrong = routes.flatMap((route) => {
      const [end, right] = [endOf(route, session), wanted(route)];
      return end === right ? [] : [`${route.path} ends in "${end}", wanted "${right}"`];
    });
    expect(wrong).toEqual([]);
  });

  test('each of its flags and nothing else opens what needs it', () => {
    const needing = routes.filter(({ rule }) => rule.needs);
    expect(needing.length).toBeGreaterThan(30);
    for (const { path, rule } of needing)
      for (const need of needsOf(rule)) {
        const { resource, level } = split(need);
        const admin = Boolean(rule.admin);
        const only = who({ admin, permissions: { [resource]: BITS[level] } });
        expect([path, endOf({ path, rule }, only)]).toEqual([path, 'open']);
      }
    for (const { path, rule } of needing) {
      const less: Record<string, number> = allPermissions();
      for (const need of needsOf(rule)) {
        const { resource, level } = split(need);
        less[resource] = (less[resource] ?? 0) & ~BITS[level];
      }
      const session = who({ admin: Boolean(rule.admin), permissions: less });
      expect([path, endOf({ path, rule }, session)]).toEqual([path, 'closed']);
    }
  });

  test.runIf(process.env.PRINT)('whoever wants to read it', () => {
    const rows = routes.map((route) => {
      const ends = Object.entries(STATES).map(([state, [session]]) => [state, endOf(route, session)]);
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
])('%s is the operators’ host: %s', (host, yes) => {
  expect(isAdminHost(host)).toBe(yes);
});
