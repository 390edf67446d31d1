/**
 * The content security policy forbids creating markup and code from text (Trusted Types), and styles without the
 * response's nonce. Libraries write the content of style elements as markup. The default policy allows this but rejects
 * any text that could open an element. Scripts come only from the payment provider, apart from the worker that shows
 * notifications.
 */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createHTML(text: string): string | null; createScriptURL(url: string): string | null },
  ): unknown;
}

/** The payment provider’s script, if this installation takes cards. Its address comes with the page. */
const paymentScript = document.querySelector<HTMLMetaElement>('meta[name=payment-script]')?.content;
const isPaymentScript = (url: string): boolean =>
  paymentScript !== undefined && new URL(url, location.href).origin === new URL(paymentScript).origin;

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
trustedTypes?.createPolicy('default', {
  createHTML: (text) => (text.includes('<') ? null : text),
  createScriptURL: (url) => (url === '/push_worker.js' || isPaymentScript(url) ? url : null),
});

export const styleNonce: string | undefined =
  document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce || undefined;

// The library that locks scrolling behind dialogs reads the nonce from here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
