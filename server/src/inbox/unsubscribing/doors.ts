/** The page behind the links that stop emails. It asks before it changes anything, and a POST changes it at once. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refusalLimiter } from '../../kernel/http/rate.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { publicPage, sendPublicPage } from '../../links/links.ts';
import { type MailKind, readSubscription, UNSUBSCRIBE_PATH, unsubscribe } from './unsubscribing.ts';

type Request = FastifyRequest<{ Params: { token: string } }>;

/** Mail programs send `List-Unsubscribe=One-Click`, in one of two encodings. The body is not read. */
const BODY_BYTES = 16_384;
/** Wrong links per second that a visitor can try. */
const PER_SECOND = 5;

const WORDS: Readonly<Record<MailKind, { title: string; done: string }>> = {
  digest: { title: 'Stop the digest of your inbox?', done: 'You get no more digests of your inbox by email.' },
  mentions: {
    title: 'Stop the emails about mentions?',
    done: 'You get no more emails when a note mentions you. You are still notified in the app.',
  },
};

export function unsubscribeDoors(http: FastifyInstance, { db }: Kernel): void {
  const misses = refusalLimiter(PER_SECOND);
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
      return subscription ? sendPublicPage(reply, 200, askPage(subscription.kind)) : refuse(reply);
    });
    scope.post(`${UNSUBSCRIBE_PATH}/:token`, async (request, reply) => {
      const subscription = find(request as Request);
      if (!subscription) return refuse(reply);
      await db.tx((tx) => unsubscribe(tx, subscription));
      return sendPublicPage(reply, 200, donePage(subscription.kind));
    });
  });
}

/** The form has no action, so it is sent to the page itself. */
const askPage = (kind: MailKind): string =>
  publicPage({
    title: WORDS[kind].title,
    body: `<h1>${WORDS[kind].title}</h1>
<p>You can turn them on again under Settings, User.</p>
<form method="post"><button type="submit">Stop these emails</button></form>`,
  });

const donePage = (kind: MailKind): string =>
  publicPage({
    title: 'Emails stopped',
    body: `<h1>Emails stopped</h1>
<p>${WORDS[kind].done}</p>
<p>You can turn them on again under Settings, User.</p>`,
  });

const refuse = (reply: FastifyReply): FastifyReply =>
  sendPublicPage(
    reply,
    404,
    publicPage({
      title: 'Link not valid',
      body: `<h1>Link not valid</h1>
<p>The link is not complete. Open it from the email again, or change your emails under Settings, User.</p>`,
    }),
  );
