/**
 * Scheduled exports: an export every day or week. The user gets a download link by email, or the file is uploaded to an
 * SFTP server or S3 bucket.
 */
import { z } from 'zod';
import { idParams, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { permits } from '../permission.ts';
import { EXPORT_FORMATS, requestFields } from './exports.ts';
import { EXPORT_LIST_NAMES, EXPORT_LISTS } from './lists.ts';

export const EXPORT_INTERVALS = ['daily', 'weekly'] as const;
/** The hour of the day at which exports start, in the schedule's time zone. Weekly exports start on Mondays. */
export const SCHEDULE_HOUR = 6;
/** The number of schedules that an account can have. */
export const MAX_EXPORT_SCHEDULES = 20;

export const ExportSchedule = z.object({
  id: z.string(),
  account_id: z.string(),
  list: z.enum(EXPORT_LIST_NAMES),
  format: z.enum(EXPORT_FORMATS),
  interval: z.enum(EXPORT_INTERVALS),
  time_zone: z.string(),
  /** The user who scheduled the export. The schedule ends when the user leaves or loses permission to view the list. */
  user_id: z.string(),
  email: z.string(),
  /** The destination of the files; null if the user gets links by email. */
  destination_id: z.string().nullable(),
  destination_name: z.string().nullable(),
  next_date: timestamp,
  last_date: timestamp.nullable(),
  create_date: timestamp,
});
export type ExportSchedule = z.output<typeof ExportSchedule>;

export const listExportSchedules = endpoint({
  id: 'export_schedules.list',
  method: 'GET',
  path: '/v1/export_schedules',
  summary: 'List the scheduled exports of the lists that you may view',
  needs: null,
  audience: 'session',
  output: z.array(ExportSchedule),
  problems: [],
});
export const createExportSchedule = endpoint({
  id: 'export_schedules.create',
  method: 'POST',
  path: '/v1/export_schedules',
  summary: 'Export a list every day or week. An export of the message log contains the previous day or week',
  needs: null,
  audience: 'session',
  body: z.object({
    list: z.enum(EXPORT_LIST_NAMES),
    params: z.record(z.string().max(60), z.string().max(100)).default({}),
    interval: z.enum(EXPORT_INTERVALS),
    /** The destination of the files. Without one, the user gets links by email. */
    destination_id: uuid('EXPORT_DESTINATION_NOT_FOUND').optional(),
    ...requestFields,
  }),
  status: 201,
  output: ExportSchedule,
  problems: [
    ...['EXPORT_SCHEDULES_LIMIT_EXCEEDED', 'TIME_ZONE_INVALID', 'PERMISSION_REQUIRED', 'VALUE_INVALID'],
    ...['AUDIENCE_ID_INVALID', 'AUDIENCE_NOT_FOUND', 'CAMPAIGN_ID_INVALID', 'CAMPAIGN_NOT_FOUND', 'LABEL_NOT_FOUND'],
    'EXPORT_DESTINATION_NOT_FOUND',
  ] as const,
});
export const removeExportSchedule = endpoint({
  id: 'export_schedules.remove',
  method: 'DELETE',
  path: '/v1/export_schedules/{id}',
  summary: 'Stop a scheduled export. Its finished exports are kept',
  needs: null,
  audience: 'session',
  params: idParams('EXPORT_SCHEDULE_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['EXPORT_SCHEDULE_NOT_FOUND'],
});

/** A schedule was created, has run, or was deleted. */
export const exportScheduleChanged = event({
  id: 'export_schedule.changed',
  modules: ['export_schedules'],
  needs: null,
  payload: ExportSchedule.pick({ id: true, account_id: true, list: true }),
  visible: ({ list }, { permissions }) => permits(permissions, EXPORT_LISTS[list].needs),
});
