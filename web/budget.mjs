// Weighs a production build (`vite build` first) against the budgets of the web app, in KiB after gzip; leaves with 1 when one is broken.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const LIMITS = { entry_js: 175, entry_css: 24, route_chunk: 60 };
// Loaded apart from any route, when something is opened or shown: the chart library, the rules of phone numbers.
const APART = /^(ChartCanvas|min)-/;

const dist = process.argv[2] ?? join(import.meta.dirname, 'dist');
const assets = join(dist, 'assets');
const files = readdirSync(assets);
const weigh = (file) => gzipSync(readFileSync(join(assets, file))).length / 1024;

/** The file and everything it imports statically. */
function closure(file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  const code = readFileSync(join(assets, file), 'utf8');
  for (const [, name] of code.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) closure(name, seen);
  return seen;
}

const html = readFileSync(join(dist, 'index.html'), 'utf8');
const entry = new Set();
for (const [, file] of html.matchAll(/assets\/([^"]+\.js)/g)) closure(file, entry);
const app = new Set(entry);
closure(
  files.find((file) => /^SignInPage-.*\.js$/.test(file)),
  entry,
);

const css = [...html.matchAll(/assets\/([^"]+\.css)/g)].map(([, file]) => file);
const signInCss = files.filter((file) => /^SignInPage-.*\.css$/.test(file));
const rows = [
  ['sign-in JavaScript', [...entry].reduce((sum, file) => sum + weigh(file), 0), LIMITS.entry_js],
  ['sign-in CSS', [...css, ...signInCss].reduce((sum, file) => sum + weigh(file), 0), LIMITS.entry_css],
  ...files
    .filter((file) => file.endsWith('.js') && !app.has(file) && !APART.test(file))
    .map((file) => [file, weigh(file), LIMITS.route_chunk])
    .sort((a, b) => b[1] - a[1])
    .slice(0, 5),
];

let broken = false;
for (const [name, size, limit] of rows) {
  if (size > limit) broken = true;
  console.log(`${size > limit ? 'over' : 'ok  '}  ${size.toFixed(1).padStart(6)} of ${limit} KiB  ${name}`);
}
process.exitCode = broken ? 1 : 0;
