import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Many tests start Parley programs. Caching their compiled source halves the start time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

// Tests spend most of their time waiting for a database, a process or a socket, so using more workers than cores saves
// time. web/vite.config.ts uses the same number, because the projects run together.
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
      { test: { ...node('server').test, globalSetup: ['./src/test/database/setup.ts'], hookTimeout: 120_000 } },
      './web/vite.config.ts',
    ],
  },
});
