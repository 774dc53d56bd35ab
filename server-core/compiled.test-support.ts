/**
 * Environment of servers over stdio that tests start, which get no other variable of this process: they load again what many
 * have loaded before them.
 */
export const COMPILED: Readonly<Record<string, string>> = {
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
}
