import type { CanonicalCall, CanonicalTranscript } from '@writ/contracts';
import pc from 'picocolors';

const colors = pc.createColors(process.stdout.isTTY === true && pc.isColorSupported);
const nameWidth = 16;

export const line = (text = ''): void => void process.stdout.write(`${text}\n`);
export const title = (text: string): void => line(`\n${colors.bold(text)}`);
export const told = (text: string): void => line(colors.dim(`  ${text}`));
export const struck = (text: string): void => line(`  ${colors.red('SIGKILL')} ${text}`);

/** One call in one line, and a second one for where in the log it was staged, started and settled. */
export function printCall(call: CanonicalCall): void {
  const name = (call.tool ?? call.nameSent).padEnd(nameWidth);
  const outcome = `${call.outcome ?? 'open'}, effect ${call.effect ?? 'not known yet'}`;
  line(`  ${markOf(call)} ${name} ${outcome}${whyOf(call)}`);
  const { staged, started, committed } = call.positions;
  const order = [`staged @${staged}`, started && `started @${started}`, committed && `result @${committed}`];
  told(`  ${''.padEnd(nameWidth)} ${order.filter((part) => part !== undefined).join('  →  ')}`);
}

function markOf({ outcome }: CanonicalCall): string {
  if (outcome === 'succeeded') return colors.green('✓');
  return outcome === 'refused' ? colors.yellow('✗') : colors.yellow('!');
}

function whyOf({ code, readback, epochs }: CanonicalCall): string {
  const parts = [
    code,
    readback && `readback: ${readback.effect}`,
    epochs.length > 1 && `taken over, epochs ${epochs.join(' → ')}`,
  ].filter((part) => typeof part === 'string');
  return parts.length === 0 ? '' : colors.dim(`  (${parts.join('; ')})`);
}

export function printTranscript({ turns }: CanonicalTranscript): void {
  for (const { input, steps, finalText, status } of turns) {
    line(`  ${colors.cyan('user')}       ${input}`);
    for (const { text, calls } of steps) {
      if (text !== '' && text !== finalText) line(`  ${colors.cyan('assistant')}  ${text}`);
      for (const call of calls) line(`  ${colors.cyan('tool')}       ${shown(call)}`);
    }
    line(`  ${colors.cyan('assistant')}  ${finalText ?? status}`);
  }
}

const longestShown = 88;

function shown({ tool, nameSent, outcome, content }: CanonicalCall): string {
  const text = content
    .map((part) =>
      part.type === 'text' ? part.text : part.type === 'json' ? JSON.stringify(part.value) : part.mediaType,
    )
    .join(' ');
  const said = text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
  return `${tool ?? nameSent} ${colors.dim('→')} ${outcome ?? 'open'}: ${said}`;
}
