import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CanonicalCall } from '@writ/contracts';
import { root } from '../options';
import type { Stack } from '../stack';
import { startStack } from '../start-stack';
import { until, Writ } from './calls';
import { line, printCall, printTranscript, struck, title, told } from './print';

const executors = ['tool-executor-1', 'tool-executor-2'];
const question = 'Invoice Bob for 25.00 and pay it from Alice’s account.';
const folder = mkdtempSync(join(tmpdir(), 'writ-demo-'));
const ledgers = join(folder, 'ledgers');

void demo().then((code) => {
  rmSync(folder, { recursive: true, force: true });
  process.exitCode = code;
});

/** One turn that shows the promise, on real processes; answers the exit code. */
async function demo(): Promise<number> {
  title('Writ: every tool call is on record before it runs');
  told(
    'nats-server, the event store, three services and a second executor start as processes of their own …',
  );
  const examples = join(root, 'examples', 'demo');
  const started = await startStack({
    data: join(folder, 'data'),
    portBase: 'free',
    executors: executors.length,
    config: join(examples, 'writ.config.yaml'),
    tools: join(examples, 'writ.tools.yaml'),
    env: {
      ...process.env,
      WRIT_MODEL_SCRIPT: join(examples, 'script.jsonl'),
      WRIT_LEASE_TTL_MS: '3000',
      EXAMPLE_LEDGERS: ledgers,
      EXAMPLE_BANK_ANSWER_MS: '25000',
    },
  });
  if (!started.ok) {
    line(started.line);
    return 1;
  }
  const { stack } = started;
  const interrupted = (): void => void stack.close().then(() => process.exit(130));
  process.once('SIGINT', interrupted);
  try {
    return await show(stack);
  } catch (error) {
    line(`The demo could not go on: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  } finally {
    process.off('SIGINT', interrupted);
    await stack.close();
  }
}

async function show(stack: Stack): Promise<number> {
  const writ = new Writ(stack.addresses.orchestrator ?? '', stack.addresses.approvals ?? '');
  const sessionId = await writ.openSession();
  const turnId = await writ.startTurn(sessionId, question);
  const step = (number: number) =>
    until(
      `step ${number}`,
      async () => (await writ.transcript(sessionId)).turns[0]?.steps[number - 1]?.calls,
    );
  const settled = (number: number): Promise<readonly CanonicalCall[]> =>
    until(`the results of step ${number}`, async () => {
      const calls = await step(number);
      return calls.every(({ outcome }) => outcome !== null) ? calls : undefined;
    });

  title('1  A mixed batch: one call that may run, one unknown tool, one with broken JSON');
  (await settled(1)).forEach(printCall);
  title('2  A tool that runs out of time; a readback asks the world what came of it');
  (await settled(2)).forEach(printCall);
  title('3  An executor is killed after the money has moved and before its result is on record');
  const [transfer] = await step(3);
  const holder = await until('the transfer', () => holderOf(stack, transfer?.callId ?? ''));
  await until('the effect', () => (transfersUnder(transfer?.callId ?? '') > 0 ? true : undefined));
  const pid = stack.processes.find(({ name }) => name === holder)?.pid;
  await stack.kill(holder);
  struck(
    `${holder} (pid ${pid ?? '?'}): its lease is ended, another executor takes the call over and reads back`,
  );
  (await settled(3)).forEach(printCall);
  told(
    `  ${''.padEnd(16)} entries in the bank's ledger for this call: ${transfersUnder(transfer?.callId ?? '')}`,
  );
  title('4  Two letters that cannot be called back wait for a person: one is granted, one denied');
  const letters = await until('both approvals', async () => {
    const waiting = await writ.waiting();
    return waiting.length === 2 ? waiting : undefined;
  });
  for (const letter of letters) {
    const isPress = letter.args['to'] === 'the press';
    await writ.decide(
      letter,
      isPress ? 'deny' : 'grant',
      isPress ? 'We do not talk to the press.' : undefined,
    );
    told(`a person ${isPress ? 'denies' : 'grants'}: ${letter.preview.replaceAll('\n', ', ')}`);
  }
  (await settled(4)).forEach(printCall);

  const turn = await until('the end of the turn', async () => {
    const now = await writ.turn(sessionId, turnId);
    return now.endedAt === undefined ? undefined : now;
  });
  title('The canonical transcript, folded from acknowledged events alone');
  printTranscript(await writ.transcript(sessionId));
  title('The audit, from the event streams alone');
  const audit = spawnSync(
    process.execPath,
    [
      join(root, 'apps', 'writ', 'bin', 'writ.cjs'),
      'audit',
      'verify',
      '--eventstore',
      stack.addresses.eventstore,
    ],
    { stdio: 'inherit' },
  );
  const isGood =
    turn.status === 'completed' && audit.status === 0 && transfersUnder(transfer?.callId ?? '') === 1;
  line(isGood ? '' : `\nThis is not what the demo promises: the turn is ${turn.status}.`);
  return isGood ? 0 : 1;
}

/** Which executor has started the tool of a call, as its log says. */
function holderOf(stack: Stack, callId: string): string | undefined {
  return executors.find((name) =>
    stack.output(name).some((text) => text.includes('"tool_started"') && text.includes(callId)),
  );
}

/** Effects, counted where they happen: in the bank's own ledger. */
function transfersUnder(callId: string): number {
  try {
    return readFileSync(join(ledgers, 'bank.jsonl'), 'utf8')
      .split('\n')
      .filter((entry) => entry.includes(callId)).length;
  } catch {
    return 0;
  }
}
