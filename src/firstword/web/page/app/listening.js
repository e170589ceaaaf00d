// Talking to the page, where the browser has speech recognition: the first sound of a voice interrupts the answer, the
// words become the next question.

const NO_FAULT = new Set(["no-speech", "aborted"]);

/** Give `button` to the listener, hidden where the browser cannot listen. */
export function offerListening(button, { onvoice, onwords, onfault }) {
  const Recognition = globalThis.SpeechRecognition || globalThis.webkitSpeechRecognition;
  button.hidden = !Recognition;
  let listening = null;
  const end = () => {
    listening = null;
    button.setAttribute("aria-pressed", "false");
  };
  button.addEventListener("click", () => {
    if (listening) return listening.stop();
    listening = Object.assign(new Recognition(), { interimResults: true, continuous: false, onspeechstart: onvoice, onend: end });
    listening.onresult = ({ results }) => {
      const result = results[results.length - 1];
      onwords(result[0].transcript, result.isFinal);
    };
    listening.onerror = ({ error }) => {
      end();
      if (!NO_FAULT.has(error)) onfault(error);
    };
    button.setAttribute("aria-pressed", "true");
    return listening.start();
  });
}
