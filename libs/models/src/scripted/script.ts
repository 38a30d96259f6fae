import { scriptedReplySchema, type ScriptedReply } from '@writ/contracts';

export type Script =
  | { readonly ok: true; readonly replies: readonly ScriptedReply[] }
  /** For a person: the line and what is wrong with it. */
  | { readonly ok: false; readonly fault: string };

/** JSON lines; empty ones are no replies but keep their number. */
export function readScript(text: string): Script {
  const replies: ScriptedReply[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const parsed = scriptedReplySchema.safeParse(parseJson(line));
    if (!parsed.success) return { ok: false, fault: `line ${index + 1}: ${faultOf(parsed.error.issues[0])}` };
    replies.push(parsed.data);
  }
  return { ok: true, replies };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function faultOf(
  issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined,
): string {
  if (issue === undefined || issue.path.length === 0)
    return `no scripted reply (${issue?.message ?? 'no JSON'})`;
  return `${issue.path.map(String).join('.')}: ${issue.message}`;
}
