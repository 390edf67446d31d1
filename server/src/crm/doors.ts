/** Pipedrive reports an uninstalled app with a DELETE request to the callback URL, with the app's credentials. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { Problem } from '@parley/contract/problem.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { refusalLimiter } from '../kernel/http/rate.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { findApp, provider } from './apps.ts';
import { forgetPerson } from './crm.ts';

const id = z.union([z.number(), z.string()]).transform(String);
const Uninstall = z.object({ company_id: id, user_id: id });

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

export function crmDoors(http: FastifyInstance, kernel: Kernel): void {
  const limit = refusalLimiter(kernel.config.REQUESTS_PER_SECOND);
  http.delete(provider('pipedrive').callback_path, async (request, reply) => {
    limit.check(request.ip);
    const app = findApp(kernel, 'pipedrive');
    const expected = `Basic ${Buffer.from(`${app?.client_id}:${app?.client_secret}`).toString('base64')}`;
    if (!app || !timingSafeEqual(hash(request.headers.authorization ?? ''), hash(expected))) {
      limit.recordRefusal(request.ip);
      throw new Problem('TOKEN_INVALID');
    }
    const body = Uninstall.safeParse(request.body);
    if (!body.success) throw new Problem('REQUEST_INVALID');
    await forgetPerson(kernel, 'pipedrive', body.data.company_id, body.data.user_id);
    return reply.code(204).send();
  });
}
