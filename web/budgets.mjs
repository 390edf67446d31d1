// Checks the download size of the built app against its budgets, in KiB of gzip. After a build: node web/budgets.mjs
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const DIST = new URL('./dist/', import.meta.url);
const BUDGETS = { entry_js: 175, entry_css: 24, page_js: 60 };

const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', DIST), 'utf8'));
const sizes = new Map();
const size = (file) => {
  if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(new URL(file, DIST)), { level: 9 }).length / 1024);
  return sizes.get(file);
};
const sum = (files) => [...files].reduce((total, file) => total + size(file), 0);

/** Returns a chunk and all the chunks it imports statically. */
function closure(key, chunks = new Set()) {
  if (chunks.has(key)) return chunks;
  chunks.add(key);
  for (const next of manifest[key].imports ?? []) closure(next, chunks);
  return chunks;
}

const find = (pattern) => Object.keys(manifest).find((key) => pattern.test(key));
const signIn = find(/\/SignInPage\.tsx$/);
const chunks = new Set([...closure('index.html'), ...closure(signIn)]);
const css = new Set([...chunks].flatMap((key) => manifest[key].css ?? []));
const pages = Object.keys(manifest).filter((key) => /Page\.tsx$/.test(key) && manifest[key].isDynamicEntry);
if (pages.length < 5) throw new Error('no pages found: this script does not match the build');

const rows = [
  ['JavaScript of sign-in', sum([...chunks].map((key) => manifest[key].file)), BUDGETS.entry_js],
  ['CSS of sign-in', sum(css), BUDGETS.entry_css],
  ...pages.map((key) => [key.replace(/^.*\//, ''), size(manifest[key].file), BUDGETS.page_js]),
];
let failed = 0;
for (const [name, kib, budget] of rows) {
  const over = kib > budget;
  if (over) failed++;
  console.log(`${over ? 'OVER' : 'ok  '}  ${kib.toFixed(1).padStart(6)} of ${budget} KiB  ${name}`);
}
console.log(JSON.stringify({ passed: rows.length - failed, failed }));
process.exitCode = failed ? 1 : 0;
