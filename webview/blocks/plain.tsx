import { Fragment, type ReactNode } from 'react';
import { Link } from '../ui/link';

const ADDRESS = /https?:\/\/[^\s<>"'`\])}]+/g;
/** More than this in one text is no longer worth a link each. */
const MOST_LINKS = 40;

interface PlainProps {
  readonly text: string;
  /** What was searched for. */
  readonly query: string;
  readonly onLink?: ((url: string) => void) | undefined;
  readonly tabIndex?: number | undefined;
}

function mark(text: string, query: string): ReactNode {
  const needle = query.toLowerCase();
  const lower = text.toLowerCase();
  // Some letters change their length when lowered; then places would not fit.
  if (needle === '' || lower.length !== text.length || !lower.includes(needle)) return text;
  const parts: ReactNode[] = [];
  let from = 0;
  for (let at = lower.indexOf(needle); at >= 0; at = lower.indexOf(needle, from)) {
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + needle.length)}</mark>);
    from = at + needle.length;
  }
  parts.push(text.slice(from));
  return parts;
}

/** Text from a transcript: text nodes only. Addresses become links that ask before anything is opened. */
export function Plain({ text, query, onLink, tabIndex }: PlainProps) {
  if (!onLink || !text.includes('://')) return mark(text, query);
  const parts: ReactNode[] = [];
  let from = 0;
  for (const match of text.matchAll(ADDRESS)) {
    if (parts.length > MOST_LINKS * 2) break;
    const url = match[0].replace(/[.,;:!?]+$/, '');
    parts.push(
      <Fragment key={match.index}>
        {mark(text.slice(from, match.index), query)}
        <Link onClick={() => onLink(url)} tabIndex={tabIndex} title={`Asks before it opens ${url}`}>
          {url}
        </Link>
      </Fragment>,
    );
    from = match.index + url.length;
  }
  parts.push(<Fragment key="rest">{mark(text.slice(from), query)}</Fragment>);
  return parts;
}
