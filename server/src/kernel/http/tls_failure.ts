/** Why a connection failed, for the person who entered its URL or its certificates. */
const FAILURES: readonly (readonly [RegExp, string])[] = [
  [/CERTIFICATE_REQUIRED/, 'The server demands a client certificate'],
  [
    /ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_|ACCESS_DENIED|HANDSHAKE_FAILURE)/,
    'The server refused the client certificate or the TLS settings',
  ],
  [/SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)/, 'No trusted authority has signed the certificate of the server'],
  [/ALTNAME_INVALID/, 'The certificate of the server is for another name'],
  [/^(ECONNRESET|EPIPE)$/, 'The server closed the connection'],
  [/^CERT_HAS_EXPIRED$/, 'The certificate of the server has expired'],
];

export function connectionFailure(error: unknown): string {
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  return FAILURES.find(([pattern]) => pattern.test(code))?.[1] ?? 'The connection failed';
}
