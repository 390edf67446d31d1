/** Files and exports. */
import type { Rows } from './row.ts';

export const FILES = {
  FILE_NOT_FOUND: { code: 1901, status: 404, public: 'File not found' },
  FILE_LINK_EXPIRED: { code: 1902, status: 403, public: 'The link to this file has expired' },
  EXPORT_LIMIT_REACHED: {
    code: 1903,
    status: 429,
    public: 'The limit for the requests exceeded the allowed count',
    internal: 'The account has too many exports or long downloads open, or repeated the request too soon.',
  },
  EXPORT_NOT_FOUND: { code: 1904, status: 404, public: 'Export not found' },
  EXPORT_ROWS_LIMIT_EXCEEDED: {
    code: 1919,
    status: 400,
    public:
      'An export can have at most 10,000,000 rows, and an Excel file 1,000,000. Use a filter to export fewer rows.',
  },
  FILE_TOO_LARGE: { code: 1905, status: 400, public: 'The file is too large', field: 'file' },
  FILE_EXTENSION_NOT_ALLOWED: { code: 1906, status: 400, public: 'This file extension is not allowed', field: 'file' },
  IMAGE_DIMENSIONS_INVALID: {
    code: 1907,
    status: 400,
    public: 'The image does not have the required dimensions',
    field: 'file',
  },
  FILE_CORRUPTED: { code: 1908, status: 400, public: 'The file is corrupted', field: 'file' },
  FILE_CONTENT_MISMATCH: {
    code: 1909,
    status: 400,
    public: 'The content of the file does not match its extension',
    field: 'file',
  },
  FILE_EMPTY: { code: 1910, status: 400, public: 'The file is empty', field: 'file' },
  UPLOAD_OFFSET_MISMATCH: {
    code: 1911,
    status: 409,
    public: 'The upload offset does not match. Get the number of bytes received and continue from there.',
  },
  UPLOAD_ENDED: {
    code: 1912,
    status: 409,
    public: 'This upload has already ended or is in progress in another request',
  },
  FILE_IN_USE: { code: 1913, status: 409, public: 'The file is in use' },
  UPLOADS_LIMIT_REACHED: {
    code: 1914,
    status: 429,
    public: 'Too many uploads are unfinished. Finish or delete some of them first.',
  },
  STORAGE_LIMIT_REACHED: {
    code: 1918,
    status: 409,
    public: 'There is not enough storage left for this file. Delete other files first.',
    field: 'file',
    internal: 'The account has reached its storage limit.',
  },
  FILE_NAME_INVALID: { code: 1915, status: 400, public: 'File name is not valid', field: 'file_name' },
  DOCUMENT_UNSAFE: {
    code: 1916,
    status: 400,
    public: 'The document contains macros or is too large when unpacked',
    field: 'file',
    internal: 'The document contains macros, or exceeds the safe limits for unpacking.',
  },
  FILE_INFECTED: { code: 2638, status: 400, public: 'The file contains malware', field: 'file' },
  MALWARE_SCAN_UNAVAILABLE: {
    code: 2639,
    status: 503,
    public: 'The file could not be scanned for malware. Try again in a minute.',
    field: 'file',
    internal: 'clamd (CLAMAV_ADDRESS) did not respond, or the file exceeds its StreamMaxLength.',
  },
  DRAWING_UNSAFE: {
    code: 1917,
    status: 400,
    public: 'The SVG image contains scripts or external links',
    field: 'file',
  },
} as const satisfies Rows;
