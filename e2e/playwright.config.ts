/**
 * Tests of the complete running system in a browser. One Parley and one worker run all files in alphabetical order.
 * `npm test` runs parts of the files in parallel.
 */
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { CHROMIUM } from '../test_chromium.ts';
import { keepFilesInMemory } from '../test_folder.ts';

keepFilesInMemory();

// As in vitest.config.ts: loading a server from compiled sources takes a third less processor time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/compiled');

export default defineConfig({
  testDir: '.',
  outputDir: './test-results',
  globalSetup: './system/setup.ts',
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  // Long enough for a busy machine. Each wait ends as soon as its condition holds.
  timeout: 120_000,
  globalTimeout: 38 * 60_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    // Tests do not wait for animations. Only main_job.spec.ts runs with animations.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 20_000,
    navigationTimeout: 40_000,
    screenshot: 'only-on-failure',
    // A page runs its code for seconds only, so optimizing the code costs more processor time than it saves.
    launchOptions: { ...CHROMIUM, args: [...CHROMIUM.args, '--js-flags=--no-maglev --no-turbofan'] },
  },
});
