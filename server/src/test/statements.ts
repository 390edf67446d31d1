/** Records database statements, for tests that compare the cost of two code paths. */
import type { Db } from '../kernel/db/db.ts';

/**
 * Returns the statements from each leased connection that ran a statement containing `mark`. This excludes the workers'
 * statements.
 */
export async function recordStatements(db: Db, mark: string, act: () => Promise<unknown>): Promise<string[][]> {
  const leases: string[][] = [];
  const { pool } = db;
  const connect = pool.connect.bind(pool);
  // Only observes the calls. Single statements outside transactions use the callback form.
  pool.connect = (async (callback?: Parameters<typeof connect>[0]) => {
    if (callback) return connect(callback);
    const client = await connect();
    const query = client.query;
    const statements: string[] = [];
    leases.push(statements);
    client.query = ((...args: unknown[]) => {
      const [first] = args as [string | { text: string }];
      statements.push((typeof first === 'string' ? first : first.text).replace(/\s+/g, ' ').slice(0, 60));
      return (query as (...all: unknown[]) => unknown).apply(client, args);
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
  return leases.filter((statements) => statements.some((text) => text.includes(mark)));
}
