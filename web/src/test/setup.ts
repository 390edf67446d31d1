import { notifications } from '@mantine/notifications';
import { cleanup, configure } from '@testing-library/react';
import * as React from 'react';
import { afterAll, afterEach, vi } from 'vitest';
import { reportResponse } from '../kernel/http/connection.ts';
// Tests evaluate schemas of the contract.
import '../kernel/schema/rules.ts';

/**
 * Warnings caused by happy-dom, which has no layout (a focus trap finds no focusable element and prints the dialog) and
 * does not recognize every HTML tag. All other warnings are printed.
 */
const IGNORED_WARNINGS = [
  /Failed to find focusable element within provided node/,
  /^The tag <%?\w+> is unrecognized in this browser/,
];
for (const level of ['warn', 'error'] as const) {
  const print = console[level].bind(console);
  console[level] = (...message: unknown[]) => {
    if (!IGNORED_WARNINGS.some((pattern) => pattern.test(String(message[0])))) print(...message);
  };
}

/**
 * React's development build records a call stack for each of the first 10,000 elements per second, which takes an
 * eighth of the tests' time. A constant counter turns this off. Only the component stacks of warnings get shorter.
 */
const INTERNALS = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE';
const internals = (React as unknown as Record<string, object | undefined>)[INTERNALS];
if (internals && 'recentlyCreatedOwnerStacks' in internals)
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set: () => {} });

// Tests that run in plain Node have no document.
if (typeof window !== 'undefined') {
  // Auto-growing text areas wait for fonts, which happy-dom lacks.
  if (!document.fonts) Object.defineProperty(document, 'fonts', { value: new EventTarget() });
  // Contracts and pages load on demand, which takes a long time on a busy machine.
  configure({ asyncUtilTimeout: 10_000 });
  // Code that a page loads on demand must not arrive after the file, because the next file shares the loaded modules.
  afterAll(() => vi.dynamicImportSettled());
  afterEach(() => {
    cleanup();
    localStorage.clear();
    // An unsaved draft would be saved again every few seconds, also during the tests of later files.
    sessionStorage.clear();
    // A lost connection of one test must not show its banner in the next.
    reportResponse(200);
    // Test files share the loaded app, so the toasts of one file must not appear in the next.
    notifications.clean();
    notifications.cleanQueue();
  });
}
