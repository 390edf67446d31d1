/** The push service under /push, and its controls for tests. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { inputNumber, inputObject } from '../problem.ts';
import type { Push } from './push.ts';

type Id = { Params: { id: string } };

const maxBytes = 8_192;
const originFor = (request: FastifyRequest): string => `http://${request.headers.host}`;

export function pushRoutes(api: FastifyInstance, push: Push): void {
  api.register(async (scope) => {
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body, done) =>
      done(null, body),
    );
    scope.post<Id>('/push/:id', (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      return reply.status(push.receive(request.params.id, originFor(request), request.headers, body)).send();
    });
  });
  api.post('/api/push', (request) => push.subscribe(originFor(request)));
  api.get<Id>('/api/push/:id/messages', ({ params }) => push.messages(params.id));
  api.get<Id>('/api/push/:id', ({ params }) => ({ attempts: push.attempts(params.id) }));
  api.put<Id>('/api/push/:id', ({ params, body }) => {
    const status = inputNumber(inputObject(body, ['status']), 'status', { min: 0, max: 599 });
    push.answer(params.id, status === 0 ? null : status);
    return {};
  });
  api.delete<Id>('/api/push/:id', ({ params }) => {
    push.expire(params.id);
    return {};
  });
}
