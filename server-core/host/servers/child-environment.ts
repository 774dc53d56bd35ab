/**
 * Variables of our own environment that a started server gets beside its own: what programs need to find
 * themselves at home. Everything else of ours, tokens in it included, stays here.
 */
const INHERITED = [
  'HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR',
  'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR', 'XDG_STATE_HOME',
  'DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS',
  'APPDATA', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATHEXT', 'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA', 'PROGRAMFILES', 'SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERNAME', 'USERPROFILE', 'WINDIR',
] // prettier-ignore

/** Variables that make a program load code, or decide which program that is. */
const LOADS_CODE: readonly RegExp[] = [
  /^PATH$/i, /^PATHEXT$/i, /^COMSPEC$/i,
  /^LD_/, /^DYLD_/,
  /^NODE_OPTIONS$/, /^NODE_PATH$/, /^NODE_EXTRA_CA_CERTS$/, /^ELECTRON_RUN_AS_NODE$/, /^NPM_CONFIG_/i,
  /^PYTHON(PATH|HOME|STARTUP|INSPECT|BREAKPOINT|USERBASE|EXECUTABLE)$/, /^UV_/, /^PIP_/,
  /^BASH_ENV$/, /^ENV$/, /^SHELLOPTS$/, /^PROMPT_COMMAND$/, /^IFS$/, /^SHELL$/, /^ZDOTDIR$/,
  /^PERL(5LIB|5OPT|5DB|LIB)$/, /^RUBY(OPT|LIB)$/, /^GEM_(HOME|PATH)$/, /^BUNDLE_/,
  /^(JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH)$/,
  /^DOTNET_(STARTUP_HOOKS|ADDITIONAL_DEPS)$/, /^CORECLR_/, /^COR_/,
  /^(LUA_INIT|PHPRC|PHP_INI_SCAN_DIR|DENO_|BUN_|GIT_(SSH|SSH_COMMAND|EXEC_PATH|ASKPASS|CONFIG.*))/,
  /^(EDITOR|VISUAL|PAGER|BROWSER)$/,
] // prettier-ignore

type NameAndValue = { readonly name: string; readonly value: string }

/** The names a child inherits; those that its own variables replace are left out. */
export function inheritedNames(
  own: readonly NameAndValue[],
  ours: NodeJS.ProcessEnv = process.env,
): string[] {
  const replaced = new Set(own.map(({ name }) => name))
  return INHERITED.filter((name) => ours[name] !== undefined && !replaced.has(name))
}

/** The whole environment of a child. */
export function childEnvironment(
  own: readonly NameAndValue[],
  ours: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const inherited = inheritedNames(own, ours).map((name): [string, string] => [name, ours[name] ?? ''])
  return Object.fromEntries([...inherited, ...own.map(({ name, value }): [string, string] => [name, value])])
}

/** Those of its own variables that load code or choose what runs, for a warning before approval. */
export function namesThatLoadCode(own: readonly NameAndValue[]): string[] {
  return own.map(({ name }) => name).filter((name) => LOADS_CODE.some((pattern) => pattern.test(name)))
}
