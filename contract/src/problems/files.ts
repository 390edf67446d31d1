/** Files and exports. */
import type { Rows } from './row.ts';

export const FILES = {
  1901: [404, 'File not found'],
  1902: [403, 'The link to the file has expired'],
  1903: [429, 'The limit for the requests exceeded the allowed count'],
  1904: [404, 'Export not found'],
  1905: [400, 'The file is too large', 'file'],
  1906: [400, 'The file has another extension than is accepted here', 'file'],
  1907: [400, 'The image has other dimensions than are asked for', 'file'],
  1908: [400, 'The file is corrupted', 'file'],
  1909: [400, 'The content of the file does not match its extension', 'file'],
  1910: [400, 'The file is empty', 'file'],
  1911: [409, 'The upload stands elsewhere: ask how many bytes there are and go on from there'],
  1912: [409, 'The upload has ended already, or goes on elsewhere'],
  1913: [409, 'The file is in use'],
  1914: [429, 'Too many uploads are waiting for their files'],
  1918: [409, 'There is no room left for files', 'file'],
  1915: [400, 'File name is not valid', 'file_name'],
  1916: [400, 'The document holds macros, or more than can be unpacked safely', 'file'],
  1917: [400, 'The drawing holds scripts or links to other places', 'file'],
} as const satisfies Rows;
