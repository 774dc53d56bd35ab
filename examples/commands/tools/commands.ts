import { commandTool } from '../lib/command-tool.ts'
import { PROGRAMS } from '../programs.ts'

/** Where the programs work: the folder that COMMANDS_FOLDER names, else that of the workspace. */
const folder = process.env['COMMANDS_FOLDER'] ?? process.cwd()

export default Object.entries(PROGRAMS).map(([name, program]) => commandTool(name, program, folder))
