import { policyCasesSchema, policyQuestionSchema, type PolicyQuestion } from '@writ/contracts';
import { readArguments } from '@writ/runtime';
import { parseYamlFile } from '@writ/service';
import { textOf, type Problems } from './read-policy';

/** A call that the policy is asked about. */
export interface Question {
  readonly call: PolicyQuestion;
  /** In the file of cases, from 1 on; a call of the command line has none. */
  readonly line?: number;
  /** One line that says where a field stands. */
  problemAt(field: keyof PolicyQuestion, message: string): string;
}

export type Questions = { readonly ok: true; readonly questions: readonly Question[] } | Problems;

/** Options of the command line that make one call; JSON where the file has YAML. */
export type CallOptions = Readonly<Partial<Record<keyof PolicyQuestion, string>>>;

export function questionsOfFile(filename: string): Questions {
  const text = textOf(filename);
  if (text === undefined) return { ok: false, problems: [`${filename} cannot be read`] };
  const file = parseYamlFile(text, filename, policyCasesSchema);
  if (!file.ok) return file;
  return {
    ok: true,
    questions: file.value.map((call, place) => ({
      call,
      line: file.lineOf([place]),
      problemAt: (field, message) => file.problemAt([place, field], message),
    })),
  };
}

export function questionOfLine({
  args: argsText,
  metadata: metadataText,
  ...others
}: CallOptions): Questions {
  const args = objectOf('args', argsText);
  const metadata = objectOf('metadata', metadataText);
  if (!args.ok || !metadata.ok)
    return { ok: false, problems: [args, metadata].flatMap((one) => (one.ok ? [] : [one.problem])) };
  const parsed = policyQuestionSchema.safeParse({ ...others, args: args.value, metadata: metadata.value });
  if (parsed.success)
    return {
      ok: true,
      questions: [{ call: parsed.data, problemAt: (field, message) => `--${field}: ${message}` }],
    };
  return {
    ok: false,
    problems: parsed.error.issues.map(({ path, message }) => `--${path.map(String).join('.')}: ${message}`),
  };
}

/** Read as a model's arguments are, so that what could never be staged is no question either. */
function objectOf(
  field: 'args' | 'metadata',
  text = '{}',
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string } {
  const read = readArguments(text);
  return read.ok
    ? { ok: true, value: read.args }
    : { ok: false, problem: `--${field}: ${read.code}: ${read.message}` };
}
