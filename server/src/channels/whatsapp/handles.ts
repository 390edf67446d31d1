/**
 * Uploads files that belong to no message, such as template samples and profile pictures. Each upload returns a handle.
 */
import type { WhatsAppSettings } from '@parley/contract/channels/whatsapp/settings.ts';
import { CarrierRefusal } from '../channel.ts';
import type { OutgoingMedia } from '../outgoing_content.ts';
import { toObject, toText } from '../wire_json.ts';
import { callGraph, pathSegment } from './graph.ts';
import { contentType } from './media.ts';

/** A handle can be used once. The `media` must have `open` and a known size. */
export async function createHandle(settings: WhatsAppSettings, media: OutgoingMedia): Promise<string> {
  const { file_name, bytes } = media;
  if (settings.app_id === '')
    throw new CarrierRefusal('', 'The connection has no app ID, which is required to upload the file');
  const query = { file_name, file_length: String(bytes), file_type: contentType(media) };
  const session = toText(
    (await callGraph(settings, `${pathSegment(settings.app_id)}/uploads`, { method: 'POST', query })).id,
    2_000,
  );
  const file = await media.open!();
  try {
    // The session id is a path with its own query, used exactly as returned.
    const { h } = toObject(
      await callGraph(settings, session, {
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
    const handle = toText(h, 5_000);
    if (handle === '') throw new Error('WhatsApp did not return a handle for the file');
    return handle;
  } finally {
    file.destroy();
  }
}
