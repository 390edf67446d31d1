/** Loaded with every page of the web app, unlike the calls in destinations.ts. */
import { z } from 'zod';
import { event } from '../event.ts';

/** An export destination was added, changed, or deleted, has received a file, or was disabled. */
export const exportDestinationChanged = event({
  id: 'export_destination.changed',
  modules: ['export_destinations', 'export_schedules'],
  needs: 'WEBHOOKS:view',
  payload: z.object({
    id: z.string(),
    account_id: z.string(),
    name: z.string(),
    status: z.string(),
    error_message: z.string().nullable(),
  }),
});
