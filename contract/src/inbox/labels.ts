/** Labels of conversations. Each account has its own labels, which all users of the inbox see. */
import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { INBOX_NEEDS } from './needs.ts';

export const LABEL_COLORS = [
  'gray',
  'red',
  'orange',
  'yellow',
  'green',
  'teal',
  'blue',
  'indigo',
  'purple',
  'pink',
] as const;
export type LabelColor = (typeof LABEL_COLORS)[number];
export const LABELS_MAX = 100;

export const Label = z.object({
  id: z.string(),
  account_id: z.string(),
  name: z.string(),
  color: z.enum(LABEL_COLORS),
});
export type Label = z.output<typeof Label>;

export const listLabels = endpoint({
  id: 'labels.list',
  method: 'GET',
  path: '/v1/labels',
  summary: 'List the labels for conversations, by name',
  needs: INBOX_NEEDS,
  audience: 'session',
  output: z.array(Label),
  problems: [],
});

/** A label was created, changed, or deleted. */
export const labelsChanged = event({
  id: 'label.changed',
  modules: ['labels'],
  needs: INBOX_NEEDS,
  payload: z.object({ id: z.string() }),
});
