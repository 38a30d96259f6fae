/** What ties a file to one machine or one network: folders of its owner, hosts of its registry, credentials. */
const traces: readonly RegExp[] = [
  /(?<![\w.~$}*-])\/(?:work|root|home|Users|tmp)\/\.?\w[\w.-]*/,
  /\bregistry\.[a-z0-9-]+\.(?:org|com|io|net|dev)\b/,
  /\b_authToken\b/,
  /https?:\/\/(?:localhost|[a-z0-9-]+\.internal)[:/][^\s'"]*(?:npm|simple|registry)/,
];

/** Lines of a text that speak of a machine, with their number. */
export function machineTraces(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line, index) => ({
      trace: traces.map((each) => each.exec(line)?.[0]).find((each) => each),
      number: index + 1,
    }))
    .filter(({ trace }) => trace !== undefined)
    .map(({ trace, number }) => `line ${number}: ${trace ?? ''}`);
}
