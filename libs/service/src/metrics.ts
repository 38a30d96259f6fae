import type { Log } from '@writ/runtime';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** One metric: what its name stands for, and by what it is split. Labels are words from a closed list, never ids. */
export interface Metric<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
}

export interface Metrics {
  readonly contentType: string;
  /** Prometheus text. */
  read(): Promise<string>;
  counter<Label extends string>(metric: Metric<Label>): Counter<Label>;
  gauge<Label extends string>(metric: Metric<Label>): Gauge<Label>;
  /** Numbers that somebody else keeps, asked for at each reading: by the values of the metric's one label, if it has one. */
  observed(metric: Metric<string>, read: () => { readonly [labelValue: string]: number }): void;
  /** Upper bounds of the buckets in seconds. */
  histogram<Label extends string>(metric: Metric<Label>, buckets: readonly number[]): Histogram<Label>;
}

/** The process's own numbers and ours, in a registry of their own: nothing ambient. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const options = <Label extends string>({ name, help, labels }: Metric<Label>) => ({
    name,
    help,
    labelNames: labels ?? [],
    registers: [registry],
  });
  return {
    contentType: registry.contentType,
    read: () => registry.metrics(),
    counter: (metric) => new Counter(options(metric)),
    gauge: (metric) => new Gauge(options(metric)),
    observed: ({ labels = [], ...metric }, read) => {
      const [label] = labels;
      new Gauge({
        ...options({ ...metric, labels }),
        collect() {
          for (const [of, value] of Object.entries(read()))
            this.set(label === undefined ? {} : { [label]: of }, value);
        },
      });
    },
    histogram: (metric, buckets) => new Histogram({ ...options(metric), buckets: [...buckets] }),
  };
}

/** What the bus has counted since it was made, `writ_bus{kind="redelivered"}` for instance. */
export function observeBus(metrics: Metrics, counters: () => { readonly [kind: string]: number }): void {
  const help = 'What the bus of this service did since it started, by kind.';
  metrics.observed({ name: 'writ_bus', help, labels: ['kind'] }, counters);
}

/** Counts every logged event by its stable word: `writ_events_total{event="step_staged"}`. */
export function countingLog(log: Log, metrics: Metrics): Log {
  const events = metrics.counter({
    name: 'writ_events_total',
    help: 'What the service logged, by event and level.',
    labels: ['event', 'level'],
  });
  const counted =
    (level: 'info' | 'warn' | 'error'): Log['info'] =>
    (event, fields) => {
      events.inc({ event, level });
      log[level](event, fields);
    };
  return { info: counted('info'), warn: counted('warn'), error: counted('error') };
}
