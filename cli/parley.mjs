#!/usr/bin/env node
import { existsSync } from 'node:fs';

const MAIN = new URL('./dist/main.js', import.meta.url);
if (existsSync(MAIN)) await import(MAIN.href);
else {
  console.error('Error: the command line is not built. Run `npm run build -w cli` first.');
  process.exitCode = 1;
}
