import type { Disposable } from '../session/disposable';
import type { Report } from './log';
import type { OpenSession, Sessions } from './sessions';

/** Keeps something beside every open session, and lets go of it when the session is closed. */
export class Attachments implements Disposable {
  private readonly attached = new Map<OpenSession, Disposable>();
  private readonly listening: Disposable;

  constructor(
    private readonly sessions: Sessions,
    private readonly attach: (session: OpenSession) => Disposable,
    private readonly report: Report,
  ) {
    this.listening = sessions.onDidChangeOpen(() => this.update());
    this.update();
  }

  /** Lets go of everything and begins anew, for when a setting changed. */
  renew(): void {
    this.clear();
    this.update();
  }

  dispose(): void {
    this.listening.dispose();
    this.clear();
  }

  private clear(): void {
    for (const attached of this.attached.values()) attached.dispose();
    this.attached.clear();
  }

  private update(): void {
    const open = new Set(this.sessions.openSessions);
    for (const [session, attached] of this.attached) {
      if (open.has(session)) continue;
      attached.dispose();
      this.attached.delete(session);
    }
    for (const session of open) {
      if (this.attached.has(session)) continue;
      try {
        this.attached.set(session, this.attach(session));
      } catch (error) {
        this.report(error, `follow the session “${session.entry.title}”`);
      }
    }
  }
}
