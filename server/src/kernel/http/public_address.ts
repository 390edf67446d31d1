/** Decides which IP addresses belong to the public internet. All other addresses count as private. */
import { BlockList, isIP } from 'node:net';

const networks = (family: 'ipv4' | 'ipv6', all: string): BlockList => {
  const list = new BlockList();
  for (const network of all.trim().split(/\s+/)) {
    const [address, bits] = network.split('/');
    list.addSubnet(address!, Number(bits), family);
  }
  return list;
};

// From the IANA special-purpose registries for IPv4 and IPv6 (RFC 6890 and its successors).
const SPECIAL_V4 = networks(
  'ipv4',
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
   192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24
   203.0.113.0/24 224.0.0.0/3`,
);
// Services that cloud providers offer to their machines at public addresses: metadata of Azure and Equinix Metal, and
// the service network of IBM Cloud. All other providers use addresses from the ranges above.
const CLOUD_V4 = networks('ipv4', '168.63.129.16/32 192.80.8.124/32 161.26.0.0/16 166.8.0.0/14');
// In IPv6 only global unicast is public, except ranges that are reserved or contain an IPv4 address.
const GLOBAL_V6 = networks('ipv6', '2000::/3');
const SPECIAL_V6 = networks('ipv6', '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20');

export function isPublic(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !SPECIAL_V4.check(address, 'ipv4') && !CLOUD_V4.check(address, 'ipv4');
  if (family === 6) return GLOBAL_V6.check(address, 'ipv6') && !SPECIAL_V6.check(address, 'ipv6');
  return false;
}
