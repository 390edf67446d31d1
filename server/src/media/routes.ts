import * as contract from '@parley/contract/media/media.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import { record } from '../kernel/security/audit.ts';
import { getMedia } from './media.ts';
import { removeMedia } from './removal.ts';
import { createSlot, renewSlot } from './uploads/slots.ts';
import { createWhole } from './uploads/whole.ts';

export const routes: Implementation[] = [
  implement(contract.createSlot, ({ kernel, tx, actor }, { body }) => createSlot(kernel, tx, actor, body)),
  implement(contract.renewSlot, ({ kernel, tx, actor }, { params }) => renewSlot(kernel, tx, actor, params.id)),
  implementOutside(contract.createMedia, ({ kernel, actor, upload }, { body }) =>
    createWhole(kernel, actor, upload, body),
  ),
  implement(contract.getMedia, ({ kernel, actor }, { params }) => getMedia(kernel, actor, params.id)),
  implement(contract.removeMedia, async (ctx, { params }) => {
    const { tx, actor } = ctx;
    const { file_name, type, was_ready } = await removeMedia(tx, actor.account_id, params.id);
    const target = { type: 'media', id: params.id, name: file_name };
    if (was_ready) record(tx, ctx, { action: 'media.removed', target, detail: { type } });
    return null;
  }),
];
