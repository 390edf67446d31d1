/**
 * The short-link service: redirects short URLs, asks for the password of a protected link, and lets recipients opt out.
 * It stores a click before it responds. The destination gets no referrer.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { stopNumber } from '../audiences/audiences.ts';
import { verifyPassword } from '../auth/auth.ts';
import { refusalLimiter } from '../kernel/http/rate.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type Click, type FoundLink, findLinks, storeClicks, takeClick } from './clicks.ts';
import { CODE } from './codes.ts';
import { isBlocked } from './destinations.ts';
import { gather } from './gather.ts';
import { blockedPage, closedPage, notFoundPage, optedOutPage, optOutPage, passwordPage } from './pages.ts';
import { sendPublicPage } from './public_page.ts';
import { burstWatch, visitDevice, visitKind, visitReferrer } from './visitors.ts';

type Request = FastifyRequest<{ Params: { code: string } }>;

const BATCH = 200;
/** Unknown codes per second that an address can try before its requests are refused. */
const MISSES_PER_SECOND = 5;
/** Wrong passwords per second that an address can enter. */
const WRONG_PASSWORDS_PER_SECOND = 1;
const FORM_BYTES = 1_024;

interface LinkDoor {
  kernel: Kernel;
  find(wanted: { code: string; host: string }): Promise<FoundLink | null>;
  store(click: Click): Promise<void>;
  isBurst: ReturnType<typeof burstWatch>;
  misses: ReturnType<typeof refusalLimiter>;
  wrongPasswords: ReturnType<typeof refusalLimiter>;
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
    wrongPasswords: refusalLimiter(WRONG_PASSWORDS_PER_SECOND),
  };
  http.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      (_, body, done) => done(null, new URLSearchParams(String(body))),
    );
    const url = `/:code(${CODE.source})`;
    scope.route({
      method: ['GET', 'HEAD'],
      url,
      handler: (request, reply) => open(door, request as Request, reply),
    });
    scope.post(url, (request, reply) => submit(door, request as Request, reply));
  });
}

async function findRequested({ find, misses }: LinkDoor, request: Request): Promise<FoundLink | null> {
  misses.check(request.ip);
  const found = await find({ code: request.params.code, host: request.hostname.replace(/:\d+$/, '').toLowerCase() });
  if (!found) misses.recordRefusal(request.ip);
  return found;
}

/** The link of the request if it can be opened. Otherwise, responds with a page and returns null. */
async function findOpen(door: LinkDoor, link: FoundLink, reply: FastifyReply): Promise<Click['link'] | null> {
  const { link_id, url } = link;
  if (link_id === null || url === null || !link.is_open) {
    await sendPublicPage(reply, 410, closedPage());
    return null;
  }
  if (isBlocked(door.kernel.config, url)) {
    await sendPublicPage(reply, 403, blockedPage());
    return null;
  }
  return { ...link, link_id, url };
}

async function open(door: LinkDoor, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  const found = await findRequested(door, request);
  if (!found) return sendPublicPage(reply, 404, notFoundPage());
  if (found.kind === 'opt_out')
    return sendPublicPage(reply, 200, optOutPage(request.url, found.company_name, found.number ?? ''));
  const link = await findOpen(door, found, reply);
  if (!link) return reply;
  return link.password_hash === null
    ? redirect(door, request, reply, link)
    : sendPublicPage(reply, 200, passwordPage(request.url));
}

async function redirect(
  door: LinkDoor,
  request: Request,
  reply: FastifyReply,
  link: Click['link'],
): Promise<FastifyReply> {
  if (!(await recordVisit(door, request, link))) return sendPublicPage(reply, 410, closedPage());
  return (
    reply
      // After a form, browsers must open the destination with GET.
      .code(request.method === 'POST' ? 303 : 302)
      .header('location', new URL(link.url).href)
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .header('x-robots-tag', 'noindex')
      .send()
  );
}

/** Returns false if the link has reached its limit of clicks. */
async function recordVisit({ kernel, store, isBurst }: LinkDoor, request: Request, link: Click['link']) {
  const agent = request.headers['user-agent'] ?? '';
  const message_age_ms = link.message_id === null ? null : Date.now() - createdAt(link.message_id);
  const visitor = link.number ?? readPerson(kernel, request.ip, agent);
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

/** A person without a number, who cannot be traced back to an address. */
const readPerson = ({ seals }: Kernel, ip: string, agent: string): string =>
  seals.mac(`${ip} ${agent}`, 'link visitor').toString('base64url').slice(0, 22);

/** A UUID of version 7 begins with its time. */
const createdAt = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

/** The button of the opt-out page, or a password. */
async function submit(door: LinkDoor, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  const found = await findRequested(door, request);
  if (found?.kind === 'opt_out' && found.number !== null) return optOut(door, reply, found, found.number);
  if (!found || found.kind === 'opt_out' || found.password_hash === null)
    return sendPublicPage(reply, 404, notFoundPage());
  const link = await findOpen(door, found, reply);
  if (!link) return reply;
  door.wrongPasswords.check(request.ip);
  const password = request.body instanceof URLSearchParams ? (request.body.get('password') ?? '') : '';
  if (await verifyPassword(link.password_hash, password)) return redirect(door, request, reply, link);
  door.wrongPasswords.recordRefusal(request.ip);
  return sendPublicPage(reply, 403, passwordPage(request.url, true));
}

async function optOut(
  door: LinkDoor,
  reply: FastifyReply,
  { account_id, sender_id, message_id, company_name }: FoundLink,
  number: string,
): Promise<FastifyReply> {
  // A repeated opt-out changes nothing.
  await door.kernel.db.tx((tx) =>
    stopNumber(tx, { account_id, number, sender_id, message_id, reason: 'link', text: '' }),
  );
  return sendPublicPage(reply, 200, optedOutPage(company_name, number));
}
