import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// Only for tests that draw; those in plain Node have no document.
if (typeof window !== 'undefined') {
  // Fields that grow with their text ask when fonts are there; happy-dom has none.
  if (!document.fonts) Object.defineProperty(document, 'fonts', { value: new EventTarget() });
  // Contracts and pages are loaded when they are needed, which takes its time on a busy machine.
  configure({ asyncUtilTimeout: 5_000 });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });
}
