/** Lists of IP addresses and networks, such as `192.0.2.1` and `2001:db8::/32`. */
import { BlockList, isIP } from 'node:net';

const FAMILIES = { 4: 'ipv4', 6: 'ipv6' } as const;

/** Returns the entry in its usual form, or null if it is neither an address nor a network. */
export function readAddress(text: string): string | null {
  const [address = '', bits, ...rest] = text.trim().toLowerCase().split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0 || address.includes('%')) return null;
  if (bits === undefined) return address;
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) return null;
  return `${address}/${Number(bits)}`;
}

/** True if the list is empty or contains the address. An IPv4 address can arrive in its IPv6 form. */
export function allowsAddress(list: readonly string[], address: string): boolean {
  if (list.length === 0) return true;
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  const family = isIP(plain) as 0 | 4 | 6;
  if (family === 0) return false;
  const allowed = new BlockList();
  for (const entry of list) {
    const [network = '', bits] = entry.split('/');
    const kind = FAMILIES[isIP(network) as 4 | 6];
    if (bits === undefined) allowed.addAddress(network, kind);
    else allowed.addSubnet(network, Number(bits), kind);
  }
  return allowed.check(plain, FAMILIES[family]);
}
