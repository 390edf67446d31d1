import * as contract from '@parley/contract/push/push.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import { addDevice, getSettings, listDevices, removeDevice, saveSettings } from './push.ts';

export const routes: Implementation[] = [
  implement(contract.getPushSettings, ({ kernel, tx, actor }) => getSettings(kernel, tx, actor)),
  implement(contract.updatePushSettings, (ctx, { body }) => saveSettings(ctx, body)),
  implement(contract.listPushDevices, ({ tx, actor }) => listDevices(tx, actor)),
  // Resolves the name of the push service, so it must not hold a connection to the database.
  implementOutside(contract.createPushDevice, (ctx, { body }) => addDevice(ctx, body)),
  implement(contract.removePushDevice, ({ tx, actor }, { params }) => removeDevice(tx, actor, params.id)),
];
