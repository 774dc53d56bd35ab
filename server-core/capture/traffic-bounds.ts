/** How much a log stores, over all servers. */
export type TrafficBounds = {
  /** Bytes of memory for frames and rows, their own overhead included. */
  readonly frameBytes: number
  readonly rows: number
}

export const DEFAULT_BOUNDS: TrafficBounds = { frameBytes: 96 * 1024 * 1024, rows: 100_000 }
