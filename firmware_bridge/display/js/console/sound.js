/**
 * The bell: two tones made on the spot, when a board newly needs somebody and again while it does.
 */

const KEPT = "togyz-console-sound";
const AGAIN_MS = 25_000;
const TONES = [[0, 660], [0.16, 880]];

export class Bell {
  /** @param {function(): boolean} needed whether it is to ring again. */
  constructor(needed) {
    this.on = localStorage.getItem(KEPT) !== "off";
    this.context = null;
    this.rung = 0;
    setInterval(() => needed() && this.ring(), AGAIN_MS);
    const wake = () => this.on && this.wake(); // browsers allow sound after a touch only
    window.addEventListener("pointerdown", wake, { once: true });
    window.addEventListener("keydown", wake, { once: true });
  }

  wake() {
    this.context ??= new AudioContext();
    this.context.resume();
  }

  toggle() {
    this.on = !this.on;
    localStorage.setItem(KEPT, this.on ? "on" : "off");
    if (this.on) {
      this.wake();
      this.ring();
    }
  }

  ring() {
    if (!this.on || !this.context) return;
    this.rung += 1;
    for (const [after, pitch] of TONES) this.tone(this.context.currentTime + after, pitch);
  }

  tone(at, pitch) {
    const wave = this.context.createOscillator();
    const loudness = this.context.createGain();
    wave.frequency.value = pitch;
    wave.type = "triangle";
    loudness.gain.setValueAtTime(0, at);
    loudness.gain.linearRampToValueAtTime(0.35, at + 0.02);
    loudness.gain.exponentialRampToValueAtTime(0.001, at + 0.35);
    wave.connect(loudness).connect(this.context.destination);
    wave.start(at);
    wave.stop(at + 0.4);
  }
}
