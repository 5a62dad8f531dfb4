import { FLAG, TYPE } from './draft';
import type { RecordTable } from './recordTable';

/** Finds the parent of each record, with missing and wrong ones mended; asked for every record in order of the file. */
export class Parents {
  /** The last record of the main chain, and of each sub-agent, that later ones may follow. */
  private lastMain = -1;
  private readonly lastOfAgent = new Map<number, number>();
  /** Ids that records name as their parents and that no record of the file has. */
  private readonly missing = new Set<number>();
  private hasSide = false;
  private hasMain = false;

  constructor(private readonly records: RecordTable) {
    for (let i = 0; i < records.size && !this.hasMain; i++) this.look(i);
  }

  /** True in a sub-agent's own file: its sidechain is what the file is about. */
  get isAgentFile(): boolean {
    return this.hasSide && !this.hasMain;
  }

  isSide(record: number): boolean {
    return !this.isAgentFile && this.records.has(record, FLAG.sidechain);
  }

  /** The parent of the next record; -1 for a root. It may come later in the file. */
  take(record: number): number {
    const { records, missing } = this;
    const side = this.isSide(record);
    const agent = records.agent[record]!;
    const before = side ? (this.lastOfAgent.get(agent) ?? -1) : this.lastMain;
    if (records.has(record, FLAG.loose)) return before;
    if (side) this.lastOfAgent.set(agent, record);
    else this.lastMain = record;
    const isRoot = records.has(record, FLAG.parentNull);
    if (isRoot && !records.has(record, FLAG.compaction)) return -1;
    const id = isRoot ? (records.logicalParent.get(record) ?? -1) : records.parent[record]!;
    const given = records.find(id);
    if (given < 0 && id >= 0) missing.add(id);
    if (given < 0 || given === record) return before;
    if (this.isSide(given) === side) return given;
    return side && !isRoot ? -1 : before;
  }

  /**
   * Whether a record that was appended leaves the parents of all before it as they are; if so, `take` may be asked for
   * its own.
   */
  isPlain(record: number): boolean {
    const { records, isAgentFile } = this;
    const id = records.uuid[record]!;
    if (id >= 0 && this.missing.has(id)) return false;
    this.look(record);
    return this.isAgentFile === isAgentFile;
  }

  private look(record: number): void {
    const { records } = this;
    if (records.has(record, FLAG.sidechain)) this.hasSide = true;
    else if (records.type[record] === TYPE.user || records.type[record] === TYPE.assistant) this.hasMain = true;
  }
}
