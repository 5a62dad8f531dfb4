import '@vscode/codicons/dist/codicon.css';

/** A picture beside a word; never alone, so it is hidden from screen readers. */
export function Icon({ name }: { readonly name: string }) {
  return <i className={`codicon codicon-${name}`} aria-hidden="true" />;
}
