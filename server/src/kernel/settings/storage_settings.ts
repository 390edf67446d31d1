/** The settings for the storage of files and for the program that scans them. */
import { choice, optional, setting, text, webAddress } from './setting_kinds.ts';

export const STORAGE_SETTINGS = {
  CLAMAV_ADDRESS: optional(
    text.regex(
      /^(\/.{1,100}|(\[[0-9a-f:.]+\]|[\w.-]{1,253})(:\d{1,5})?)$/i,
      'must be host:port or the path of a socket',
    ),
    {
      meaning: 'Address of clamd (ClamAV), which scans every uploaded and received file. Off by default.',
      example: 'clamav:3310',
    },
  ),
  S3_BUCKET: optional(text.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be a bucket name'), {
    meaning: 'S3 bucket for files, instead of DATA_DIR. Required if several machines do not share a folder.',
    example: 'parley-files',
  }),
  S3_ENDPOINT: optional(webAddress, {
    meaning: 'URL of the object store (path-style buckets). Default: Amazon S3 in S3_REGION.',
    example: 'https://objects.example.com',
  }),
  S3_REGION: setting(
    text.regex(/^[a-z0-9-]{1,40}$/, 'must be a region name'),
    { meaning: 'Region of the bucket.', example: 'eu-central-1' },
    'us-east-1',
  ),
  S3_CREDENTIALS: setting(
    choice(['keys', 'role']),
    {
      meaning: '`keys`: use the access key below. `role`: use the role of the pod, container, or instance.',
      example: 'role',
    },
    'keys',
  ),
  S3_ACCESS_KEY_ID: optional(text.regex(/^[\x21-\x7e]{1,128}$/, 'must have no spaces'), {
    meaning: 'Access key that can read, write, and delete objects in the bucket.',
    example: 'AKIAIOSFODNN7EXAMPLE',
  }),
  S3_SECRET_ACCESS_KEY: optional(text.regex(/^[\x21-\x7e]{1,256}$/, 'must have no spaces'), {
    secret: true,
    meaning: 'Secret of the access key.',
    example: '40 random characters',
  }),
  S3_SESSION_TOKEN: optional(text.regex(/^[\x21-\x7e]{1,4096}$/, 'must have no spaces'), {
    secret: true,
    meaning: 'Session token, if the access key is temporary. Use a role for keys that are rotated.',
    example: 'the token of temporary keys',
  }),
};
