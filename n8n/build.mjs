// Builds the package. n8n loads nodes with require(), so the output is CommonJS, and expects their icon next to them.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(ROOT, 'dist'));
const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
execFileSync(process.execPath, [tsc, '-p', join(ROOT, 'tsconfig.json'), '--outDir', out], { stdio: 'inherit' });
writeFileSync(join(out, 'package.json'), '{"type":"commonjs"}\n');
for (const folder of ['nodes', 'credentials']) {
  mkdirSync(join(out, folder), { recursive: true });
  cpSync(join(ROOT, 'src/parley.svg'), join(out, folder, 'parley.svg'));
}
