import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultStoreUrl, shownUrl, storeUrl } from './store-url';

describe('where the store is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'writ-url-'));
  const noteFile = join(folder, 'stack.json');
  afterAll(() => rmSync(folder, { recursive: true }));
  const note = (value: unknown): void => writeFileSync(noteFile, JSON.stringify(value));
  const running = { ready: true, pid: process.pid, eventstore: 'esdb://stack', nats: 'nats://stack' };

  it('is what the line says, else the environment, else the running stack, else the default', () => {
    note(running);
    expect(storeUrl({ option: 'esdb://line', environment: 'esdb://env', noteFile })).toBe('esdb://line');
    expect(storeUrl({ environment: 'esdb://env', noteFile })).toBe('esdb://env');
    expect(storeUrl({ environment: '', noteFile })).toBe('esdb://stack');
    expect(storeUrl({ noteFile: join(folder, 'none.json') })).toBe(defaultStoreUrl);
  });

  it('is not what a stack noted that has ended, nor what cannot be read', () => {
    // No process has this id: it is past what Linux gives out.
    note({ ...running, pid: 4_194_305 });
    expect(storeUrl({ noteFile })).toBe(defaultStoreUrl);
    writeFileSync(noteFile, '{"pid":');
    expect(storeUrl({ noteFile })).toBe(defaultStoreUrl);
  });

  it('is shown without its credentials', () => {
    expect(shownUrl('esdb://admin:changeit@host:2113?tls=true')).toBe('esdb://host:2113?tls=true');
    expect(shownUrl('esdb://host:2113')).toBe('esdb://host:2113');
  });
});
