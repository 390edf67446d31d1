/**
 * `npm run new-provider NAME [LABEL]`: creates the files of an SMS provider, and adds it to the lists of providers. The
 * new adapter and the sandbox already understand each other. The table of tests fails until it contains the provider's
 * published examples.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PRESET_ADAPTER } from '@parley/contract/channels/sms/providers/presets.ts';
import { StartError } from '../folder.ts';

const TESTS = 'server/src/channels/sms_http/providers.test.ts';

/** The files of a provider, by folder. */
const FILES = [
  ['contract/src/channels/sms/providers', 'settings'],
  ['server/src/channels/sms_http', 'adapter'],
  ['sandbox/src/providers', 'sandbox'],
  ['server/src/channels/sms_http/test', 'table'],
] as const;
/** The lists of providers, and the folder from which each imports them. */
const LISTS = [
  ['contract/src/channels/adapters.ts', './sms/providers/'],
  ['server/src/channels/index.ts', './sms_http/'],
  ['sandbox/src/providers/providers.ts', './'],
  ['server/src/channels/sms_http/test/tables.ts', './'],
] as const;
/** The last provider in each list, because the form shows it last. */
const LAST = PRESET_ADAPTER;

export function newProvider(root: string, args: readonly string[]): void {
  const [name = '', label = name.charAt(0).toUpperCase() + name.slice(1), ...others] = args;
  if (!/^[a-z][a-z0-9_]{1,29}$/.test(name) || others.length > 0)
    throw new StartError(
      'Usage: npm run new-provider NAME ["LABEL"]. NAME has lowercase letters, digits, and underscores.',
    );
  if (!/^[^{}*`'\\\n]{1,40}$/.test(label)) throw new StartError(`"${label}" cannot be used as a label`);
  const files = FILES.map(([folder, template]) => ({ path: `${folder}/${name}.ts`, template }));
  const taken = files.find(({ path }) => existsSync(join(root, path)));
  if (taken) throw new StartError(`${taken.path} already exists. Choose another name.`);
  const lists = LISTS.map(([path, folder]) => ({
    path,
    text: register(readFileSync(join(root, path), 'utf8'), folder, name, path),
  }));
  const type = name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  for (const { path, template } of files) {
    const text = readFileSync(new URL(`${template}.txt`, import.meta.url), 'utf8');
    writeFileSync(join(root, path), fill(text, { name, label, type }));
  }
  for (const { path, text } of lists) writeFileSync(join(root, path), text);
  const changed = [...files, ...lists].map(({ path }) => path);
  format(root, changed);
  console.log(`Created:\n${files.map(({ path }) => `  ${path}`).join('\n')}`);
  console.log(`Added to:\n${lists.map(({ path }) => `  ${path}`).join('\n')}`);
  console.log(`Write the guide of the page "Connect a provider" in ${files[0]!.path}: \`guide\`.`);
  console.log(`Next: run "vitest run --project server ${TESTS}", and follow docs/add-a-provider.md.`);
}

const fill = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name]!);

/** Adds the import in alphabetical order, and the entry before the last provider. */
function register(text: string, folder: string, name: string, path: string): string {
  const line = `import { ${name} } from '${folder}${name}.ts';`;
  const lines = text.split('\n');
  const next = lines.findIndex((other) => {
    const [, from = ''] = /^(?:import|\}).* from '([^']+)';$/.exec(other) ?? [];
    return from.startsWith(folder) && from.slice(folder.length) > `${name}.ts`;
  });
  const list = new RegExp(`(\\n\\s+|, )(${LAST},?\\n?\\]?)`);
  if (next < 0 || !list.test(text)) throw new StartError(`${path} has no list of providers that ends with ${LAST}`);
  lines.splice(next, 0, line);
  return lines
    .join('\n')
    .replace(list, (_, gap: string, last: string) =>
      gap === ', ' ? `, ${name}, ${last}` : `${gap}${name},${gap}${last}`,
    );
}

/** A longer list may need another line. */
function format(root: string, paths: readonly string[]): void {
  const biome = join(root, 'node_modules/.bin/biome');
  if (existsSync(biome))
    execFileSync(biome, ['format', '--write', '--vcs-enabled=false', ...paths], { cwd: root, stdio: 'ignore' });
}
