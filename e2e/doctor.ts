/** Runs `npm run doctor` against the running Parley. */
import { spawn } from 'node:child_process';
import { ROOT } from './system/parley.ts';

interface Verdict {
  code: number;
  last: string;
  broken: string[];
}

export function doctor(data_dir: string): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['start.mjs', 'doctor'], {
      cwd: ROOT,
      env: { ...process.env, DATA_DIR: data_dir, DATABASE_URL: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 60_000,
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += part));
    child.once('error', reject);
    child.once('close', (code) => {
      const lines = text.trim().split('\n');
      resolve({
        code: code ?? 1,
        last: lines.at(-1) ?? '',
        broken: lines.filter((line) => /^(BROKEN|\s)/.test(line)),
      });
    });
  });
}
