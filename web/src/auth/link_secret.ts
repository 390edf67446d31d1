/**
 * Secrets in links from emails. The address must not keep them, because it ends up in the history of the browser, in
 * bookmarks, and on shared screens. The tab remembers the secret, so that a reload works.
 */
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

const storageKey = (path: string): string => `parley.link ${path}`;

/** Returns the secret for the page at `path` and removes it from the address. `given` is the secret in the address. */
export function useLinkSecret(path: string, given: string | undefined): string {
  const { history } = useRouter();
  if (given) sessionStorage.setItem(storageKey(path), given);
  useEffect(() => {
    if (given) history.replace(path);
  }, [given, history, path]);
  return given || (sessionStorage.getItem(storageKey(path)) ?? '');
}
