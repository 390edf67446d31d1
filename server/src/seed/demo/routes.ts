import * as contract from '@parley/contract/demo/demo.ts';
import { type Implementation, implement } from '../../kernel/http/endpoint.ts';
import { changeDemo, getDemo } from './demo.ts';

export const routes: Implementation[] = [
  implement(contract.getDemo, ({ tx, kernel, actor }) => getDemo(kernel, tx, actor)),
  implement(contract.changeDemo, (ctx, { body }) => changeDemo(ctx.tx, ctx.kernel, ctx, body)),
];
