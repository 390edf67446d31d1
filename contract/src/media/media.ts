/**
 * Media: ask for a slot, PUT the file to its `put_url`, and it is ready under the slot's id. The addresses are signed and end; whoever may see the
 * medium can ask for new ones.
 *
 * Of `put_url` (no sign-in; the link is the permission): `PUT` with the file, or with `Content-Range: bytes 500-999/1000` to go on where the server
 * stands; answers 200 with the medium, or 202 with `{received}` while bytes are missing. `GET` or `HEAD` say how many bytes there are (header
 * `Upload-Offset`). `DELETE` takes the upload, or the finished file, away.
 */

import { z } from 'zod';
import { channel, idParams, problem, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { CHANNEL_MEDIA_PROBLEMS } from '../problems/groups.ts';
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
    .string({ error: problem('MESSAGE_TYPE_REQUIRED') })
    .transform((text) => text.toLowerCase())
    .pipe(z.enum(MEDIA_TYPES, { error: problem('MESSAGE_TYPE_REQUIRED') })),
  /** Sizes and extensions are those of the channel; without one only what every channel takes. */
  channel: channel('MESSAGE_CHANNEL_INVALID').nullable().optional(),
  /** What the file is for, as a folder: `templates`. Kept as it is. */
  directory: z
    .string()
    .regex(/^[\w/-]{0,100}$/, { error: problem('VALUE_INVALID') })
    .optional(),
  /** The image must have exactly these. */
  width: pixels.nullable().optional(),
  height: pixels.nullable().optional(),
};
const fileName = z
  .string({ error: problem('FILE_NAME_INVALID') })
  .refine(isFileName, { error: problem('FILE_NAME_INVALID') });

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
      .regex(/^(?:[\w.+-]{1,60}\/[\w.+-]{1,100}(?:;.{0,60})?)?$/, { error: problem('VALUE_INVALID') })
      .optional(),
    /** Said before, a file that is too large is refused before it is sent. */
    bytes: z.int().min(0).optional(),
  }),
  status: 201,
  output: UploadSlot,
  problems: [
    ...CHANNEL_MEDIA_PROBLEMS,
    'MESSAGE_CHANNEL_INVALID',
    'MESSAGE_TYPE_REQUIRED',
    'FILE_TOO_LARGE',
    'FILE_EXTENSION_NOT_ALLOWED',
    'FILE_EMPTY',
    'UPLOADS_LIMIT_REACHED',
    'FILE_NAME_INVALID',
    'STORAGE_LIMIT_REACHED',
  ],
});

export const renewSlot = endpoint({
  id: 'media.renew_slot',
  method: 'PUT',
  path: '/v1/media/slots/{id}',
  summary: 'Fresh addresses for a slot whose put_url has ended; what was uploaded stays',
  needs: 'MEDIA:add',
  params: idParams('FILE_NOT_FOUND'),
  output: UploadSlot,
  problems: ['FILE_NOT_FOUND', 'UPLOAD_ENDED'],
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
    'REQUEST_TOO_LARGE',
    ...CHANNEL_MEDIA_PROBLEMS,
    'MESSAGE_CHANNEL_INVALID',
    'MESSAGE_TYPE_REQUIRED',
    'FILE_TOO_LARGE',
    'FILE_EXTENSION_NOT_ALLOWED',
    'IMAGE_DIMENSIONS_INVALID',
    'FILE_CORRUPTED',
    'FILE_CONTENT_MISMATCH',
    'FILE_EMPTY',
    'FILE_NAME_INVALID',
    'DOCUMENT_UNSAFE',
    'DRAWING_UNSAFE',
    'STORAGE_LIMIT_REACHED',
  ],
  timeout_ms: 120_000,
});

export const getMedia = endpoint({
  id: 'media.get',
  method: 'GET',
  path: '/v1/media/{id}',
  summary: 'A file: what it is and where it can be had',
  needs: 'MEDIA:view',
  params: idParams('FILE_NOT_FOUND'),
  output: Media,
  problems: ['FILE_NOT_FOUND'],
});

export const removeMedia = endpoint({
  id: 'media.remove',
  method: 'DELETE',
  path: '/v1/media/{id}',
  summary: 'Delete a file that nothing uses; its addresses end at once',
  needs: 'MEDIA:delete',
  params: idParams('FILE_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['FILE_NOT_FOUND', 'FILE_IN_USE'],
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
