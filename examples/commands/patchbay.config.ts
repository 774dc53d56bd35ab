import { config } from 'patchbay'

export default config({
  name: 'commands',
  version: '1.0.0',
  title: 'Command-line programs',
  instructions:
    'Some programs of this machine as tools, each with its declared arguments. They work in one folder and cannot leave it; ' +
    'what they print comes as progress while they run.',
  environment: ['PATH', 'PATHEXT', 'COMMANDS_FOLDER'],
})
