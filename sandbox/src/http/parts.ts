import type { Hubspot } from '../hubspot/hubspot.ts';
import type { Authenticators } from '../identity/authenticator.ts';
import type { Google } from '../identity/google.ts';
import type { Live } from '../live.ts';
import type { Mailbox } from '../mail/mailbox.ts';
import type { Pipedrive } from '../pipedrive/pipedrive.ts';
import type { Providers } from '../providers/providers.ts';
import type { Push } from '../push/push.ts';
import type { Smsc } from '../smsc/smsc.ts';
import type { Stripe } from '../stripe/stripe.ts';
import type { Viber } from '../viber/viber.ts';
import type { Whatsapp } from '../whatsapp/whatsapp.ts';
import type { World } from '../world/world.ts';

/** The parts of a sandbox that the HTTP API exposes. */
export interface Parts {
  world: World;
  smsc: Smsc;
  mailbox: Mailbox;
  live: Live;
  google: Google;
  authenticators: Authenticators;
  stripe: Stripe;
  pipedrive: Pipedrive;
  hubspot: Hubspot;
  push: Push;
  viber: Viber;
  providers: Providers;
  whatsapp: Whatsapp;
  ports: { smpp: number; smpp_tls: number; smtp: number };
}
