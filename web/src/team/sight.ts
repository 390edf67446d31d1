/** What a person with given permissions finds in the app: computed by the menu's and the routes' own code, so it cannot differ from what they get. */
import type { Permissions } from '@parley/contract/permission.ts';
import type { AnyRouter } from '@tanstack/react-router';
import { buildMenu, type MenuEntry } from '../kernel/session/menu.ts';
import { isAbsent, routeReason } from '../kernel/session/routes.tsx';
import type { Session } from '../kernel/session/state.ts';
import { NAV, TRY_IT_NOW } from '../nav.ts';

export interface Seen {
  key: string;
  label: string;
  path: string;
  /** Null: open. */
  reason: string | null;
  /** Under which entry of the menu it stands. */
  under: string | null;
}
export interface Sight {
  menu: Seen[];
  pages: Seen[];
}

export const asIf = (session: Session, permissions: Permissions): Session => ({
  ...session,
  user: { ...session.user, is_owner: false, pending: null },
  permissions,
  admin: false,
});

export function sightOf(
  session: Session,
  permissions: Permissions,
  router: Pick<AnyRouter, 'routesById' | 'routesByPath'>,
): Sight {
  const person = asIf(session, permissions);
  const exists = (path: string) => path in router.routesByPath;
  const flat = (entries: readonly MenuEntry[], under: string | null): Seen[] =>
    entries.flatMap(({ item, reason, children }) =>
      children.length > 0
        ? flat(children, item.label)
        : [{ key: item.path, label: item.label, path: item.path, reason, under }],
    );
  const tried: Seen[] = exists(TRY_IT_NOW.path)
    ? [
        {
          key: TRY_IT_NOW.path,
          label: TRY_IT_NOW.label,
          path: TRY_IT_NOW.path,
          reason: routeReason(TRY_IT_NOW, person),
          under: null,
        },
      ]
    : [];
  return {
    menu: [...tried, ...buildMenu(NAV, person, '', exists).flatMap((group) => flat(group, null))],
    pages: pagesOf(person, router),
  };
}

interface PlainRoute {
  fullPath: string;
  options: {
    staticData?: { title?: string; rule?: Parameters<typeof routeReason>[0] & Parameters<typeof isAbsent>[0] };
  };
}

function pagesOf(person: Session, { routesById }: Pick<AnyRouter, 'routesById'>): Seen[] {
  const pages: Seen[] = [];
  for (const { fullPath, options } of Object.values(routesById) as PlainRoute[]) {
    const { title, rule } = options.staticData ?? {};
    if (!title || !rule || rule.admin) continue;
    const reason = isAbsent(rule, person) ? 'Not there for sub-accounts.' : routeReason(rule, person);
    pages.push({ key: fullPath, label: title, path: fullPath.replace(/\$\w+/g, '…'), reason, under: null });
  }
  return pages.sort((a, b) => a.path.localeCompare(b.path));
}
