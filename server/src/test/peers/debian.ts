/** Installs third-party programs that tests use as peers. */
import { spawnSync } from 'node:child_process';

const OPTIONS = {
  stdio: 'ignore',
  timeout: 180_000,
  env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
} as const;
const install = (name: string): boolean =>
  spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=120', 'install', '-y', '-qq', name], OPTIONS).status === 0;

/** Returns whether the program works, after installing its Debian package if it must and can. */
export function isInstalled(name: string, works: () => boolean): boolean {
  if (works()) return true;
  if (process.getuid?.() === 0 && !install(name)) {
    spawnSync('apt-get', ['update', '-qq'], OPTIONS);
    install(name);
  }
  if (works()) return true;
  console.log(`Skipped: the Debian package ${name} is missing and cannot be installed`);
  return false;
}
