const told = new Set<string>()

/**
 * Warns on stderr that a deprecated feature is used, once per process and feature (specification: feature lifecycle).
 * `code` names the feature, as in `MCP_DEPRECATED_SAMPLING`. Node's own switches for deprecations hold.
 */
export function warnOfDeprecated(code: string, message: string): void {
  if (told.has(code)) return
  told.add(code)
  process.emitWarning(message, { type: 'DeprecationWarning', code })
}
