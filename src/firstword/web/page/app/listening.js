// Talking to the page, where the browser has speech recognition: the first sound of a voice interrupts the answer, the
// words become the next question.

export class Listening {
  static get available() {
    return Boolean(globalThis.SpeechRecognition || globalThis.webkitSpeechRecognition);
  }

  constructor({ onvoice, onwords, onend }) {
    const Recognition = globalThis.SpeechRecognition || globalThis.webkitSpeechRecognition;
    this.recognition = new Recognition();
    this.recognition.interimResults = true;
    this.recognition.continuous = false;
    this.recognition.onspeechstart = onvoice;
    this.recognition.onresult = ({ results }) => {
      const result = results[results.length - 1];
      onwords(result[0].transcript, result.isFinal);
    };
    this.recognition.onend = () => onend(null);
    this.recognition.onerror = ({ error }) => onend(error);
  }

  start() {
    this.recognition.start();
  }

  stop() {
    this.recognition.stop();
  }
}
