import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// The development server proxies API calls to a running Parley server. In production that server also serves web/dist.
const api = process.env.API_ORIGIN ?? 'http://127.0.0.1:4000';
const proxy = { '/v1': { target: api, changeOrigin: true } };

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  server: { proxy },
  preview: { proxy },
  build: {
    outDir: 'dist',
    target: 'es2023',
    sourcemap: false,
    // Fonts and images stay separate files, so that the content security policy needs no data: sources.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    // Without HTTP/2 every file costs a round trip: the start is one file, and shared icons are one file.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 2 },
            { name: 'icons', test: /@tabler[\\/]icons-react/, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
  test: {
    name: 'web',
    root: import.meta.dirname,
    environment: 'happy-dom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/test/setup.ts'],
    css: { include: [] },
    // Loading React, Mantine, and the contract for each file would take longer than the tests.
    isolate: false,
    maxWorkers: availableParallelism() + 2,
    testTimeout: 30_000,
  },
} as Parameters<typeof defineConfig>[0]);
