/** Sets the window's title and icon from the route and the unread count. */

import { useEffect, useSyncExternalStore } from 'react';
import { useTitle } from '../kernel/session/routes.tsx';
import { readUnread, subscribeUnread } from '../kernel/unread.ts';
import { brandIcon, isAppBrand, type readBrand, useBrand } from '../ui/brand.ts';

export function DocumentTitle() {
  const title = useTitle() ?? 'Page not found';
  const brand = useBrand();
  const unread = useSyncExternalStore(subscribeUnread, readUnread);
  useEffect(() => {
    const count = unread > 99 ? '99+' : String(unread);
    document.title = `${unread > 0 ? `(${count}) ` : ''}${title} · ${brand.name}`;
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    const drawn = unread > 0 || !isAppBrand(brand) ? drawIcon(brand, unread > 0 ? count : '') : null;
    if (icon) icon.href = drawn ? `data:image/svg+xml,${encodeURIComponent(drawn)}` : '/favicon.svg';
  }, [title, unread, brand]);
  return null;
}

/** The icon with the unread count in a red badge. */
const drawIcon = (brand: ReturnType<typeof readBrand>, count: string): string =>
  [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">',
    ...(isAppBrand(brand)
      ? [
          '<rect width="32" height="32" rx="8" fill="#3a36c8"/>',
          '<path fill="#fff" d="M6 9.5A3.5 3.5 0 0 1 9.5 6H15v9.5a3.5 3.5 0 0 1-3.5 3.5H10l-4 3.5z"/>',
        ]
      : [brandIcon(brand)]),
    ...(count
      ? [
          '<rect x="10" y="14" width="22" height="18" rx="9" fill="#c2352b"/>',
          '<text x="21" y="27.5" fill="#fff" font-family="sans-serif" font-weight="700" text-anchor="middle" ',
          `font-size="${count.length > 2 ? 11 : 14}">${count}</text>`,
        ]
      : []),
    '</svg>',
  ].join('');
