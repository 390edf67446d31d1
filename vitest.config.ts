import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const node = (name: string) => ({
  test: { name, root: name, environment: 'node' as const, include: ['**/*.test.ts'], testTimeout: 30_000 },
});

export default defineConfig({
  test: {
    // Most of a test of ours is waiting: for a database, a process, a socket.
    maxWorkers: availableParallelism() + 1,
    projects: [
      node('contract'),
      node('smpp'),
      node('sandbox'),
      { test: { ...node('server').test, globalSetup: ['./src/test/database.ts'], hookTimeout: 60_000 } },
      './web/vite.config.ts',
    ],
  },
});
