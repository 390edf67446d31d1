import * as contract from '@parley/contract/brand/brand.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import { createBrandImage, getBrand, removeBrand, updateBrand } from './brand.ts';

export const routes: Implementation[] = [
  implement(contract.getBrand, ({ tx, kernel, actor }) => getBrand(kernel, tx, actor)),
  implementOutside(contract.updateBrand, (ctx, { body }) => updateBrand(ctx, body)),
  implement(contract.removeBrand, async (ctx) => {
    await removeBrand(ctx);
    return null;
  }),
  implement(contract.createBrandImage, (ctx) => createBrandImage(ctx)),
];
