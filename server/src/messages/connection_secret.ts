/** The password of a carrier connection: sealed in `connections.settings`, opened only by the worker that binds. One stored before that is read as it is. */
import type { Kernel } from '../kernel/kernel.ts';
import { isSealed } from '../kernel/seal.ts';

interface Secret {
  password: string;
}

const placeOf = (id: string) => ({ table: 'connections', row: id });

/** As stored: the password that was given now, else the one there was. */
export function sealPassword<T extends Secret>({ seals }: Kernel, id: string, given: T, before: string): T {
  const seal = (password: string) => (password === '' ? '' : seals.seal(password, placeOf(id)));
  const kept = isSealed(before) ? before : seal(before);
  return { ...given, password: given.password === '' ? kept : seal(given.password) };
}

export function openPassword<T>({ seals }: Kernel, id: string, settings: T): T {
  const { password } = settings as Partial<Secret>;
  return password && isSealed(password) ? { ...settings, password: seals.open(password, placeOf(id)) } : settings;
}
