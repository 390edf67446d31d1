/** Lets every test file start the bundles of the processes that parse untrusted files. */
import { inject } from 'vitest';
import { startBundleInTests } from '../../kernel/untrusted/limited_process.ts';

for (const [source, bundle] of Object.entries(inject('programs').limited)) startBundleInTests(source, bundle);
