/** The yardstick of the accept benchmark: a bare Fastify route that stores each request with one INSERT. */
import fastify from 'fastify';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });
await pool.query(`
  create table if not exists bare_requests (
    id bigint generated always as identity primary key, body json not null, create_date timestamptz default now()
  )`);
const http = fastify();
http.post('/v1/messages', async (request, reply) => {
  const { rows } = await pool.query({
    name: 'insert',
    text: 'insert into bare_requests (body) values ($1) returning id',
    values: [request.body],
  });
  return reply.send({ data: rows });
});
await http.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
