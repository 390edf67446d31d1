/** The proxy for outgoing requests, and the networks and ports that customer URLs can use. */
import { isIP } from 'node:net';
import { isCidr, list, optional, port, setting, text, urlProtocol, yesNo } from './setting_kinds.ts';

const proxy = text
  .transform((value) => (value.includes('://') ? value : `http://${value}`))
  .refine((value) => /^https?:$/.test(urlProtocol(value)), 'must look like http://user:password@proxy:3128');

export const NETWORK_SETTINGS = {
  HTTPS_PROXY: optional(proxy, {
    secret: true,
    lowercase: true,
    meaning: 'Proxy for https:// URLs of carriers, sign-in providers, S3, webhooks, and media.',
    example: 'http://user:password@proxy:3128',
  }),
  HTTP_PROXY: optional(proxy, {
    secret: true,
    lowercase: true,
    meaning: 'Proxy for http:// URLs. It must allow CONNECT to their ports.',
    example: 'http://proxy:3128',
  }),
  NO_PROXY: setting(
    list(
      (part) => (part === '*' || isIP(part) || isCidr(part) || /^[\w.*-]+(:\d{1,5})?$/.test(part) ? part : null),
      'is not a host, IP address, or network',
    ),
    {
      lowercase: true,
      meaning: 'Hosts, IP addresses, and networks to reach without the proxy. This machine is always included.',
      example: '.internal.example.com,10.0.0.0/8',
    },
    '',
  ),
  OUTBOUND_ALLOW_CIDRS: setting(
    list((part) => (isCidr(part) ? part : null), 'is not a network'),
    {
      demo: '127.0.0.0/8,::1/128',
      meaning:
        'Private networks that customer URLs (webhooks, media, previews) can reach. None by default in production.',
      example: '10.20.0.0/16',
    },
    '',
  ),
  OUTBOUND_ALLOW_PRIVATE: setting(
    yesNo,
    { meaning: 'Must be `yes` for production to accept OUTBOUND_ALLOW_CIDRS.', example: 'yes' },
    'no',
  ),
  OUTBOUND_PORTS: setting(
    list((part) => (port.safeParse(part).success ? Number(part) : null), 'is not a port'),
    { meaning: 'Ports that customer URLs can use.', example: '80,443' },
    '80,443,8080,8443',
  ),
  SFTP_PORTS: setting(
    list((part) => (port.safeParse(part).success ? Number(part) : null), 'is not a port'),
    { meaning: 'Ports of SFTP servers that customers can enter for scheduled exports.', example: '22,2222' },
    '22,2222',
  ),
};
