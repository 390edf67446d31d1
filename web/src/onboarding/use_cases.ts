/** Every industry of the contract with three or four messages it really sends. Loaded only with its page. */
import type { UseCase } from './use_case.ts';
import { HEALTH } from './use_cases/health.ts';
import { LEISURE } from './use_cases/leisure.ts';
import { MONEY } from './use_cases/money.ts';
import { PUBLIC } from './use_cases/public.ts';
import { TRADE } from './use_cases/trade.ts';
import { WORK } from './use_cases/work.ts';

export const USE_CASES: Readonly<Record<number, readonly UseCase[]>> = {
  ...HEALTH,
  ...LEISURE,
  ...MONEY,
  ...PUBLIC,
  ...TRADE,
  ...WORK,
};
