/** Charts, anomalies, and scheduled exports. */
import type { Rows } from './row.ts';

export const INSIGHTS = {
  CHART_PERIOD_INVALID: {
    code: 2080,
    status: 400,
    public: 'Choose a first and a last day. A period can have 1 to 366 days.',
    field: 'from',
  },
  EXPORT_SCHEDULES_LIMIT_EXCEEDED: {
    code: 2081,
    status: 409,
    public: 'An account can have at most 20 scheduled exports. Delete one first.',
  },
  EXPORT_SCHEDULE_NOT_FOUND: { code: 2082, status: 404, public: 'Scheduled export not found' },
  ANOMALY_NOT_FOUND: { code: 2318, status: 404, public: 'Anomaly not found' },
  ANOMALY_METRIC_REQUIRED: { code: 2319, status: 400, public: 'Choose at least one figure', field: 'metrics' },
  EXPORT_DESTINATION_NOT_FOUND: { code: 2605, status: 404, public: 'Export destination not found' },
  EXPORT_DESTINATIONS_LIMIT_EXCEEDED: {
    code: 2606,
    status: 409,
    public: 'An account can have at most 10 export destinations. Delete one first.',
  },
  EXPORT_HOST_NOT_ALLOWED: {
    code: 2607,
    status: 400,
    public: 'Enter the public host name or IP address of an SFTP server',
    internal: 'The host resolves to a private network (OUTBOUND_ALLOW_CIDRS), or the port is not in SFTP_PORTS.',
    field: 'host',
  },
  EXPORT_HOST_UNREACHABLE: {
    code: 2608,
    status: 400,
    public: 'The server does not respond. Check the host and the port.',
    field: 'host',
  },
  EXPORT_HOST_KEY_CHANGED: {
    code: 2609,
    status: 409,
    public:
      'The host key of the server has changed, so nothing was sent. Compare the new key with that of your server, ' +
      'and accept it only if they match.',
    internal: 'The server does not have the host key that a user accepted. The key was replaced, or it is an attack.',
  },
  EXPORT_LOGIN_REFUSED: {
    code: 2610,
    status: 400,
    public: 'The server refused the sign-in. Check the user and the password or private key.',
    field: 'username',
  },
  EXPORT_FOLDER_REFUSED: {
    code: 2611,
    status: 400,
    public: 'The server refused to write a file. Check that the folder exists and that the user can write to it.',
    field: 'folder',
  },
  EXPORT_SECRET_REQUIRED: {
    code: 2612,
    status: 400,
    public: 'Enter a password or a private key, but not both',
    field: 'password',
  },
  EXPORT_PRIVATE_KEY_INVALID: {
    code: 2613,
    status: 400,
    public: 'Enter a private key in OpenSSH or PEM format, without a passphrase',
    field: 'private_key',
  },
  EXPORT_ENDPOINT_NOT_ALLOWED: {
    code: 2633,
    status: 400,
    public: 'Enter the public URL of an S3-compatible store, such as https://s3.example.com',
    internal: 'The URL points to a private network (OUTBOUND_ALLOW_CIDRS), or its port is not in OUTBOUND_PORTS.',
    field: 'endpoint',
  },
  EXPORT_ENDPOINT_UNREACHABLE: {
    code: 2634,
    status: 400,
    public: 'The store does not respond. Check its URL and the region.',
    field: 'endpoint',
  },
  EXPORT_ACCESS_KEY_REFUSED: {
    code: 2635,
    status: 400,
    public: 'The store refused the access key. Check the key, its secret, and its permission to write to the bucket.',
    field: 'access_key_id',
  },
  EXPORT_BUCKET_REFUSED: {
    code: 2636,
    status: 400,
    public: 'The store refused to write to the bucket. Check that the bucket exists in this region.',
    field: 'bucket',
  },
  EXPORT_SECRET_KEY_REQUIRED: {
    code: 2637,
    status: 400,
    public: 'Enter the secret access key',
    field: 'secret_access_key',
  },
  EXPORT_DESTINATION_IN_USE: {
    code: 2614,
    status: 409,
    public: 'Scheduled exports use this destination. Delete them first.',
  },
} as const satisfies Rows;
