import { inheritedVariableNames } from '../../transports/child-environment.ts'

/** Variables that make a program load code, or decide which program that is. */
const LOADS_CODE: readonly RegExp[] = [
  /^(PATH|PATHEXT|COMSPEC|SHELL)$/i,
  /^(LD|DYLD)_/,
  /^(NODE_OPTIONS|NODE_PATH|NODE_EXTRA_CA_CERTS|ELECTRON_RUN_AS_NODE)$/,
  /^(NPM_CONFIG|BUNDLE|UV|PIP|DENO|BUN|CORECLR|COR)_/i,
  /^PYTHON(PATH|HOME|STARTUP|INSPECT|BREAKPOINT|USERBASE|EXECUTABLE)$/,
  /^(BASH_ENV|ENV|SHELLOPTS|PROMPT_COMMAND|IFS|ZDOTDIR)$/,
  /^PERL(5LIB|5OPT|5DB|LIB)$/,
  /^(RUBYOPT|RUBYLIB|GEM_HOME|GEM_PATH)$/,
  /^(JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH)$/,
  /^DOTNET_(STARTUP_HOOKS|ADDITIONAL_DEPS)$/,
  /^(LUA_INIT|PHPRC|PHP_INI_SCAN_DIR)$/,
  /^GIT_(SSH|SSH_COMMAND|EXEC_PATH|ASKPASS|CONFIG.*)$/,
  /^(EDITOR|VISUAL|PAGER|BROWSER)$/,
]

type Named = { readonly name: string }

/** The names of our own variables that a child inherits; those that its own replace are left out. */
export function inheritedNames(own: readonly Named[], ours: NodeJS.ProcessEnv = process.env): string[] {
  const replaced = new Set(own.map(({ name }) => name))
  return inheritedVariableNames().filter((name) => ours[name] !== undefined && !replaced.has(name))
}

/** Those of its own variables that load code or choose what runs, for a warning before approval. */
export function namesThatLoadCode(own: readonly Named[]): string[] {
  return own.map(({ name }) => name).filter((name) => LOADS_CODE.some((pattern) => pattern.test(name)))
}
