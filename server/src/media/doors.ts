/**
 * Files come and go here, by signed links and outside the spine: bodies are raw and never held. Nothing that is handed out may do anything in our
 * origin: it is what we found it to be and nothing else (nosniff), it is a page without rights (sandbox), and what could be one is only ever downloaded.
 */
import type { Readable } from 'node:stream';
import { Problem } from '@parley/contract/problem.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kernel } from '../kernel/kernel.ts';
import { readFileLink, readUploadLink, type UploadLink } from './links/links.ts';
import { objectKey, removeMedia, shown, thumbnailKey } from './media.ts';
import { partSize, sweepParts } from './uploads/parts.ts';
import * as queries from './queries.ts';
import { endUploads, readRange, receive } from './uploads/receive.ts';

const UPLOADS = '/v1/media/uploads/:id';
/** A connection that carries nothing for so long is dead. */
const SILENT_MS = 60_000;
const SWEEP_MS = 3_600_000;
/** Shown in place. Everything else, drawings and documents above all, is downloaded; an <img> shows a drawing all the same. */
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
    scope.put(UPLOADS, (request: Request, reply) => put(kernel, request, reply));
    scope.get(UPLOADS, (request: Request, reply) => stand(kernel, request, reply));
    scope.delete(UPLOADS, async (request: Request, reply) => {
      const { account_id, id } = demandLink(kernel, request);
      await kernel.db.tx((tx) => removeMedia(tx, account_id, id));
      return reply.code(204).send();
    });
    scope.route({
      method: ['GET', 'HEAD'],
      url: '/v1/media/files/:name',
      handler: (request, reply) => hand(kernel, request, reply),
    });
  });
}

function demandLink(kernel: Kernel, request: Request): UploadLink {
  const link = readUploadLink(kernel, request.params.id, request.query as Record<string, unknown>);
  if (!link) throw new Problem(1902);
  return link;
}

async function put(kernel: Kernel, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store');
  const length = request.headers['content-length'];
  // The rest of a body of unknown length would be read for ever.
  if (length === undefined) reply.header('connection', 'close');
  const link = demandLink(kernel, request);
  const said = request.headers['content-type'];
  if (said !== undefined && plain(said) !== plain(link.content_type)) throw new Problem(1009);
  const range = readRange(request.headers['content-range']);
  const body: Readable = request.raw;
  const { socket } = request.raw;
  const silent = () => body.destroy();
  socket.setTimeout(SILENT_MS, silent);
  // While the file is looked at and stored nothing comes, and nothing has to.
  body.once('end', () => socket.setTimeout(0));
  try {
    const progress = await receive(kernel, link, { range, length: length === undefined ? null : Number(length), body });
    reply.header('upload-offset', progress.received);
    if (progress.ready) return reply.send({ data: shown(kernel, progress.ready) });
    return reply.code(202).send({ data: { received: progress.received } });
  } catch (error) {
    if (error instanceof Problem && error.code === 1911) {
      const row = await queries.mediaById(kernel.db, link.account_id, link.id);
      reply.header('upload-offset', await partSize(kernel, row?.lease ?? null));
    }
    // Whoever sent it is gone, or was overtaken: an answer, if it can still be heard, says to ask again.
    if ((error as { code?: string }).code === 'ECONNRESET' || body.destroyed) {
      if (!(error instanceof Problem)) throw new Problem(1912);
    }
    throw error;
  } finally {
    socket.setTimeout(0);
    socket.off('timeout', silent);
  }
}

const plain = (type: string): string => type.split(';')[0]!.trim().toLowerCase();

async function stand(kernel: Kernel, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  const { account_id, id } = demandLink(kernel, request);
  const row = await queries.mediaById(kernel.db, account_id, id);
  if (!row) throw new Problem(1901);
  const ready = row.status === 'ready';
  const received = ready ? row.bytes! : await partSize(kernel, row.lease);
  return reply
    .header('cache-control', 'no-store')
    .header('upload-offset', received)
    .send({ data: { received, media: ready ? shown(kernel, row) : null } });
}

async function hand(kernel: Kernel, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const link = readFileLink(kernel, request.query as Record<string, unknown>);
  if (!link) throw new Problem(1902);
  const row = await queries.mediaById(kernel.db, link.account_id, link.id);
  if (row?.status !== 'ready' || (link.part === 'thumbnail' && !row.has_thumbnail)) throw new Problem(1901);
  const thumbnail = link.part === 'thumbnail';
  const type = thumbnail ? 'image/webp' : row.content_type;
  const key = (thumbnail ? thumbnailKey : objectKey)(row.account_id, row.lease!);
  const etag = `"${row.sha256!.slice(0, 32)}${thumbnail ? '-s' : ''}"`;
  reply
    .header('cache-control', 'private, max-age=3600')
    .header('etag', etag)
    .header('accept-ranges', 'bytes')
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    // Pages of the admin view are of another origin, and of the same site.
    .header('cross-origin-resource-policy', 'same-site')
    .header('content-disposition', dispositionOf(type, row.file_name));
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  const range = thumbnail ? null : rangeOf(request.headers.range, row.bytes!);
  if (range === 'beyond')
    return reply.code(416).header('content-range', `bytes */${row.bytes}`).header('content-length', 0).send();
  reply.type(type);
  if (request.method === 'HEAD' && !thumbnail) return reply.header('content-length', row.bytes!).send();
  const file = await kernel.storage.open(key, range ?? undefined);
  if (!file) throw new Problem(1901);
  if (!range) return reply.header('content-length', file.bytes).send(file.stream);
  return reply
    .code(206)
    .header('content-range', `bytes ${range.start}-${range.end}/${file.bytes}`)
    .header('content-length', range.end - range.start + 1)
    .send(file.stream);
}

const dispositionOf = (type: string, name: string): string =>
  `${INLINE.test(type) ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)}`;

/** One range, as players ask for it; several, or none that can be read, are answered with the whole. */
export function rangeOf(text: string | undefined, bytes: number): { start: number; end: number } | 'beyond' | null {
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(text ?? '');
  if (!found || (found[1] === '' && found[2] === '')) return null;
  const start = found[1] === '' ? Math.max(0, bytes - Number(found[2])) : Number(found[1]);
  const end = found[1] === '' || found[2] === '' ? bytes - 1 : Math.min(Number(found[2]), bytes - 1);
  return start > end ? 'beyond' : { start, end };
}
