/** Reads uploads: a form that contains the file, its type, and the name of the product. */
import type { FastifyRequest } from 'fastify';
import { invalidParameter } from './graph_error.ts';

export async function readForm({ body, headers }: FastifyRequest): Promise<FormData> {
  const type = headers['content-type'] ?? '';
  if (!Buffer.isBuffer(body) || !type.startsWith('multipart/form-data')) {
    throw invalidParameter('The body must be multipart/form-data with file, type, and messaging_product');
  }
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  } catch {
    throw invalidParameter('The form cannot be read');
  }
}

export async function readMediaFile(
  form: FormData,
): Promise<{ bytes: Buffer; mime: string; file_name: string | null }> {
  if (form.get('messaging_product') !== 'whatsapp') {
    throw invalidParameter('Param messaging_product must be one of {WHATSAPP}');
  }
  const file = form.get('file');
  if (!(file instanceof Blob)) throw invalidParameter('Param file must be a file');
  const mime = (file.type || String(form.get('type') ?? '')).split(';')[0]!.trim().toLowerCase();
  return { bytes: Buffer.from(await file.arrayBuffer()), mime, file_name: file.name || null };
}
