/**
 * Media: ask for a slot, PUT the file to its `put_url`, and it is ready under the slot's id. The addresses are signed and end; whoever may see the
 * medium can ask for new ones.
 *
 * Of `put_url` (no sign-in; the link is the permission): `PUT` with the file, or with `Content-Range: bytes 500-999/1000` to go on where the server
 * stands; answers 200 with the medium, or 202 with `{received}` while bytes are missing. `GET` or `HEAD` say how many bytes there are (header
 * `Upload-Offset`). `DELETE` takes the upload, or the finished file, away.
 */
import { z } from 'zod';
import { channel } from '../channels/names.ts';
import { idParams, problem, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { isFileName, MAX_MEDIA_BYTES, MEDIA_TYPES } from './rules.ts';

export const MEDIA_STATUSES = ['waiting', 'ready'] as const;
export const SLOT_MINUTES = 15;
/** A file nobody uses is kept this long. */
export const UNUSED_DAYS = 30;

export const Media = z.object({
  id: z.string(),
  account_id: z.string(),
  /** `waiting` for its file, or `ready`. */
  status: z.enum(MEDIA_STATUSES),
  type: z.enum(MEDIA_TYPES),
  channel: z.string().nullable(),
  file_name: z.string(),
  /** Of the file, by what it is and not by what was said of it. */
  content_type: z.string(),
  directory: z.string(),
  bytes: z.int().nullable(),
  sha256: z.string().nullable(),
  /** Of images, and of videos where the server can look at them. */
  width: z.int().nullable(),
  height: z.int().nullable(),
  /** Null until it is ready; good for an hour at least. */
  get_url: z.string().nullable(),
  /** Of images but BMP, and of videos where the server can look at them. */
  thumbnail_url: z.string().nullable(),
  create_date: timestamp,
});
export type Media = z.output<typeof Media>;

export const UploadSlot = z.object({
  id: z.string(),
  /** Takes the file for 15 minutes; an upload that has begun may go on. */
  put_url: z.string(),
  /** Where the file will be. */
  get_url: z.string(),
  thumbnail_url: z.string().nullable(),
  /** What the PUT has to say it is. */
  content_type: z.string(),
  max_bytes: z.int(),
  expire_date: timestamp,
});
export type UploadSlot = z.output<typeof UploadSlot>;

const pixels = z.coerce.number().int().min(1).max(20_000);
const fields = {
  type: z
    .string({ error: problem(1534) })
    .transform((text) => text.toLowerCase())
    .pipe(z.enum(MEDIA_TYPES, { error: problem(1534) })),
  /** Sizes and extensions are those of the channel; without one only what every channel takes. */
  channel: channel(1515).nullable().optional(),
  /** What the file is for, as a folder: `templates`. Kept as it is. */
  directory: z
    .string()
    .regex(/^[\w/-]{0,100}$/, { error: problem(1705) })
    .optional(),
  /** The image must have exactly these. */
  width: pixels.nullable().optional(),
  height: pixels.nullable().optional(),
};
const fileName = z.string({ error: problem(1915) }).refine(isFileName, { error: problem(1915) });

export const createSlot = endpoint({
  id: 'media.create_slot',
  method: 'POST',
  path: '/v1/media/slots',
  summary: 'Ask where to upload a file: PUT it to the put_url of the answer',
  needs: 'MEDIA:add',
  body: z.object({
    file_name: fileName,
    ...fields,
    content_type: z
      .string()
      .regex(/^(?:[\w.+-]{1,60}\/[\w.+-]{1,100}(?:;.{0,60})?)?$/, { error: problem(1705) })
      .optional(),
    /** Said before, a file that is too large is refused before it is sent. */
    bytes: z.int().min(0).optional(),
  }),
  status: 201,
  output: UploadSlot,
  problems: [1275, 1276, 1277, 1278, 1279, 1280, 1515, 1534, 1905, 1906, 1910, 1914, 1915, 1918],
});

export const renewSlot = endpoint({
  id: 'media.renew_slot',
  method: 'PUT',
  path: '/v1/media/slots/{id}',
  summary: 'Fresh addresses for a slot whose put_url has ended; what was uploaded stays',
  needs: 'MEDIA:add',
  params: idParams(1901),
  output: UploadSlot,
  problems: [1901, 1912],
});

export const createMedia = endpoint({
  id: 'media.create',
  method: 'POST',
  path: '/v1/media',
  summary: 'Upload a file in one call, as multipart/form-data',
  needs: 'MEDIA:add',
  upload: { max_bytes: MAX_MEDIA_BYTES },
  body: z.object({ file_name: fileName.optional(), ...fields }),
  status: 201,
  output: Media,
  problems: [
    1008, 1275, 1276, 1277, 1278, 1279, 1280, 1515, 1534, 1905, 1906, 1907, 1908, 1909, 1910, 1915, 1916, 1917, 1918,
  ],
  timeout_ms: 120_000,
});

export const getMedia = endpoint({
  id: 'media.get',
  method: 'GET',
  path: '/v1/media/{id}',
  summary: 'A file: what it is and where it can be had',
  needs: 'MEDIA:view',
  params: idParams(1901),
  output: Media,
  problems: [1901],
});

export const removeMedia = endpoint({
  id: 'media.remove',
  method: 'DELETE',
  path: '/v1/media/{id}',
  summary: 'Delete a file that nothing uses; its addresses end at once',
  needs: 'MEDIA:delete',
  params: idParams(1901),
  status: 204,
  output: z.null(),
  problems: [1901, 1913],
});

/** What events say: no addresses, which would end before the event is read. */
const Told = Media.omit({ get_url: true, thumbnail_url: true });
export const mediaAdded = event({ id: 'media.added', modules: ['media'], needs: 'MEDIA:view', payload: Told });
export const mediaRemoved = event({
  id: 'media.removed',
  modules: ['media'],
  needs: 'MEDIA:view',
  payload: z.object({ id: z.string(), account_id: z.string() }),
});
