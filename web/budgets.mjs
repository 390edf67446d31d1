// Checks the download size of the built app against its budgets, in KiB of gzip, and the number of files that a page
// loads when nothing is cached. After a build: node web/budgets.mjs
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const DIST = new URL('./dist/', import.meta.url);
const BUDGETS = { entry_js: 175, entry_css: 24, page_js: 60 };
/**
 * Pages that users open directly: their sources, and their budgets. With the page itself, the favicon, the font, and
 * the rules for phone numbers, 16 scripts and styles would be 20 files.
 */
const COLD_PAGES = {
  dashboard: { sources: ['src/layouts/HomePage.tsx', 'home'], js: 200, files: 12 },
  inbox: { sources: ['src/inbox/InboxPage.tsx'], js: 196, files: 13 },
  log: { sources: ['src/insights/InsightsPage.tsx', 'src/insights/LogTab.tsx'], js: 200, files: 13 },
  campaign: { sources: ['src/campaigns/progress/CampaignPage.tsx'], js: 198, files: 12 },
};
/** The chunk with the frame around every page for signed-in users. */
const FRAME = 'frame';

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

/** The chunk of a source file, or a group by its name. A source in the frame has no chunk of its own. */
function findChunk(source) {
  const found = Object.keys(manifest).find((key) => [key, manifest[key].src, manifest[key].name].includes(source));
  return found ?? Object.keys(manifest).find((key) => manifest[key].name === FRAME);
}

/** The scripts and styles that a visit of these sources loads, besides the page itself and its fonts. */
function load(...sources) {
  const chunks = new Set(['index.html', ...sources.map(findChunk)].flatMap((key) => [...closure(key)]));
  return {
    js: new Set([...chunks].map((key) => manifest[key].file)),
    css: new Set([...chunks].flatMap((key) => manifest[key].css ?? [])),
  };
}

const pages = Object.keys(manifest).filter((key) => /Page\.tsx$/.test(key) && manifest[key].isDynamicEntry);
if (pages.length < 5) throw new Error('no pages found: this script does not match the build');

const signIn = load('src/layouts/public/Public.tsx', 'sign_in');
const rows = [
  ['JavaScript of sign-in', sum(signIn.js), BUDGETS.entry_js],
  ['CSS of sign-in', sum(signIn.css), BUDGETS.entry_css],
  ...pages.map((key) => [key.replace(/^.*\//, ''), size(manifest[key].file), BUDGETS.page_js]),
  ...Object.entries(COLD_PAGES).flatMap(([name, { sources, js, files }]) => {
    const loaded = load('src/layouts/frame/Frame.tsx', ...sources);
    return [
      [`JavaScript of a cold ${name}`, sum(loaded.js), js],
      [`files of a cold ${name}`, loaded.js.size + loaded.css.size, files, 'files'],
    ];
  }),
];
let failed = 0;
for (const [name, figure, budget, unit = 'KiB'] of rows) {
  const over = figure > budget;
  if (over) failed++;
  const text = unit === 'KiB' ? figure.toFixed(1) : String(figure);
  console.log(`${over ? 'OVER' : 'ok  '}  ${text.padStart(6)} of ${budget} ${unit}  ${name}`);
}
console.log(JSON.stringify({ passed: rows.length - failed, failed }));
process.exitCode = failed ? 1 : 0;
