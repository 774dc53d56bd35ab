import { createInterface } from 'node:readline'

type Window = { readonly lanes: number; readonly warmMs: number; readonly ms: number }

/**
 * Reports that it is ready, then runs a closed loop for each line on stdin (`{"lanes":32,"warmMs":300,"ms":1500}`) and
 * answers with a line of figures: calls, calls a second, latencies in milliseconds, microseconds of CPU a call.
 *
 * @param add gives the text of the answer of the tool `add`
 */
export async function serveLoop(add: (a: number, b: number) => Promise<unknown>): Promise<void> {
  let next = 1
  const say = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`)
  const call = async (): Promise<void> => {
    const a = (next += 1)
    const text = await add(a, 7)
    if (text !== String(a + 7)) throw new Error(`add(${a}, 7) gave ${JSON.stringify(text)}`)
  }
  say({ ready: true })
  for await (const line of createInterface({ input: process.stdin })) {
    try {
      say(await closedLoop(JSON.parse(line) as Window, call))
    } catch (error) {
      say({ error: String(error) })
    }
  }
}

/** So many lanes, each with one call under way: `warmMs` uncounted, then `ms` counted. */
async function closedLoop({ lanes, warmMs, ms }: Window, call: () => Promise<void>) {
  let state: 'warming' | 'counting' | 'over' = 'warming'
  let calls = 0
  let beganAt = 0
  let cpu: NodeJS.CpuUsage | undefined
  const latencies: number[] = []
  const timer = setTimeout(() => {
    state = 'counting'
    beganAt = performance.now()
    cpu = process.cpuUsage()
    setTimeout(() => (state = 'over'), ms)
  }, warmMs)
  const isOver = (): boolean => state === 'over'
  const lane = async (): Promise<void> => {
    while (!isOver()) {
      const sentAt = performance.now()
      await call()
      if (state === 'warming') continue
      calls += 1
      if (!isOver()) latencies.push(performance.now() - sentAt)
    }
  }
  try {
    await Promise.all(Array.from({ length: lanes }, lane))
  } finally {
    clearTimeout(timer)
  }
  const { user, system } = process.cpuUsage(cpu)
  const took = latencies.toSorted((one, other) => one - other)
  return {
    calls,
    rate: (took.length / ms) * 1000,
    p50: took[Math.floor(took.length * 0.5)],
    p99: took[Math.floor(took.length * 0.99)],
    cpuUs: (user + system) / calls,
    seconds: (performance.now() - beganAt) / 1000,
  }
}
