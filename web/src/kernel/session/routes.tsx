/**
 * A route is a path, a title, a rule that determines who may open it, and a page that loads on demand. The menu, the
 * palette, page titles, and direct visits all use the same object, so they always agree. Search parameters are plain
 * strings: `?page=2&statuses=sent,failed`.
 */
import { type Needs, needReason, split } from '@parley/contract/permission.ts';
import { type AnyRoute, createRoute, notFound, useMatches } from '@tanstack/react-router';
import { type ComponentType, Suspense } from 'react';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { PageSkeleton } from '../../ui/feedback/PageSkeleton.tsx';
import { pendingReason, personReason } from './gates.ts';
import { lazyPage } from './lazy_page.tsx';
import { useSessionContext } from './session.tsx';
import type { Closed, Session, State } from './state.ts';

interface PageRoute {
  path: string;
  title: string;
  /** The permission that opens the page; without it, every user may open the page. */
  needs?: Needs;
  /** True if the page is open to unverified accounts, even though it needs the add or edit permission. */
  unverified?: boolean;
  /** True if the page is closed to impersonated sessions. */
  person?: boolean;
  /** True if the page fills the frame to its edges and scrolls internally, like the inbox. */
  flush?: boolean;
  /** True if the page exists only in the operators' view. */
  admin?: boolean;
  /** True if the page does not exist for sub-accounts. */
  main_only?: boolean;
  page: () => Promise<{ default: ComponentType }>;
}

/** The parts of a route that decide whether a user may open the page. */
export type RouteRule = Pick<PageRoute, 'needs' | 'unverified' | 'admin' | 'main_only' | 'person'>;

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    title?: string;
    flush?: boolean;
    /** The rule that determines who may open the page. The access preview uses it. */
    rule?: RouteRule;
  }
}

export function pageRoute<P extends AnyRoute>(parent: P, route: PageRoute): AnyRoute {
  const Page = lazyPage(route.page);
  const Guarded = () => {
    const { state } = useSessionContext();
    const framed = useMatches({ select: (matches) => matches.some(({ routeId }) => routeId.endsWith('/frame')) });
    // The session has ended and the redirect is pending, so no part of the page may be rendered.
    if (state.kind !== 'in') return null;
    const closed = findClosed(route, state.session);
    if (!closed) return <Page />;
    return (
      <Suspense>
        <ClosedPage title={route.title} closed={closed} framed={framed} />
      </Suspense>
    );
  };
  return createRoute({
    getParentRoute: () => parent as AnyRoute,
    path: route.path,
    staticData: { title: route.title, rule: route, ...(route.flush ? { flush: true } : {}) },
    // Operators' pages are not found for other users, nor is the sub-accounts page for sub-accounts.
    beforeLoad: ({ context }: { context: { state?: State } }) => {
      if (context.state?.kind === 'in' && isAbsent(route, context.state.session)) throw notFound();
    },
    pendingComponent: PageSkeleton,
    component: Object.assign(Guarded, { preload: Page.preload }),
  }) as unknown as AnyRoute;
}

/** Loaded lazily, because few users see it. */
const ClosedPage = lazyPart(() => import('./ClosedPage.tsx'));

/** A page for signed-out users. */
export function publicRoute<P extends AnyRoute>(parent: P, route: Omit<PageRoute, 'needs' | 'admin'>): AnyRoute {
  return createRoute({
    getParentRoute: () => parent as AnyRoute,
    path: route.path,
    staticData: { title: route.title },
    component: lazyPage(route.page),
  }) as unknown as AnyRoute;
}

/** True if the page does not exist for this user, as opposed to being closed. */
export const isAbsent = (route: RouteRule, { admin, account }: Pick<Session, 'admin' | 'account'>): boolean =>
  Boolean((route.admin && !admin) || (route.main_only && account.account_type === 'SUB_ACCOUNT'));

type Entrance = Pick<PageRoute, 'needs' | 'unverified' | 'person'>;
export const routeReason = (route: Entrance, session: Session): string | null =>
  findClosed(route, session)?.reason ?? null;

/** Why the page is closed; null if it is open. An unverified account may view pages, but not add or edit anything. */
function findClosed(route: Entrance, session: Session): Closed | null {
  if (!route.needs) return null;
  const needs = typeof route.needs === 'string' ? [route.needs] : route.needs;
  const held = needs.filter((need) => {
    const { resource, level } = split(need);
    return ((session.permissions[resource] ?? 0) & BIT[level]) !== 0;
  });
  const pending = pendingReason(session);
  if (held.length === 0 && pending) return { by: 'pending', reason: pending };
  if (held.length === 0) return { by: 'permission', reason: needReason(route.needs) };
  const person = route.person ? personReason(session) : null;
  if (person) return { by: 'person', reason: person };
  const open = session.account.verified || route.unverified || held.some((need) => split(need).level === 'view');
  return open ? null : { by: 'unverified', reason: 'Available once your account is verified.' };
}

const BIT = { view: 1, add: 2, edit: 4, delete: 8 };

/**
 * The title of the open page; undefined if the page is not found, so that a URL does not reveal a page that only other
 * users may see.
 */
export function useTitle(): string | undefined {
  const { state } = useSessionContext();
  const data = useMatches({ select: (matches) => matches.findLast(({ staticData }) => staticData.title)?.staticData });
  return data?.rule && state.kind === 'in' && isAbsent(data.rule, state.session) ? undefined : data?.title;
}

/** Reads and writes search parameters as plain strings; the router's default JSON format would write `page=%222%22`. */
export const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));

export function stringifySearch(search: Record<string, unknown>): string {
  const parts = Object.entries(search)
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value)).replace(/%2C/g, ',')}`);
  return parts.length ? `?${parts.join('&')}` : '';
}

/**
 * Removes a trailing slash before the router starts, because a redirect inside the router would loop on the first load.
 */
export function normalizeAddress(): void {
  const { pathname, search, hash } = window.location;
  const path = pathname.replace(/\/{2,}/g, '/').replace(/(.)\/+$/, '$1');
  if (path !== pathname) window.history.replaceState(window.history.state, '', path + search + hash);
}
