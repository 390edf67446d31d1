/**
 * Handles uploads and downloads through signed links. They are not contract endpoints, because their bodies are
 * streamed. A downloaded file must not run anything in our origin: browsers use the stored content type only (nosniff),
 * a page has no privileges (sandbox), and files that could contain a page are downloaded, not shown.
 */
import type { Readable } from 'node:stream';
import { Problem } from '@parley/contract/problem.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kernel } from '../kernel/kernel.ts';
import { readFileLink, readUploadLink, type UploadLink } from './links/links.ts';
import { objectKey, thumbnailKey } from './objects.ts';
import * as queries from './queries.ts';
import { removeMedia } from './removal.ts';
import { readPartSize, sweepParts } from './uploads/parts.ts';
import { endUploads, parseContentRange, receiveUpload } from './uploads/receive.ts';
import { toMedia } from './view.ts';

const UPLOADS = '/v1/media/uploads/:id';
/** A connection is closed if it transfers no data for this long. */
const SILENT_MS = 60_000;
const SWEEP_MS = 3_600_000;
const FILE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox";
/**
 * The types shown in the browser. Everything else is downloaded, including SVG and documents. An <img> can still show
 * an SVG.
 */
const INLINE = /^(?:image\/(?!svg)|video\/)/;

type Request = FastifyRequest<{ Params: { id: string } }>;

export function mediaDoors(http: FastifyInstance, kernel: Kernel): void {
  void sweepParts(kernel);
  const sweep = setInterval(() => void sweepParts(kernel), SWEEP_MS).unref();
  http.addHook('preClose', async () => {
    clearInterval(sweep);
    endUploads();
  });
  http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_, payload, done) => done(null, payload));
    scope.put(UPLOADS, (request: Request, reply) => putUpload(kernel, request, reply));
    scope.get(UPLOADS, (request: Request, reply) => sendProgress(kernel, request, reply));
    scope.delete(UPLOADS, async (request: Request, reply) => {
      const { account_id, id } = requireLink(kernel, request);
      await kernel.db.tx((tx) => removeMedia(tx, account_id, id));
      return reply.code(204).send();
    });
    scope.route({
      method: ['GET', 'HEAD'],
      url: '/v1/media/files/:name',
      handler: (request, reply) => sendFile(kernel, request, reply),
    });
  });
}

function requireLink(kernel: Kernel, request: Request): UploadLink {
  const link = readUploadLink(kernel, request.params.id, request.query as Record<string, unknown>);
  if (!link) throw new Problem('FILE_LINK_EXPIRED');
  return link;
}

async function putUpload(kernel: Kernel, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store');
  const length = request.headers['content-length'];
  // Without this, the rest of a body of unknown length would be read to its end after a refusal.
  if (length === undefined) reply.header('connection', 'close');
  const link = requireLink(kernel, request);
  const type = request.headers['content-type'];
  if (type !== undefined && withoutParameters(type) !== withoutParameters(link.content_type))
    throw new Problem('CONTENT_TYPE_NOT_SUPPORTED');
  const range = parseContentRange(request.headers['content-range']);
  const body: Readable = request.raw;
  const { socket } = request.raw;
  const onTimeout = () => body.destroy();
  socket.setTimeout(SILENT_MS, onTimeout);
  // No data is expected while the file is inspected and stored.
  body.once('end', () => socket.setTimeout(0));
  try {
    const bytes = length === undefined ? null : Number(length);
    const progress = await receiveUpload(kernel, link, { range, length: bytes, body });
    reply.header('upload-offset', progress.received);
    if (progress.ready) return reply.send({ data: toMedia(kernel, progress.ready) });
    return reply.code(202).send({ data: { received: progress.received } });
  } catch (error) {
    if (error instanceof Problem && error.name === 'UPLOAD_OFFSET_MISMATCH') {
      const row = await queries.findMedia(kernel.db, link.account_id, link.id);
      reply.header('upload-offset', await readPartSize(kernel, row?.lease ?? null));
    }
    // The client disconnected, or a newer upload took over: the response, if it arrives, states that the upload ended.
    if ((error as { code?: string }).code === 'ECONNRESET' || body.destroyed) {
      if (!(error instanceof Problem)) throw new Problem('UPLOAD_ENDED');
    }
    throw error;
  } finally {
    socket.setTimeout(0);
    socket.off('timeout', onTimeout);
  }
}

const withoutParameters = (type: string): string => type.split(';')[0]!.trim().toLowerCase();

async function sendProgress(kernel: Kernel, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  const { account_id, id } = requireLink(kernel, request);
  const row = await queries.findMedia(kernel.db, account_id, id);
  if (!row) throw new Problem('FILE_NOT_FOUND');
  const ready = row.status === 'ready';
  const received = ready ? row.bytes! : await readPartSize(kernel, row.lease);
  return reply
    .header('cache-control', 'no-store')
    .header('upload-offset', received)
    .send({ data: { received, media: ready ? toMedia(kernel, row) : null } });
}

async function sendFile(kernel: Kernel, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const link = readFileLink(kernel, request.query as Record<string, unknown>);
  if (!link) throw new Problem('FILE_LINK_EXPIRED');
  const row = await queries.findMedia(kernel.db, link.account_id, link.id);
  if (row?.status !== 'ready' || (link.part === 'thumbnail' && !row.has_thumbnail)) throw new Problem('FILE_NOT_FOUND');
  const thumbnail = link.part === 'thumbnail';
  const type = thumbnail ? 'image/webp' : row.content_type;
  const key = (thumbnail ? thumbnailKey : objectKey)(row.account_id, row.lease!);
  const etag = `"${row.sha256!.slice(0, 32)}${thumbnail ? '-s' : ''}"`;
  reply
    .header('cache-control', 'private, max-age=3600')
    .header('etag', etag)
    .header('accept-ranges', 'bytes')
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', FILE_POLICY)
    // The admin app has a different origin on the same site.
    .header('cross-origin-resource-policy', 'same-site')
    .header('content-disposition', contentDisposition(type, row.file_name));
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  const range = thumbnail ? null : parseRange(request.headers.range, row.bytes!);
  if (range === 'beyond')
    return reply.code(416).header('content-range', `bytes */${row.bytes}`).header('content-length', 0).send();
  reply.type(type);
  if (request.method === 'HEAD' && !thumbnail) return reply.header('content-length', row.bytes!).send();
  const file = await kernel.storage.open(key, range ?? undefined);
  if (!file) throw new Problem('FILE_NOT_FOUND');
  if (!range) return reply.header('content-length', file.bytes).send(file.stream);
  return reply
    .code(206)
    .header('content-range', `bytes ${range.start}-${range.end}/${file.bytes}`)
    .header('content-length', range.end - range.start + 1)
    .send(file.stream);
}

function contentDisposition(type: string, name: string): string {
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  return `${INLINE.test(type) ? 'inline' : 'attachment'}; filename*=UTF-8''${encoded}`;
}

/**
 * Returns the requested range, or null for several ranges or an unreadable range. The response is then the whole file.
 */
function parseRange(text: string | undefined, bytes: number): { start: number; end: number } | 'beyond' | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(text ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  return start > end ? 'beyond' : { start, end };
}
