/** Model and crash tests are short and deterministic in `npm test`, and long and random in `npm run soak`. */
export const isSoak = process.env.SOAK === '1';

/** How often fast-check runs a property. */
export const sample = (inTests: number, inSoak: number): { numRuns: number; seed?: number } =>
  isSoak ? { numRuns: inSoak } : { numRuns: inTests, seed: 20_260_512 };
