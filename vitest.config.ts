import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { isSoak } from './server/src/test/soak/soak.ts';
import { keepFilesInMemory } from './test_folder.ts';

keepFilesInMemory();

// Many tests start Parley programs. Caching their compiled source halves the start time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

// Tests spend most of their time waiting for a database, a process or a socket, so using more workers than cores saves
// time. web/vite.config.ts uses the same number, because the projects run together.
const maxWorkers = availableParallelism() + 2;

// A worker creates many objects that live for one test. With a larger space for new objects, garbage is collected half
// as often. web/vite.config.ts uses the same space.
const execArgv = ['--min-semi-space-size=32', '--max-semi-space-size=64'];

// The files of a worker share its loaded modules, because loading them for each file takes a third of the time. So test
// helpers register their cleanup with each test (onTestFinished) instead of when they are loaded. Tests that change a
// registry for the whole process run separately.
const APART = ['src/test/fourth_channel.test.ts'];

const node = (name: string) => ({
  name,
  root: name,
  environment: 'node' as const,
  include: ['**/*.test.ts'],
  testTimeout: isSoak ? 3 * 3_600_000 : 120_000,
  maxWorkers,
  execArgv,
  isolate: false,
  // Node.js runs the sources itself, as in production, so nothing is transformed.
  experimental: { viteModuleRunner: false, nodeLoader: false },
});
const server = {
  ...node('server'),
  globalSetup: ['./src/test/database/setup.ts'],
  setupFiles: ['./src/test/database/limited_programs.ts'],
  hookTimeout: 120_000,
};

export default defineConfig({
  test: {
    maxWorkers,
    execArgv,
    // Pages load code on demand, and the code may arrive after the last test of a file.
    onUnhandledError: ({ message }) => !/after the environment was torn down/.test(message ?? ''),
    projects: [
      { test: node('contract') },
      { test: node('smpp') },
      { test: node('sandbox') },
      { test: { ...server, exclude: [...configDefaults.exclude, ...APART] } },
      { test: { ...server, name: 'server apart', include: APART } },
      './web/vite.config.ts',
    ],
  },
});
