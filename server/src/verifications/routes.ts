import { backTestCodes } from '@parley/contract/verifications/back_tests.ts';
import * as stops from '@parley/contract/verifications/stops.ts';
import * as contract from '@parley/contract/verifications/verifications.ts';
import { paged, readPage } from '../kernel/db/list.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import { backTestStops } from './back_test.ts';
import { readConversion } from './conversion.ts';
import { saveProtection } from './protection.ts';
import { readProtection } from './protection_settings.ts';
import { listStops, removeStop } from './stops.ts';
import { checkCode, listCodes, sendCode, sendTestCode } from './verifications.ts';

export const routes: Implementation[] = [
  implement(contract.createVerification, ({ tx, kernel, actor }, { body }) =>
    actor.test ? sendTestCode(tx, kernel, actor, body) : sendCode(tx, kernel, actor, body),
  ),
  implementOutside(contract.checkVerification, async ({ kernel, actor }, { query }) => {
    const code = await checkCode(kernel, actor, query);
    return paged(readPage(), code ? [code] : [], code ? 1 : 0);
  }),
  implementOutside(contract.submitCode, async ({ kernel, actor }, { body }) => {
    const verification = await checkCode(kernel, actor, body);
    return { verified: verification !== null, verification };
  }),
  implement(contract.listSentCodes, ({ tx, actor }, { query }) => listCodes(tx, actor, query)),
  implement(contract.getConversion, ({ tx, actor }, { query }) =>
    readConversion(tx, actor.account_id, tx.now, query.days ?? 30),
  ),
  implement(stops.listVerificationStops, ({ tx, actor, kernel }) =>
    listStops(tx, actor.account_id, kernel.clock.now()),
  ),
  implement(stops.getFraudProtection, ({ tx, actor }) => readProtection(tx, actor.account_id)),
  implement(stops.saveFraudProtection, (ctx, { body }) => saveProtection(ctx, body)),
  implementOutside(backTestCodes, ({ tx, actor, kernel }, { body }) => backTestStops(tx, kernel, actor, body)),
  implement(stops.removeVerificationStop, async (ctx, { params }) => {
    await removeStop(ctx, params.id);
    return null;
  }),
];
