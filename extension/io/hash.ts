import { createHash } from 'node:crypto';
import type { Hash as NodeHash } from 'node:crypto';
import type { CreateHash, Hash } from '../engine/transcript/hash';

function wrap(hash: NodeHash): Hash {
  return {
    update: (text) => void hash.update(text, 'utf8'),
    copy: () => wrap(hash.copy()),
    digest: () => hash.digest('hex'),
  };
}

/** SHA-256 over Node's own crypto. */
export const createSha256: CreateHash = () => wrap(createHash('sha256'));
