/**
 * Reads multipart bodies. The file is streamed to storage and never held in memory. The other fields become the
 * endpoint's body.
 */
import type { MultipartFile } from '@fastify/multipart';
import { Problem } from '@parley/contract/problem.ts';
import type { FastifyRequest } from 'fastify';
import { newId } from '../clock.ts';
import { TooLarge } from '../files/storage.ts';
import type { Kernel } from '../kernel.ts';
import { requireNoMalware } from '../untrusted/malware.ts';

export interface Upload {
  /** The storage key. The implementation keeps, moves, or removes the file. */
  key: string;
  filename: string;
  mimetype: string;
  bytes: number;
}

export async function readUpload(
  kernel: Kernel,
  request: FastifyRequest,
  max_bytes: number,
): Promise<{ upload: Upload | null; body: Record<string, unknown> }> {
  if (!request.isMultipart()) throw new Problem('CONTENT_TYPE_NOT_SUPPORTED');
  const body: Record<string, unknown> = {};
  let upload: Upload | null = null;
  try {
    for await (const part of request.parts({
      limits: { files: 1, fields: 50, fieldSize: 64 * 1024, fileSize: max_bytes },
    })) {
      if (part.type === 'file') upload = await storeFile(kernel, part, max_bytes);
      else if (part.fieldname === 'data') Object.assign(body, readData(String(part.value)));
      else body[part.fieldname] = part.value;
    }
  } catch (error) {
    if (upload) await kernel.storage.remove(upload.key);
    const code = String((error as { code?: unknown }).code ?? '');
    if (code.startsWith('FST_REQ_FILE') || code.endsWith('_LIMIT')) throw new Problem('REQUEST_TOO_LARGE');
    if (error instanceof TooLarge) throw new Problem('REQUEST_TOO_LARGE');
    if (error instanceof Problem) throw error;
    if (code.startsWith('FST_') || /multipart|Unexpected end of form|Malformed/i.test((error as Error).message))
      throw new Problem('VALUE_INVALID', { field: 'file' });
    throw error;
  }
  if (upload) await scan(kernel, upload);
  return { upload, body };
}

async function scan(kernel: Kernel, { key }: Upload): Promise<void> {
  const stored = kernel.config.CLAMAV_ADDRESS ? await kernel.storage.open(key) : null;
  if (!stored) return;
  try {
    await requireNoMalware(kernel, key, stored.stream);
  } catch (error) {
    await kernel.storage.remove(key);
    throw error;
  }
}

async function storeFile(kernel: Kernel, part: MultipartFile, max_bytes: number): Promise<Upload> {
  const key = `uploads/${newId()}`;
  const { bytes } = await kernel.storage.put(key, part.file, { max_bytes });
  if (part.file.truncated) {
    await kernel.storage.remove(key);
    throw new Problem('REQUEST_TOO_LARGE');
  }
  return { key, filename: part.filename.slice(0, 255), mimetype: part.mimetype, bytes };
}

function readData(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (value && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Reported as REQUEST_INVALID below.
  }
  throw new Problem('REQUEST_INVALID', { field: 'data' });
}
