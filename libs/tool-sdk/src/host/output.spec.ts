import { PassThrough } from 'node:stream';
import { once } from 'node:events';
import { LineGate, readLines } from './output';

async function linesOf(...chunks: readonly string[]): Promise<string[]> {
  const stream = new PassThrough();
  const lines: string[] = [];
  readLines(stream, (line) => lines.push(line));
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await once(stream, 'close');
  return lines;
}

describe('lines of a tool’s output', () => {
  it('are put together from chunks, the last one without an end included', async () => {
    expect(await linesOf('on', 'e\ntw', 'o\n\n', 'three')).toEqual(['one', 'two', 'three']);
  });

  it('are cut, and what has no line end is not kept in memory', async () => {
    expect(await linesOf('x'.repeat(5_000), 'x'.repeat(5_000), '\nnext\n')).toEqual([
      `${'x'.repeat(1_024)}…`,
      'next',
    ]);
  });

  it('come in a burst and then at a rate, and the next one says how many were left out', () => {
    const gate = new LineGate();
    const burst = Array.from({ length: 60 }, () => gate.pass(1_000));
    expect(burst.filter((dropped) => dropped === 0)).toHaveLength(50);
    expect(gate.pass(1_050)).toBeUndefined();
    expect(gate.pass(1_200)).toBe(11);
  });
});
