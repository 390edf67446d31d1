/**
 * Points where a crash test kills the process: FAILPOINT=name, or name:3 to kill it on the third pass. SIGKILL leaves
 * no chance to clean up. Production refuses the setting (see config.ts). If the setting is missing, a pass costs one
 * comparison.
 */
const [target, pass] = (process.env.FAILPOINT ?? '').split(':') as [string, string | undefined];
let left = Number(pass ?? 1);

export const isArmed = (name: string): boolean => target !== '' && name === target;

export function failpoint(name: string): void {
  if (isArmed(name) && --left === 0) process.kill(process.pid, 'SIGKILL');
}
