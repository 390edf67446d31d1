/**
 * The settings tabs. A tab that the user may not open is hidden. If the user opens its page directly, the page shows
 * the reason.
 */
import { type RouteRule, routeReason } from '../kernel/session/routes.tsx';
import type { Session } from '../kernel/session/state.ts';
import {
  ALERTS,
  AUDIT_LOG,
  BRAND,
  COMPANY,
  COUNTRY_BLACKLIST,
  INBOX_SETTINGS,
  INTEGRATIONS,
  KEYWORDS,
  MY_USER,
  SECURITY,
  SMS_LIMITS,
  USERS,
} from '../paths.ts';

interface Tab extends RouteRule {
  label: string;
  path: string;
  /** Other paths of the same page. */
  also?: readonly string[];
}

export const TABS: readonly Tab[] = [
  { label: 'My user', path: MY_USER, also: ['/settings/user'] },
  { label: 'Security', path: SECURITY },
  { label: 'Company', path: COMPANY, needs: 'ACCOUNTS:view' },
  { label: 'Alerts', path: ALERTS, needs: 'ALERTS:view' },
  { label: 'SMS limits', path: SMS_LIMITS, needs: 'SMS_LIMITS:view', unverified: true },
  { label: 'Country blacklist', path: COUNTRY_BLACKLIST, needs: 'ACCOUNTS:view', unverified: true },
  { label: 'Inbox', path: INBOX_SETTINGS, needs: 'MESSAGES:view', unverified: true },
  { label: 'Keywords', path: KEYWORDS, needs: 'SENDERS:view', unverified: true },
  { label: 'Users', path: USERS, needs: 'USERS:add', unverified: true },
  { label: 'Brand', path: BRAND, needs: 'ACCOUNTS:view', main_only: true },
  { label: 'Integrations', path: INTEGRATIONS, needs: 'MESSAGES:view' },
  { label: 'Audit log', path: AUDIT_LOG, needs: 'ACCOUNTS:edit', unverified: true },
];

export const visibleTabs = (session: Session, exists: (path: string) => boolean): Tab[] =>
  TABS.filter((tab) => exists(tab.path) && routeReason(tab, session) === null);

/** True for the tab's own page, and for pages below it that have no tab of their own. */
export function isOpen(tab: Tab, path: string): boolean {
  if (path === tab.path || tab.also?.includes(path)) return true;
  return tab.path !== MY_USER && path.startsWith(`${tab.path}/`);
}
