/** Validates the files of the reference deployment with the programs that use them. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const DEPLOY = join(import.meta.dirname, '..');
const run = (command: string, args: readonly string[], input?: string) => {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: DEPLOY,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
    ...(input === undefined ? {} : { input }),
  });
  return { status, text: `${stdout}${stderr}${error?.message ?? ''}` };
};
// Python's parser comes with Patroni.
const parseYaml = (text: string) =>
  run('/usr/bin/python3', ['-c', 'import sys, yaml; list(yaml.safe_load_all(sys.stdin))'], text);

test.each(['haproxy.cfg', 'compose.cfg'])('HAProxy accepts %s', (name) => {
  expect(run('haproxy', ['-c', '-q', '-f', `haproxy/${name}`])).toEqual({ status: 0, text: '' });
});

test('systemd accepts the unit file', () => {
  expect(run('systemd-analyze', ['verify', '--man=no', 'systemd/parley@.service'])).toEqual({ status: 0, text: '' });
});

test.each(['compose.yaml', 'helm/Chart.yaml', 'helm/values.yaml'])('%s is valid YAML', (name) => {
  expect(parseYaml(readFileSync(join(DEPLOY, name), 'utf8'))).toEqual({ status: 0, text: '' });
});

test.each(readdirSync(join(DEPLOY, 'helm/templates')))(
  'the template %s is valid YAML when its actions are rendered',
  (name) => {
    const text = readFileSync(join(DEPLOY, 'helm/templates', name), 'utf8')
      .replace(/^\s*\{\{-? (range|end|if|\$part)[^\n]*\}\}$/gm, '')
      .replace(/: \{\{- toYaml [^\n]*\}\}$/gm, ': {}')
      .replace(/\{\{ toJson [^}]*\}\}/g, '[]')
      .replace(/\{\{ [^}]*\}\}/g, 'x');
    expect(parseYaml(text)).toEqual({ status: 0, text: '' });
  },
);

test('the deployment files contain only settings that exist', async () => {
  const { SETTINGS } = await import('../../server/src/kernel/settings/settings.ts');
  const named = ['compose.yaml', 'helm/values.yaml', 'helm/templates/deployments.yaml', 'systemd/parley@.service']
    .flatMap((name) => [
      ...readFileSync(join(DEPLOY, name), 'utf8').matchAll(/\b(?!POSTGRES|ALL)([A-Z][A-Z0-9_]{3,})\b(?=[:=,])/g),
    ])
    .map((match) => match[1]!);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !(name in SETTINGS))).toEqual([]);
});
