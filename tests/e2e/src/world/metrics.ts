/**
 * The sum of a metric's samples at a service, of those whose labels say `label`; undefined where the service does not
 * answer within two seconds.
 */
export async function metricAt(base: string, name: string, label = ''): Promise<number | undefined> {
  const text = await fetch(`${base}/metrics`, { signal: AbortSignal.timeout(2_000) })
    .then((response) => response.text())
    .catch(() => undefined);
  return text
    ?.split('\n')
    .filter((line) => new RegExp(`^${name}[{ ]`).test(line) && line.includes(label))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}
