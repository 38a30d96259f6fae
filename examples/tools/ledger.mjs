/**
 * The world outside of Writ, as far as the examples have one: a file of JSON lines, one per effect, each under the
 * idempotency key of the call that had it. Appending is the effect; looking for a key is the readback.
 */
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const beside = fileURLToPath(new URL('../../.writ/', import.meta.url));

export function ledger(name) {
  // Tools see the executor's environment without WRIT_*; a stack elsewhere names its own folder.
  const file = join(process.env.EXAMPLE_LEDGERS ?? join(beside, 'ledgers'), `${name}.jsonl`);
  return {
    append(entry) {
      mkdirSync(dirname(file), { recursive: true });
      appendFileSync(file, `${JSON.stringify(entry)}\n`);
    },
    entries() {
      try {
        return readFileSync(file, 'utf8').trim().split('\n').filter(Boolean).map(JSON.parse);
      } catch (error) {
        if (error.code === 'ENOENT') return [];
        throw error;
      }
    },
  };
}
