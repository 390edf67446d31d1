import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Many tests start programs of ours; reading their source anew each time is half of what that takes.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

// Most of a test of ours is waiting: for a database, a process, a socket. The same number stands in web/vite.config.ts: projects run together.
const maxWorkers = availableParallelism() + 2;

const node = (name: string) => ({
  test: { name, root: name, environment: 'node' as const, include: ['**/*.test.ts'], testTimeout: 120_000, maxWorkers },
});

export default defineConfig({
  test: {
    maxWorkers,
    projects: [
      node('contract'),
      node('smpp'),
      node('sandbox'),
      { test: { ...node('server').test, globalSetup: ['./src/test/database.ts'], hookTimeout: 120_000 } },
      './web/vite.config.ts',
    ],
  },
});
