/**
 * The pages that a user with given permissions can open: every menu entry and every page. It applies the same rules as
 * the menu and the routes, so the preview always matches what the user sees.
 */
import type { Permissions } from '@parley/contract/permission.ts';
import type { AnyRouter } from '@tanstack/react-router';
import { buildMenu, type MenuEntry } from '../kernel/session/menu.ts';
import { isAbsent, routeReason } from '../kernel/session/routes.tsx';
import type { Session } from '../kernel/session/state.ts';
import { NAV, TRY_IT_NOW } from '../nav.ts';

export interface AccessEntry {
  key: string;
  label: string;
  path: string;
  /** The reason why the user cannot open it; null if they can. */
  reason: string | null;
  /** The menu entry it is nested under. */
  group: string | null;
}
export interface Access {
  menu: AccessEntry[];
  pages: AccessEntry[];
}

type Router = Pick<AnyRouter, 'routesById' | 'routesByPath'>;

const withPermissions = (session: Session, permissions: Permissions): Session => ({
  ...session,
  user: { ...session.user, is_owner: false, pending: null },
  permissions,
  admin: false,
});

export function previewAccess(session: Session, permissions: Permissions, router: Router): Access {
  const user = withPermissions(session, permissions);
  return { menu: listMenu(user, router), pages: listPages(user, router) };
}

function listMenu(user: Session, { routesByPath }: Router): AccessEntry[] {
  const exists = (path: string) => path in routesByPath;
  const flatten = (entries: readonly MenuEntry[], group: string | null): AccessEntry[] =>
    entries.flatMap(({ item: { label, path }, reason, children }) =>
      children.length > 0 ? flatten(children, label) : [{ key: path, label, path, reason, group }],
    );
  const { label, path } = TRY_IT_NOW;
  const tryItNow = { key: path, label, path, reason: routeReason(TRY_IT_NOW, user), group: null };
  return [
    ...(exists(path) ? [tryItNow] : []),
    ...buildMenu(NAV, user, '', exists).flatMap((entries) => flatten(entries, null)),
  ];
}

interface PlainRoute {
  fullPath: string;
  options: {
    staticData?: { title?: string; rule?: Parameters<typeof routeReason>[0] & Parameters<typeof isAbsent>[0] };
  };
}

function listPages(user: Session, { routesById }: Router): AccessEntry[] {
  const pages: AccessEntry[] = [];
  for (const { fullPath, options } of Object.values(routesById) as PlainRoute[]) {
    const { title, rule } = options.staticData ?? {};
    if (!title || !rule || rule.admin) continue;
    const reason = isAbsent(rule, user) ? 'Not available in sub-accounts.' : routeReason(rule, user);
    pages.push({ key: fullPath, label: title, path: fullPath.replace(/\$\w+/g, '…'), reason, group: null });
  }
  return pages.sort((a, b) => a.path.localeCompare(b.path));
}
