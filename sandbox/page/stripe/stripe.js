/**
 * The script that the page of a shop loads. It shows the card form in a frame of the sandbox, so the shop never sees
 * the card, and it passes the result on. It has the functions of the real script that Parley uses.
 */
{
  const origin = new URL(document.currentScript.src).origin;
  let count = 0;

  const createFrame = (saved) => {
    const frame = document.createElement('iframe');
    frame.src = `${origin}/stripe/card.html`;
    frame.title = 'Secure payment form';
    frame.style.border = '0';
    frame.style.width = '100%';
    frame.style.height = saved ? '0' : '230px';
    frame.style.display = 'block';
    return frame;
  };

  /** The challenge of the bank covers the page. */
  const cover = (frame, open) => {
    const style = frame.style;
    style.position = open ? 'fixed' : '';
    style.inset = open ? '0' : '';
    style.zIndex = open ? '2147483647' : '';
    style.height = open ? '100%' : (frame.dataset.height ?? '');
  };

  /** Sends a request to the frame, and resolves with its answer. */
  const ask = (frame, request) =>
    new Promise((resolve) => {
      const id = ++count;
      const listen = ({ data, source, origin: from }) => {
        if (from !== origin || source !== frame.contentWindow || data?.id !== id) return;
        if (data.challenge !== undefined) {
          cover(frame, data.challenge);
          return;
        }
        removeEventListener('message', listen);
        resolve(data.answer);
      };
      addEventListener('message', listen);
      frame.contentWindow.postMessage({ id, ...request }, origin);
    });

  class Element {
    constructor() {
      this.listeners = { ready: [], change: [] };
      this.receive = ({ data, source }) => {
        if (source === this.frame?.contentWindow && data?.event)
          for (const listener of this.listeners[data.event] ?? []) listener(data);
      };
    }
    mount(target) {
      const parent = typeof target === 'string' ? document.querySelector(target) : target;
      this.frame = createFrame(false);
      this.frame.dataset.height = this.frame.style.height;
      addEventListener('message', this.receive);
      parent.replaceChildren(this.frame);
    }
    on(event, listener) {
      this.listeners[event]?.push(listener);
      return this;
    }
    unmount() {
      removeEventListener('message', this.receive);
      this.frame?.remove();
      this.frame = undefined;
    }
    destroy() {
      this.unmount();
    }
  }

  /** Confirms with a card of the form, or with a saved card in a frame that nobody sees. */
  const confirm = async (key, { elements, clientSecret, confirmParams }) => {
    const client_secret = clientSecret ?? elements.clientSecret;
    const frame = elements?.element?.frame ?? createFrame(true);
    if (!elements) {
      frame.dataset.height = '0';
      document.body.append(frame);
      await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    }
    const answer = await ask(frame, { confirm: { key, client_secret, payment_method: confirmParams?.payment_method } });
    if (!elements) frame.remove();
    return answer;
  };

  globalThis.Stripe = (key) => ({
    elements: ({ clientSecret }) => ({
      clientSecret,
      create() {
        this.element = new Element();
        return this.element;
      },
      submit: async () => ({}),
    }),
    async confirmPayment(options) {
      const { error, intent } = await confirm(key, options);
      return error ? { error } : { paymentIntent: intent };
    },
    async confirmSetup(options) {
      const { error, intent } = await confirm(key, options);
      return error ? { error } : { setupIntent: intent };
    },
  });
}
