/** Tests the fraud protection of verification codes on past codes, before it is saved. Nothing is changed. */
import { endpoint } from '../endpoint.ts';
import { BACK_TEST_DAYS, TrafficBackTest } from '../guard/back_tests.ts';
import { codeProtectionInput } from './stops.ts';

export const backTestCodes = endpoint({
  id: 'code_back_tests.create',
  method: 'POST',
  path: '/v1/code_back_tests',
  summary: `Test fraud protection settings on the codes of the last ${BACK_TEST_DAYS} days without saving them`,
  needs: 'MESSAGES:view',
  scans: true,
  body: codeProtectionInput,
  timeout_ms: 30_000,
  output: TrafficBackTest,
  problems: ['SIGNAL_ACTION_INVALID', 'LIFT_HOURS_INVALID'],
});
