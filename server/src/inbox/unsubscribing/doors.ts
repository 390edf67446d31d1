/**
 * The page behind the links that stop emails. It asks before it changes anything, and a POST changes it immediately.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readHostBrand, requestHost } from '../../kernel/brand/brand.ts';
import { refusalLimiter } from '../../kernel/http/rate.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { escapeHtml, publicPage, sendPublicPage } from '../../links/links.ts';
import { type MailKind, readSubscription, UNSUBSCRIBE_PATH, unsubscribe } from './unsubscribing.ts';

type Request = FastifyRequest<{ Params: { token: string } }>;

/** The heading of a page, and the HTML below it. */
interface Words {
  title: string;
  text: string;
}

/** Mail programs send `List-Unsubscribe=One-Click`, in one of two encodings. The body is not read. */
const BODY_BYTES = 16_384;
/** Wrong links per second that a visitor can try. */
const PER_SECOND = 5;

const WORDS: Readonly<Record<MailKind, { title: string; done: string }>> = {
  digest: { title: 'Stop inbox digests?', done: 'You will no longer receive inbox digests by email.' },
  mentions: {
    title: 'Stop the emails about mentions?',
    done: 'You will no longer receive emails when a note mentions you. You are still notified in the app.',
  },
};

export function unsubscribeDoors(http: FastifyInstance, { db, config }: Kernel): void {
  const misses = refusalLimiter(PER_SECOND);
  const send = async (request: FastifyRequest, reply: FastifyReply, status: number, { title, text }: Words) => {
    const { name } = await readHostBrand(db, config, requestHost(request.hostname));
    const body = `<p class="brand">${escapeHtml(name)}</p>\n<h1>${title}</h1>\n${text}`;
    return sendPublicPage(reply, status, publicPage({ title, body }));
  };
  const find = (request: Request) => {
    misses.check(request.ip);
    const subscription = readSubscription(db.seals, request.params.token);
    if (!subscription) misses.recordRefusal(request.ip);
    return subscription;
  };
  http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_BYTES }, (_request, _body, done) =>
      done(null),
    );
    scope.get(`${UNSUBSCRIBE_PATH}/:token`, (request, reply) => {
      const subscription = find(request as Request);
      return subscription
        ? send(request, reply, 200, askPage(subscription.kind))
        : send(request, reply, 404, REFUSED_PAGE);
    });
    scope.post(`${UNSUBSCRIBE_PATH}/:token`, async (request, reply) => {
      const subscription = find(request as Request);
      if (!subscription) return send(request, reply, 404, REFUSED_PAGE);
      await db.tx((tx) => unsubscribe(tx, subscription));
      return send(request, reply, 200, donePage(subscription.kind));
    });
  });
}

const SETTINGS = '<a href="/settings/user">Settings, My user</a>';
const AGAIN = `<p>You can turn them on again under ${SETTINGS}.</p>`;

/** The form has no action, so it is sent to the page itself. */
const askPage = (kind: MailKind): Words => ({
  title: WORDS[kind].title,
  text: `${AGAIN}\n<form method="post"><button type="submit">Stop these emails</button></form>`,
});

const donePage = (kind: MailKind): Words => ({
  title: 'Emails stopped',
  text: `<p>${WORDS[kind].done}</p>\n${AGAIN}`,
});

const REFUSED_PAGE: Words = {
  title: 'Link not valid',
  text: `<p>The link is not complete. Open it from the email again, or change your emails under ${SETTINGS}.</p>`,
};
