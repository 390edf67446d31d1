/** The addresses to which CRMs report uninstalled apps and changed records. Both only cause checks. */
import { CRMS, type CrmName } from '@parley/contract/crm/crm.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { refusalLimiter } from '../kernel/http/rate.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { findApp, provider } from './apps.ts';
import { forgetPerson } from './crm.ts';
import { hookPassword, hookPath, noteHook } from './sync/hooks.ts';

const MAX_BYTES = 1024 * 1024;

export function crmDoors(http: FastifyInstance, kernel: Kernel): void {
  const limit = refusalLimiter(kernel.config.REQUESTS_PER_SECOND);
  const refuse = ({ ip }: FastifyRequest): never => {
    limit.recordRefusal(ip);
    throw new Problem('TOKEN_INVALID');
  };
  for (const name of CRMS) uninstallDoor(http, kernel, name, refuse, limit);
  http.register(async (scope) => {
    scope.addHook('onRequest', async ({ ip }) => limit.check(ip));
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BYTES }, (_, body, done) => done(null, body));
    for (const name of CRMS) hookDoor(scope, kernel, name, refuse);
  });
}

type Refuse = (request: FastifyRequest) => never;

function uninstallDoor(
  http: FastifyInstance,
  kernel: Kernel,
  name: CrmName,
  refuse: Refuse,
  limit: ReturnType<typeof refusalLimiter>,
): void {
  const { readUninstall, callback_path } = provider(name);
  if (!readUninstall) return;
  http.delete(callback_path, async (request, reply) => {
    limit.check(request.ip);
    const app = findApp(kernel, name);
    const report = app && readOrRefuse(() => readUninstall(app, request.headers.authorization ?? '', request.body));
    if (!report) return refuse(request);
    await forgetPerson(kernel, name, report.company_id, report.user_id);
    return reply.code(204).send();
  });
}

/** A CRM with one address for all companies has no account in it. */
function hookDoor(http: FastifyInstance, kernel: Kernel, name: CrmName, refuse: Refuse): void {
  const { hooks } = provider(name);
  const route = hookPath(name, hooks.subscribe ? ':account_id' : null);
  http.post<{ Params: { account_id?: string } }>(route, { bodyLimit: MAX_BYTES }, async (request, reply) => {
    const app = findApp(kernel, name);
    const { account_id = null } = request.params;
    if (!app || !Buffer.isBuffer(request.body)) return refuse(request);
    const received = {
      method: request.method,
      url: kernel.config.PUBLIC_URL + request.url,
      headers: request.headers,
      body: request.body,
      now: kernel.clock.now(),
    };
    const password = account_id === null ? '' : hookPassword(kernel, name, account_id);
    const changes = readOrRefuse(() => hooks.read(app, received, password));
    if (!changes) return refuse(request);
    await noteHook(kernel, name, changes, account_id);
    return reply.header('cache-control', 'no-store').code(200).send({ received: true });
  });
}

/** A body that cannot be read is a bad request, but only from the CRM itself: readers check the sender first. */
function readOrRefuse<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof z.ZodError || error instanceof SyntaxError) throw new Problem('REQUEST_INVALID');
    throw error;
  }
}
