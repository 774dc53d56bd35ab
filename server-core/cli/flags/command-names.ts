/** The commands that connect to a server, do one thing and end. */
export const CLIENT_COMMANDS = [
  'list',
  'call',
  'read',
  'get',
  'complete',
  'subscribe',
  'ping',
  'discover',
  'raw',
  'types',
] as const
export type ClientCommandName = (typeof CLIENT_COMMANDS)[number]

export const COMMANDS = [
  'serve',
  'init',
  'proxy',
  'mcp',
  'import',
  'servers',
  'check',
  'exam',
  'lock',
  'fuzz',
  'load',
  'test',
  'recordings',
  'show',
  'replay',
  'diff',
  'tap',
  'desktop',
  'doctor',
  ...CLIENT_COMMANDS,
] as const
export type CommandName = (typeof COMMANDS)[number]
