/** Saved views: a name for the filters, the order, and the columns of a list, private or shared with the account. */
import { z } from 'zod';
import { idParams, plainName, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { VIEW_LISTS } from './lists.ts';

export const VIEWS_PER_LIST = 50;

const key = z.string().min(1).max(60);
const few = <T extends z.ZodType>(value: T) =>
  z.record(key, value).refine((record) => Object.keys(record).length <= 100, { error: 'has too many entries' });

/** An app version that no longer has a filter or column ignores it. */
const ViewState = z.object({
  filters: few(z.string().max(2_000)),
  /** As in the parameter `sort`. Null means the list's default order. */
  sort: key.nullable(),
  columns: z.object({
    /** True for columns that the view shows, false for those that it hides. Others follow the list's default. */
    shown: few(z.boolean()),
    order: z.array(key).max(100),
  }),
});
export type ViewState = z.output<typeof ViewState>;

export const View = z.object({
  id: z.string(),
  list: z.string(),
  name: z.string(),
  shared: z.boolean(),
  is_own: z.boolean(),
  /** The user who saved the view. */
  user_name: z.string(),
  state: ViewState,
  create_date: timestamp,
  update_date: timestamp,
});
export type View = z.output<typeof View>;

const list = z.enum(VIEW_LISTS);
const name = plainName({ min: 1, max: 60 });

export const listViews = endpoint({
  id: 'views.list',
  method: 'GET',
  path: '/v1/views',
  summary: 'List your saved views of a list, and those shared with the account, by name',
  needs: null,
  audience: 'session',
  query: z.object({ list }),
  output: z.array(View),
  problems: ['PERMISSION_REQUIRED'],
});
export const createView = endpoint({
  id: 'views.create',
  method: 'POST',
  path: '/v1/views',
  summary: 'Save a view of a list. Each user can save up to 50 per list',
  needs: null,
  audience: 'session',
  body: z.object({ list, name, shared: z.boolean().default(false), state: ViewState }),
  status: 201,
  output: View,
  problems: ['PERMISSION_REQUIRED', 'VIEW_EXISTS', 'VIEWS_LIMIT_EXCEEDED'],
});
export const updateView = endpoint({
  id: 'views.update',
  method: 'PUT',
  path: '/v1/views/{id}',
  summary: 'Rename, share, or change a saved view',
  needs: null,
  audience: 'session',
  params: idParams('VIEW_NOT_FOUND'),
  body: z.object({ name, shared: z.boolean(), state: ViewState }).partial(),
  output: View,
  problems: ['PERMISSION_REQUIRED', 'VIEW_NOT_FOUND', 'VIEW_EXISTS'],
});
export const removeView = endpoint({
  id: 'views.remove',
  method: 'DELETE',
  path: '/v1/views/{id}',
  summary: 'Delete a saved view',
  needs: null,
  audience: 'session',
  params: idParams('VIEW_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['PERMISSION_REQUIRED', 'VIEW_NOT_FOUND'],
});

/** A saved view was created, changed, or deleted. Private views are announced only to their user. */
export const viewChanged = event({
  id: 'view.changed',
  modules: ['views'],
  needs: null,
  payload: z.object({ id: z.string(), list: z.string(), user_id: z.string(), shared: z.boolean() }),
  visible: ({ shared, user_id }, viewer) => shared || viewer.user_id === user_id,
});
