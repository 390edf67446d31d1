/**
 * Places where a crash test kills the process: FAILPOINT=name, or name:3 for the third pass. SIGKILL, so that nothing gets a chance to tidy up.
 * Production refuses the setting (see config.ts); without it a pass costs one comparison.
 */
const [wanted, pass] = (process.env.FAILPOINT ?? '').split(':') as [string, string | undefined];
let left = Number(pass ?? 1);

export const armed = (name: string): boolean => wanted !== '' && name === wanted;

export function failpoint(name: string): void {
  if (armed(name) && --left === 0) process.kill(process.pid, 'SIGKILL');
}
