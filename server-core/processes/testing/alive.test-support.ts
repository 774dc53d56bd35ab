import { processOf } from '../process-table.ts'

/** Those of the processes that live still; one that only waits to be reaped does not. */
export async function alive(pids: readonly number[]): Promise<number[]> {
  const rows = await Promise.all(pids.map((pid) => processOf(pid)))
  return pids.filter((_, index) => rows[index] !== undefined)
}
