import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { softwareVersion } from './version';

describe('the version of the software', () => {
  it('is that of the root manifest', () => {
    const manifest: unknown = JSON.parse(readFileSync(join(__dirname, '../../../package.json'), 'utf8'));
    expect(manifest).toMatchObject({ version: softwareVersion });
  });
});
