import { type Sentences, say } from '../../../shared/coded.ts'
import type { Attempt, AttemptFailure } from '../../../shared/events/webhook.ts'
import { formatCounted, formatSize } from '../../../shared/wording/format.ts'
import type { DatabaseUrlProblem } from '../../storage/interface/database-url.ts'
import type { FileProblem } from '../settings/file-problem.ts'

const storage = {
  database:
    'PostgreSQL database, as postgres://USER@HOST/NAME (default: SQLite in the data folder)',
  databaseFile: 'File with that address, when it includes a password',
  nodeName: 'Name of this node of a PostgreSQL database (default: the host name)',
  wrongDatabase: (givenBy: string, problem: DatabaseUrlProblem) =>
    `${givenBy} ${PROBLEMS[problem]}`,
  twoDatabases: ([one = '', other = '']: readonly string[]) =>
    `${one} and ${other} cannot be used together`,
  databaseWithoutPassword:
    'a PostgreSQL address without a password, such as postgres://tidegate@db.example.com/tidegate; put an address with a password into a file of its own and set databaseFile to its path',
} as const

const PROBLEMS: Readonly<Record<DatabaseUrlProblem, string>> = {
  scheme: 'must begin with postgres:// or postgresql://',
  address:
    'is not an address such as postgres://USER@HOST/NAME; encode special characters of the password, such as # as %23',
  place:
    'names no host; use postgres://USER@HOST/NAME, or postgres://USER@/NAME?host=/run/postgresql for a socket',
  name: 'names no database; add its name after the host, as in postgres://USER@HOST/NAME',
  tls: 'has an unknown sslmode; use disable, verify-full or no-verify',
}

export const text = {
  storage,
  description: 'Show and check the settings of the server',
  show: {
    description: 'Show every setting of serve, and where it comes from',
    headings: ['SETTING', 'VALUE', 'SOURCE'],
    file: (file: string) => `Configuration file: ${file}`,
    noFile: (file: string) => `Configuration file: ${file} (does not exist)`,
    none: 'No settings',
    default: 'default',
    fromFile: 'tidegate.json',
  },
  check: {
    description: 'Check the configuration file without starting the server',
    file: 'File to check (default: tidegate.json in the data folder)',
    valid: (file: string) => `${file} is valid.`,
    missing: (file: string) =>
      `${file} does not exist. Settings come from options, environment variables and defaults.`,
    noSuchFile: (file: string) => `${file} does not exist; check the path`,
  },
  schema: { description: 'Print the JSON Schema of the configuration file' },

  invalidFile: (file: string, problems: number) =>
    `${file} has ${formatCounted(problems, 'problem')}, and nothing was started; fix the file, then check it with "config check"`,
  invalid: (file: string, problems: number) => `${file} has ${formatCounted(problems, 'problem')}`,
  problem: (sentence: string) => `tidegate.json: ${sentence}`,
  inFile: (file: string, problem: string) => `${file}: ${problem}`,
  contentOf: (givenBy: string, file: string) => `${givenBy}: the address in ${file}`,
  fieldOf: (field: string, file: string) => `${field} in ${file}`,

  numberBetween: (min: number, max: number) => `a whole number from ${min} to ${max}`,
  numberFrom: (min: number) => `a whole number of at least ${min}`,
  trueOrFalse: 'true or false',
  oneOf: (choices: readonly string[]) => `one of ${choices.join(', ')}`,
  nonEmpty: 'a string that is not empty',
  string: 'a string',
  path: 'the path of a file or folder, not its contents',
  folderOrBucket: 'the path of a folder, or s3://BUCKET or s3://BUCKET/PREFIX',
  bucketAddress:
    'must be s3://BUCKET or s3://BUCKET/PREFIX, where the prefix has letters, digits, dots, underscores, hyphens and slashes',
  httpsAddress: 'an https address',
  httpAddress: 'an http or https address without a query',
  proxies: {
    all: 'an array of addresses, ranges such as 10.0.0.0/8, or loopback',
    each: 'an address, a range such as 10.0.0.0/8, or loopback',
  },
  name: 'a name of at most 128 characters on one line',
  mailAddress: 'an e-mail address',
  privateHosts: {
    all: 'an array of hosts, each with or without a port',
    each: 'a host in lower case, with or without a port',
  },
  gateServers: {
    all: 'an array of addresses such as https://prometheus.example.com:9090',
    each: 'an http or https address in lower case, without path',
  },
  hostNames: {
    all: 'an array of host names',
    each: 'a host name in lower case, without scheme and port',
  },

  fieldDescription: (help: string, option: string, variable: string) =>
    `${help}. Overridden by ${option} and ${variable}.`,
  schemaField: 'Path or address of this schema, for editors',
  schemaTitle: 'Settings of a Tidegate server',
  schemaDescription:
    'tidegate.json in the data folder. Options and environment variables override it. Secrets are not allowed in it.',
} as const

/** Returns what is wrong with a configuration file, and how to fix it, in one line. */
export function problemSentence(problem: FileProblem): string {
  return say(FILE_PROBLEMS, problem)
}

const unreadable = ({ reason }: { readonly reason: string }) =>
  `cannot be read (${reason}); check its permissions`

const FILE_PROBLEMS: Sentences<FileProblem> = {
  unreadable,
  denied: unreadable,
  not_a_file: () => 'is not a regular file; replace it with a JSON file',
  too_large: ({ maxBytes }) => `is larger than ${formatSize(maxBytes)}; keep only settings in it`,
  not_utf8: () => 'is not UTF-8; save it with this encoding',
  not_json: ({ place }) =>
    `is malformed JSON${place === undefined ? '' : ` at ${place}`}; comments and trailing commas are not allowed`,
  too_deep: ({ maxDepth }) =>
    `has more than ${maxDepth} levels of arrays and objects; settings are on the first level`,
  not_an_object: () => 'must be an object, such as {"port": 8440}',
  repeated: ({ field }) => `${field} appears more than once; keep one of them`,
  unknown: ({ field, nearest }) =>
    `${field} is not a setting; ${nearest === undefined ? '"config schema" lists all settings' : `did you mean ${nearest}?`}`,
  secret: ({ field, file }) => {
    const fix =
      file === undefined ? 'remove it' : `put it into a file of its own and set ${file} to its path`
    return `${field} looks like a secret, which this file must not contain; ${fix}`
  },
  of_process: ({ field, option, variable }) =>
    `${field} applies to one process only; remove it and use ${option} or ${variable}`,
  data_folder: ({ field }) =>
    `${field} cannot be set in a file of the data folder itself; remove it and use --data or TIDEGATE_DATA`,
  wrong: ({ field, value, allowed }) =>
    value === undefined
      ? `${field} must be ${allowed}`
      : `${field} is ${value}; it must be ${allowed}`,
}

const REASONS: Readonly<Partial<Record<AttemptFailure, string>>> = {
  unresolved: 'the host was not found; check --smtp-host',
  unreachable: 'the connection was refused; check --smtp-host and --smtp-port',
  certificate: 'TLS failed; check --smtp-tls and the certificate of the mail server',
  timed_out: 'it did not answer in time; check --smtp-port and --smtp-tls',
  broken_off: 'the connection was lost; check --smtp-port and --smtp-tls',
  authentication: 'signing in failed; check --smtp-user and --smtp-password-file',
  rejected: 'it rejected the mail',
}

export const mailText = {
  description: 'Mail for invitations, approvals and alarms',
  test: 'Send a test mail with the settings of the server',
  address: 'Address to send to',
  notConfigured: 'no mail server is configured; set --smtp-host and --mail-from',
  sent: (to: string, response: string) =>
    `The mail server accepted the mail to ${to}: ${response.split('\n')[0] ?? ''}`,
  failed: (host: string, port: number, { failure, response }: Attempt) => {
    const reason = (failure && REASONS[failure]) ?? 'the mail was not accepted'
    const answer = response === '' ? '' : ` (${response.replaceAll(/\s+/g, ' ').trim()})`
    return `${host}:${port}: ${reason}${answer}`
  },
} as const
