/** Three or four sample messages for every industry of the contract. Loaded with the onboarding page only. */
import type { UseCase } from './use_case.ts';
import { DESKS } from './use_cases/desks.ts';
import { HEALTH } from './use_cases/health.ts';
import { LEISURE } from './use_cases/leisure.ts';
import { MAKERS } from './use_cases/makers.ts';
import { MONEY } from './use_cases/money.ts';
import { PUBLIC } from './use_cases/public.ts';
import { TRADE } from './use_cases/trade.ts';
import { WORK } from './use_cases/work.ts';

export const USE_CASES: Readonly<Record<number, readonly UseCase[]>> = {
  ...DESKS,
  ...HEALTH,
  ...LEISURE,
  ...MAKERS,
  ...MONEY,
  ...PUBLIC,
  ...TRADE,
  ...WORK,
};
