import * as contract from '@parley/contract/verify/code_stops.ts';
import { type Implementation, implement } from '../kernel/http/endpoint.ts';
import { liftCodeStop, listCodeStops } from './code_stops.ts';

export const routes: Implementation[] = [
  implement(contract.listCodeStops, ({ tx }) => listCodeStops(tx)),
  implement(contract.removeCodeStop, async (ctx, { params }) => {
    await liftCodeStop(ctx, params.id);
    return null;
  }),
];
