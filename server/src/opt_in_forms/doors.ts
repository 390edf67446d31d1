/**
 * The public pages of opt-in forms. They need no script, work in a frame of the websites that the account allows, and
 * accept plain HTML forms of other websites. They never show whether a number is known.
 */

import { Problem } from '@parley/contract/problem.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressNetwork } from '../kernel/http/network.ts';
import { refusalLimiter } from '../kernel/http/rate.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { sendPublicPage, visitKind } from '../links/links.ts';
import { chooseLanguage, listPageFields, readEntries } from './entries.ts';
import { formUrl } from './opt_in_forms.ts';
import * as pages from './page.ts';
import { addFigure, findPublicForm } from './page_queries.ts';
import { confirmOptIn, findByToken, sendOptInCode, startOptIn } from './submissions.ts';

type Request = FastifyRequest<{ Params: { code: string }; Querystring: { lang?: string } }>;

const FORM_BYTES = 16_384;
/** Unknown addresses per second that a visitor can try, and forms that a visitor can submit. */
const PER_SECOND = 5;

interface Door {
  kernel: Kernel;
  misses: ReturnType<typeof refusalLimiter>;
  submissions: ReturnType<typeof refusalLimiter>;
}

export function optInDoors(http: FastifyInstance, kernel: Kernel): void {
  const door = { kernel, misses: refusalLimiter(PER_SECOND), submissions: refusalLimiter(PER_SECOND) };
  http.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      (_, body, done) => done(null, new URLSearchParams(String(body))),
    );
    scope.get('/join/:code', (request, reply) => show(door, request as Request, reply));
    scope.post('/join/:code', (request, reply) => submit(door, request as Request, reply));
  });
}

async function findView({ kernel, misses }: Door, request: Request, body?: URLSearchParams) {
  misses.check(request.ip);
  const { code } = request.params;
  const host = request.hostname.replace(/:\d+$/, '').toLowerCase();
  const form = /^[0-9A-Za-z]{1,20}$/.test(code) ? await findPublicForm(kernel.db, code, host) : null;
  if (!form) {
    misses.recordRefusal(request.ip);
    return null;
  }
  const asked = body?.get('lang') ?? (typeof request.query.lang === 'string' ? request.query.lang : '');
  const language = chooseLanguage(form, asked, request.headers['accept-language']);
  return { form, language, path: `/join/${code}` };
}

const NOTHING = { values: {}, errors: {} };

async function show(door: Door, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  const view = await findView(door, request);
  if (!view) return sendPublicPage(reply, 404, pages.notFoundPage());
  const { form } = view;
  if (!form.is_open) return sendPublicPage(reply, 410, pages.closedPage(view), form.origins);
  const { method, headers } = request;
  if (visitKind({ method, headers, message_age_ms: null }) === 'person') await addFigure(door.kernel.db, form, 'views');
  const fields = await listPageFields(door.kernel.db, form);
  return sendPublicPage(reply, 200, pages.startPage(view, fields, NOTHING), form.origins);
}

async function submit(door: Door, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  const body = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
  const view = await findView(door, request, body);
  if (!view) return sendPublicPage(reply, 404, pages.notFoundPage());
  const { form } = view;
  if (!form.is_open) return sendPublicPage(reply, 410, pages.closedPage(view), form.origins);
  try {
    door.submissions.check(request.ip);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return sendPublicPage(reply, 429, pages.tooManyPage(view), form.origins);
  }
  door.submissions.recordRefusal(request.ip);
  const { status, html } = body.has('token')
    ? await enterCode(door, view, body)
    : await enterNumber(door, view, body, request);
  return sendPublicPage(reply, status, html, form.origins);
}

interface Answer {
  status: number;
  html: string;
}

async function enterNumber(
  { kernel }: Door,
  view: pages.PageView,
  body: URLSearchParams,
  request: Request,
): Promise<Answer> {
  const { form, language } = view;
  const fields = await listPageFields(kernel.db, form);
  const { number, country, values, errors } = readEntries(form, fields, body, language);
  if (Object.keys(errors).length > 0) return { status: 400, html: pages.startPage(view, fields, { values, errors }) };
  const { consent } = pages.formTexts(view);
  // Only programs fill in this field. They get the same page as people, and nothing is sent.
  if (body.get('website')) return { status: 200, html: pages.codePage(view, { number, token: '-', consent }) };
  const { number: _, agree: __, ...entries } = values;
  const token = await startOptIn(kernel, form, {
    ...{ number, country, entries, language, consent, address: request.ip },
    network: addressNetwork(request.ip),
    page: readPage(kernel, view, request),
  });
  return token === null
    ? { status: 429, html: pages.tooManyPage(view) }
    : { status: 200, html: pages.codePage(view, { number, token, consent }) };
}

/** The page of another website that contains the form, or the page of the form itself. */
function readPage(kernel: Kernel, { form }: pages.PageView, request: Request): string {
  const own = formUrl(kernel.config, form);
  const referrer = URL.parse(request.headers.referer ?? '');
  if (!referrer || !/^https?:$/.test(referrer.protocol) || referrer.host === new URL(own).host) return own;
  return `${referrer.origin}${referrer.pathname}`.slice(0, 500);
}

async function enterCode({ kernel }: Door, view: pages.PageView, body: URLSearchParams): Promise<Answer> {
  const token = body.get('token') ?? '';
  const submission = await findByToken(kernel, view.form, token);
  if (!submission)
    return { status: 410, html: pages.startPage(view, await listPageFields(kernel.db, view.form), NOTHING) };
  const { number, consent } = submission;
  if (body.get('action') === 'resend' && submission.status === 'pending') {
    await sendOptInCode(kernel, view.form, submission);
    return { status: 200, html: pages.codePage(view, { number, token, consent }) };
  }
  const code = (body.get('code') ?? '').replace(/\D/g, '').slice(0, 10);
  const outcome = await confirmOptIn(kernel, view.form, submission, code);
  if (outcome === 'confirmed') return { status: 200, html: pages.donePage(view) };
  if (outcome === 'stopped') return { status: 409, html: pages.stoppedPage(view) };
  return { status: 400, html: pages.codePage(view, { number, token, consent, isWrong: true }) };
}
