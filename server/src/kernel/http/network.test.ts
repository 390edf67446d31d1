import { expect, it } from 'vitest';
import { addressNetwork, callerKey } from './network.ts';

it.each([
  ['192.0.2.77', '192.0.2.0/24', '192.0.2.77'],
  ['::ffff:192.0.2.77', '192.0.2.0/24', '::ffff:192.0.2.77'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1:2::/64'],
  ['2001:0DB8::1', '2001:db8:0:0::/64', '2001:db8:0:0::/64'],
  ['2001:db8::ffff:1', '2001:db8:0:0::/64', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0:0::/64'],
  ['', '', ''],
])('the address %j belongs to the network %j', (address, network, caller) => {
  expect([addressNetwork(address), callerKey(address)]).toEqual([network, caller]);
});
