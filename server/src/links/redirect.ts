/**
 * The short-link service: redirects short URLs and lets recipients opt out. It stores a click before it responds. The
 * destination gets no referrer.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { stopNumber } from '../audiences/audiences.ts';
import { refusalLimiter } from '../kernel/http/rate.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type Click, type FoundLink, findLinks, storeClicks, takeClick } from './clicks.ts';
import { CODE } from './codes.ts';
import { isBlocked } from './destinations.ts';
import { gather } from './gather.ts';
import { blockedPage, closedPage, notFoundPage, optedOutPage, optOutPage, PAGE_POLICY } from './pages.ts';
import { burstWatch, visitDevice, visitKind, visitReferrer } from './visitors.ts';

type Request = FastifyRequest<{ Params: { code: string } }>;

const BATCH = 200;
/** Unknown codes per second that an address can try before its requests are refused. */
const MISSES_PER_SECOND = 5;

interface LinkDoor {
  kernel: Kernel;
  find(wanted: { code: string; host: string }): Promise<FoundLink | null>;
  store(click: Click): Promise<void>;
  isBurst: ReturnType<typeof burstWatch>;
  misses: ReturnType<typeof refusalLimiter>;
}

export function linkDoors(http: FastifyInstance, kernel: Kernel): void {
  const door: LinkDoor = {
    kernel,
    find: gather((wanted) => findLinks(kernel.db, kernel.clock.now(), wanted), BATCH),
    store: gather(async (clicks: Click[]) => {
      await storeClicks(kernel.db, clicks);
      return clicks.map(() => undefined);
    }, BATCH),
    isBurst: burstWatch(),
    misses: refusalLimiter(MISSES_PER_SECOND),
  };
  http.register(async (scope) => {
    // The form of the opt-out page has no fields.
    scope.addContentTypeParser('application/x-www-form-urlencoded', (_, payload, done) => {
      payload.resume();
      done(null, undefined);
    });
    const url = `/:code(${CODE.source})`;
    scope.route({
      method: ['GET', 'HEAD'],
      url,
      handler: (request, reply) => open(door, request as Request, reply),
    });
    scope.post(url, (request, reply) => optOut(door, request as Request, reply));
  });
}

async function findRequested({ find, misses }: LinkDoor, request: Request): Promise<FoundLink | null> {
  misses.check(request.ip);
  const found = await find({ code: request.params.code, host: request.hostname.replace(/:\d+$/, '').toLowerCase() });
  if (!found) misses.recordRefusal(request.ip);
  return found;
}

const sendPage = (reply: FastifyReply, status: number, html: string): FastifyReply =>
  reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('content-security-policy', PAGE_POLICY)
    .header('x-robots-tag', 'noindex')
    .type('text/html; charset=utf-8')
    .send(html);

async function open(door: LinkDoor, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  const link = await findRequested(door, request);
  if (!link) return sendPage(reply, 404, notFoundPage());
  if (link.kind === 'opt_out')
    return sendPage(reply, 200, optOutPage(request.url, link.company_name, link.number ?? ''));
  const { link_id, url } = link;
  if (link_id === null || url === null || !link.is_open) return sendPage(reply, 410, closedPage());
  if (isBlocked(door.kernel.config, url)) return sendPage(reply, 403, blockedPage());
  if (!(await recordVisit(door, request, { ...link, link_id, url }))) return sendPage(reply, 410, closedPage());
  return reply
    .code(302)
    .header('location', new URL(url).href)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-robots-tag', 'noindex')
    .send();
}

/** Returns false if the link has reached its limit of clicks. */
async function recordVisit({ kernel, store, isBurst }: LinkDoor, request: Request, link: Click['link']) {
  const agent = request.headers['user-agent'] ?? '';
  const person = kernel.seals.mac(`${request.ip} ${agent}`, 'link visitor').toString('base64url').slice(0, 22);
  const message_age_ms = link.message_id === null ? null : Date.now() - createdAt(link.message_id);
  const visitor = link.number ?? person;
  const kind = isBurst(visitor, request.params.code)
    ? 'bot'
    : visitKind({ method: request.method, headers: request.headers, message_age_ms });
  const is_counted = kind === 'person' && link.max_clicks !== null;
  if (is_counted && !(await takeClick(kernel.db, link))) return false;
  await store({
    link,
    kind,
    visitor,
    device: visitDevice(agent),
    referrer: visitReferrer(request.headers.referer),
    is_counted,
  });
  return true;
}

/** A UUID of version 7 begins with its time. */
const createdAt = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

async function optOut(door: LinkDoor, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  const link = await findRequested(door, request);
  if (link?.kind !== 'opt_out' || link.number === null) return sendPage(reply, 404, notFoundPage());
  const { account_id, number, sender_id, message_id, company_name } = link;
  // A repeated opt-out changes nothing.
  await door.kernel.db.tx((tx) =>
    stopNumber(tx, { account_id, number, sender_id, message_id, reason: 'link', text: '' }),
  );
  return sendPage(reply, 200, optedOutPage(company_name, number));
}
