import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const ROOT = join(import.meta.dirname, '../..');

/** Tests that need external programs of a deployment. `npm run test:deploy` runs them. */
export default defineConfig({
  root: ROOT,
  test: {
    include: ['deploy/tests/**/*.test.ts'],
    environment: 'node',
    globalSetup: [join(ROOT, 'server/src/test/database/setup.ts')],
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
