/** Settings of the database connection. */
import { optional, setting, text, urlProtocol, whole, yesNo } from './setting_kinds.ts';

const isPostgres = (value: string): boolean => /^postgres(ql)?:$/.test(urlProtocol(value));

export const DATABASE_SETTINGS = {
  DATABASE_URL: optional(
    text.refine(
      (value) => value === 'embedded' || isPostgres(value),
      'must look like postgresql://user:password@host:5432/database, or be "embedded"',
    ),
    {
      demo: 'embedded',
      secret: true,
      meaning: 'PostgreSQL 15 or newer, or `embedded` for the bundled server in DATA_DIR. Required in production.',
      example: 'postgresql://parley:password@db:5432/parley',
    },
  ),
  DATABASE_CONNECTIONS: setting(
    whole(4, 500),
    {
      meaning: 'Size of the connection pool in each process. Each process opens a few more dedicated connections.',
      example: '24',
    },
    '16',
  ),
  LIST_TIMEOUT_SECONDS: setting(
    whole(1, 50),
    { meaning: 'Seconds after which a statement of a list is canceled. The call is refused with 503.', example: '20' },
    '10',
  ),
  DATABASE_DIRECT_URL: optional(
    text.refine(isPostgres, 'must look like postgresql://user:password@host:5432/database'),
    {
      secret: true,
      meaning: 'Direct URL of PostgreSQL. Required if DATABASE_URL points to PgBouncer in transaction mode.',
      example: 'postgresql://parley:password@primary:5432/parley',
    },
  ),
  DATABASE_PREPARED_STATEMENTS: optional(yesNo, {
    meaning:
      '`yes` if the pooler supports prepared statements (PgBouncer 1.21+). Default: `no` with DATABASE_DIRECT_URL.',
    example: 'yes',
  }),
};
