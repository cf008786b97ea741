import { SETTING_NAMES, variableOf } from './table.ts'

const PREFIX = 'TIDEGATE_'
/** What is no setting. */
const OTHERS = [
  'DATA',
  'USER_DATA',
  'DEBUG',
  'SERVER',
  'KEY',
  'KEY_FILE',
  'FINGERPRINT',
  'PLAIN_HTTP',
]
/** What Kubernetes sets in every container beside a service with the name `tidegate`, and what tests set. */
const FOREIGN = /^TIDEGATE_(?:SERVICE_|PORT_\d|TEST_)/

/** Returns the variables of an environment that look like settings and are none. */
export function unknownVariables(environment: NodeJS.ProcessEnv): string[] {
  const known = new Set([
    ...SETTING_NAMES.map(variableOf),
    ...OTHERS.map((name) => `${PREFIX}${name}`),
  ])
  return Object.keys(environment).filter(
    (name) => name.startsWith(PREFIX) && !known.has(name) && !FOREIGN.test(name),
  )
}
