import { defineConfig } from 'vitest/config';

// The tests of one area for `npm run mutate`, without the database that the other tests start.
export default defineConfig({
  test: {
    include: (process.env.MUTATE_TESTS ?? '').split(',').filter(Boolean),
    environment: 'node',
    testTimeout: 60_000,
  },
});
