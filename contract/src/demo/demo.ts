/** The demo company of `npm start`: its owner can empty it and fill it again. It never exists in production. */
import { z } from 'zod';
import { timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';

export const DEMO_CHANGES = ['empty', 'fill'] as const;
export type DemoChange = (typeof DEMO_CHANGES)[number];
/** The steps of a change, in order. */
export const DEMO_STEPS = ['waiting', 'company', 'history', 'templates', 'done'] as const;

export const Demo = z.object({
  /** The latest change to the company; null if it is unchanged since the first start. */
  change: z
    .object({
      kind: z.enum(DEMO_CHANGES),
      step: z.enum(DEMO_STEPS),
      /** Why the change failed; null while it is running and after it succeeds. */
      error: z.string().nullable(),
      update_date: timestamp,
    })
    .nullable(),
});
export type Demo = z.output<typeof Demo>;

export const getDemo = endpoint({
  id: 'demo.get',
  method: 'GET',
  path: '/v1/demo',
  summary: 'Get the state of the demo company. Owner only',
  needs: null,
  audience: 'person',
  output: Demo,
  problems: ['DEMO_NOT_FOUND'],
});

export const changeDemo = endpoint({
  id: 'demo.change',
  method: 'POST',
  path: '/v1/demo/changes',
  summary: 'Empty the demo company, or fill it with three months of history. Runs in the background',
  needs: null,
  audience: 'person',
  body: z.object({
    kind: z.enum(DEMO_CHANGES),
    /** The company's name, as confirmation. */
    company_name: z.string().trim().max(200),
  }),
  status: 202,
  output: Demo,
  problems: ['DEMO_NOT_FOUND', 'COMPANY_NAME_MISMATCH', 'DEMO_CHANGE_RUNNING'],
});
