/**
 * The short-link service: redirects short URLs, asks for the password of a protected link, and lets recipients opt out.
 * It records a click before it responds. The destination gets no referrer.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { stopNumber } from '../audiences/audiences.ts';
import { verifyPassword } from '../auth/auth.ts';
import { Gather } from '../kernel/db/gather.ts';
import { refusalLimiter } from '../kernel/http/rate.ts';
import { refusalHeaders } from '../kernel/http/security_headers.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type Click, recordClicks, takeClick } from './clicks.ts';
import { CODE } from './codes.ts';
import { isBlocked } from './destinations.ts';
import { type FoundLink, findLinks } from './lookup.ts';
import { blockedPage, closedPage, notFoundPage, optedOutPage, optOutPage, passwordPage } from './pages.ts';
import { sendPublicPage } from './public_page.ts';
import { burstWatch, visitDevice, visitKind, visitReferrer } from './visitors.ts';

type Request = FastifyRequest<{ Params: { code: string } }>;

/** Requests that share a statement. */
const BATCH = { max: 200, at_once: 1 };
/** Unknown codes per second that an address can try before its requests are refused. */
const MISSES_PER_SECOND = 5;
/** Wrong passwords per second that an address can enter. */
const WRONG_PASSWORDS_PER_SECOND = 1;
const FORM_BYTES = 1_024;

interface LinkDoor {
  kernel: Kernel;
  found: Gather<{ code: string; host: string }, FoundLink | null>;
  clicks: Gather<Click, undefined>;
  isBurst: ReturnType<typeof burstWatch>;
  misses: ReturnType<typeof refusalLimiter>;
  /**
   * Headers of all responses. Building security headers for each request would cost as much as the rest of the
   * response.
   */
  headers: Readonly<Record<string, string>>;
  wrongPasswords: ReturnType<typeof refusalLimiter>;
}

export function linkDoors(http: FastifyInstance, kernel: Kernel): void {
  const door: LinkDoor = {
    kernel,
    found: new Gather((wanted) => findLinks(kernel.db, kernel.clock.now(), wanted), BATCH),
    clicks: new Gather(async (clicks) => {
      await recordClicks(kernel.db, clicks);
      return clicks.map(() => undefined);
    }, BATCH),
    isBurst: burstWatch(),
    misses: refusalLimiter(MISSES_PER_SECOND),
    headers: { ...refusalHeaders(kernel.config), 'x-robots-tag': 'noindex' },
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
      config: { for_programs: true },
      handler: (request, reply) => open(door, request as Request, reply),
    });
    scope.post(url, { config: { for_programs: true } }, (request, reply) => submit(door, request as Request, reply));
  });
}

async function findRequested({ found: codes, misses }: LinkDoor, request: Request): Promise<FoundLink | null> {
  misses.check(request.ip);
  const found = await codes.add({
    code: request.params.code,
    host: request.hostname.replace(/:\d+$/, '').toLowerCase(),
  });
  if (!found) misses.recordRefusal(request.ip);
  return found;
}

const sendPage = ({ headers }: LinkDoor, reply: FastifyReply, status: number, html: string): FastifyReply =>
  sendPublicPage(reply.headers(headers), status, html);

interface OpenLink extends FoundLink {
  link_id: string;
  url: string;
}

/** The link of the request if it can be opened. Otherwise, responds with a page and returns null. */
async function findOpen(door: LinkDoor, link: FoundLink, reply: FastifyReply): Promise<OpenLink | null> {
  const { link_id, url } = link;
  if (link_id === null || url === null || !link.is_open) {
    await sendPage(door, reply, 410, closedPage());
    return null;
  }
  if (isBlocked(door.kernel.config, url)) {
    await sendPage(door, reply, 403, blockedPage());
    return null;
  }
  return { ...link, link_id, url };
}

async function open(door: LinkDoor, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  const found = await findRequested(door, request);
  if (!found) return sendPage(door, reply, 404, notFoundPage());
  if (found.kind === 'opt_out')
    return sendPage(door, reply, 200, optOutPage(request.url, found.company_name, found.number ?? ''));
  const link = await findOpen(door, found, reply);
  if (!link) return reply;
  return link.password_hash === null
    ? redirect(door, request, reply, link)
    : sendPage(door, reply, 200, passwordPage(request.url));
}

async function redirect(door: LinkDoor, request: Request, reply: FastifyReply, link: OpenLink): Promise<FastifyReply> {
  if (!(await recordVisit(door, request, link))) return sendPage(door, reply, 410, closedPage());
  reply.hijack();
  // After a form, browsers must open the destination with GET.
  reply.raw.writeHead(request.method === 'POST' ? 303 : 302, {
    ...door.headers,
    location: new URL(link.url).href,
    'x-request-id': request.id,
    'content-length': '0',
  });
  reply.raw.end();
  return reply;
}

/** Returns false if the link has reached its limit of clicks. */
async function recordVisit({ kernel, clicks, isBurst }: LinkDoor, request: Request, link: OpenLink): Promise<boolean> {
  const { account_id, link_id, message_id, number, country } = link;
  const agent = request.headers['user-agent'] ?? '';
  const message_age_ms = message_id === null ? null : Date.now() - createdAt(message_id);
  const visitor = number ?? readPerson(kernel, request.ip, agent);
  const kind = isBurst(visitor, request.params.code)
    ? 'bot'
    : visitKind({ method: request.method, headers: request.headers, message_age_ms });
  const is_counted = kind === 'person' && link.max_clicks !== null;
  if (is_counted && !(await takeClick(kernel.db, link))) return false;
  await clicks.add({
    ...{ account_id, link_id, message_id, number, country, kind, visitor, is_counted },
    device: visitDevice(agent),
    referrer: visitReferrer(request.headers.referer),
    click_date: kernel.clock.now().toISOString(),
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
    return sendPage(door, reply, 404, notFoundPage());
  const link = await findOpen(door, found, reply);
  if (!link) return reply;
  door.wrongPasswords.check(request.ip);
  const password = request.body instanceof URLSearchParams ? (request.body.get('password') ?? '') : '';
  if (await verifyPassword(link.password_hash, password)) return redirect(door, request, reply, link);
  door.wrongPasswords.recordRefusal(request.ip);
  return sendPage(door, reply, 403, passwordPage(request.url, true));
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
  return sendPage(door, reply, 200, optedOutPage(company_name, number));
}
