/** A Fastify server with one route that does nothing, as the baseline of the redirect. Prints its port. */
import fastify from 'fastify';

const server = fastify({ logger: false });
server.get('/:code', (_request, reply) => reply.code(302).header('location', 'https://example.com').send());
await server.listen({ port: 0, host: '127.0.0.1' });
const address = server.server.address();
console.log(typeof address === 'object' && address ? address.port : 0);
