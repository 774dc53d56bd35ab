import type { Pair } from '../contract/servers.ts'

/** A variable that changes what runs: which ones, what it does, and with which values, if not with all. */
type Rule = {
  readonly names: RegExp
  readonly effect: string
  readonly does?: (value: string) => boolean
}

const RULES: readonly Rule[] = [
  { names: /^(PATH|PATHEXT)$/i, effect: 'decides which programs are found and run' },
  { names: /^(COMSPEC|SHELL)$/i, effect: 'decides which shell runs commands' },
  {
    names: /^(HOME|USERPROFILE|APPDATA|LOCALAPPDATA|XDG_(CONFIG|DATA)_(HOME|DIRS))$/,
    effect: 'decides where programs read their settings, which can name commands',
  },
  { names: /^(LD|DYLD)_/, effect: 'makes the loader of the system put other libraries into the program' },
  {
    names: /^(OPENSSL_(CONF|ENGINES|MODULES)|SSLKEYLOGFILE)$/,
    effect: 'makes OpenSSL load libraries, or write down its keys',
  },
  {
    names: /^NODE_OPTIONS$/,
    effect: 'makes Node load modules that the command does not name',
    does: loadsByOptions,
  },
  {
    names: /^NODE_(PATH|REPL_EXTERNAL_MODULE)$/,
    effect: 'makes Node load modules that the command does not name',
  },
  { names: /^NODE_EXTRA_CA_CERTS$/, effect: 'makes Node trust further certificates' },
  {
    names: /^NODE_TLS_REJECT_UNAUTHORIZED$/,
    effect: 'makes Node trust every certificate',
    does: (value) => value.trim() === '0',
  },
  { names: /^SSL_CERT_(FILE|DIR)$/, effect: 'decides which certificates are trusted' },
  { names: /^ELECTRON_RUN_AS_NODE$/, effect: 'makes an Electron app run scripts as Node does' },
  {
    // Credentials of package managers have the same prefixes.
    names: /^(NPM_CONFIG|BUNDLE|UV|PIP|DENO|BUN)_(?!.*(AUTH|TOKEN|PASSWORD|SECRET|CREDENTIAL))/i,
    effect: 'decides where packages come from and which of their scripts run',
  },
  { names: /^(CORECLR|COR)_/i, effect: 'makes .NET load a profiler into the program' },
  {
    names: /^PYTHON(PATH|HOME|STARTUP|INSPECT|BREAKPOINT|USERBASE|EXECUTABLE|WARNINGS)$/,
    effect: 'makes Python load modules that the command does not name',
  },
  {
    names: /^(BASH_ENV|ENV|SHELLOPTS|PROMPT_COMMAND|IFS|ZDOTDIR|BASH_FUNC_.*)$/,
    effect: 'makes a shell run other commands than it is given',
  },
  { names: /^PERL(5LIB|5OPT|5DB|LIB)$/, effect: 'makes Perl load modules that the command does not name' },
  {
    names: /^(RUBYOPT|RUBYLIB|GEM_HOME|GEM_PATH)$/,
    effect: 'makes Ruby load files that the command does not name',
  },
  {
    names:
      /^(JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|JAVA_OPTS|MAVEN_OPTS|GRADLE_OPTS|JAVA_HOME|CLASSPATH)$/,
    effect: 'makes Java load classes that the command does not name',
  },
  {
    names: /^DOTNET_(STARTUP_HOOKS|ADDITIONAL_DEPS|ROOT)$/,
    effect: 'makes .NET load code before the program starts',
  },
  {
    names: /^(LUA_INIT.*|PHPRC|PHP_INI_SCAN_DIR)$/,
    effect: 'makes the interpreter run code before the program',
  },
  {
    names:
      /^(GOFLAGS|GOENV|GOPROXY|GOTOOLCHAIN|RUSTC|RUSTC_(WORKSPACE_)?WRAPPER|RUSTFLAGS|CARGO_(BUILD|TARGET)_.*|MAKEFLAGS|CC|CXX)$/,
    effect: 'decides which programs compile code, or where it comes from',
  },
  {
    names:
      /^GIT_(SSH|SSH_COMMAND|EXEC_PATH|ASKPASS|EDITOR|SEQUENCE_EDITOR|PAGER|EXTERNAL_DIFF|PROXY_COMMAND|TEMPLATE_DIR|DIR|CONFIG.*)$/,
    effect: 'decides which programs git runs',
  },
  {
    names: /^(AWS_CONFIG_FILE|AWS_SHARED_CREDENTIALS_FILE|KUBECONFIG|DOCKER_CONFIG)$/,
    effect: 'names a file of settings that can name commands',
  },
  {
    names: /^(EDITOR|VISUAL|PAGER|MANPAGER|LESSOPEN|LESSCLOSE|BROWSER|(SSH|SUDO)_ASKPASS)$/,
    effect: 'decides which program is opened for the user',
  },
]

/** Options that load code, choose which file an import loads, or open a debugger's port. */
const LOADING_OPTION =
  /^(-r|--require|-C|--conditions|--import|--(experimental-)?loader|--env-file.*|--inspect.*|--openssl-.*|--experimental-(default-)?config-file|--snapshot-blob|--icu-data-dir|--(experimental-)?policy)/

/** Whether this value of `NODE_OPTIONS` has an option that loads code. */
function loadsByOptions(value: string): boolean {
  // Node takes underscores for hyphens, and quotes anywhere.
  const options = value
    .replaceAll(/["'\\]/g, '')
    .replaceAll('_', '-')
    .split(/\s+/)
  return options.some((option) => LOADING_OPTION.test(option))
}

/**
 * What a variable changes about the code that runs, as the end of a sentence that begins with its name.
 *
 * @returns undefined if it changes nothing
 */
export function effectOnCode({ name, value }: Pair, platform = process.platform): string | undefined {
  // On Windows the case of a name does not matter.
  const known = platform === 'win32' ? name.toUpperCase() : name
  return RULES.find(({ names, does }) => names.test(known) && (does?.(value) ?? true))?.effect
}
