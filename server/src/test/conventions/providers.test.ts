/** Holds the claim that an SMS provider takes few files, and the table of providers in docs/add-a-provider.md. */
import { ADAPTERS } from '@parley/contract/channels/adapters.ts';
import { expect, test } from 'vitest';
import { countRows, type ProviderTable } from '../../channels/sms_http/test/table.ts';
import { TABLES } from '../../channels/sms_http/test/tables.ts';
import { readSource, SOURCES, type SourceFile } from './source.ts';

const MAX_FILES = 3;
/** The lines of a file may change this much before the table has to. */
const TOLERANCE = 0.1;

/** A file of this name in one of these folders belongs to a provider. The last folder has its number lookups. */
const FOLDERS = [
  'contract/src/channels/sms/providers',
  'server/src/channels/sms_http',
  'sandbox/src/providers',
  'server/src/lookups/providers',
];
/** The lists of providers. No other shared code may name one. */
const LISTS = new Set([
  'contract/src/channels/adapters.ts',
  'server/src/channels/index.ts',
  'sandbox/src/providers/providers.ts',
  // Providers of number lookups, which the settings of the installation choose.
  'server/src/lookups/providers/current.ts',
  'server/src/kernel/settings/lookup_settings.ts',
  'sandbox/src/lookups/routes.ts',
  'server/src/start/sandbox.ts',
]);
/** Names that are also ordinary words. They count only where code refers to the provider. */
const WORDS = new Set(['android', 'generic']);

const NAMES = Object.keys(TABLES);
const listFiles = (name: string): SourceFile[] =>
  FOLDERS.flatMap((folder) => SOURCES.filter(({ path }) => path === `${folder}/${name}.ts`));
const countLines = (files: readonly SourceFile[]): number =>
  files.reduce((sum, { text }) => sum + text.trimEnd().split('\n').length, 0);

interface Row {
  files: number;
  lines: number;
  rows: number;
  supports: string[];
}

function measure(name: string, table: ProviderTable): Row {
  const files = listFiles(name);
  const { receipts, inbound } = table;
  const hasStatus = receipts.some(([, { status }]) => status === 'delivered');
  const hasMedia = inbound.some(([, { text }]) => /\nhttps:/.test(text ?? ''));
  const hasPrice = receipts.some(([, { detail }]) => detail && 'price' in detail);
  const hasLookup = files.some(({ path }) => path.startsWith('server/src/lookups/'));
  return {
    ...{ files: files.length, lines: countLines(files), rows: countRows(table) },
    supports: [hasStatus, inbound.length > 0, hasMedia, hasPrice, hasLookup].map((has) => (has ? 'yes' : 'no')),
  };
}

/** Reads the table. The first column has the name as code, after the label. */
function readDocumented(): Map<string, Row> {
  const rows = [...readSource('docs/add-a-provider.md').matchAll(/^\| [^|`]*`(\w+)` \|( \d+ \|.+)\|$/gm)];
  return new Map(
    rows.map(([, name, cells]) => {
      const [files, lines, count, ...supports] = cells!.split('|').map((cell) => cell.trim());
      return [name!, { files: Number(files), lines: Number(lines), rows: Number(count), supports }];
    }),
  );
}

test('the table of providers in the documentation is true', () => {
  const documented = readDocumented();
  for (const [name, table] of Object.entries(TABLES)) {
    const { lines, ...row } = measure(name, table);
    const hint = `write: | ... \`${name}\` | ${row.files} | ${lines} | ${row.rows} | ${row.supports.join(' | ')} |`;
    expect(documented.has(name), hint).toBe(true);
    const { lines: documentedLines, ...others } = documented.get(name)!;
    expect(others, hint).toEqual(row);
    expect(Math.abs(documentedLines - lines), hint).toBeLessThanOrEqual(lines * TOLERANCE);
  }
  expect([...documented.keys()], 'the rows have the order of the lists of providers').toEqual(NAMES);
});

test('the table of SMS providers in docs/channels.md has a row for every provider', () => {
  const text = readSource('docs/channels.md');
  const missing = NAMES.map((name) => ADAPTERS[name as keyof typeof TABLES & keyof typeof ADAPTERS])
    .flatMap((adapter) => ('guide' in adapter ? adapter.guide.name : []))
    .filter((name) => !text.includes(`\n| ${name} | `));
  expect(missing).toEqual([]);
});

test('the median provider has at most 3 files of its own', () => {
  const counts = NAMES.map((name) => listFiles(name).length).sort();
  expect(counts[0]).toBeGreaterThanOrEqual(3);
  expect(counts[counts.length >> 1]).toBeLessThanOrEqual(MAX_FILES);
});

test('no code outside the lists of providers names a provider', () => {
  const shared = SOURCES.filter(({ path, test }) => !test && !LISTS.has(path));
  const violations = NAMES.flatMap((name) => {
    expect(name in ADAPTERS).toBe(true);
    const own = new Set(listFiles(name).map(({ path }) => path));
    const mention = WORDS.has(name)
      ? new RegExp(`/(?:providers|sms_http)/${name}\\.ts['"]|adapter: '${name}'`)
      : new RegExp(`\\b${name}`, 'i');
    return shared
      .filter(({ path, text }) => !own.has(path) && mention.test(text))
      .map(({ path }) => `${path} names ${name}`);
  });
  expect(violations).toEqual([]);
});
