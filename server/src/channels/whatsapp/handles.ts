/**
 * Files that belong to no message: samples of templates, pictures of profiles. They are uploaded to the app, which
 * returns a handle.
 */
import type { WhatsAppSettings } from '@parley/contract/channels/whatsapp/settings.ts';
import { CarrierRefusal, type OutgoingMedia } from '../channel.ts';
import { objectOf, textOf } from '../wire_json.ts';
import { graph, step } from './graph.ts';
import { typeOf } from './media.ts';

/** A handle can be used once. `media` can be opened and has a known size. */
export async function handleOf(settings: WhatsAppSettings, media: OutgoingMedia): Promise<string> {
  const { file_name, bytes } = media;
  if (settings.app_id === '') throw new CarrierRefusal('', 'The connection names no app to hand the file to');
  const query = { file_name, file_length: String(bytes), file_type: typeOf(media) };
  const session = textOf(
    (await graph(settings, `${step(settings.app_id)}/uploads`, { method: 'POST', query })).id,
    2_000,
  );
  const file = await media.open!();
  try {
    // The session is a path with a query of its own, used as it was returned.
    const { h } = objectOf(
      await graph(settings, session, {
        method: 'POST',
        body: file,
        headers: {
          authorization: `OAuth ${settings.access_token}`,
          file_offset: 0,
          'content-type': 'application/octet-stream',
          'content-length': bytes!,
        },
        timeout_ms: Math.max(120_000, settings.timeout_ms),
      }),
    );
    const handle = textOf(h, 5_000);
    if (handle === '') throw new Error('WhatsApp gave the file no handle');
    return handle;
  } finally {
    file.destroy();
  }
}
