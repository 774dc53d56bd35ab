/** What a log stores at present, over all servers. */
export type Usage = {
  /** Bytes of memory that frames and rows take, roughly. */
  cost: number
  rows: number
}
