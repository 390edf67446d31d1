import * as contract from '@parley/contract/opt_in_forms/opt_in_forms.ts';
import { type Implementation, implement } from '../kernel/http/endpoint.ts';
import {
  createOptInForm,
  getOptInForm,
  getOptInFormStat,
  listOptInForms,
  removeOptInForm,
  updateOptInForm,
} from './opt_in_forms.ts';

export const routes: Implementation[] = [
  implement(contract.listOptInForms, ({ tx, kernel, actor }, { query }) =>
    listOptInForms(tx, kernel.config, actor, query),
  ),
  implement(contract.createOptInForm, ({ tx, kernel, actor }, { body }) =>
    createOptInForm(tx, kernel.config, actor, body),
  ),
  implement(contract.getOptInForm, ({ tx, kernel, actor }, { params }) =>
    getOptInForm(tx, kernel.config, actor, params.id),
  ),
  implement(contract.updateOptInForm, ({ tx, kernel, actor }, { params, body }) =>
    updateOptInForm(tx, kernel.config, actor, params.id, body),
  ),
  implement(contract.removeOptInForm, async ({ tx, actor }, { params }) => {
    await removeOptInForm(tx, actor, params.id);
    return null;
  }),
  implement(contract.getOptInFormStat, ({ tx, kernel, actor }, { params }) =>
    getOptInFormStat(tx, kernel.config, actor, params.id),
  ),
];
