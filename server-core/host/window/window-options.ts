/** What a user chooses when the window is started. */
export type WindowOptions = {
  /** Absolute paths; undefined means the product's default. */
  readonly workspace?: string
  readonly profile?: string
  /** Port of the window in the browser; 0 means any. */
  readonly port: number
  /** Port of the embedded server; 0 means any, undefined the one it had last time. */
  readonly mcpPort?: number
}
