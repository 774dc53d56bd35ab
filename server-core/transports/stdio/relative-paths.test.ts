import { expect, test } from 'vitest'
import { relativePathsIn } from './relative-paths.ts'

test('arguments that count from the folder of the process are found, and nothing else', () => {
  const relative = ['server.js', './dist/index.mjs', '../data', 'src/main', '.']
  const others = [
    '-y',
    '--config=a/b',
    '@scope/server',
    '/data',
    'https://a.example/x',
    'stdio',
    '~/x',
    'a/b c',
  ]
  expect(relativePathsIn([...others, ...relative])).toEqual(relative)
})
