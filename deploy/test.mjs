/**
 * `npm run test:deploy`: tests Parley with the programs of a deployment. It installs missing Debian packages as root
 * first. `npm run test:deploy -- pgbouncer` runs only the files whose names contain this word.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { install, NODE } from '../start.mjs';

const ROOT = join(import.meta.dirname, '..');
/** A program, or its folder, and its package. */
const PROGRAMS = {
  '/usr/sbin/pgbouncer': 'pgbouncer',
  '/usr/sbin/haproxy': 'haproxy',
  '/usr/bin/patroni': 'patroni',
  '/usr/bin/etcd': 'etcd-server',
  '/usr/lib/postgresql': 'postgresql',
};

function installPrograms() {
  const packages = Object.entries(PROGRAMS).flatMap(([path, name]) => (existsSync(path) ? [] : [name]));
  if (packages.length === 0) return true;
  console.log(`Installing ${packages.join(', ')} ...`);
  // Debian would start the new programs as services.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const options = { stdio: 'inherit', env };
  spawnSync('apt-get', ['update', '-qq'], options);
  const args = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
  const { status } = spawnSync('apt-get', args, options);
  if (status === 0) return true;
  console.error(`The tests need the Debian packages ${packages.join(', ')}, and root to install them.`);
  return false;
}

if (!install() || !installPrograms()) process.exit(1);
const { status } = spawnSync(
  NODE,
  ['node_modules/vitest/vitest.mjs', 'run', '--config', 'deploy/tests/vitest.config.ts', ...process.argv.slice(2)],
  { cwd: ROOT, stdio: 'inherit' },
);
process.exit(status ?? 1);
