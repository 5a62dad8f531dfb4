/** Remembers the bytes of a text that most lines repeat, so that it is decoded once. */
export class Repeated {
  private bytes = new Uint8Array(0);
  private text: string | null = null;
  constructor(private readonly decode: (bytes: Uint8Array) => string) {}
  read(bytes: Uint8Array, start: number, end: number): string {
    const { bytes: old } = this;
    if (this.text !== null && old.length === end - start) {
      let i = 0;
      while (i < old.length && old[i] === bytes[start + i]) i++;
      if (i === old.length) return this.text;
    }
    this.bytes = bytes.slice(start, end);
    return (this.text = this.decode(this.bytes));
  }
}
