import { type ComponentType, lazy } from 'react';
import { loadCodeEventually } from './load_code.ts';
import { toast } from './Toasts.tsx';

/**
 * A part of a page, such as a dialog, whose code loads when it is first shown. If loading fails, the rest of the page
 * keeps working: a toast tells the user, and the part appears as soon as its code can be loaded.
 */
// biome-ignore lint/suspicious/noExplicitAny: the props are those of the given component
export const lazyPart = <T extends ComponentType<any>>(load: () => Promise<{ default: T }>) =>
  lazy(() =>
    loadCodeEventually(load, () =>
      toast.warning('A part of this page could not be loaded. It appears when the connection is back.', {
        id: 'lazy-part',
      }),
    ),
  );
