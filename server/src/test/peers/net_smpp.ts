/** Net::SMPP (Debian package libnet-smpp-perl), a synchronous third-party SMPP client. */
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { isInstalled } from './debian.ts';

export const isNetSmppAvailable = (): boolean =>
  isInstalled(
    'libnet-smpp-perl',
    () => spawnSync('perl', ['-MNet::SMPP', '-e', '1'], { stdio: 'ignore' }).status === 0,
  );

/** Binds, submits, waits for a receipt, queries, and unbinds. Prints one line for each step. */
const PROGRAM = String.raw`
use strict; use Net::SMPP;
my ($port, $system_id, $password, $from, $to, $text) = @ARGV;
my ($smpp, $bound) = Net::SMPP->new_transceiver('127.0.0.1', port => $port, system_id => $system_id,
  password => $password, smpp_version => 0x34) or die "no connection\n";
printf "bind %d\n", $bound->{status};
exit 0 if $bound->{status};
my $sent = $smpp->submit_sm(source_addr_ton => 1, source_addr_npi => 1, source_addr => $from, dest_addr_ton => 1,
  dest_addr_npi => 1, destination_addr => $to, short_message => $text, registered_delivery => 1) or die "submit\n";
printf "submit %d %s\n", $sent->{status}, $sent->{message_id} // '';
my $pdu = $smpp->read_pdu() or die "no receipt\n";
printf "deliver %s\n", $pdu->{short_message};
$smpp->deliver_sm_resp(seq => $pdu->{seq}, message_id => '');
my $state = $smpp->query_sm(message_id => $sent->{message_id}, source_addr_ton => 1, source_addr_npi => 1,
  source_addr => $from) or die "query\n";
printf "query %d %d\n", $state->{status}, $state->{message_state};
my $unbound = $smpp->unbind() or die "unbind\n";
printf "unbind %d\n", $unbound->{status};
`;

export async function runNetSmpp(
  bind: { port: number; system_id: string; password: string },
  message: { from: string; to: string; text: string },
): Promise<string[]> {
  const args = [bind.port, bind.system_id, bind.password, message.from, message.to, message.text].map(String);
  const { stdout } = await promisify(execFile)('perl', ['-e', PROGRAM, ...args], { timeout: 60_000 });
  return stdout.trim().split('\n');
}
