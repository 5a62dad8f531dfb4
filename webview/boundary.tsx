import { Component, type ReactNode } from 'react';
import { Button } from './ui/button';

interface BoundaryProps {
  readonly children: ReactNode;
  readonly onError: (message: string) => void;
}

/** Catches what goes wrong while drawing, and says what to do. */
export class Boundary extends Component<BoundaryProps, { readonly error: Error | null }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidCatch(error: Error): void {
    this.props.onError(`drawing failed: ${error.stack ?? error.message}`);
  }

  override render(): ReactNode {
    const error: Error | null = this.state.error;
    if (error === null) return this.props.children;
    return (
      <div className="empty" role="alert">
        <p className="empty-title">This part of the inspector could not be drawn</p>
        <p>
          The session is not affected and nothing was lost. Try again; if it happens again, close the inspector, open it
          anew, and look at the extension’s log.
        </p>
        <pre className="code">{(error as Error).message}</pre>
        <Button primary onClick={() => this.setState({ error: null })}>
          Try again
        </Button>
      </div>
    );
  }
}
