import { expect, test } from 'vitest'
import { readStartCommand } from './start-options.ts'

const read = (...args: string[]) => readStartCommand(args, '/home/user')

test('without flags the window opens on the desktop, with any port', () => {
  expect(read()).toEqual({ type: 'start', options: { mode: 'desktop', port: 0 } })
})

test('all flags are read, and folders count from where the user is', () => {
  const args = ['--browser', '--workspace', 'work', '--profile=/data', '--port', '4000', '--mcp-port', '0']
  expect(read(...args)).toEqual({
    type: 'start',
    options: { mode: 'browser', workspace: '/home/user/work', profile: '/data', port: 4000, mcpPort: 0 },
  })
  expect(read('--headless', '--browser')).toMatchObject({ options: { mode: 'headless' } })
  expect(read('--help', '--headless')).toEqual({ type: 'help' })
})

test.each([
  [['--brwser'], "Unknown option '--brwser'"],
  [['there'], "Unexpected argument 'there'. This command does not take positional arguments"],
  [['--port'], "Option '--port <value>' argument missing"],
  [['--port', '99999'], '--port expects a number from 0 to 65535, got "99999"'],
  [['--mcp-port', '1e3'], '--mcp-port expects a number from 0 to 65535, got "1e3"'],
  [['--profile', ''], '--profile expects a folder, got an empty text'],
])('%j is refused by name', (args, message) => {
  expect(read(...args)).toEqual({ type: 'usage-error', message })
})
