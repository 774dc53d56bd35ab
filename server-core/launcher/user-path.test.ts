import path from 'node:path'
import { expect, test } from 'vitest'
import { userPath } from './user-path.ts'

const join = (...folders: string[]): string => folders.join(path.delimiter)

test.runIf(process.platform !== 'win32')(
  'what npm put in front of PATH is taken away, the rest stays',
  () => {
    const npm = [
      '/home/user/patchbay/node_modules/.bin',
      '/home/user/node_modules/.bin',
      '/home/node_modules/.bin',
      '/node_modules/.bin',
      '/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin',
    ]
    const own = ['/home/user/other/node_modules/.bin', '', '/usr/bin', '/bin', '/usr/bin']
    expect(userPath(join(...npm, ...own), '/home/user/patchbay')).toBe(join(...own))
    expect(userPath(join(...own), '/home/user/patchbay')).toBe(join(...own))
  },
)
