import type { RowCause } from '../../extension/protocol';
import { useInspector } from '../state/context';
import { Link } from '../ui/link';

/** Names between backticks stand in the editor's font. */
export function Words({ text }: { readonly text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 1 ? (
      <span className="code" key={index}>
        {part}
      </span>
    ) : (
      part
    ),
  );
}

/** A link to a raw message. */
export function MessageLink({ message, tabIndex }: { readonly message: number; readonly tabIndex?: number }) {
  const { transcript, state } = useInspector();
  return (
    <Link
      tabIndex={tabIndex}
      onClick={() =>
        void transcript.jumpToMessage(message).then((found) => {
          if (!found)
            state.set({ fault: `Message ${message} is not among the rows shown; clear the filter to see it.` });
        })
      }
    >
      message {message}
    </Link>
  );
}

interface CauseProps {
  readonly cause: RowCause | null;
  readonly tabIndex: number;
}

/** Why a row is hidden, in one line, with a way to what caused it. */
export function Cause({ cause, tabIndex }: CauseProps) {
  if (!cause) return <div className="why">Hidden by the policy</div>;
  return (
    <div className="why">
      {!cause.text.startsWith('Hidden') && 'Hidden: '}
      <Words text={cause.text} />
      {cause.message !== null && (
        <>
          , <MessageLink message={cause.message} tabIndex={tabIndex} />
        </>
      )}
    </div>
  );
}
