/**
 * A route is its path, its title, who may see it and a page that is loaded when it is opened. The same object answers the menu, the palette,
 * the page title and direct visits, so that none of them can disagree. Search parameters are plain strings: `?page=2&statuses=sent,failed`.
 */
import { type Needs, needReason, split } from '@parley/contract/permission.ts';
import { type AnyRoute, createRoute, lazyRouteComponent, notFound, useMatches } from '@tanstack/react-router';
import { type ComponentType, type FunctionComponent, lazy, Suspense } from 'react';
import { PageSkeleton } from '../../ui/feedback/PageSkeleton.tsx';
import { pendingReason, personReason } from './gates.ts';
import { useSessionContext } from './session.tsx';
import type { Session, State } from './state.ts';

export interface PageRoute {
  path: string;
  title: string;
  /** Nobody is refused unless it says so. */
  needs?: Needs;
  /** Open to accounts that are not verified even though it needs add or edit. */
  unverified?: boolean;
  /** Only for the person themselves, not for whoever acts in their name. */
  person?: boolean;
  /** The page fills the frame to its edges and scrolls inside: the inbox. */
  flush?: boolean;
  /** Operators' view only. */
  admin?: boolean;
  /** Not there for sub-accounts. */
  main_only?: boolean;
  page: () => Promise<{ default: ComponentType }>;
}

/** What decides whether somebody may open it. */
export type RouteRule = Pick<PageRoute, 'needs' | 'unverified' | 'admin' | 'main_only' | 'person'>;

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    title?: string;
    flush?: boolean;
    /** Who may open it: read by the access preview. */
    rule?: RouteRule;
  }
}

export function pageRoute<P extends AnyRoute>(parent: P, route: PageRoute): AnyRoute {
  const Page = lazyPage(route.page);
  const Guarded = () => {
    const { state } = useSessionContext();
    const framed = useMatches({ select: (matches) => matches.some(({ routeId }) => routeId.endsWith('/frame')) });
    // While the session ends the redirect is on its way; nothing of the page may be drawn any more.
    if (state.kind !== 'in') return null;
    const closed = closedBy(route, state.session);
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
    // What belongs to operators is not there for anybody else, nor are sub-accounts for sub-accounts.
    beforeLoad: ({ context }: { context: { state?: State } }) => {
      if (context.state?.kind === 'in' && isAbsent(route, context.state.session)) throw notFound();
    },
    pendingComponent: PageSkeleton,
    component: Object.assign(Guarded, Page.preload ? { preload: Page.preload } : {}),
  }) as unknown as AnyRoute;
}

/** What stands there is seldom read, and must not be waited for by everybody else. */
const ClosedPage = lazy(() => import('./ClosedPage.tsx'));

type LazyPage = FunctionComponent & { preload?: () => Promise<void> };
/** The router's own type for it asks for the page's props, which pages do not have. */
const lazyPage = (page: PageRoute['page']): LazyPage => lazyRouteComponent(page) as unknown as LazyPage;

/** A page for people who are not signed in. */
export function publicRoute<P extends AnyRoute>(parent: P, route: Omit<PageRoute, 'needs' | 'admin'>): AnyRoute {
  return createRoute({
    getParentRoute: () => parent as AnyRoute,
    path: route.path,
    staticData: { title: route.title },
    component: lazyPage(route.page),
  }) as unknown as AnyRoute;
}

/** Not there at all, as opposed to there and closed. */
export const isAbsent = (route: RouteRule, { admin, account }: Pick<Session, 'admin' | 'account'>): boolean =>
  Boolean((route.admin && !admin) || (route.main_only && account.account_type === 'SUB_ACCOUNT'));

export interface Closed {
  by: 'permission' | 'pending' | 'person' | 'unverified';
  reason: string;
}
type Entrance = Pick<PageRoute, 'needs' | 'unverified' | 'person'>;
export const routeReason = (route: Entrance, session: Session): string | null =>
  closedBy(route, session)?.reason ?? null;

/** Null when it may be opened. An account that is not verified may look but neither add nor edit. */
function closedBy(route: Entrance, session: Session): Closed | null {
  if (!route.needs) return null;
  const needs = typeof route.needs === 'string' ? [route.needs] : route.needs;
  const held = needs.filter((need) => {
    const { resource, level } = split(need);
    return ((session.permissions[resource] ?? 0) & BIT[level]) !== 0;
  });
  const pending = pendingReason(session);
  if (held.length === 0 && pending) return { by: 'pending', reason: pending };
  if (held.length === 0) return { by: 'permission', reason: needReason(route.needs) };
  const another = route.person ? personReason(session) : null;
  if (another) return { by: 'person', reason: another };
  const open = session.account.verified || route.unverified || held.some((need) => split(need).level === 'view');
  return open ? null : { by: 'unverified', reason: 'This opens once your account is verified.' };
}

const BIT = { view: 1, add: 2, edit: 4, delete: 8 };

/** Of the page that is open. Undefined where there is none: an address that is not for everybody must not tell what is there. */
export function useTitle(): string | undefined {
  const { state } = useSessionContext();
  const found = useMatches({ select: (matches) => matches.findLast(({ staticData }) => staticData.title)?.staticData });
  return found?.rule && state.kind === 'in' && isAbsent(found.rule, state.session) ? undefined : found?.title;
}

/** Plain strings both ways; the router's own JSON form would write `page=%222%22`. */
export const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));

export function stringifySearch(search: Record<string, unknown>): string {
  const parts = Object.entries(search)
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value)).replace(/%2C/g, ',')}`);
  return parts.length ? `?${parts.join('&')}` : '';
}

/** Removes a trailing slash before the router sees the address; a redirect inside the router would loop on the first load. */
export function normalizeAddress(): void {
  const { pathname, search, hash } = window.location;
  const path = pathname.replace(/\/{2,}/g, '/').replace(/(.)\/+$/, '$1');
  if (path !== pathname) window.history.replaceState(window.history.state, '', path + search + hash);
}
