/**
 * Returns the network of an IP address: /24 for IPv4, /64 for IPv6. One person can easily get many addresses in one
 * network.
 */
import { isIPv6 } from 'node:net';

export function addressNetwork(address: string): string {
  const v4 = /(\d+)\.(\d+)\.(\d+)\.\d+$/.exec(address);
  if (v4) return `${v4[1]}.${v4[2]}.${v4[3]}.0/24`;
  return isIPv6(address) ? `${firstHalf(address)}::/64` : address;
}

/**
 * Returns the key that rate limits count as one caller: a single IPv4 address, because many people share a /24, or an
 * IPv6 /64.
 */
export const callerKey = (address: string): string => (address.includes('.') ? address : addressNetwork(address));

// `2001:db8::1` omits groups of zeros, which still count.
function firstHalf(address: string): string {
  const [head = '', tail] = address.split('%')[0]!.split('::');
  const groups = head === '' ? [] : head.split(':');
  const behind = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - groups.length - behind.length;
  return [...groups, ...Array<string>(zeros).fill('0'), ...behind]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
