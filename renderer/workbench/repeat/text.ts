/** All text that a user reads in this module, by file. */
export const repeatText = {
  repeatPage: {
    times: 'times',
    atOnce: 'at once',
    expected: (most: number) => `expected a whole number from 1 to ${String(most)}`,
    run: 'Repeat',
    again: 'Repeat again',
    stop: 'Stop',
    stopping: 'Stopping…',
    progress: 'Calls',
    notYet: 'Not repeated yet',
    notYetDetail:
      'Sends these arguments many times and shows how long the server took. The calls are on the timeline.',
    destructive: 'This tool says that it may destroy something: each call does it again.',
    sent: (sent: string, times: string) => `${sent} of ${times}`,
    took: (time: string) => `${time} in all`,
    succeeded: (count: string, all: string) => `${count} of ${all} succeeded`,
    allSame: 'all results the same',
    differ: (same: string, kinds: string) => `${same} results the same, ${kinds} kinds`,
    durations: 'Server time in milliseconds',
    errors: 'Errors',
    times2: (count: string) => `${count} ×`,
    noneSucceeded: 'No call succeeded.',
    names: {
      least: 'min',
      p50: 'p50',
      p90: 'p90',
      p95: 'p95',
      p99: 'p99',
      greatest: 'max',
      mean: 'mean',
    },
  },
  histogram: {
    label: (count: string, least: string, greatest: string) =>
      `Histogram of ${count} calls, from ${least} to ${greatest}`,
    column: (from: string, to: string, count: string) => `${from} to ${to}: ${count}`,
  },
} as const
