import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

// Only for tests that draw; those in plain Node have no document.
if (typeof window !== 'undefined') {
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });
}
