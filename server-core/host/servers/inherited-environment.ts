import { inheritedVariableNames } from '../../transports/child-environment.ts'

/** Variables that make a program load code, or decide which program that is, and how each does it. */
const LOADS_CODE: readonly (readonly [RegExp, string])[] = [
  [/^(PATH|PATHEXT)$/i, 'decides which programs are found and run'],
  [/^(COMSPEC|SHELL)$/i, 'decides which shell runs commands'],
  [/^(LD|DYLD)_/, 'makes the loader of the system put other libraries into the program'],
  [/^(NODE_OPTIONS|NODE_PATH)$/, 'makes Node load modules that the command does not name'],
  [/^NODE_EXTRA_CA_CERTS$/, 'makes Node trust further certificates'],
  [/^ELECTRON_RUN_AS_NODE$/, 'makes an Electron app run scripts as Node does'],
  [
    /^(NPM_CONFIG|BUNDLE|UV|PIP|DENO|BUN)_/i,
    'decides where packages come from and which of their scripts run',
  ],
  [/^(CORECLR|COR)_/i, 'makes .NET load a profiler into the program'],
  [
    /^PYTHON(PATH|HOME|STARTUP|INSPECT|BREAKPOINT|USERBASE|EXECUTABLE)$/,
    'makes Python load modules that the command does not name',
  ],
  [
    /^(BASH_ENV|ENV|SHELLOPTS|PROMPT_COMMAND|IFS|ZDOTDIR)$/,
    'makes a shell run other commands than it is told',
  ],
  [/^PERL(5LIB|5OPT|5DB|LIB)$/, 'makes Perl load modules that the command does not name'],
  [/^(RUBYOPT|RUBYLIB|GEM_HOME|GEM_PATH)$/, 'makes Ruby load files that the command does not name'],
  [
    /^(JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH)$/,
    'makes Java load classes that the command does not name',
  ],
  [/^DOTNET_(STARTUP_HOOKS|ADDITIONAL_DEPS)$/, 'makes .NET load code before the program starts'],
  [/^(LUA_INIT|PHPRC|PHP_INI_SCAN_DIR)$/, 'makes the interpreter run code before the program'],
  [/^GIT_(SSH|SSH_COMMAND|EXEC_PATH|ASKPASS|CONFIG.*)$/, 'decides which programs git runs'],
  [/^(EDITOR|VISUAL|PAGER|BROWSER)$/, 'decides which program is opened for the user'],
]

type Named = { readonly name: string }

/** The names of our own variables that a child inherits; those that its own replace are left out. */
export function inheritedNames(own: readonly Named[], ours: NodeJS.ProcessEnv = process.env): string[] {
  const replaced = new Set(own.map(({ name }) => name))
  return inheritedVariableNames().filter((name) => ours[name] !== undefined && !replaced.has(name))
}

/** Those of its own variables that load code or choose what runs, each with how, for a warning before approval. */
export function codeLoaders(own: readonly Named[]): readonly { name: string; how: string }[] {
  return own.flatMap(({ name }) => {
    const [, how] = LOADS_CODE.find(([pattern]) => pattern.test(name)) ?? []
    return how === undefined ? [] : [{ name, how }]
  })
}
