/**
 * The certificate of the TLS port. It is reloaded every minute, so that a renewed certificate needs no restart. Bound
 * sessions keep theirs. An unreadable file or a key that does not match the certificate changes nothing and is logged.
 */
import { readFileSync } from 'node:fs';
import type { SmppServer } from '@parley/smpp/server.ts';
import type { Kernel } from '../kernel/kernel.ts';

const READ_MS = 60_000;

export interface CertificatePair {
  cert: string;
  key: string;
}

export const readCertificate = ({ config }: Pick<Kernel, 'config'>): CertificatePair => ({
  cert: readFileSync(config.SMPP_TLS_CERT_FILE!, 'utf8'),
  key: readFileSync(config.SMPP_TLS_KEY_FILE!, 'utf8'),
});

export interface CertificateReader {
  /** Reads the files now. */
  check(): void;
  stop(): void;
}

/** Reads the files again until it is stopped. `current` is the pair with which the server started. */
export function followCertificate(
  kernel: Pick<Kernel, 'config' | 'log'>,
  server: Pick<SmppServer, 'setCertificate'>,
  current: CertificatePair,
): CertificateReader {
  let { cert, key } = current;
  let lastError = '';
  const check = () => {
    try {
      const pair = readCertificate(kernel);
      if (pair.cert === cert && pair.key === key) return;
      server.setCertificate(pair);
      ({ cert, key } = pair);
      lastError = '';
      kernel.log.info({ file: kernel.config.SMPP_TLS_CERT_FILE }, 'SMPP certificate replaced');
    } catch (error) {
      const { message } = error as Error;
      if (message !== lastError) kernel.log.error({ err: error }, 'SMPP certificate not replaced');
      lastError = message;
    }
  };
  const timer = setInterval(check, READ_MS).unref();
  return { check, stop: () => clearInterval(timer) };
}
