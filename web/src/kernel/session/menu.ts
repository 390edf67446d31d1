/**
 * Determines which menu entries exist, which one is active, and why an entry is disabled. Kept pure so that a table of
 * cases can test it.
 */

import type { NavItem } from '../../nav.ts';
import { routeReason } from './routes.tsx';
import type { Session } from './state.ts';

export interface MenuEntry {
  item: NavItem;
  reason: string | null;
  active: boolean;
  children: MenuEntry[];
}

export function buildMenu(
  groups: readonly (readonly NavItem[])[],
  session: Session,
  path: string,
  exists: (path: string) => boolean,
): MenuEntry[][] {
  const toEntry = (item: NavItem): MenuEntry | null => {
    if (item.channel && !session.account.channels.some((name) => name.toUpperCase() === item.channel)) return null;
    const children = (item.children ?? []).map(toEntry).filter((child) => child !== null);
    if (item.children ? children.length === 0 : !exists(item.path)) return null;
    const allClosed = children.length > 0 && children.every((child) => child.reason !== null);
    return {
      item,
      reason: allClosed ? (children[0]?.reason ?? null) : routeReason(item, session),
      active: children.length
        ? children.some((child) => child.active)
        : [activeRoot(item), ...(item.also ?? [])].some((root) => isWithin(path, root)),
      children,
    };
  };
  return groups
    .map((group) => group.map(toEntry).filter((entry) => entry !== null))
    .filter((group) => group.length > 0);
}

/**
 * The path prefix that makes an entry active: `/sms/create-campaign` belongs to the entry that links to
 * `/sms/my-campaigns`.
 */
const activeRoot = (item: NavItem): string => (item.channel ? item.path.replace(/\/my-campaigns$/, '') : item.path);

const isWithin = (path: string, root: string): boolean => path === root || path.startsWith(`${root}/`);
