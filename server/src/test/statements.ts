/** What is asked of the database while something is done, for tests that look whether an answer costs the same for both. */
import type { Db } from '../kernel/db/db.ts';

/** One list of statements for each connection that was taken and asked for `mark`. Workers are busy on connections of their own. */
export async function statementsOf(db: Db, mark: string, act: () => Promise<unknown>): Promise<string[][]> {
  const leases: string[][] = [];
  const { pool } = db;
  const connect = pool.connect.bind(pool);
  // Only listens. Single statements are asked with a callback, outside of transactions.
  pool.connect = (async (callback?: Parameters<typeof connect>[0]) => {
    if (callback) return connect(callback);
    const client = await connect();
    const query = client.query;
    const asked: string[] = [];
    leases.push(asked);
    client.query = ((...given: unknown[]) => {
      const [first] = given as [string | { text: string }];
      asked.push((typeof first === 'string' ? first : first.text).replace(/\s+/g, ' ').slice(0, 60));
      return (query as (...all: unknown[]) => unknown).apply(client, given);
    }) as typeof client.query;
    const release = client.release.bind(client);
    client.release = (error) => {
      client.query = query;
      release(error);
    };
    return client;
  }) as unknown as typeof pool.connect;
  try {
    await act();
  } finally {
    pool.connect = connect as typeof pool.connect;
  }
  return leases.filter((asked) => asked.some((text) => text.includes(mark)));
}
