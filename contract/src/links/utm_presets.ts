/** Saved UTM parameters, so that everyone in an account names sources and campaigns in the same way. */
import { z } from 'zod';
import { idParams, plainName, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';

/** The number of presets that an account can have. */
export const MAX_UTM_PRESETS = 50;

const param = plainName({ max: 100 }).default('');
const params = { source: param, medium: param, campaign: param, term: param, content: param };
const name = plainName({ min: 1, max: 60 });

export const UtmPreset = z.object({
  id: z.string(),
  account_id: z.string(),
  name: z.string(),
  source: z.string(),
  medium: z.string(),
  campaign: z.string(),
  term: z.string(),
  content: z.string(),
  create_date: timestamp,
});
export type UtmPreset = z.output<typeof UtmPreset>;

export const listUtmPresets = endpoint({
  id: 'utm_presets.list',
  method: 'GET',
  path: '/v1/utm_presets',
  summary: 'List the saved UTM parameters by name',
  needs: 'SHORT_URLS:view',
  output: z.array(UtmPreset),
  problems: [],
});

export const createUtmPreset = endpoint({
  id: 'utm_presets.create',
  method: 'POST',
  path: '/v1/utm_presets',
  summary: 'Save UTM parameters. At least one must have a value',
  needs: 'SHORT_URLS:add',
  body: z.object({ name, ...params }),
  status: 201,
  output: UtmPreset,
  problems: ['UTM_PRESET_EMPTY', 'UTM_PRESET_EXISTS', 'UTM_PRESETS_LIMIT_EXCEEDED'],
});

export const removeUtmPreset = endpoint({
  id: 'utm_presets.remove',
  method: 'DELETE',
  path: '/v1/utm_presets/{id}',
  summary: 'Delete saved UTM parameters. Existing links do not change',
  needs: 'SHORT_URLS:delete',
  params: idParams('UTM_PRESET_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['UTM_PRESET_NOT_FOUND'],
});
