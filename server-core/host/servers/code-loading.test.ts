import { describe, expect, it } from 'vitest'
import { effectOnCode } from './code-loading.ts'

const effect = (name: string, value = 'x', platform: NodeJS.Platform = 'linux'): string | undefined =>
  effectOnCode({ name, value }, platform)

describe('effectOnCode', () => {
  it.each([
    ...[
      'PATH',
      'HOME',
      'XDG_CONFIG_HOME',
      'LD_PRELOAD',
      'DYLD_INSERT_LIBRARIES',
      'OPENSSL_CONF',
      'SSH_ASKPASS',
    ],
    ...['GOFLAGS', 'RUSTC_WRAPPER', 'NODE_PATH', 'GIT_EDITOR', 'GIT_EXTERNAL_DIFF', 'GIT_SSH_COMMAND'],
    ...['GIT_CONFIG_COUNT', 'GIT_CONFIG_KEY_0', 'GIT_CONFIG_VALUE_12', 'GIT_CONFIG_GLOBAL', 'PYTHONSTARTUP'],
    ...['BASH_ENV', 'npm_config_registry', 'NPM_CONFIG_NODE_OPTIONS', 'UV_INDEX_URL', 'JAVA_TOOL_OPTIONS'],
    ...['AWS_CONFIG_FILE', 'KUBECONFIG', 'LESSOPEN', 'EDITOR'],
  ])('names %s', (name) => {
    expect(effect(name)).toMatch(/^(decides|makes|names) /)
  })

  it.each([
    'API_KEY',
    'DEBUG',
    'NPM_CONFIG__AUTHTOKEN',
    'UV_PUBLISH_TOKEN',
    'DENO_AUTH_TOKENS',
    'HOMEPAGE',
    'path_to',
  ])('leaves %s alone', (name) => {
    expect(effect(name)).toBeUndefined()
  })

  it.each([
    ...['--require ./x.js', '-r ./x.js', '--import=./x.mjs', '--loader x', '--experimental-loader=x'],
    ...[
      '--experimental_loader=x',
      '--no-warnings --import ./x.mjs',
      '"--require" x',
      '--re"quire"=x',
      '--env-file=.env',
    ],
    ...['--conditions=evil', '-C evil', '-Cevil'],
    ...['--inspect=0.0.0.0:9229', '--inspect-brk', '--openssl-config=x', '  --require=x'],
  ])('reads NODE_OPTIONS: %s loads code', (value) => {
    expect(effect('NODE_OPTIONS', value)).toBe('makes Node load modules that the command does not name')
  })

  it.each([
    '',
    '--no-warnings',
    '--max-old-space-size=4096',
    '--no-deprecation --trace-warnings',
    '--enable-source-maps',
  ])('reads NODE_OPTIONS: %j loads none', (value) => {
    expect(effect('NODE_OPTIONS', value)).toBeUndefined()
  })

  it('reads NODE_TLS_REJECT_UNAUTHORIZED', () => {
    expect(effect('NODE_TLS_REJECT_UNAUTHORIZED', '0')).toBe('makes Node trust every certificate')
    expect(effect('NODE_TLS_REJECT_UNAUTHORIZED', '1')).toBeUndefined()
  })

  it('knows names in any case on Windows alone', () => {
    expect(effect('Node_Options', '-r x', 'win32')).toBeDefined()
    expect(effect('Node_Options', '-r x', 'linux')).toBeUndefined()
  })
})
