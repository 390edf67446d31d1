/**
 * Media: request an upload, PUT the file to its `put_url`, and it is ready under the same ID. URLs are signed and
 * expire; users who may view the file can request new ones.
 *
 * `put_url` needs no authentication, because it is signed. `PUT` sends the file, or with
 * `Content-Range: bytes 500-999/1000` continues where the server stopped. The response is 200 with the file, or 202
 * with `{received}` while bytes are missing. `GET` and `HEAD` return the number of bytes received (header
 * `Upload-Offset`). `DELETE` removes the upload or the finished file.
 */

import { z } from 'zod';
import { channel } from '../channels/field.ts';
import { idParams, problem, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { CHANNEL_MEDIA_PROBLEMS } from '../problems/groups.ts';
import { isFileName, MAX_MEDIA_BYTES } from './rules.ts';
import { MEDIA_TYPES } from './types.ts';

export const MEDIA_STATUSES = ['waiting', 'ready'] as const;
export const SLOT_MINUTES = 15;
/** How long an unused file is kept. */
export const UNUSED_DAYS = 30;

export const Media = z.object({
  id: z.string(),
  account_id: z.string(),
  /** `waiting` for the upload, or `ready`. */
  status: z.enum(MEDIA_STATUSES),
  type: z.enum(MEDIA_TYPES),
  channel: z.string().nullable(),
  file_name: z.string(),
  /** The detected content type, regardless of the type that the upload declared. */
  content_type: z.string(),
  directory: z.string(),
  bytes: z.int().nullable(),
  sha256: z.string().nullable(),
  /** Set for images, and for videos that the server can read. */
  width: z.int().nullable(),
  height: z.int().nullable(),
  /** Null until the file is ready; valid for at least an hour. */
  get_url: z.string().nullable(),
  /** Set for images except BMP, and for videos that the server can read. */
  thumbnail_url: z.string().nullable(),
  create_date: timestamp,
});
export type Media = z.output<typeof Media>;

export const UploadSlot = z.object({
  id: z.string(),
  /** Accepts the file for 15 minutes; an upload that has begun can continue. */
  put_url: z.string(),
  /** The URL of the file once it is uploaded. */
  get_url: z.string(),
  thumbnail_url: z.string().nullable(),
  /** The content type that the PUT must send. */
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
  /** Applies the limits of this channel. By default, the limits that every channel accepts apply. */
  channel: channel('MESSAGE_CHANNEL_INVALID').nullable().optional(),
  /** A folder that names the file's purpose, such as `templates`. Stored unchanged. */
  directory: z
    .string()
    .regex(/^[\w/-]{0,100}$/, { error: problem('VALUE_INVALID') })
    .optional(),
  /** The exact image size required, in pixels. */
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
  summary: 'Request an upload, then PUT the file to the `put_url` in the response',
  needs: 'MEDIA:add',
  body: z.object({
    file_name: fileName,
    ...fields,
    content_type: z
      .string()
      .regex(/^(?:[\w.+-]{1,60}\/[\w.+-]{1,100}(?:;.{0,60})?)?$/, { error: problem('VALUE_INVALID') })
      .optional(),
    /** Lets the server reject a file that is too large before it is sent. */
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
  summary: 'Renew the URLs of an upload whose `put_url` has expired; uploaded bytes are kept',
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
  summary: 'Get a file and its URLs',
  needs: 'MEDIA:view',
  params: idParams('FILE_NOT_FOUND'),
  output: Media,
  problems: ['FILE_NOT_FOUND'],
});

export const removeMedia = endpoint({
  id: 'media.remove',
  method: 'DELETE',
  path: '/v1/media/{id}',
  summary: 'Delete an unused file; its URLs expire immediately',
  needs: 'MEDIA:delete',
  params: idParams('FILE_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['FILE_NOT_FOUND', 'FILE_IN_USE'],
});

/** The payload of events. It has no URLs, because they would expire. */
const EventMedia = Media.omit({ get_url: true, thumbnail_url: true });
export const mediaAdded = event({ id: 'media.added', modules: ['media'], needs: 'MEDIA:view', payload: EventMedia });
export const mediaRemoved = event({
  id: 'media.removed',
  modules: ['media'],
  needs: 'MEDIA:view',
  payload: z.object({ id: z.string(), account_id: z.string() }),
});
